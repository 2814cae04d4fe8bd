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
      const gone: string[] = [];
      for (const id of jobIds) {
        const hasSecret = jobs.get(id)?.hasSecret ?? false;
        if (!jobs.dismiss(id)) continue;
        // A secret word is never kept longer than its job: it is asked for again.
        if (hasSecret) await secrets.forget(id);
        gone.push(id);
        changes.mark(id);
      }
      if (gone.length > 0) copies.keep(gone);
    },
    restoreDismissed: (jobIds) => {
      const back = jobIds.filter((id) => copies.isKept(id) && jobs.undismiss(id));
      for (const id of back) {
        copies.release(id);
        changes.mark(id);
      }
      return back.length;
    },
  };
}
