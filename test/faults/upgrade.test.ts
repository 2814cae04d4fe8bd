import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import { migrations } from '../../electron/store/schema/migrations.ts';
import { openStore } from '../../electron/store/store.ts';
import { newFolder } from '../core/jobs-setup.ts';
import { atLength } from '../harness/test-length.ts';
import { fillDisk, programOf, smallDisk } from './fault-runs.ts';
import { limitMs, recordFault } from './fault-table.ts';
import { documents, firstVersion, jobs } from './first-version.ts';

const log = { info: () => undefined, error: () => undefined };
const latest = Math.max(...migrations.map(({ version }) => version));
const program = programOf('migrate-program.ts');

const old = mkdtempSync(join(tmpdir(), 'sealdesk-first-version-'));
beforeAll(() => firstVersion(old));
afterAll(() => rmSync(old, { recursive: true }));

/** Starts a program that upgrades the database; resolves with what it wrote. */
function upgrade(dataDir: string): Promise<string> {
  const child = spawn(process.execPath, [program], { env: { ...process.env, DATA_DIR: dataDir } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  return new Promise((resolve) => child.once('close', () => resolve(said)));
}

/** Schema and rows of a database. */
function contents(path: string): { version: unknown; documents: unknown; jobs: unknown } {
  const sql = openSql(path);
  const value = (text: string) => Object.values(sql.get<Record<string, unknown>>(text) ?? {})[0];
  const found = {
    version: value('PRAGMA user_version'),
    documents: value('SELECT count(*) FROM documents'),
    jobs: value('SELECT count(*) FROM jobs'),
  };
  sql.close();
  return found;
}

describe('several programs that upgrade at the same moment', () => {
  it(
    'all start, and the copy is of the older version',
    async () => {
      const rounds = atLength({ short: 1, ci: 2, all: 20 });
      for (let round = 0; round < rounds; round++) {
        const dataDir = await newFolder();
        cpSync(old, dataDir, { recursive: true });
        const said = await Promise.all([upgrade(dataDir), upgrade(dataDir), upgrade(dataDir)]);
        expect(said).toEqual(said.map(() => 'opening\nopened\n'));
        expect(contents(join(dataDir, 'sealdesk.db'))).toEqual({ version: latest, documents, jobs });
        expect(contents(join(dataDir, 'sealdesk.db.v18.bak'))).toEqual({ version: 18, documents, jobs });
        expect(readdirSync(dataDir).filter((name) => name.endsWith('.part'))).toEqual([]);
      }
      recordFault({ fault: 'three programs upgrade at once', injected: rounds });
    },
    limitMs,
  );
});

describe('an upgrade on a full disk', () => {
  it(
    'is refused in words and leaves the older version usable; with room it succeeds',
    async (test) => {
      const steps = atLength({ short: 6, all: 20 });
      let refused = 0;
      const dataDir = await smallDisk(test, 40);
      cpSync(old, dataDir, { recursive: true });
      // From no room at all over room for the copy alone to nearly enough for both.
      for (let step = 0; step < steps; step++) {
        const free = await fillDisk(dataDir, step * 2_000_000);
        const opened = await openStore({ dataDir, log }).catch((error: unknown) => error);
        if (opened instanceof Error) {
          refused += 1;
          expect(failureOf(opened)).toMatchObject({ code: 'storage-full' });
          await free();
          const before = await openStore({ dataDir, log, steps: migrations.slice(0, 1) });
          expect(before.store.documents).toBeDefined();
          before.store.close();
          expect(contents(join(dataDir, 'sealdesk.db'))).toEqual({ version: 18, documents, jobs });
          continue;
        }
        (opened as Awaited<ReturnType<typeof openStore>>).store.close();
        await free();
        break;
      }
      const { store } = await openStore({ dataDir, log });
      store.close();
      expect(contents(join(dataDir, 'sealdesk.db'))).toEqual({ version: latest, documents, jobs });
      expect(readdirSync(dataDir).filter((name) => name.endsWith('.part'))).toEqual([]);
      expect(refused).toBeGreaterThan(0);
      recordFault({ fault: 'disk full during migration', injected: refused });
    },
    limitMs,
  );
});
