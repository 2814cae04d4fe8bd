import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectionSettings } from '../../contract/connections.ts';
import { failureOf } from '../../electron/core/failing.ts';
import { migrations } from '../../electron/store/migrations.ts';
import { openSql } from '../../electron/store/sql.ts';
import { openStore, type Store } from '../../electron/store/store.ts';

const log = { info: () => undefined, error: () => undefined };
let dataDir = '';
const open: Store[] = [];
const start = async (steps = migrations) => {
  const opened = await openStore({ dataDir, log, steps });
  open.push(opened.store);
  return opened;
};
const close = () => {
  for (const store of open.splice(0)) store.close();
};
const path = () => join(dataDir, 'sealdesk.db');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sealdesk-store-'));
});
afterEach(() => {
  close();
  rmSync(dataDir, { recursive: true, force: true });
});

const settings = connectionSettings.parse({
  name: 'Head office',
  baseUrl: 'https://service.example',
  mainPath: '/main.asmx',
  namespaceUri: 'https://service.example/api/',
});

describe('a new database', () => {
  it('is durable: write-ahead log, every commit synced, foreign keys', async () => {
    const { store, setAside } = await start();
    expect(setAside).toBeNull();
    store.settings.put('current', 'practice');
    close();
    const sql = openSql(path());
    expect(sql.get('PRAGMA journal_mode')).toMatchObject({ journal_mode: 'wal' });
    sql.close();
  });

  it('keeps connections in their order and settings by name', async () => {
    const { store } = await start();
    store.connections.put({ id: 'b', kind: 'service', settings });
    store.connections.put({ id: 'a', kind: 'service', settings });
    store.connections.put({ id: 'b', kind: 'service', settings: { ...settings, name: 'Branch' } });
    store.settings.put('current', 'a');
    store.settings.put('current', 'b');
    close();
    const again = (await start()).store;
    expect(again.connections.all().map(({ id, settings }) => [id, settings.name])).toEqual([
      ['b', 'Branch'],
      ['a', 'Head office'],
    ]);
    expect(again.settings.get('current')).toBe('b');
    again.connections.remove('b');
    again.settings.remove('current');
    expect(again.connections.all()).toHaveLength(1);
    expect(again.settings.get('current')).toBeNull();
  });
});

describe('a database that cannot be used', () => {
  const setAsideFiles = () => readdirSync(dataDir).filter((name) => /^sealdesk\.db\.\d{8}T\d{6}Z/.test(name));

  it.each([
    ['random bytes', () => randomBytes(50_000)],
    ['a header and then random bytes', () => Buffer.concat([Buffer.from('SQLite format 3\0'), randomBytes(50_000)])],
    ['some text', () => Buffer.from('no database')],
  ])('is set aside, whole: %s', async (_what, make) => {
    const bytes = make();
    writeFileSync(path(), bytes);
    const { store, setAside } = await start();
    expect(setAside).not.toBeNull();
    expect(readFileSync(join(dataDir, setAside ?? '')).equals(bytes)).toBe(true);
    store.settings.put('still', 'usable');
  });

  it('is set aside when pages in its middle are damaged', async () => {
    const { store } = await start();
    for (let n = 0; n < 500; n++) store.settings.put(`key ${n}`, 'x'.repeat(500));
    close();
    const sql = openSql(path());
    sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
    sql.close();
    const bytes = readFileSync(path());
    randomBytes(40_000).copy(bytes, bytes.length - 60_000);
    writeFileSync(path(), bytes);
    const { setAside } = await start();
    expect(setAsideFiles()).toContain(setAside);
  });

  it('is found damaged after an orderly end, too', async () => {
    const { store } = await start();
    for (let n = 0; n < 500; n++) store.settings.put(`key ${n}`, 'x'.repeat(500));
    close();
    expect(readdirSync(dataDir)).toContain('sealdesk.db.closed');
    await start();
    expect(readdirSync(dataDir)).not.toContain('sealdesk.db.closed');
    close();
    const bytes = readFileSync(path());
    randomBytes(40_000).copy(bytes, bytes.length - 60_000);
    writeFileSync(path(), bytes);
    expect((await start()).setAside).not.toBeNull();
  });

  it('is set aside with its write-ahead log', async () => {
    const { store: full } = await start();
    for (let n = 0; n < 500; n++) full.settings.put(`key ${n}`, 'x'.repeat(500));
    const sql = openSql(path());
    sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
    sql.close();
    full.settings.put('in the log', 'only');
    // What a killed program leaves: database and log side by side.
    const killed = mkdtempSync(join(tmpdir(), 'sealdesk-store-'));
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path() + suffix)) copyFileSync(path() + suffix, join(killed, `sealdesk.db${suffix}`));
    }
    writeFileSync(join(killed, 'sealdesk.db'), randomBytes(9_000));
    const { store, setAside } = await openStore({ dataDir: killed, log });
    store.close();
    expect(readdirSync(killed)).toContain(`${setAside}-wal`);
    rmSync(killed, { recursive: true, force: true });
  });

  it('of a newer program is set aside and works again with that program', async () => {
    const newer = [...migrations, { version: 99, sql: 'CREATE TABLE later (id INTEGER PRIMARY KEY)' }];
    const { store } = await start(newer);
    store.settings.put('written by', 'the newer program');
    close();
    const { setAside, store: fresh } = await start();
    expect(setAside).not.toBeNull();
    expect(fresh.settings.get('written by')).toBeNull();
    close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(path() + suffix, { force: true });
    for (const name of setAsideFiles()) copyFileSync(join(dataDir, name), path() + name.slice((setAside ?? '').length));
    expect((await start(newer)).store.settings.get('written by')).toBe('the newer program');
  });
});

describe('a database of a newer program that runs', () => {
  it('is left where it is', async () => {
    const newer = [...migrations, { version: 99, sql: 'CREATE TABLE later (id INTEGER PRIMARY KEY)' }];
    const { store } = await start(newer);
    const error = await start().catch((error: unknown) => error);
    expect(failureOf(error)).toMatchObject({ code: 'storage-unusable' });
    store.settings.put('still', 'there');
    close();
    expect((await start(newer)).store.settings.get('still')).toBe('there');
  });
});

describe('a migration', () => {
  const added = { version: 2, sql: 'CREATE TABLE added (id INTEGER PRIMARY KEY); INSERT INTO added VALUES (7)' };

  it('runs once and keeps a copy of the file as it was', async () => {
    (await start(migrations.slice(0, 1))).store.settings.put('kept', 'yes');
    close();
    expect((await start([...migrations.slice(0, 1), added])).store.settings.get('kept')).toBe('yes');
    close();
    await start([...migrations.slice(0, 1), added]);
    const copy = openSql(`${path()}.v1.bak`);
    expect(copy.get('PRAGMA user_version')).toMatchObject({ user_version: 1 });
    expect(copy.get("SELECT value FROM settings WHERE key = 'kept'")).toMatchObject({ value: 'yes' });
    copy.close();
  });

  it('that fails changes nothing: the old program goes on with the same file', async () => {
    (await start()).store.settings.put('kept', 'yes');
    close();
    const broken = [
      ...migrations,
      { version: 98, sql: 'DELETE FROM settings; CREATE TABLE half (id); THIS IS NOT SQL' },
    ];
    const error = await start(broken).catch((error: unknown) => error);
    expect(failureOf(error)).toMatchObject({ code: 'storage-unusable' });
    const { store, setAside } = await start();
    expect(setAside).toBeNull();
    expect(store.settings.get('kept')).toBe('yes');
  });
});

describe('two programs on one folder', () => {
  it('see each other while they run, and no longer when one has ended', async () => {
    const first = (await start()).store;
    const second = (await start()).store;
    expect(second.run.isAlive(first.run.runId)).toBe(true);
    first.settings.put('from', 'the first');
    expect(second.settings.get('from')).toBe('the first');
    open.shift();
    first.close();
    expect(second.run.isAlive(first.run.runId)).toBe(false);
    expect(second.run.isAlive(second.run.runId)).toBe(true);
  });
});
