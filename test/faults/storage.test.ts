import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { openStore, type Store } from '../../electron/store/store.ts';
import { jobsOf, newCore, newFolder } from '../core/jobs-setup.ts';
import { atLength } from '../harness/test-length.ts';
import { balance, copied, finished, kill, namesOf, newRun, programOf, runQueue } from './fault-runs.ts';
import { isFull, limitMs, recordFault, waitMs } from './fault-table.ts';
import { documents, firstVersion, invented, jobs } from './first-version.ts';

const log = { info: () => undefined, error: () => undefined };
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a ledger that is older than it was', () => {
  const rounds = isFull ? 10 : 1;

  it.each([
    ['write-ahead log missing', (path: string) => rmSync(path)],
    ['write-ahead log damaged (random bytes)', damageHalf],
  ])('sends nothing twice: %s', async (fault, harm) => {
    const sums = { jobs: 0, done: 0, inDoubt: 0, lost: 0, doubled: 0 };
    let refused = 0;
    for (let injected = 0; injected < rounds; ) {
      const { service, folder, dataDir, env } = await newRun(namesOf(20), 100);
      const child = runQueue({ ...env, FOLDER: folder });
      await child.said('ready');
      await moment(100 + Math.random() * 300);
      await kill(child);
      const harmed = await copied(dataDir);
      const log = join(harmed, 'sealdesk.db-wal');
      // A program that ended before the kill has written the whole log into the database.
      if (!existsSync(log)) continue;
      harm(log);
      injected += 1;
      const before = service.control.requests().AddNewDocument;
      const again = runQueue({ ...env, DATA_DIR: harmed });
      if (!(await finished(again))) {
        // Killed while the log was being written into the database, which then needs what is damaged now.
        expect(again.trouble()).toContain('database-damaged');
        expect(service.control.requests().AddNewDocument).toBe(before);
        refused += 1;
        continue;
      }
      const core = await newCore({ dataDir: await copied(harmed) });
      const sum = await balance(service, folder, await jobsOf(core));
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += sum[key];
      await core.stop();
    }
    recordFault({ fault, injected: rounds, ...sums });
    expect(refused).toBeLessThanOrEqual(rounds / 2);
    expect(sums).toMatchObject({ jobs: 20 * (rounds - refused), lost: 0, doubled: 0 });
    expect(sums.done + sums.inDoubt).toBe(sums.jobs);
  });

  it('is reported once', async () => {
    const { service, folder, dataDir, env } = await newRun(namesOf(10), 300);
    const child = runQueue({ ...env, FOLDER: folder });
    // A request that has left is what a later start can miss in the database.
    await expect.poll(() => service.control.requests().AddNewDocument ?? 0, { timeout: waitMs }).toBeGreaterThan(0);
    await kill(child);
    const harmed = await copied(dataDir);
    rmSync(join(harmed, 'sealdesk.db-wal'));
    const core = await newCore({ dataDir: harmed, host: 'desktop' });
    await expect
      .poll(async () => (await core.must('app.info', {})).notices)
      .toMatchObject([{ kind: 'database-incomplete' }]);
    await core.stop();
    const again = await newCore({ dataDir: harmed, host: 'desktop' });
    expect((await again.must('app.info', {})).notices).toEqual([]);
  });
});

/** Overwrites everything after the first part of the file. */
function damageHalf(path: string): void {
  const bytes = readFileSync(path);
  randomBytes(Math.floor(bytes.length / 2)).copy(bytes, Math.floor(bytes.length / 2));
  writeFileSync(path, bytes);
}

describe('a program that is stopped while it migrates', () => {
  it(
    'leaves a database that the next start can use',
    async () => {
      const rounds = atLength({ short: 2, all: 30 });
      const old = await newFolder();
      await firstVersion(old);
      let [kept, stopped, done] = [0, 0, 0];
      for (let n = 0; n < rounds; n++) {
        const dataDir = await newFolder();
        cpSync(old, dataDir, { recursive: true });
        const child = spawn(process.execPath, [programOf('migrate-program.ts')], {
          env: { ...process.env, DATA_DIR: dataDir },
        });
        // Subscribed from the start, because the process may end before it is killed.
        const ended = new Promise((resolve) => child.once('exit', resolve));
        let out = '';
        child.stdout.on('data', (bytes) => {
          out += bytes;
        });
        await expect.poll(() => out, { timeout: waitMs, interval: 2 }).toContain('opening');
        await moment(Math.random() * 200);
        child.kill('SIGKILL');
        await ended;
        if (!out.includes('opened')) stopped += 1;
        const { store, setAside } = await openStore({ dataDir, log });
        expect(setAside).toBeNull();
        const { counts, total } = { counts: store.jobs.counts(), total: store.documents.list(anyDocument).total };
        done += counts.done;
        kept += counts.done + counts['in-doubt'];
        expect(total).toBe(documents);
        expect(store.documents.list({ ...anyDocument, search: 'lease', connectionId: 'office' }).total).toBe(documents);
        expect(readdirSync(dataDir).filter((name) => name.endsWith('.part'))).toEqual([]);
        store.close();
      }
      const all = jobs * rounds;
      const row = { jobs: all, done, inDoubt: kept - done, lost: all - kept };
      recordFault({ fault: 'stopped during migration', injected: stopped, ...row });
      expect(row.lost).toBe(0);
      expect(stopped).toBeGreaterThan(0);
    },
    limitMs,
  );
});

const anyDocument = { search: '', sort: 'registeredAt', descending: true, offset: 0, limit: 1 } as const;

const pageOfDocuments = 500;

/** Number of documents on the first page of a search; else the code of the failure. */
function foundIn(store: Store): number | string | undefined {
  try {
    return store.documents.list({ ...anyDocument, search: 'lease', limit: pageOfDocuments }).rows.length;
  } catch (error) {
    return failureOf(error)?.code;
  }
}

describe('a database with random bytes in it', () => {
  it('is used if it is sound, or set aside completely on request', async () => {
    const rounds = atLength({ short: 8, all: 100 });
    const sound = await newFolder();
    const opened = await openStore({ dataDir: sound, log });
    opened.store.documents.putAll(Array.from({ length: 3_000 }, (_each, n) => invented(n)));
    opened.store.close();
    let [aside, read] = [0, 0];
    for (let n = 0; n < rounds; n++) {
      const dataDir = await newFolder();
      cpSync(sound, dataDir, { recursive: true });
      const path = join(dataDir, 'sealdesk.db');
      const bytes = readFileSync(path);
      // In the header, in pages of the schema, and anywhere.
      const offset = n % 4 === 0 ? Math.floor(Math.random() * 4_096) : Math.floor(Math.random() * (bytes.length - 600));
      randomBytes(n % 3 === 0 ? 16 : 512).copy(bytes, offset);
      writeFileSync(path, bytes);
      const ask = { trouble: async () => 'set-aside' as const, mended: async () => false };
      const { store, setAside } = await openStore({ dataDir, log, ask });
      if (setAside) {
        aside += 1;
        expect(readFileSync(join(dataDir, setAside, 'sealdesk.db')).equals(bytes)).toBe(true);
      }
      store.settings.put('still', 'usable');
      const found = foundIn(store);
      if (typeof found === 'number') read += 1;
      // Damage in an index of the search is found only now, and reported as what it is.
      expect(setAside ? [0] : [pageOfDocuments, 'storage-unusable']).toContain(found);
      store.close();
      expect(existsSync(path)).toBe(true);
    }
    recordFault({ fault: 'database damaged (random bytes)', injected: rounds });
    expect(aside).toBeGreaterThan(0);
    expect(read).toBeGreaterThan(0);
  });
});
