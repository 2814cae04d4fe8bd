import { useTranslation } from 'react-i18next';
import { type Job, type ReconcileCandidate, speaksForIt } from '../../contract/jobs.ts';
import { ask } from '../bridge/client.ts';
import { useCall } from '../bridge/use-call.ts';
import { useOfferUndo } from './undo.tsx';

/**
 * Accepts that a job in doubt became a document of the service, or counts it as registered because the service knows its file (null). Nothing is sent, and it can be
 * undone for some seconds: no question is asked before.
 */
export function useAccept({ id: jobId, title }: Job) {
  const { t } = useTranslation();
  const offerUndo = useOfferUndo();
  const { run, busy, failure } = useCall('jobs.accept');

  async function accept(candidate: ReconcileCandidate | null) {
    const documentId = candidate?.documentId ?? null;
    // What speaks against it stands beside the button.
    const isUnchecked = candidate !== null && !speaksForIt(candidate);
    const accepted = await run({ jobId, documentId, ...(isUnchecked ? { isUnchecked } : {}) });
    if (!accepted.ok) return;
    offerUndo({
      text: t('jobs.accepted', { title }),
      undo: async () => {
        const undone = await ask('jobs.undoAccept', { jobId });
        return undone.ok ? null : undone.failure;
      },
    });
  }
  return { accept: (candidate: ReconcileCandidate | null) => void accept(candidate), busy, failure };
}
