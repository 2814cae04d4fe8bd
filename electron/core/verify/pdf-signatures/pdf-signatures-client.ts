import type { FileHandle } from 'node:fs/promises';
import { fileReasons } from '../../../../locales/en/shared/file-reasons.ts';
import { headBytes, looksLikePdf } from '../../files/inspect-file.ts';
import { openFile } from '../../files/open-file.ts';
import { appError, codeOf } from '../../foundation/app-error.ts';
import { toReadError } from '../../foundation/fs-errors.ts';
import type { Log } from '../../foundation/ports.ts';
import { startWorker, type WorkerChannel } from '../../foundation/worker-channel.ts';
import { type FileAnswer, unreadFile } from './answer/file-answer.ts';
import type { PdfSignatureActions } from './pdf-signatures-worker.ts';
import type { KnownSigners } from './trust/known-signers.ts';

export type PdfSignatureReader = ReturnType<typeof createPdfSignatureReader>;

export interface DescribeOrder {
  readonly signal?: AbortSignal;
  readonly password?: string;
  readonly isPdf?: boolean;
}

/** Of one file. `ms`: for a small one; a larger one has the time in addition that a slow disk needs for it. `idleMs`: the worker ends after this time without work. */
const limits = { ms: 10_000, heapMb: 192, idleMs: 30_000 };
/** 20 MB a second. */
const bytesPerMs = 20_000;

/** Reads the signatures of PDFs in a worker, one file after the other. `knownSigners` is asked whenever a worker starts, which is at the latest after that much rest. */
export function createPdfSignatureReader(log: Log, knownSigners: () => Promise<KnownSigners>, most = limits) {
  const { ms, heapMb, idleMs } = most;
  let worker: WorkerChannel<PdfSignatureActions> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const kill = async () => {
    const killed = worker;
    worker = null;
    await killed?.kill();
  };
  const ask = async (file: FileHandle, password: string | undefined, signal: AbortSignal | undefined) => {
    if (isClosed || signal?.aborted) throw cancelled();
    const { size } = await file.stat();
    const source = new URL('./pdf-signatures-worker.ts', import.meta.url);
    if (!worker) {
      const known = await knownSigners();
      if (isClosed || signal?.aborted) throw cancelled();
      worker = startWorker<PdfSignatureActions>(source, { maxOldGenerationSizeMb: heapMb });
      void worker.ask('know', known).catch(() => undefined);
    }
    let isLate = false;
    const stop = () => void kill();
    const giveUp = () => {
      isLate = true;
      stop();
    };
    const late = setTimeout(giveUp, ms + size / bytesPerMs);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await worker.ask('describe', file.fd, password ?? null);
    } catch (error) {
      // The descriptor must not be closed, and given to another file, while a thread still reads from it.
      await kill();
      if (isClosed || signal?.aborted) throw cancelled();
      log.error('the signatures of a PDF were not read', { code: isLate ? 'too-late' : codeOf(error) });
      return unreadFile(fileReasons[isLate ? 'too-late' : 'too-much']);
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', stop);
    }
  };
  const describe = async (path: string, { signal, password, isPdf = false }: DescribeOrder) => {
    let file: FileHandle | undefined;
    try {
      clearTimeout(idle);
      file = await openFile(path);
      return isPdf || (await isPdfFile(file)) ? await ask(file, password, signal) : null;
    } catch (error) {
      throw toReadError(error);
    } finally {
      await file?.close();
      idle = setTimeout(() => void kill(), idleMs).unref();
    }
  };
  return {
    /** Null for a file that is no PDF, unless `isPdf` says that it is to be read as one. What takes too long or too much memory is undecidable. Rejects with file-unreadable or cancelled. */
    describe: (path: string, how: DescribeOrder = {}): Promise<FileAnswer | null> => {
      // One after the other: the worker answers in this order anyway, and the time of a file begins with its turn.
      const answer = last.then(() => describe(path, how));
      last = answer.catch(() => undefined);
      return answer;
    },
    /** Ends the worker at once; never rejects. */
    close: async () => {
      isClosed = true;
      clearTimeout(idle);
      await kill();
      await last;
      clearTimeout(idle);
    },
  };
}

const cancelled = () => appError('cancelled', 'reading the signatures was stopped');

async function isPdfFile(file: FileHandle): Promise<boolean> {
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(head, 0, headBytes, 0);
  return looksLikePdf(head.subarray(0, bytesRead));
}
