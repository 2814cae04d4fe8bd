import { closeSync, fdatasync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { type AppError, appError } from '../../core/foundation/app-error.ts';

// Its loader would take native code from a folder that this variable names.
delete process.env['@PHOTOSTRUCTURE/SQLITE_PREBUILD'];
const { DatabaseSync } = createRequire(import.meta.url)(
  '@photostructure/sqlite',
) as typeof import('@photostructure/sqlite');

/** Values that may be bound. Not a boolean: SQLite has none. */
export type SqlValue = string | number | null;

/** A statement and the rows to run it with, one after the other. */
export type Step = readonly [text: string, rows: readonly (readonly SqlValue[])[]];

/** The program's whole use of SQLite (docs/database.md): cached statements, one transaction at a time, errors as AppErrors. */
export interface Sql {
  all<Row>(text: string, ...values: SqlValue[]): Row[];
  /** Not for writing outside a transaction: the row of a RETURNING is answered before the commit, whose error would be lost. */
  get<Row>(text: string, ...values: SqlValue[]): Row | undefined;
  /** Answers how many rows changed. */
  run(text: string, ...values: SqlValue[]): number;
  exec(text: string): void;
  /** Commits when `work` returns, rolls back when it throws; within another one it is a part of that. Must not await. */
  transaction<T>(work: () => T): T;
  /** As `transaction`, but on the disk only with the next commit: for what may be lost with the power, and nothing but the power. */
  unsynced<T>(work: () => T): T;
  /**
   * As `transaction`, together with what else is given to this function within a millisecond: they wait for the disk once, and this thread goes on meanwhile. Others
   * see what was written a little before it is on the disk, which it is when this resolves. What throws is undone alone.
   */
  grouped<T>(work: () => T): Promise<T>;
  /** Has another thread write when no group does: this thread would stand still until that has ended. Groups wait for it meanwhile, and this thread goes on. */
  besideGroups<T>(write: () => Promise<T>): Promise<T>;
  /** Sets how long a write blocks for another program's write; then it throws storage-busy. 5,000 ms by default. */
  waitForOthers(ms: number): void;
  close(): void;
}

/** How long a write waits for that of another process (the command line beside the window), in programs without a window that could freeze. */
export const busyTimeoutMs = 5_000;
/** After a wait in vain no write waits for this long: otherwise ten writers would wait one after the other. */
const restMs = 1_000;

/**
 * Opens or creates the file, also as a URI with `mode` or `immutable`. A damaged file is found only by the first statement. Foreign keys are not checked until a
 * statement switches that on: migrations make tables anew. `sync` brings what was written to an open file to the disk, in another thread.
 */
export function openSql(path: string, sync: (file: number) => Promise<void> = promisify(fdatasync)): Sql {
  const database = opened(path);
  const [reading, writing] = [new Map<string, StatementSyncInstance>(), new Map<string, StatementSyncInstance>()];
  const prepared = (text: string, statements = reading): StatementSyncInstance => {
    const known = statements.get(text);
    if (known) return known;
    const made = database.prepare(text);
    // Some tables have row numbers beyond 2^53, and the number of the last row comes with every change.
    if (statements === writing) made.setReadBigInts(true);
    statements.set(text, made);
    return made;
  };
  let [waitMs, setMs, busyAtMs, isOpen] = [busyTimeoutMs, -1, Number.NEGATIVE_INFINITY, false];
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
  const log = logOf(`${path}-wal`, sync, () => syncedCommit(sql));
  const sql: Sql = {
    all: <Row>(text: string, ...values: SqlValue[]) => guarded(() => prepared(text).all(...values) as Row[]),
    get: <Row>(text: string, ...values: SqlValue[]) => guarded(() => prepared(text).get(...values) as Row | undefined),
    run: (text, ...values) => guarded(() => Number(prepared(text, writing).run(...values).changes)),
    exec: (text) => guarded(() => void database.exec(text)),
    transaction: (work) => {
      if (isOpen) return work();
      isOpen = true;
      try {
        return inTransaction(sql, work);
      } finally {
        isOpen = false;
      }
    },
    // Within another one it is on the disk with that.
    unsynced: (work) => (isOpen ? work() : unsynced(sql, work)),
    ...groupsOf((work) => unsynced(sql, work), log.sync),
    waitForOthers: (ms) => {
      waitMs = ms;
    },
    close: () => {
      log.close();
      database.close();
    },
  };
  guarded(setWait);
  return sql;
}

/** How many rows were changed through it since it was opened. */
export const changesOf = (sql: Sql): number => sql.get<{ n: number }>('SELECT total_changes() AS n')?.n ?? 0;

/** Runs the steps as one transaction. Answers how many rows changed, with those behind a search index. */
export function runSteps(sql: Sql, steps: readonly Step[]): number {
  return sql.transaction(() => {
    const before = changesOf(sql);
    for (const [text, rows] of steps) for (const row of rows) sql.run(text, ...row);
    return changesOf(sql) - before;
  });
}

/** SQLite's checks: of every page, and of each index with its table as well, which takes more than twice as long. */
export type Check = 'quick_check' | 'integrity_check';

export function passes(sql: Sql, check: Check): boolean {
  try {
    return sql.all<{ readonly [name in Check]?: string }>(`PRAGMA ${check}(1)`)[0]?.[check] === 'ok';
  } catch (error) {
    // What cannot even be read.
    if (sqliteCode(error) === 'SQLITE_CORRUPT') return false;
    throw error;
  }
}

/** Changes with every write of this or another program. */
export const versionOfData = (sql: Sql): string =>
  `${changesOf(sql)} ${sql.get<{ data_version: number }>('PRAGMA data_version')?.data_version}`;

function opened(path: string): DatabaseSyncInstance {
  try {
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    // What is removed is overwritten, also in pages that become free.
    database.exec('PRAGMA secure_delete = ON');
    return database;
  } catch (error) {
    throw storageFailing(error);
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

/** As a transaction that does not wait for the disk. What undoes one of many statements, or one of many rows, would go through a temporary file where it is more than 64 KiB. */
function unsynced<T>(sql: Sql, work: () => T): T {
  sql.exec('PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY');
  try {
    return sql.transaction(work);
  } finally {
    sql.exec('PRAGMA synchronous = FULL; PRAGMA temp_store = DEFAULT');
  }
}

/** Writes what it says already, and waits for the disk: with it, everything that was written before is there. */
function syncedCommit(sql: Sql): void {
  const { user_version } = sql.get<{ user_version: number }>('PRAGMA user_version') ?? { user_version: 0 };
  sql.exec(`PRAGMA user_version = ${user_version}`);
}

/**
 * Syncs the write-ahead log in another thread: what was committed before `sync` is called is on the disk when it resolves, as with a commit of SQLite that waits for
 * it. What is called for meanwhile shares the next sync. Where it fails, or there is no log, `commit` does it in this thread, and rejects with its error.
 */
function logOf(path: string, sync: (file: number) => Promise<void>, commit: () => void) {
  let file: number | null = null;
  let [running, next] = [null as Promise<void> | null, null as Promise<void> | null];
  const start = (): Promise<void> => {
    next = null;
    running = syncNow().finally(() => {
      running = null;
    });
    return running;
  };
  const syncNow = async () => {
    try {
      file ??= openSync(path, 'r+');
      await sync(file);
    } catch {
      commit();
    }
  };
  return {
    sync: (): Promise<void> => {
      if (!running) return start();
      next ??= running.then(start, start);
      return next;
    },
    close: (): void => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/** How long a group waits for more: shorter than a commit on most disks. */
const groupMs = 1;

interface Grouped {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

function groupsOf(transaction: Sql['transaction'], sync: () => Promise<void>) {
  const waiting: Grouped[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const besideGroups = <T>(write: () => T | Promise<T>): Promise<T> => {
    const written = last.then(write);
    last = written.catch(() => undefined);
    return written;
  };
  const commitAll = (group: readonly Grouped[]) => {
    try {
      const values = transaction(() => group.map(({ work }) => work()));
      const durable = sync();
      for (const [at, { resolve, reject }] of group.entries()) durable.then(() => resolve(values[at]), reject);
    } catch (error) {
      // All are undone: only what cannot be written by itself has failed.
      if (group.length > 1) for (const one of group) commitAll([one]);
      else group[0]?.reject(error);
    }
  };
  const grouped = <T>(work: () => T) =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) setTimeout(() => besideGroups(() => commitAll(waiting.splice(0))), groupMs);
      waiting.push({ work, resolve: resolve as Grouped['resolve'], reject });
    });
  return { grouped, besideGroups };
}

/** SQLite's result codes that the program tells apart, by their numbers; of the extended ones only that of a file that was removed meanwhile. */
const codes: Readonly<Record<number, string>> = {
  1: 'SQLITE_ERROR',
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  23: 'SQLITE_AUTH',
  26: 'SQLITE_NOTADB',
  1802: 'SQLITE_IOERR_FSTAT',
};

/** The name of SQLite's code of an error or its cause; null for other errors. */
export function sqliteCode(error: unknown): string | null {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  const { code, errcode } = (cause ?? {}) as { readonly code?: unknown; readonly errcode?: unknown };
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number')
    return codes[errcode] ?? codes[errcode & 0xff] ?? `SQLITE_${errcode}`;
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
