import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Failure } from '../../../contract/failure.ts';
import { Failing, failing } from '../failing.ts';
import type { PdfReportOptions, PdfStep } from './pdf-report.ts';

/** What the thread begins with. */
export interface PdfThreadStart {
  readonly target: string;
  /** Beside the target: there until the PDF is whole. */
  readonly temporary: string;
  readonly options: PdfReportOptions;
}

export type ToPdfThread = { readonly draw: readonly PdfStep[] } | 'finish' | 'discard';
/** `drawn` after each batch; the others are the last word. */
export type FromPdfThread = 'drawn' | 'finished' | 'discarded' | { readonly failed: Failure };

/** The other end of the thread that writes one PDF. */
export interface PdfThread {
  draw(steps: readonly PdfStep[]): void;
  /** Resolves when little waits to be drawn. Rejects as `finish`. */
  room(): Promise<void>;
  /** Rejects with storage-full, file-unreadable (target-not-writable), or bug where the thread died; then nothing stays. */
  finish(): Promise<void>;
  /** Nothing stays. Never rejects. */
  discard(): Promise<void>;
}

/** Batches that may wait for the thread: so much is in memory twice. */
const batchesAhead = 2;

/** A thread of its own, because a page is laid out in one go: that takes longer than a window may stand still. */
export function startPdfThread(target: string, options: PdfReportOptions): PdfThread {
  const temporary = join(dirname(target), `.${basename(target).slice(0, 80)}.${randomBytes(6).toString('hex')}.part`);
  const workerData: PdfThreadStart = { target, temporary, options };
  const worker = new Worker(threadFile(), { workerData });
  let undrawn = 0;
  let last: FromPdfThread | null = null;
  let wake: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', (told: FromPdfThread) => {
    if (told === 'drawn') undrawn -= 1;
    else last = told;
    wake();
  });
  // What went wrong in a thread that dies of it is not ours to tell: it becomes bug, below.
  worker.on('error', () => undefined);
  const tell = (message: ToPdfThread) => worker.postMessage(message);
  const removed = () => rm(temporary, { force: true }).catch(() => undefined);
  const assertAlive = () => {
    if (last !== null && typeof last === 'object') throw new Failing(last.failed);
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
      if (last === 'finished') return;
      await removed();
      assertAlive();
      throw died();
    },
    discard: async () => {
      tell('discard');
      await ended;
      await removed();
    },
  };
}

function died(): Failing {
  return failing('bug', 'the thread that writes the PDF ended');
}

/** Beside this file where the program runs from its sources; built, it is a file of its own beside the folder of the program's one. */
function threadFile(): URL {
  const isSource = import.meta.filename.endsWith('.ts');
  return new URL(isSource ? './pdf-thread.ts' : '../pdf-thread/pdf-thread.js', import.meta.url);
}
