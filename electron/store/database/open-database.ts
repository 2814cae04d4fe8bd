import { isUtf8 } from 'node:buffer';
import { chmodSync, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { syncAndRename } from '../../core/files/atomic-write.ts';
import { removeBrokenOffCopies } from '../../core/files/left-behind.ts';
import { appError, failureOf } from '../../core/foundation/app-error.ts';
import { shortageOf } from '../../core/foundation/fs-errors.ts';
import { isKnownWhole, markOpen } from './clean-close.ts';
import { readHeader, writtenBy } from './database-header.ts';
import { countBeside, isDepartureNote } from './departure-count.ts';
import { damagedLedger, damageOf, newerLedger, requireNotice } from './ledger-errors.ts';
import { assertUpgradable, type Migration, migrate, versionOf } from './migrate.ts';
import { isFolderInUse } from './run-lock.ts';
import { type Check, openSql, passes, runSteps, type Sql, type Step, sqliteCode } from './sql.ts';

/** No program will ever have as many versions: the header is damaged, and a newer program would not help. */
const mostVersions = 10_000;

/**
 * Checks that the database is usable by this `program`, without any change: not even of SQLite's own files beside it. False if there is none yet. Throws storage-unusable with one of the
 * details database-newer, database-damaged, database-unreadable, database-missing; storage-full, storage-busy.
 */
export function inspectDatabase(path: string, steps: readonly Migration[], program?: string): boolean {
  const dataDir = dirname(path);
  try {
    const header = readHeader(path);
    if (header.kind !== 'database') {
      if (header.kind === 'other') throw damagedLedger(dataDir, 'database-damaged', 'it is no SQLite database');
      const trace = traceOfEarlier(path);
      if (trace) throw damagedLedger(dataDir, 'database-missing', trace);
      return false;
    }
    const last = lastOf(steps);
    if (header.version > mostVersions)
      throw damagedLedger(dataDir, 'database-damaged', `data version ${header.version}`);
    if (header.version > last) throw newerLedger(dataDir, header.version, last, writtenBy(path, program));
    // Takes seconds for a million documents; skipped while another program works on the database, as that one has checked it.
    if (!isKnownWhole(path)) checkUnlessInUse(path);
    return true;
  } catch (error) {
    throw toLedgerError(dataDir, error);
  }
}

/** So many pages are compared with their indexes before anything is read: 128 MB, a hundred thousand documents. */
const fewPages = 32_768;

/** True if a database in doubt is compared with its indexes at its opening: that of a larger one would take too long. */
export const isSmall = (sql: Sql): boolean =>
  (sql.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0) <= fewPages;

/** An open database; `isInDoubt`: it may have been changed otherwise than by its programs, `isCompared`: all the same its indexes have what their tables have. */
export interface OpenedDatabase {
  readonly sql: Sql;
  readonly isInDoubt: boolean;
  readonly isCompared: boolean;
}

/**
 * Opens or creates the database and updates its schema to the last version. Call `inspectDatabase` before. Rejects as that throws, and if a migration failed. The caller
 * calls `markWhole` when nothing about it is in doubt any more.
 */
export async function openDatabase(
  path: string,
  steps: readonly Migration[],
  program?: string,
): Promise<OpenedDatabase> {
  // Asked first: the log is there as soon as it is open.
  const isInDoubt = !isKnownWhole(path);
  let sql: Sql | null = null;
  try {
    sql = openSql(path);
    const version = versionOf(sql);
    if (version > lastOf(steps)) throw newerLedger(dirname(path), version, lastOf(steps), writtenBy(path, program));
    if (version < lastOf(steps)) assertUpgradable(version, steps);
    closeToOthers(path);
    markOpen(path);
    sql.exec('PRAGMA journal_mode = WAL');
    sql.exec('PRAGMA synchronous = FULL');
    // SQLite's 2 MB read most of a large register's indexes again for each document that is added.
    sql.exec('PRAGMA cache_size = -32000');
    // A copy has the indexes as they are.
    const isCompared = version < lastOf(steps) || isSmall(sql);
    if (isInDoubt && isCompared) await mendHere(sql);
    if (version > 0 && version < lastOf(steps)) await copyBeforeMigration(sql, path, version);
    if (version < lastOf(steps)) migrate(sql, steps);
    // A newer program may have upgraded it since.
    const reached = versionOf(sql);
    if (reached > lastOf(steps)) throw newerLedger(dirname(path), reached, lastOf(steps), writtenBy(path, program));
    sql.exec('PRAGMA foreign_keys = ON');
    return { sql, isInDoubt, isCompared };
  } catch (error) {
    sql?.close();
    throw toLedgerError(dirname(path), error);
  }
}

/** This thread or another. */
interface Indexes {
  passes(check: Check): boolean | Promise<boolean>;
  write(steps: readonly Step[]): number | Promise<number>;
}

const mendHere = (sql: Sql) =>
  mendIndexes(sql, { passes: (check) => passes(sql, check), write: (steps) => runSteps(sql, steps) });

/**
 * Rebuilds the indexes if one has not what its table has: a list by that index would leave out rows. Only where every page is sound the tables are the truth:
 * otherwise it rejects, its cause SQLITE_CORRUPT.
 */
export async function mendIndexes(sql: Sql, indexes: Indexes): Promise<void> {
  if (await indexes.passes('integrity_check')) return;
  if (!(await indexes.passes('quick_check'))) throw damaged('the pages do not fit together');
  try {
    for (const name of bytesOf(sql, "SELECT CAST(name AS BLOB) AS bytes FROM sqlite_schema WHERE type = 'index'"))
      await indexes.write([[`REINDEX ${quoted(name)}`, [[]]]]);
  } catch (error) {
    throw sqliteCode(error) === 'SQLITE_CONSTRAINT' ? damaged('a table has twice what it may have once') : error;
  }
  if (!(await indexes.passes('integrity_check'))) throw damaged('an index cannot be rebuilt');
  requireNotice(sql, 'mended');
}

/** Lets only the owner read the database: its folder may have been there before, open to all. SQLite gives new files beside it the same mode. */
function closeToOthers(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      chmodSync(file, 0o600);
    } catch {
      // Not there yet, or a file system without modes.
    }
  }
}

/** True if a database that was set aside is usable now. */
export function isSound(path: string, steps: readonly Migration[]): boolean {
  try {
    const header = readHeader(path);
    if (header.kind !== 'database' || header.version > lastOf(steps)) return false;
    checkReadOnly(path);
    return true;
  } catch {
    return false;
  }
}

const lastOf = (steps: readonly Migration[]) => Math.max(...steps.map((step) => step.version));

/**
 * Checks the database unless another program works on it. If another program begins to write meanwhile, pages may look damaged: then the check is repeated, or
 * left to that program.
 */
function checkUnlessInUse(path: string): void {
  const writtenAt = () => statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  for (let rounds = 1; !isFolderInUse(dirname(path)); rounds += 1) {
    const before = writtenAt();
    try {
      checkReadOnly(path);
      return;
    } catch (error) {
      if (rounds === 3 || (writtenAt() === before && !isFolderInUse(dirname(path)))) throw error;
    }
  }
}

/**
 * A read-only connection leaves the log as it is, even as the last one. Without a log it would create an empty one, so then the file is opened as
 * immutable.
 */
function checkReadOnly(path: string): void {
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const sql = openSql(`${pathToFileURL(path).href}?${hasLog ? 'mode=ro' : 'immutable=1'}`);
  try {
    checkIntegrity(sql);
  } finally {
    sql.close();
  }
}

/** A trace of an earlier database in the folder from which requests were sent; null if there is none. With a trace a new, empty database would lead to duplicates. */
function traceOfEarlier(path: string): string | null {
  const dataDir = dirname(path);
  const count = countBeside(dataDir);
  if (count > 0) return `${count} requests had left`;
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return 'its write-ahead log is still there';
  if (existsSync(`${path}.closed`)) return 'it was closed in order';
  const runs = join(dataDir, 'runs');
  const notes = existsSync(runs) ? readdirSync(runs).filter(isDepartureNote) : [];
  return notes.length > 0 ? 'requests had left' : null;
}

function toLedgerError(dataDir: string, error: unknown): unknown {
  if (failureOf(error)?.detail || failureOf(error)?.code === 'storage-full') return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (typeof code === 'string' && /^E(ACCES|PERM|ISDIR|NOTDIR|IO)$/.test(code))
    return damagedLedger(dataDir, 'database-unreadable', code);
  const damage = damageOf(error);
  if (!damage) return error;
  // SQLite cannot read without some disk space for its index of the log.
  if (damage.detail === 'database-unreadable' && isFull(dataDir))
    return appError('storage-full', `The disk of ${dataDir} is full. Free some space, then try again.`);
  return damagedLedger(dataDir, damage.detail, damage.how);
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < 64 * 1024;
  } catch {
    return false;
  }
}

/**
 * Copies the database before a migration: `<name>.v<version>.bak`. Several programs may do so at once, so each writes a file of its own first; a copy that another
 * program's migration was faster than is not kept.
 */
async function copyBeforeMigration(sql: Sql, path: string, version: number): Promise<void> {
  const copy = `${path}.v${version}.bak`;
  const part = `${copy}.${process.pid}.part`;
  try {
    await removeBrokenOffCopies(dirname(path));
    await rm(part, { force: true });
    // Not copied as a file: closing its descriptor would release SQLite's locks on the database (database-header.ts).
    sql.exec(`VACUUM INTO '${part.replaceAll("'", "''")}'`);
    // Kept open, each copy that a full disk made useless would take its room until the program ends.
    const header = readHeader(part, true);
    if (header.kind === 'database' && header.version === version) await syncAndRename(part, copy);
    else await rm(part, { force: true });
  } catch (error) {
    await rm(part, { force: true });
    if (failureOf(error)) throw error;
    throw shortageOf(error) ?? appError('storage-unusable', 'no copy of the database could be made before migration');
  }
}

/** Rows whose texts are checked in one query. */
const rowsAtOnce = 5_000;

/**
 * Checks every page and every text: seconds for a million documents, so it is called only where the database may have changed otherwise than by its programs. Indexes are
 * compared with their tables by `mendIndexes`. All texts are read as bytes: SQLite checks none of them, and one that is not UTF-8 would come as another text. Throws
 * storage-unusable, its cause SQLITE_CORRUPT.
 */
function checkIntegrity(sql: Sql): void {
  try {
    if (!passes(sql, 'quick_check')) throw damaged('the pages do not fit together');
    for (const table of tablesOf(sql)) checkTexts(sql, table);
  } catch (error) {
    // The statements are correct, so an error in one of them means a damaged schema.
    throw sqliteCode(error) === 'SQLITE_ERROR' ? damaged('the schema cannot be read') : error;
  }
}

function checkTexts(sql: Sql, table: string): void {
  const columns = bytesOf(
    sql,
    "SELECT CAST(name AS BLOB) AS bytes FROM pragma_table_info(?) WHERE type = 'TEXT'",
    table,
  ).map((name) => quoted(name));
  if (columns.length === 0) return;
  const texts = columns.map((column) => `coalesce(${column}, '')`).join(' || char(10) || ');
  const name = quoted(Buffer.from(table));
  // Tables without row numbers are short, but for copies of lists that are being brought in. A damaged number may be too large for one of JavaScript.
  const isNumbered = sql.get('SELECT 1 FROM pragma_table_list(?) WHERE wr = 0', table) !== undefined;
  const [at, which] = isNumbered
    ? ['rowid', `WHERE rowid > ? ORDER BY rowid LIMIT ${rowsAtOnce}`]
    : ['0', `LIMIT ${rowsAtOnce} OFFSET ?`];
  const text = `SELECT CAST(group_concat(texts, char(10)) AS BLOB) AS bytes, CAST(max(at) AS TEXT) AS last, count(*) AS n
    FROM (SELECT ${at} AS at, ${texts} AS texts FROM ${name} ${which})`;
  type Rows = { readonly bytes: Uint8Array | null; readonly last: string; readonly n: number };
  let after = isNumbered ? '-9223372036854775808' : '0';
  for (let seen = rowsAtOnce; ; seen += rowsAtOnce) {
    const { bytes, last, n } = sql.get<Rows>(text, after) as Rows;
    if (bytes && !isUtf8(bytes)) throw damaged('a text is not UTF-8');
    if (n < rowsAtOnce) return;
    after = isNumbered ? last : String(seen);
  }
}

function tablesOf(sql: Sql): string[] {
  const names = bytesOf(
    sql,
    "SELECT CAST(name AS BLOB) AS bytes FROM sqlite_schema WHERE type = 'table' AND rootpage > 0",
  );
  if (!names.every((name) => isUtf8(name))) throw damaged('the name of a table is not UTF-8');
  return names.map((name) => name.toString());
}

function bytesOf(sql: Sql, text: string, ...values: string[]): Buffer[] {
  const rows = sql.all<{ bytes: Uint8Array | null }>(text, ...values);
  return rows.map(({ bytes }) => Buffer.from(bytes ?? new Uint8Array()));
}

function quoted(name: Buffer): string {
  if (!isUtf8(name)) throw damaged('a name is not UTF-8');
  return `"${name.toString().replaceAll('"', '""')}"`;
}

function damaged(how: string): Error {
  const failure = appError('storage-unusable', `the database is damaged: ${how}`);
  failure.cause = Object.assign(new Error(how), { code: 'SQLITE_CORRUPT' });
  return failure;
}
