import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import { ask } from '../../bridge/client.ts';
import { useReadAgain } from '../../features/jobs/jobs.tsx';
import { useOfferUndo } from '../../features/undo.tsx';
import { useFormat } from '../../parts/format.ts';

/** Jobs that one call takes. */
const atOnce = 500;

/** Takes ended jobs off the list; they can be put back for some seconds. */
export function useDismiss(): (jobIds: readonly string[]) => Promise<Failure | null> {
  const { t } = useTranslation();
  const format = useFormat();
  const readAgain = useReadAgain();
  const offerUndo = useOfferUndo();

  async function inParts(call: 'jobs.dismiss' | 'jobs.restoreDismissed', jobIds: readonly string[]) {
    const done: string[] = [];
    for (let from = 0; from < jobIds.length; from += atOnce) {
      const some = jobIds.slice(from, from + atOnce);
      const ended = await ask(call, { jobIds: some });
      if (!ended.ok) return { done, failure: ended.failure };
      done.push(...some);
    }
    await readAgain();
    return { done, failure: null };
  }

  return async (jobIds) => {
    const { done, failure } = await inParts('jobs.dismiss', jobIds);
    if (done.length > 0)
      offerUndo({
        text: t('jobs.dismissed', { shown: format.number(done.length) }),
        undo: async () => (await inParts('jobs.restoreDismissed', done)).failure,
      });
    return failure;
  };
}
