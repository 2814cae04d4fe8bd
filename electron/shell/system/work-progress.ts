import type { BrowserWindow } from 'electron';
import type { EventValue } from '../../../contract/index.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { Core } from '../../core/core.ts';

/** Electron's values for a progress bar in the taskbar or the dock, besides the shares from 0 to 1. */
export const noProgress = -1;
export const unknownShare = 2;

/** Time without work before the bar goes: between two jobs nothing is sent for a moment. */
const offAfterMs = 1000;

/**
 * Share of the running work, for the taskbar: jobs that are being sent, with those that wait for them, and downloads. Each counts the same, because their sizes
 * are not known before. `show` is called for each new percent, and with `noProgress` when nothing runs any more.
 */
export function createWorkProgress(show: (share: number) => void) {
  const queue = createQueueShare();
  const downloads = new Map<string, number | null>();
  let shown = noProgress;
  let off: NodeJS.Timeout | undefined;

  const set = (share: number) => {
    if (share === shown) return;
    shown = share;
    show(share);
  };
  const update = () => {
    const shares = [...downloads.values(), ...(queue.isSending() ? [queue.share()] : [])];
    if (shares.length === 0) {
      off ??= setTimeout(() => {
        off = undefined;
        queue.reset();
        set(noProgress);
      }, offAfterMs).unref();
      return;
    }
    clearTimeout(off);
    off = undefined;
    const known = shares.filter((share) => share !== null);
    const mean = known.reduce((sum, share) => sum + share, 0) / shares.length;
    set(known.length === 0 ? unknownShare : Math.floor(mean * 100) / 100);
  };

  return {
    // Takes every event of the core: the values come from there, and the contract gives them these types.
    follow: (name: string, value: unknown) => {
      if (name === 'jobs.changed') queue.take(value as EventValue<'jobs.changed'>);
      else if (name === 'tasks.ended') downloads.delete((value as Task).taskId);
      else if (name === 'tasks.started' || name === 'tasks.progressed') {
        const task = value as Task;
        const share = shareOf(task);
        if (share === undefined) return;
        downloads.set(task.taskId, share);
      } else return;
      update();
    },
    stop: () => clearTimeout(off),
  };
}

/** Shows the core's work on a window's entry in the taskbar or the dock until the returned function is called. */
export function showProgressOn(window: BrowserWindow, core: Core): () => void {
  const progress = createWorkProgress((share) => {
    if (!window.isDestroyed()) window.setProgressBar(share);
  });
  const stopEvents = core.onEvent(progress.follow);
  return () => {
    stopEvents();
    progress.stop();
  };
}

/** Share of a download; null if its size is not known, undefined if the task is no download. */
function shareOf({ kind, progress }: Task): number | null | undefined {
  if (kind === 'download') return part(progress.receivedBytes, progress.totalBytes);
  if (kind === 'bulk-download') return part(progress.doneCount + progress.failedCount, progress.total);
  return undefined;
}

const part = (done: number, total: number | null) => (total ? Math.min(1, done / total) : null);

/** Share of the queue since it began to send: jobs that left it, of those and the ones that are still in it. */
function createQueueShare() {
  const sending = new Map<string, number>();
  let open: number | null = null;
  let left = 0;
  let isSending = false;
  return {
    isSending: () => isSending,
    share: () => {
      const parts = [...sending.values()].reduce((sum, share) => sum + share, 0);
      return Math.min(1, (left + parts) / Math.max(1, left + (open ?? 0)));
    },
    take: ({ counts, jobs }: Pick<EventValue<'jobs.changed'>, 'counts' | 'jobs'>) => {
      for (const job of jobs) {
        if (job.state === 'sending') sending.set(job.id, part(job.sentBytes, job.totalBytes) ?? 0);
        else sending.delete(job.id);
      }
      isSending = counts.sending > 0;
      if (!isSending) sending.clear();
      const now = counts.prepared + counts.waiting + counts.sending;
      left += Math.max(0, (open ?? now) - now);
      open = now;
    },
    reset: () => {
      left = 0;
    },
  };
}
