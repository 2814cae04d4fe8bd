import { constants, existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failing, failureOf } from '../core/failing.ts';
import type { Log } from '../core/ports.ts';
import { checkIntegrity } from './check-integrity.ts';
import { takeCleanMark } from './clean-close.ts';
import { type Migration, migrate, versionOf } from './migrations.ts';
import { isFolderInUse } from './run-lock.ts';
import { openSql, type Sql, sqliteCode } from './sql.ts';

/** Files that SQLite keeps beside the database. */
const suffixes = ['', '-wal', '-shm'] as const;

/**
 * Opens the database, brought to the last version. One that is damaged or of a newer program is set aside under another name, never
 * deleted, and a new one is begun; `setAside` is then its new file name. Rejects with storage-unusable or storage-full
 * where another running program uses such a database, where a migration failed (the old file is then as it was) or the folder cannot be written.
 */
export async function openDatabase(
  path: string,
  steps: readonly Migration[],
  log: Log,
): Promise<{ sql: Sql; setAside: string | null }> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    return { sql: await openChecked(path, steps), setAside: null };
  } catch (error) {
    const reason = reasonToSetAside(error);
    if (!reason) throw error;
    // Its database must not be moved away from under a running program, such as a newer one beside this command line.
    if (isFolderInUse(dirname(path))) throw failing('storage-unusable', `in use by another program: ${reason}`);
    const setAside = await setDatabaseAside(path);
    log.error('database set aside', { reason, fileName: setAside });
    return { sql: await openChecked(path, steps), setAside };
  }
}

class NewerDatabase extends Error {}

function reasonToSetAside(error: unknown): string | null {
  if (error instanceof NewerDatabase) return error.message;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = sqliteCode(cause);
    if (code && /^SQLITE_(CORRUPT|NOTADB)/.test(code)) return code;
  }
  return null;
}

async function openChecked(path: string, steps: readonly Migration[]): Promise<Sql> {
  const sql = openSql(path);
  try {
    const last = Math.max(...steps.map((step) => step.version));
    const version = versionOf(sql);
    if (version > last) throw new NewerDatabase(`version ${version} is newer than ${last}`);
    if (!takeCleanMark(path)) checkIntegrity(sql);
    sql.exec('PRAGMA journal_mode = WAL');
    sql.exec('PRAGMA synchronous = FULL');
    if (version > 0 && version < last) await keepCopy(sql, path, version);
    migrate(sql, steps);
    sql.exec('PRAGMA foreign_keys = ON');
    return sql;
  } catch (error) {
    sql.close();
    throw error;
  }
}

/** A migration works on a file of which a copy is kept: `<name>.v<version>.bak`. */
async function keepCopy(sql: Sql, path: string, version: number): Promise<void> {
  sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
  const copy = `${path}.v${version}.bak`;
  try {
    await copyFile(path, `${copy}.part`, constants.COPYFILE_FICLONE);
    const file = await open(`${copy}.part`, 'r+');
    await file.sync().finally(() => file.close());
    await rename(`${copy}.part`, copy);
  } catch (error) {
    await rm(`${copy}.part`, { force: true });
    if (failureOf(error)) throw error;
    const full = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    throw failing(full ? 'storage-full' : 'storage-unusable', 'no copy of the database could be made before migration');
  }
}

async function setDatabaseAside(path: string): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const taken = new Set(await readdir(dirname(path)));
  let name = `${basename(path)}.${stamp}`;
  for (let n = 2; taken.has(name); n++) name = `${basename(path)}.${stamp}-${n}`;
  const target = join(dirname(path), name);
  // The database last: until then the next start finds it and tries again.
  for (const suffix of [...suffixes].reverse()) {
    if (existsSync(path + suffix)) await renamePatiently(path + suffix, target + suffix);
  }
  return name;
}

/** Windows refuses while a virus scanner or a handle not yet collected is on the file. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (attempt === 10) throw failing('storage-unusable', `the damaged database cannot be renamed: ${String(error)}`);
      await sleep(100 * attempt);
    }
  }
}
