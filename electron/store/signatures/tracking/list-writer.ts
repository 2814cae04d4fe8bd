import type { Log } from '../../../core/foundation/ports.ts';
import type { Sql } from '../../database/sql.ts';
import { type SqlThread, type Step, startSqlThread } from '../../database/sql-thread.ts';

/** Writes a long list in small transactions. Nothing is started before the first one, so an unchanged list costs none of it. */
export interface ListWriter {
  /** One transaction: a few hundred rows. Rejects as SqlThread does. */
  write(steps: readonly Step[]): Promise<void>;
  /** Must be called, whatever came before. Never rejects. */
  end(): Promise<void>;
}

/** The log grows by some megabytes a transaction; bringing it in is worth it only now and then, as the same pages are written again and again. */
const writesPerCheckpoint = 10;
/** What SQLite does unless told otherwise: every 1,000 pages, in the middle of whatever commit comes. */
const usualCheckpointPages = 1_000;
/** What is left of the log on the disk when it has been brought in and is begun anew. */
const keptLogBytes = 16 * 1024 * 1024;

export function createListWriter(sql: Sql, path: string, log: Log): ListWriter {
  let starting: Promise<SqlThread | null> | null = null;
  let writes = 0;
  const start = async () => {
    try {
      const thread = await startSqlThread(path);
      // The thread does it: here it would hold up whoever happens to write next.
      sql.exec('PRAGMA wal_autocheckpoint = 0');
      return thread;
    } catch (error) {
      log.error('no thread for lists: they are written between other work', { error: String(error) });
      return null;
    }
  };
  return {
    write: async (steps) => {
      starting ??= start();
      const thread = await starting;
      if (!thread) return runSteps(sql, steps);
      await thread.write(steps);
      writes += 1;
      if (writes % writesPerCheckpoint === 0) await thread.checkpoint();
    },
    end: async () => {
      const thread = await starting;
      if (!thread) return;
      await thread.checkpoint().catch(() => undefined);
      await thread.end().catch(() => undefined);
      sql.exec(`PRAGMA wal_autocheckpoint = ${usualCheckpointPages}; PRAGMA journal_size_limit = ${keptLogBytes}`);
    },
  };
}

/** The same as one transaction of the program itself: for a handful of rows. */
export function runSteps(sql: Sql, steps: readonly Step[]): void {
  sql.transaction(() => {
    for (const [text, rows] of steps) for (const row of rows) sql.run(text, ...row);
  });
}

/** Entries in one transaction of the thread that writes lists: some 30 ms, for which another write has to wait at most. */
export const entriesPerWrite = 500;

/** One slice after the other. */
export async function inSlices<T>(all: readonly T[], work: (slice: readonly T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += entriesPerWrite) await work(all.slice(from, from + entriesPerWrite));
}
