import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useReadAgain } from '../../features/jobs.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import css from './jobs.module.css';

/** Jobs that one call takes. */
const atOnce = 500;
/** How long what was dismissed can be put back. */
const undoMs = 10_000;

type Dismiss = (jobIds: readonly string[]) => Promise<Failure | null>;

const DismissContext = createContext<Dismiss | null>(null);

/** Takes ended jobs off the list; they can be put back for some seconds. Only below Dismissals. */
export function useDismiss(): Dismiss {
  const dismiss = use(DismissContext);
  if (!dismiss) throw new Error('useDismiss outside Dismissals');
  return dismiss;
}

/** The list of jobs, and below it what was just dismissed, with the way back. */
export function Dismissals(props: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const readAgain = useReadAgain();
  const [gone, setGone] = useState<readonly string[]>([]);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (gone.length === 0) return;
    const timer = setTimeout(() => setGone([]), undoMs);
    return () => clearTimeout(timer);
  }, [gone]);

  async function dismiss(jobIds: readonly string[]) {
    for (let from = 0; from < jobIds.length; from += atOnce) {
      const some = jobIds.slice(from, from + atOnce);
      const dismissed = await ask('jobs.dismiss', { jobIds: some });
      if (!dismissed.ok) return dismissed.failure;
      setGone((before) => [...before, ...some]);
    }
    await readAgain();
    return null;
  }

  async function putBack() {
    for (let from = 0; from < gone.length; from += atOnce) {
      const back = await ask('jobs.restoreDismissed', { jobIds: gone.slice(from, from + atOnce) });
      if (!back.ok) return setFailure(back.failure);
    }
    setGone([]);
    setFailure(null);
    await readAgain();
  }

  return (
    <DismissContext value={dismiss}>
      {props.children}
      {gone.length > 0 ? (
        <div className={css.dismissed} role="status">
          <span>{t('jobs.dismissed', { shown: format.number(gone.length) })}</span>
          <Button kind="quiet" onPress={() => void putBack()}>
            {t('jobs.undo')}
          </Button>
          {failure ? <FailureView failure={failure} /> : null}
        </div>
      ) : null}
    </DismissContext>
  );
}
