import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Duplicate, DuplicateCheck } from '../../../contract/documents.ts';
import type { Context } from '../context.ts';
import { hashFile } from '../files/hash-file.ts';
import type { LocalFile } from '../files/local-file.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { throttled } from '../foundation/throttled.ts';

/** Looks for files of an intake whose bytes are there already, before anything is sent. In memory: it is simply done again. */
export interface DuplicateChecks {
  /** Answers at once; told in `documents.duplicatesChecked`. `correctedJobId`: what is corrected is no duplicate of itself. Rejects with not-found. */
  start(connectionId: string, intakeId: string, correctedJobId?: string): Promise<DuplicateCheck>;
  /** Rejects with not-found. */
  cancel(checkId: string): void;
  page(
    checkId: string,
    page: { readonly offset: number; readonly limit: number },
  ): { readonly check: DuplicateCheck; readonly duplicates: readonly Duplicate[] };
  close(): Promise<void>;
}

interface Checking {
  view: DuplicateCheck;
  readonly found: Duplicate[];
  readonly controller: AbortController;
  ended: Promise<void>;
}

const progressEveryMs = 100;
/** As short-lived as the dialog that shows them. */
const keptChecks = 20;
/** Files that are passed over without reading between two turns of the event loop. */
const perTurn = 200;

export function createDuplicateChecks(context: Context): DuplicateChecks {
  const all = new Map<string, Checking>();
  const known = (checkId: string): Checking => {
    const checking = all.get(checkId);
    if (!checking) throw appError('not-found', 'no such check');
    return checking;
  };
  return {
    start: async (connectionId, intakeId, correctedJobId) => {
      await context.connections.get(connectionId);
      const files = await context.files.intake(intakeId);
      const checking = begun(files);
      all.set(checking.view.checkId, checking);
      const oldest = all.keys().next().value;
      if (all.size > keptChecks && oldest !== undefined) {
        all.get(oldest)?.controller.abort();
        all.delete(oldest);
      }
      const same = (sha256: string) => context.store.jobs.sameBytes(connectionId, sha256, correctedJobId);
      checking.ended = run(context, { connectionId, files, same }, checking);
      return checking.view;
    },
    cancel: (checkId) => known(checkId).controller.abort(),
    page: (checkId, { offset, limit }) => {
      const { view, found } = known(checkId);
      return { check: view, duplicates: found.slice(offset, offset + limit) };
    },
    close: async () => {
      for (const { controller } of all.values()) controller.abort();
      await Promise.all([...all.values()].map(({ ended }) => ended));
    },
  };
}

function begun(files: readonly LocalFile[]): Checking {
  return {
    view: {
      checkId: randomUUID(),
      state: 'running',
      totalFiles: files.length,
      readFiles: 0,
      totalBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      readBytes: 0,
      duplicateCount: 0,
    },
    found: [],
    controller: new AbortController(),
    ended: Promise.resolve(),
  };
}

interface Asked {
  readonly connectionId: string;
  readonly files: readonly LocalFile[];
  readonly same: (sha256: string) => Duplicate['of'];
}

async function run(
  { emit, store, ports }: Context,
  { connectionId, files, same }: Asked,
  checking: Checking,
): Promise<void> {
  const { signal } = checking.controller;
  const tell = throttled(progressEveryMs, () => emit('documents.duplicatesChecked', checking.view));
  const change = (next: Partial<DuplicateCheck>) => {
    checking.view = { ...checking.view, ...next };
    tell.request();
  };
  const isOfSize = sizesIn(files);
  const firstWith = new Map<string, number>();
  try {
    for (const [index, file] of files.entries()) {
      const before = checking.view.readBytes;
      // Only a file of the same size can have the same bytes: most need not be read at all.
      if (isOfSize(file.sizeBytes) || store.jobs.hasSize(connectionId, file.sizeBytes)) {
        const sha256 = await readHash(file, signal, (bytes) => change({ readBytes: checking.view.readBytes + bytes }));
        if (sha256 !== null) {
          const of = same(sha256);
          const sameAsIndex = firstWith.get(sha256) ?? null;
          if (of !== null || sameAsIndex !== null) {
            const { name, folder, sizeBytes } = file;
            checking.found.push({ index, name, folder, sizeBytes, sha256, of, sameAsIndex });
          }
          if (sameAsIndex === null) firstWith.set(sha256, index);
        }
      } else if (index % perTurn === 0) await nextTurn();
      signal.throwIfAborted();
      const readBytes = before + file.sizeBytes;
      change({ readFiles: index + 1, readBytes, duplicateCount: checking.found.length });
    }
    change({ state: 'done' });
  } catch (error) {
    if (!signal.aborted) ports.log.error('looking for duplicates failed', { code: failureOf(error)?.code });
    change({ state: 'cancelled' });
  }
  tell.flush();
  tell.stop();
}

/** Whether more than one file of the intake has this size. */
function sizesIn(files: readonly LocalFile[]): (sizeBytes: number) => boolean {
  const counts = new Map<number, number>();
  for (const { sizeBytes } of files) counts.set(sizeBytes, (counts.get(sizeBytes) ?? 0) + 1);
  return (sizeBytes) => (counts.get(sizeBytes) ?? 0) > 1;
}

/** Null where it cannot be read: the queue will say why. */
async function readHash(file: LocalFile, signal: AbortSignal, onRead: (bytes: number) => void): Promise<string | null> {
  try {
    return (await hashFile(file.path, signal, onRead)).sha256;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
