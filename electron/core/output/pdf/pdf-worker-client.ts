import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../files/atomic-write.ts';
import { placeFile, type Target, temporaryBeside } from '../../files/place-file.ts';
import { type AppError, appError, failureOf } from '../../foundation/app-error.ts';
import { toWriteError } from '../../foundation/fs-errors.ts';
import { startWorker } from '../../foundation/worker-channel.ts';
import type { PdfReportOptions, PdfStep } from './pdf-step.ts';
import type { PdfActions } from './pdf-worker.ts';

/** Batches that may wait for the worker: their steps are in memory twice. */
const batchesAhead = 2;

/** Starts a worker for one PDF. A worker is needed because a page is laid out in one step, which would freeze the window for too long. */
export function startPdfWorker(target: Target, options: PdfReportOptions) {
  const temporary = temporaryBeside(target.path);
  const worker = startWorker<PdfActions>(new URL('./pdf-worker.ts', import.meta.url));
  /** Requests that have no answer yet; they settle in their order, and each is removed then. */
  const pending: Promise<void>[] = [];
  let failed: AppError | null = null;
  const track = (answer: Promise<void>) => {
    const settled = answer
      .catch((error: unknown) => {
        failed ??= drawingFailure(error);
      })
      .finally(() => void pending.shift());
    pending.push(settled);
  };
  /** Removes the unfinished file. Never rejects. */
  const discard = async () => {
    await worker.ask('discard').catch(() => undefined);
    await worker.end();
    // A worker that ended by itself did not remove the file.
    await rm(temporary, { force: true }).catch(() => undefined);
  };
  track(worker.ask('begin', temporary, options));
  return {
    draw: (steps: readonly PdfStep[]) => track(worker.ask('draw', steps)),
    /** Resolves when at most two batches wait to be drawn. Rejects as `finish`. */
    room: async () => {
      while (pending.length > batchesAhead) await pending[0];
      if (failed) throw failed;
    },
    /**
     * Answers the path of the PDF. Rejects with storage-full, file-unreadable (target-not-writable, target-exists), or bug if drawing failed or the worker
     * ended; then the file is removed.
     */
    finish: async () => {
      try {
        await Promise.all(pending);
        if (failed) throw failed;
        await worker.ask('finish').catch((error: unknown) => {
          throw drawingFailure(error);
        });
        await worker.end();
        return await placeAndSync(temporary, target);
      } catch (error) {
        await discard();
        throw error;
      }
    },
    discard,
  };
}

async function placeAndSync(temporary: string, target: Target): Promise<string> {
  const path = await placeFile(temporary, target).catch((error: unknown) => {
    throw toWriteError(error);
  });
  await syncFolder(dirname(path));
  return path;
}

/** The message of a foreign error stays out of the note: it may hold words of the document. */
function drawingFailure(error: unknown): AppError {
  if (failureOf(error)) return error as AppError;
  return appError('bug', `drawing the PDF failed: ${error instanceof Error ? error.name : typeof error}`);
}
