import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { placeFile, type Target, temporaryBeside } from '../../files/place-file.ts';
import { syncFolder, writeFailure } from '../../files/target-file.ts';
import { AppError, appError } from '../../foundation/app-error.ts';
import type { FromPdfWorker, PdfReportOptions, PdfStep, PdfWorkerStart, ToPdfWorker } from './pdf-messages.ts';

/** The other end of the thread that writes one PDF. */
export interface PdfWorker {
  draw(steps: readonly PdfStep[]): void;
  /** Resolves when little waits to be drawn. Rejects as `finish`. */
  room(): Promise<void>;
  /**
   * Answers the path of the PDF. Rejects with storage-full, file-unreadable (target-not-writable, target-exists), or bug where the thread died; then nothing
   * stays.
   */
  finish(): Promise<string>;
  /** Nothing stays. Never rejects. */
  discard(): Promise<void>;
}

/** Batches that may wait for the thread: so much is in memory twice. */
const batchesAhead = 2;

/** A thread of its own, because a page is laid out in one go: that takes longer than a window may stand still. */
export function startPdfWorker(target: Target, options: PdfReportOptions): PdfWorker {
  const temporary = temporaryBeside(target.path);
  const workerData: PdfWorkerStart = { temporary, options };
  const worker = new Worker(threadFile(), { workerData });
  let undrawn = 0;
  let last: FromPdfWorker | null = null;
  let wake: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', (told: FromPdfWorker) => {
    if (told === 'drawn') undrawn -= 1;
    else last = told;
    wake();
  });
  // What went wrong in a thread that dies of it is not ours to tell: it becomes bug, below.
  worker.on('error', () => undefined);
  const tell = (message: ToPdfWorker) => worker.postMessage(message);
  const removed = () => rm(temporary, { force: true }).catch(() => undefined);
  const assertAlive = () => {
    if (last !== null && typeof last === 'object') throw new AppError(last.failed);
  };
  let isOver = false;
  void ended.then(() => {
    isOver = true;
    wake();
  });
  return {
    draw: (steps) => {
      undrawn += 1;
      tell({ draw: steps });
    },
    room: async () => {
      while (undrawn > batchesAhead && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      assertAlive();
      if (isOver) throw died();
    },
    finish: async () => {
      tell('finish');
      await ended;
      try {
        if (last === 'finished') return await placed(temporary, target);
        assertAlive();
        throw died();
      } catch (error) {
        await removed();
        throw error;
      }
    },
    discard: async () => {
      tell('discard');
      await ended;
      await removed();
    },
  };
}

async function placed(temporary: string, target: Target): Promise<string> {
  const path = await placeFile(temporary, target).catch((error: unknown) => {
    throw writeFailure(error);
  });
  await syncFolder(dirname(path));
  return path;
}

function died(): AppError {
  return appError('bug', 'the thread that writes the PDF ended');
}

/** Beside this file where the program runs from its sources; built, it is a file of its own beside the folder of the program's one. */
function threadFile(): URL {
  const isSource = import.meta.filename.endsWith('.ts');
  return new URL(isSource ? './pdf-worker.ts' : '../pdf-thread/pdf-thread.js', import.meta.url);
}
