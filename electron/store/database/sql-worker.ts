import { serveWorker } from '../../core/foundation/worker-channel.ts';
import { busyTimeoutMs, type Check, openSql, passes, runSteps, type Sql, type Step } from './sql.ts';

/**
 * Commits are not synced one by one: the entries written here can be read from the service again, and the next synced commit of the main thread makes them
 * durable, in their order.
 * What a statement would undo is kept in memory: in a file it cost a fifth of the processor's time.
 */
const pragmas = ['synchronous = NORMAL', 'wal_autocheckpoint = 0', 'temp_store = MEMORY'];

/** 64 MiB: without that the log of 100,000 entries became 735 MB while documents were sent, and cutting it off at the end held up the window for a second. */
const longLogPages = 16_384;
/** A program that reads for longer is not waited for: the next time will do. */
const restartMs = 100;

let database: Sql;

const actions = {
  /** The database file must exist. */
  open({ path, cacheMb }: { readonly path: string; readonly cacheMb: number }): void {
    database = openSql(path);
    for (const pragma of [...pragmas, `cache_size = -${cacheMb * 1_000}`]) database.exec(`PRAGMA ${pragma}`);
  },
  write: (steps: readonly Step[]): number => runSteps(database, steps),
  passes: (check: Check): boolean => passes(database, check),
  /** Copies the log into the database file. What others write meanwhile is left, and the log is begun anew only when nothing is: where it is long, others wait for that. */
  checkpoint(): void {
    const [copied] = database.all<{ log: number }>('PRAGMA wal_checkpoint(PASSIVE)');
    if ((copied?.log ?? 0) >= longLogPages) beginLog('RESTART');
  },
  close(): void {
    beginLog('TRUNCATE');
    database.close();
  },
};

function beginLog(how: 'RESTART' | 'TRUNCATE'): void {
  database.waitForOthers(restartMs);
  database.all(`PRAGMA wal_checkpoint(${how})`);
  database.waitForOthers(busyTimeoutMs);
}

export type SqlActions = typeof actions;

serveWorker(actions);
