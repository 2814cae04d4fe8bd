import Libsql from 'libsql';
import { type AppError, appError } from '../../core/foundation/app-error.ts';

/** Values that may be bound. Never a boolean: libsql ends the whole process on one. */
export type SqlValue = string | number | null;

/** A statement and the rows to run it with, one after the other. */
export type Step = readonly [text: string, rows: readonly (readonly SqlValue[])[]];

/** A thin wrapper of libsql: cached statements, one transaction at a time, errors as AppErrors. */
export interface Sql {
  all<Row>(text: string, ...values: SqlValue[]): Row[];
  /**
   * Not for writing outside a transaction: libsql answers the row of a RETURNING and drops the error of the commit that follows (a
   * full disk).
   */
  get<Row>(text: string, ...values: SqlValue[]): Row | undefined;
  /** Answers how many rows changed. */
  run(text: string, ...values: SqlValue[]): number;
  exec(text: string): void;
  /** Commits when `work` returns, rolls back when it throws. Must not be nested and must not await. */
  transaction<T>(work: () => T): T;
  /** Sets how long a write blocks for another program's write; then it throws storage-busy. 5,000 ms by default. */
  waitForOthers(ms: number): void;
  close(): void;
}

/** How long a write waits for that of another process (the command line beside the window), in programs without a window that could freeze. */
const busyTimeoutMs = 5_000;
/** After a wait in vain no write waits for this long: otherwise ten writers would wait one after the other. */
const restMs = 1_000;

/** Opens or creates the file. A damaged file is found only by the first statement. */
export function openSql(path: string): Sql {
  const database = opened(path);
  const statements = new Map<string, Libsql.Statement>();
  const prepared = (text: string): Libsql.Statement => {
    const known = statements.get(text);
    if (known) return known;
    const made = database.prepare(text);
    statements.set(text, made);
    return made;
  };
  let [waitMs, setMs, busyAtMs] = [busyTimeoutMs, -1, Number.NEGATIVE_INFINITY];
  const setWait = () => {
    const wantedMs = performance.now() - busyAtMs < restMs ? 0 : waitMs;
    if (wantedMs === setMs) return;
    database.exec(`PRAGMA busy_timeout = ${wantedMs}`);
    setMs = wantedMs;
  };
  const guarded = <T>(work: () => T): T => {
    try {
      setWait();
      return work();
    } catch (error) {
      if (sqliteCode(error)?.startsWith('SQLITE_BUSY') && setMs > 0) busyAtMs = performance.now();
      throw storageFailing(error);
    }
  };
  const sql: Sql = {
    all: <Row>(text: string, ...values: SqlValue[]) => guarded(() => prepared(text).all(values) as Row[]),
    get: <Row>(text: string, ...values: SqlValue[]) => guarded(() => prepared(text).get(values) as Row | undefined),
    // Always within a transaction: if a single statement finds the database locked, libsql leaves the statement open, and no later transaction can be
    // committed. A failed BEGIN has no such effect.
    run: (text, ...values) =>
      database.inTransaction
        ? guarded(() => prepared(text).run(values).changes)
        : inTransaction(sql, () => sql.run(text, ...values)),
    exec: (text) => guarded(() => void database.exec(text)),
    transaction: (work) => inTransaction(sql, work),
    waitForOthers: (ms) => {
      waitMs = ms;
    },
    close: () => {
      statements.clear();
      database.close();
    },
  };
  guarded(setWait);
  return sql;
}

/** Opens the file. If that fails, libsql gives SQLite's code only in the message, so the code is set here. */
function opened(path: string): Libsql.Database {
  try {
    return new Libsql(path);
  } catch (error) {
    const failure = appError('storage-unusable', 'the database cannot be opened');
    failure.cause = Object.assign(new Error('cannot be opened'), { code: 'SQLITE_CANTOPEN', cause: error });
    throw failure;
  }
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
      // SQLite has rolled back by itself (disk full, I/O error): the first error is the cause.
    }
    throw error;
  }
}

/** SQLite's code of an error or its cause; null for other errors. */
export function sqliteCode(error: unknown): string | null {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  const code = (cause as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : null;
}

/** Turns an error of SQLite into an AppError; any other is returned unchanged. */
export function storageFailing(error: unknown): unknown {
  const code = sqliteCode(error);
  if (!code) return error;
  const failure = appErrorOf(code);
  failure.cause = error;
  return failure;
}

function appErrorOf(code: string): AppError {
  if (code === 'SQLITE_FULL') return appError('storage-full', 'the database cannot grow: the disk is full');
  if (code.startsWith('SQLITE_BUSY'))
    return appError('storage-busy', 'another program has been writing to the database for too long');
  return appError('storage-unusable', `the database answered ${code}`);
}
