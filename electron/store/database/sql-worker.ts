import { serveWorker } from '../../core/foundation/worker-channel.ts';
import { openSql, runSteps, type Sql, type Step } from './sql.ts';

/**
 * Commits are not synced one by one: the entries written here can be read from the service again, and the next synced commit of the main thread makes them
 * durable, in their order.
 * What a statement would undo is kept in memory: in a file it cost a fifth of the processor's time.
 */
const pragmas = ['synchronous = NORMAL', 'cache_size = -32000', 'wal_autocheckpoint = 0', 'temp_store = MEMORY'];

let database: Sql;

const actions = {
  /** The database file must exist. */
  open(path: string): void {
    database = openSql(path);
    for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  },
  write: (steps: readonly Step[]): number => runSteps(database, steps),
  checkpoint(): void {
    database.all('PRAGMA wal_checkpoint(PASSIVE)');
  },
  close(): void {
    database.close();
  },
};

export type SqlActions = typeof actions;

serveWorker(actions);
