import type { Log } from '../../core/foundation/ports.ts';
import { retryWhileBusy } from '../../core/foundation/retry-while-busy.ts';
import { startWorker } from '../../core/foundation/worker-channel.ts';
import { type Check, changesOf, passes, runSteps, type Sql, type Step, storageFailing } from './sql.ts';
import type { SqlActions } from './sql-worker.ts';

/** Writes a long list in small transactions. The worker is started with the first one, so an unchanged list does not start it. */
export type ListWriter = ReturnType<typeof createListWriter>;

/** The log grows by some megabytes with each transaction; a checkpoint after each would write the same pages again and again. */
const writesPerCheckpoint = 10;
/** SQLite's default: a checkpoint every 1,000 pages, as part of a commit. */
const usualCheckpointPages = 1_000;
/** How long after a write of this thread another is expected. */
const othersMs = 1_000;
/** Largest size of the log's file after a checkpoint. */
const keptLogBytes = 16 * 1024 * 1024;

/**
 * `cacheMb`: of pages. Another thread's write makes all of them worthless, and they are given back one by one, under the lock of the whole program's memory: of 64 MB all others
 * stood still for up to 220 ms.
 */
export function createListWriter(sql: Sql, path: string, log: Log, cacheMb = 64) {
  let starting: Promise<SqlWorker | null> | null = null;
  let [writes, changes, othersUntilMs] = [0, changesOf(sql), 0];
  const start = async () => {
    try {
      const worker = await startSqlWorker(path, cacheMb);
      // The worker makes the checkpoints: in the main thread a checkpoint would delay the next write.
      sql.exec('PRAGMA wal_autocheckpoint = 0');
      return worker;
    } catch (error) {
      log.error('no worker for lists: they are written between other work', { error: String(error) });
      return null;
    }
  };
  return {
    passes: async (check: Check): Promise<boolean> => {
      starting ??= start();
      return (await starting)?.ask('passes', check) ?? passes(sql, check);
    },
    /** Runs the steps as one transaction of a few hundred rows, as `runSteps`, again if another program holds the database. Rejects as SqlWorker does. */
    write: async (steps: readonly Step[]): Promise<number> => {
      starting ??= start();
      const worker = await starting;
      if (!worker) return await patiently(() => runSteps(sql, steps));
      const changed = await patiently(() => sql.besideGroups(() => worker.ask('write', steps)));
      writes += 1;
      if (writes % writesPerCheckpoint === 0) await worker.ask('checkpoint');
      return changed;
    },
    /** Of so many rows of one transaction a tenth while this thread writes as well, which is held up until that has ended. */
    portion: (rows: number): number => {
      if (changes !== changesOf(sql)) [changes, othersUntilMs] = [changesOf(sql), performance.now() + othersMs];
      return performance.now() < othersUntilMs ? rows / 10 : rows;
    },
    /** Ends the worker. Call it also after a failed write. Never rejects. */
    end: async (): Promise<void> => {
      const worker = await starting;
      if (!worker) return;
      await worker.ask('checkpoint').catch(() => undefined);
      await worker.end().catch(() => undefined);
      sql.exec(`PRAGMA wal_autocheckpoint = ${usualCheckpointPages}; PRAGMA journal_size_limit = ${keptLogBytes}`);
    },
  };
}

/** A program that ends waits for its lists: not for a minute. */
const limitMs = 20_000;
/** One of a list's transactions, which has changed nothing when it finds the database held. */
export const patiently = <T>(work: () => T | Promise<T>): Promise<T> => retryWhileBusy(work, { limitMs });

/** Entries in one transaction of the worker while nobody else writes: some 30 ms. */
export const entriesPerWrite = 500;

/** Writes one slice after the other, of as many as `sizeFrom` says of those from an index on: of at least one. */
export async function inSlices<T>(
  writer: ListWriter,
  all: readonly T[],
  steps: (slice: readonly T[]) => readonly Step[],
  sizeFrom: (from: number) => number = () => writer.portion(entriesPerWrite),
) {
  for (let from = 0, size = 0; from < all.length; from += size) {
    size = sizeFrom(from);
    await writer.write(steps(all.slice(from, from + size)));
  }
}

/** A worker that writes to the database, so that long lists do not block the main thread. */
type SqlWorker = Awaited<ReturnType<typeof startSqlWorker>>;

/** Starts a worker on the database file `path`, which must exist. Rejects with storage-unusable, and with bug if the worker cannot load its modules. */
async function startSqlWorker(path: string, cacheMb: number) {
  const worker = startWorker<SqlActions>(new URL('./sql-worker.ts', import.meta.url));
  /** Rejects with storage-full or storage-unusable, then nothing is written; with bug if the worker ended. */
  const ask: typeof worker.ask = (...request) =>
    worker.ask(...request).catch((error: unknown) => {
      throw storageFailing(error);
    });
  try {
    await ask('open', { path, cacheMb });
  } catch (error) {
    await worker.end();
    throw error;
  }
  /** Closes the database and ends the worker, also if it rejects. */
  return { ask, end: (): Promise<void> => ask('close').finally(worker.end) };
}
