import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { failing, shortageOf } from '../core/failing.ts';
import type { RunLock } from './run-lock.ts';

/**
 * A second, separate note of every request that leaves, beside the ledger: a database that comes back older than it was (its write-ahead log lost or
 * damaged, a copy put back) would let a job wait that has been sent. One file a run, each line synced before the first byte leaves; removed at an
 * orderly end.
 */
export interface Departures {
  /** On the disk when it returns. Throws storage-full or storage-unusable where it cannot be written: then nothing may leave. */
  write(departure: Departed): void;
  /** What runs that are over have noted, the last departure of each job. */
  ofDeadRuns(): ReadonlyMap<string, Departed>;
  /** What `ofDeadRuns` told is in the ledger now. */
  forgetDeadRuns(): void;
  /** The run ends in order, with everything in the ledger. */
  close(): void;
}

export interface Departed {
  readonly jobId: string;
  /** New for each time that a job leaves. */
  readonly departureId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

const ending = '.departed';

export function openDepartures(dataDir: string, run: RunLock): Departures {
  const folder = join(dataDir, 'runs');
  const own = join(folder, run.runId + ending);
  let file: number | null = null;
  const deadFiles = () => {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.filter((name) => name.endsWith(ending) && !run.isAlive(name.slice(0, -ending.length)));
  };
  let read: readonly string[] = [];
  return {
    write: ({ jobId, departureId, at }) => {
      try {
        file ??= openSync(own, 'a', 0o600);
        // On a line of its own, also where a full disk cut the last one off.
        writeSync(file, `\n${JSON.stringify([jobId, departureId, at])}\n`);
        fsyncSync(file);
      } catch (error) {
        throw shortageOf(error) ?? failing('storage-unusable', 'the departure cannot be noted');
      }
    },
    ofDeadRuns: () => {
      read = deadFiles();
      const found = new Map<string, Departed>();
      for (const departed of read.flatMap((name) => linesOf(join(folder, name)))) {
        const before = found.get(departed.jobId);
        if (!before || before.at <= departed.at) found.set(departed.jobId, departed);
      }
      return found;
    },
    forgetDeadRuns: () => {
      for (const name of read) rmSync(join(folder, name), { force: true });
      read = [];
    },
    close: () => {
      if (file === null) return;
      closeSync(file);
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
        const [jobId, departureId, at] = JSON.parse(line) as string[];
        return jobId && departureId && at ? [{ jobId, departureId, at }] : [];
      } catch {
        return [];
      }
    });
}
