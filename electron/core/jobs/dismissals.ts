import type { Jobs } from './jobs.ts';
import type { KeptCopies } from './kept-copies.ts';
import type { QueueContext } from './queue-context.ts';

/** Takes ended jobs off the list, and puts them back for as long as their copies are kept. */
export function dismissals(
  { context, secrets, changes }: QueueContext,
  copies: KeptCopies,
): Pick<Jobs, 'dismiss' | 'restoreDismissed'> {
  const { jobs } = context.store;
  return {
    dismiss: async (jobIds) => {
      const withSecret = jobIds.filter((id) => jobs.get(id)?.hasSecret);
      const gone = jobs.dismiss(jobIds);
      if (gone.length > 0) copies.keep(gone);
      for (const id of gone) changes.mark(id);
      // A secret word is never kept longer than its job: it is asked for again.
      for (const id of withSecret) if (gone.includes(id)) await secrets.forget(id);
    },
    restoreDismissed: (jobIds) => {
      const back = jobs.undismiss(jobIds.filter(copies.isKept));
      for (const id of back) {
        copies.release(id);
        changes.mark(id);
      }
      return back.length;
    },
  };
}
