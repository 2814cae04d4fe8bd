import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { toStorageError } from '../../core/files/fs-errors.ts';
import type { RunLock } from '../database/run-lock.ts';

/**
 * A second, separate note of every request that leaves, beside the ledger: a database that comes back older than it was (its write-ahead log lost or
 * damaged, a copy put back) would otherwise let a job wait that has been sent. One file a run, each line synced before the first byte leaves; removed at an
 * orderly end. The ledger has the departure first: so a note that the ledger does not know is proof that the ledger is older.
 */
export interface Departures {
  /** On the disk when it returns. Throws storage-full or storage-unusable where it cannot be written: then nothing may leave. */
  write(departure: Departed): void;
  /** What runs that are over have noted, in the order of each run. */
  ofDeadRuns(): readonly Departed[];
  /** What `ofDeadRuns` told is in the ledger now. */
  forgetDeadRuns(): void;
  /** The run ends in order, with everything in the ledger. */
  close(): void;
}

export interface Departed {
  readonly jobId: string;
  /** New for each time that a job leaves. */
  readonly departureId: string;
  /** ISO 8601, UTC. For people: a clock may jump, so nothing is ordered by it. */
  readonly at: string;
  /** Of all departures that the ledger has seen, from 1; null in notes of programs that did not count. */
  readonly number: number | null;
  /** Of the document, lower-case hex; null where there is none. By it what a ledger has lost is still a duplicate. */
  readonly sha256: string | null;
}

const ending = '.departed';

/** Names of the notes in the folder `runs`. */
export const isDepartureNote = (name: string) => name.endsWith(ending);

export function openDepartures(dataDir: string, run: RunLock): Departures {
  const folder = join(dataDir, 'runs');
  const own = join(folder, run.runId + ending);
  let file: number | null = null;
  const deadFiles = () => {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => isDepartureNote(name) && !run.isAlive(name.slice(0, -ending.length)));
  };
  let read: readonly string[] = [];
  return {
    write: ({ jobId, departureId, at, number, sha256 }) => {
      try {
        file ??= openSync(own, 'a', 0o600);
        // On a line of its own, also where a full disk cut the last one off.
        writeSync(file, `\n${JSON.stringify([jobId, departureId, at, number, sha256])}\n`);
        fsyncSync(file);
      } catch (error) {
        throw toStorageError(error, 'the departure cannot be noted');
      }
    },
    ofDeadRuns: () => {
      read = deadFiles();
      return read.flatMap((name) => linesOf(join(folder, name)));
    },
    forgetDeadRuns: () => {
      for (const name of read) rmSync(join(folder, name), { force: true });
      read = [];
    },
    close: () => {
      if (file === null) return;
      closeSync(file);
      file = null;
      rmSync(own, { force: true });
    },
  };
}

/** The last line may be cut off: then nothing of its request had left. */
function linesOf(path: string): Departed[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const [jobId, departureId, at, number, sha256] = JSON.parse(line) as [
          string?,
          string?,
          string?,
          number?,
          string?,
        ];
        return jobId && departureId && at
          ? [{ jobId, departureId, at, number: number ?? null, sha256: sha256 ?? null }]
          : [];
      } catch {
        return [];
      }
    });
}
