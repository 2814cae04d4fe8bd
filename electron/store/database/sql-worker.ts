import Libsql from 'libsql';
import { serveWorker } from '../../core/foundation/worker-channel.ts';
import type { Step } from './sql.ts';

/**
 * Commits are not synced one by one: the entries written here can be read from the service again, and the next synced commit of the main thread makes them
 * durable, in their order.
 */
const pragmas = ['busy_timeout = 5000', 'synchronous = NORMAL', 'cache_size = -32000', 'wal_autocheckpoint = 0'];

let database: Libsql.Database;
const statements = new Map<string, Libsql.Statement>();

function prepared(text: string): Libsql.Statement {
  const statement = statements.get(text) ?? database.prepare(text);
  statements.set(text, statement);
  return statement;
}

const actions = {
  /** The database file must exist. */
  open(path: string): void {
    database = new Libsql(path);
    for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
  },
  /** Runs all steps as one transaction. */
  write(steps: readonly Step[]): void {
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const [text, rows] of steps) {
        const statement = prepared(text);
        for (const row of rows) statement.run(row);
      }
      database.exec('COMMIT');
    } catch (error) {
      try {
        database.exec('ROLLBACK');
      } catch {
        // SQLite has rolled back by itself (disk full, I/O error): the first error is the cause.
      }
      throw error;
    }
  },
  checkpoint(): void {
    database.prepare('PRAGMA wal_checkpoint(PASSIVE)').all([]);
  },
  close(): void {
    statements.clear();
    database.close();
  },
};

export type SqlActions = typeof actions;

serveWorker(actions);
