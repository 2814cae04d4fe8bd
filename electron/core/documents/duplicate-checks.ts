import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Duplicate, DuplicateCheck, DuplicateCheckTask } from '../../../contract/documents.ts';
import type { Context } from '../context.ts';
import { hashFile } from '../files/hash-file.ts';
import type { LocalFile } from '../files/local-file.ts';
import type { RunningTask } from '../tasks/carry-out.ts';

/** Small, because a check is needed only as long as the dialog that shows it. */
const known = 20;
/** Number of files skipped without reading before the event loop gets a turn. */
const perTurn = 200;

/**
 * Finds files of an intake whose bytes are already known, before anything is sent. Results are kept in memory only, because the check can be
 * repeated.
 */
export function createDuplicateChecks(context: Context) {
  const checks = context.tasks.ofKind<'duplicate-check', Duplicate[]>('duplicate-check', { known, stopsOldest: true });
  return {
    /** `correctedJobId`: the job that is being corrected is not a duplicate of itself. Rejects with not-found. */
    start: async (connectionId: string, intakeId: string, correctedJobId?: string): Promise<DuplicateCheckTask> => {
      await context.connections.get(connectionId);
      const files = await context.files.intake(intakeId);
      const same = (sha256: string) => context.store.jobs.sameBytes(connectionId, sha256, correctedJobId);
      const found: Duplicate[] = [];
      return checks.start({ progress: initialProgress(files), data: found }, (running) =>
        findDuplicates(context, { connectionId, files, same }, found, running),
      ).task;
    },
    /** The duplicates found so far. Throws not-found. */
    page: (
      taskId: string,
      { offset, limit }: { readonly offset: number; readonly limit: number },
    ): { readonly check: DuplicateCheckTask; readonly duplicates: readonly Duplicate[] } => {
      const { task, data } = checks.get(taskId);
      return { check: task, duplicates: data.slice(offset, offset + limit) };
    },
  };
}

function initialProgress(files: readonly LocalFile[]): DuplicateCheck {
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { totalFiles: files.length, readFiles: 0, totalBytes, readBytes: 0, duplicateCount: 0 };
}

interface Asked {
  readonly connectionId: string;
  readonly files: readonly LocalFile[];
  readonly same: (sha256: string) => Duplicate['of'];
}

/** Adds to `found` in the order of the intake. */
async function findDuplicates(
  { store }: Context,
  { connectionId, files, same }: Asked,
  found: Duplicate[],
  { signal, report }: RunningTask<DuplicateCheck>,
): Promise<Partial<DuplicateCheck>> {
  const isOfSize = sizesIn(files);
  const firstWith = new Map<string, number>();
  let readBytes = 0;
  for (const [index, file] of files.entries()) {
    const before = readBytes;
    // Only files of the same size can have the same bytes, so most files need not be read.
    if (isOfSize(file.sizeBytes) || store.jobs.hasSize(connectionId, file.sizeBytes)) {
      const sha256 = await readHash(file, signal, (bytes) => {
        readBytes += bytes;
        report({ readBytes });
      });
      if (sha256 !== null) {
        const of = same(sha256);
        const sameAsIndex = firstWith.get(sha256) ?? null;
        if (of !== null || sameAsIndex !== null) {
          const { name, folder, sizeBytes } = file;
          found.push({ index, name, folder, sizeBytes, sha256, of, sameAsIndex });
        }
        if (sameAsIndex === null) firstWith.set(sha256, index);
      }
    } else if (index % perTurn === 0) await nextTurn();
    signal.throwIfAborted();
    readBytes = before + file.sizeBytes;
    report({ readFiles: index + 1, readBytes, duplicateCount: found.length });
  }
  return {};
}

/** Whether more than one file of the intake has this size. */
function sizesIn(files: readonly LocalFile[]): (sizeBytes: number) => boolean {
  const counts = new Map<number, number>();
  for (const { sizeBytes } of files) counts.set(sizeBytes, (counts.get(sizeBytes) ?? 0) + 1);
  return (sizeBytes) => (counts.get(sizeBytes) ?? 0) > 1;
}

/** Null if the file cannot be read: the queue will report why. */
async function readHash(file: LocalFile, signal: AbortSignal, onRead: (bytes: number) => void): Promise<string | null> {
  try {
    return (await hashFile(file.path, signal, onRead)).sha256;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
