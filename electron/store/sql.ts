import Libsql from 'libsql';
import { type Failing, failing } from '../core/failing.ts';

/** What may be bound. Never a boolean: libsql ends the whole process on one. */
export type SqlValue = string | number | null;

/** A thin face of libsql: cached statements, one transaction at a time, errors as Failings. */
export interface Sql {
  all<Row>(text: string, ...values: SqlValue[]): Row[];
  /**
   * Not for writing outside a transaction: libsql answers the row of a RETURNING and swallows the error of the commit that follows (a
   * full disk).
   */
  get<Row>(text: string, ...values: SqlValue[]): Row | undefined;
  /** Answers how many rows changed. */
  run(text: string, ...values: SqlValue[]): number;
  exec(text: string): void;
  /** Commits when `work` returns, takes everything back when it throws. Must not be nested and must not await. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** How long a write waits for another process (the command line beside the window) to finish its own. */
const busyTimeoutMs = 5_000;

/** Opens or creates the file. Rejects nothing by itself: a damaged file shows at the first statement. */
export function openSql(path: string): Sql {
  const database = new Libsql(path);
  const statements = new Map<string, Libsql.Statement>();
  const prepared = (text: string): Libsql.Statement => {
    const known = statements.get(text);
    if (known) return known;
    const made = database.prepare(text);
    statements.set(text, made);
    return made;
  };
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw storageFailing(error);
    }
  };
  const sql: Sql = {
    all: <Row>(text: string, ...values: SqlValue[]) => guarded(() => prepared(text).all(values) as Row[]),
    get: <Row>(text: string, ...values: SqlValue[]) => guarded(() => prepared(text).get(values) as Row | undefined),
    run: (text, ...values) => guarded(() => prepared(text).run(values).changes),
    exec: (text) => guarded(() => void database.exec(text)),
    transaction: (work) => inTransaction(sql, work),
    close: () => {
      statements.clear();
      database.close();
    },
  };
  sql.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  return sql;
}

function inTransaction<T>(sql: Sql, work: () => T): T {
  sql.exec('BEGIN IMMEDIATE');
  try {
    const value = work();
    sql.exec('COMMIT');
    return value;
  } catch (error) {
    try {
      sql.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself (disk full, I/O error): the first error is the one that tells.
    }
    throw error;
  }
}

/** SQLite's code of an error, where it is one of SQLite's. */
export function sqliteCode(error: unknown): string | null {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : null;
}

/** An error of SQLite as a Failing; any other as it is. */
export function storageFailing(error: unknown): unknown {
  const code = sqliteCode(error);
  if (!code) return error;
  const failure = failingOf(code);
  failure.cause = error;
  return failure;
}

function failingOf(code: string): Failing {
  if (code === 'SQLITE_FULL') return failing('storage-full', 'the database cannot grow: the disk is full');
  if (code.startsWith('SQLITE_BUSY'))
    return failing('storage-busy', 'another program has been writing to the database for too long');
  return failing('storage-unusable', `the database answered ${code}`);
}
