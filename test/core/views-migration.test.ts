import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { viewsMigration } from '../../electron/store/database/migration-views.ts';
import { migrations } from '../../electron/store/database/migrations.ts';
import { openDatabase } from '../../electron/store/database/open-database.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import { openStore } from '../../electron/store/store.ts';
import { newFolder } from './jobs-setup.ts';

const log = { info: () => undefined, error: () => undefined };
const before = migrations.slice(0, 7);
const pathIn = (dataDir: string) => join(dataDir, 'sealdesk.db');

/** Views as version 7 kept them: names of tracking_views were checked by the program, not by the table. */
async function version7(): Promise<string> {
  const dataDir = await newFolder();
  const sql = await openDatabase(pathIn(dataDir), before);
  sql.exec(`
    INSERT INTO views VALUES ('d', 'documents', 'Leases', '{"search":"lease"}'), ('same', 'documents', 'All', '{}');
    INSERT INTO tracking_views VALUES
      ('a', 'Leases', '{"filter":{"listType":1},"columns":["documentName"],"grouped":true}'),
      ('b', 'LEASES', '{"grouped":false}'), ('c', 'leases', '{"n":3}'), ('e', 'Leases (2)', '{"n":4}'), ('f', 'Ärger', '{"n":5}'),
      ('same', 'Kept under one id', '{"n":6}')`);
  sql.close();
  return dataDir;
}

async function viewsIn(dataDir: string) {
  const { store, setAside } = await openStore({ dataDir, log });
  try {
    expect(setAside).toBeNull();
    return { documents: store.views.state('documents').views, tracking: store.views.state('tracking').views };
  } finally {
    store.close();
  }
}

const expected = {
  documents: [
    { id: 'same', name: 'All', content: '{}' },
    { id: 'd', name: 'Leases', content: '{"search":"lease"}' },
  ],
  tracking: [
    { id: expect.stringMatching(/^[0-9a-f]{32}$/), name: 'Kept under one id', content: '{"n":6}' },
    { id: 'a', name: 'Leases', content: '{"filter":{"listType":1},"columns":["documentName"],"grouped":true}' },
    { id: 'e', name: 'Leases (2)', content: '{"n":4}' },
    { id: 'b', name: 'LEASES (3)', content: '{"grouped":false}' },
    { id: 'c', name: 'leases (4)', content: '{"n":3}' },
    { id: 'f', name: 'Ärger', content: '{"n":5}' },
  ],
};

/** The state after a kill: the files as they are while the database is open. */
async function killedCopy(dataDir: string): Promise<string> {
  const folder = await newFolder();
  for (const suffix of ['', '-wal'])
    if (existsSync(pathIn(dataDir) + suffix)) copyFileSync(pathIn(dataDir) + suffix, pathIn(folder) + suffix);
  return folder;
}

describe('saved views of an earlier version', () => {
  it('are all in one table after the migration; names that collide get a number', async () => {
    const dataDir = await version7();
    expect(await viewsIn(dataDir)).toEqual(expected);
    expect(await viewsIn(dataDir)).toEqual(expected);
    const sql = openSql(pathIn(dataDir));
    expect(sql.all("SELECT name FROM sqlite_schema WHERE name = 'tracking_views'")).toEqual([]);
    sql.close();
  });

  it('are an empty list after a migration without views', async () => {
    const dataDir = await newFolder();
    (await openDatabase(pathIn(dataDir), before)).close();
    expect(await viewsIn(dataDir)).toEqual({ documents: [], tracking: [] });
  });

  it('do not change if a kill ends the migration before its commit', async () => {
    const dataDir = await version7();
    const sql = openSql(pathIn(dataDir));
    sql.exec('PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN IMMEDIATE');
    sql.exec(viewsMigration.sql);
    const killed = await killedCopy(dataDir);
    sql.exec('ROLLBACK');
    sql.close();
    const left = openSql(pathIn(killed));
    expect(left.get('SELECT count(*) AS n FROM tracking_views')).toMatchObject({ n: 6 });
    left.close();
    expect(await viewsIn(killed)).toEqual(expected);
  });

  it('are moved once if a kill follows the commit while it is only in the write-ahead log', async () => {
    const dataDir = await version7();
    const sql = await openDatabase(pathIn(dataDir), migrations);
    const killed = await killedCopy(dataDir);
    sql.close();
    expect(await viewsIn(killed)).toEqual(expected);
  });

  it('do not change if a later step of the same start fails', async () => {
    const dataDir = await version7();
    const broken = [...migrations, { version: 99, sql: 'THIS IS NOT SQL' }];
    const error = await openStore({ dataDir, log, steps: broken }).catch((error: unknown) => error);
    expect(failureOf(error)?.code).toBe('storage-unusable');
    expect(await viewsIn(dataDir)).toEqual(expected);
  });
});
