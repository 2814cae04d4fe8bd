import Libsql from 'libsql';
import { type AppError, appError } from '../../core/foundation/app-error.ts';

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
  /** How long a write waits, standing still, for another program to finish its own; then it throws storage-busy. 5,000 ms unless told. */
  waitForOthers(ms: number): void;
  close(): void;
}

/** How long a write waits for another process (the command line beside the window) to finish its own, where there is no window to stand still. */
const busyTimeoutMs = 5_000;
/** After a wait that was in vain no other one is begun for so long: ten writers would wait one after the other. */
const restMs = 1_000;

/** Opens or creates the file. Rejects nothing by itself: a damaged file shows at the first statement. */
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
    // Always within a transaction: where a statement by itself finds the database locked, libsql leaves it open, and no later transaction can be
    // committed. BEGIN leaves nothing behind.
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

/** Where even the file cannot be opened libsql tells SQLite's number in a text alone. */
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

function failingOf(code: string): AppError {
  if (code === 'SQLITE_FULL') return appError('storage-full', 'the database cannot grow: the disk is full');
  if (code.startsWith('SQLITE_BUSY'))
    return appError('storage-busy', 'another program has been writing to the database for too long');
  return appError('storage-unusable', `the database answered ${code}`);
}
