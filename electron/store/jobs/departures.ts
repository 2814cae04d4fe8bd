import { closeSync, existsSync, fsync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { toStorageError } from '../../core/foundation/fs-errors.ts';
import { isDepartureNote, noteEnding } from '../database/departure-count.ts';
import type { RunLock } from '../database/run-lock.ts';

/**
 * A second note of every request that leaves, separate from the database: if the database is replaced by an older state (its write-ahead log lost or
 * damaged, a copy put back), a job that was sent would otherwise be waiting in it. One file for each run; each line is synced before the first byte leaves that could make a request whole; the file is
 * removed at an orderly end. The database gets the departure first: so a note that the database does not know proves that the database is older.
 */
export type Departures = ReturnType<typeof openDepartures>;

export interface Departed {
  readonly jobId: string;
  /** A new id for each departure of a job. */
  readonly departureId: string;
  /** ISO 8601, UTC. For people: a clock may jump, so nothing is ordered by it. */
  readonly at: string;
  /** Serial number of the departure in the database, from 1; null in notes of older programs, which did not count. */
  readonly number: number | null;
  /** SHA-256 of the document, lower-case hex; null without a document. With it a job that the database lost is still recognized as a duplicate. */
  readonly sha256: string | null;
}

const onDisk = promisify(fsync);

export function openDepartures(dataDir: string, run: RunLock) {
  const folder = join(dataDir, 'runs');
  const own = join(folder, run.runId + noteEnding);
  let file: number | null = null;
  const deadFiles = () => {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => isDepartureNote(name) && !run.isAlive(name.slice(0, -noteEnding.length)));
  };
  let read: readonly string[] = [];
  let [lines, synced] = ['', null as Promise<void> | null];
  const sync = async () => {
    const noted = lines;
    [lines, synced] = ['', null];
    try {
      file ??= openSync(own, 'a', 0o600);
      writeFileSync(file, noted);
      await onDisk(file);
    } catch (error) {
      throw toStorageError(error, 'the departure cannot be noted');
    }
  };
  return {
    /** Writes a note; it is on the disk when this resolves. Notes of one commit are synced together. Rejects with storage-full or storage-unusable if it cannot be written: then nothing may leave. */
    write: ({ jobId, departureId, at, number, sha256 }: Departed): Promise<void> => {
      // The leading line break keeps the note on a line of its own if a full disk cut off the line before.
      lines += `\n${JSON.stringify([jobId, departureId, at, number, sha256])}\n`;
      synced ??= Promise.resolve().then(sync);
      return synced;
    },
    /** Notes of runs that have ended, in the order of each run. */
    ofDeadRuns: (): readonly Departed[] => {
      read = deadFiles();
      return read.flatMap((name) => linesOf(join(folder, name)));
    },
    /** Removes the notes that the last `ofDeadRuns` answered; call it when they are in the database. */
    forgetDeadRuns: () => {
      for (const name of read) rmSync(join(folder, name), { force: true });
      read = [];
    },
    /** Removes this run's notes at its orderly end: all of them are in the database. */
    close: () => {
      if (file === null) return;
      closeSync(file);
      file = null;
      rmSync(own, { force: true });
    },
  };
}

/** A file that is gone has no lines: another program that starts at this moment has entered them in the ledger. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

type NoteLine = readonly [jobId: string, departureId: string, at: string, number: number | null, sha256: string | null];

/** The notes in a file. The last line may be cut off: then its request had not begun to leave. */
function linesOf(path: string): Departed[] {
  return textOf(path)
    .split('\n')
    .flatMap((line) => {
      try {
        const [jobId, departureId, at, number = null, sha256 = null] = JSON.parse(line) as Partial<NoteLine>;
        return jobId && departureId && at ? [{ jobId, departureId, at, number, sha256 }] : [];
      } catch {
        return [];
      }
    });
}
