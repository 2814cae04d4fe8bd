import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../electron/store/store.ts';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  writePdfs,
} from '../core/jobs-setup.ts';
import { memoryKeychain } from '../harness/core.ts';
import { balance, copied, finished, kill, namesOf, newRun, runQueue } from './fault-runs.ts';
import { isFull, limitMs, recordFault, waitMs } from './fault-table.ts';

const log = { info: () => undefined, error: () => undefined };
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const noticesOf = async (core: Awaited<ReturnType<typeof newCore>>) =>
  (await core.must('app.info', {})).notices.map(({ kind }) => kind);

/** Jobs that wait in a copy of the database, and were sent and answered after the copy was made; the program has ended in order. */
async function copyPutBack(count: number) {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  const keychain = memoryKeychain(new Map());
  const first = await newCore({ dataDir, keychain, host: 'desktop' });
  const connectionId = await connect(first, service);
  await first.must('jobs.pause', { what: 'all' });
  const batchId = await register(first, connectionId, await writePdfs(folder, namesOf(count)));
  await expect.poll(async () => (await first.must('jobs.list', {})).counts.waiting).toBe(count);
  await first.stop();
  const path = join(dataDir, 'sealdesk.db');
  const copy = join(await newFolder(), 'copy.db');
  copyFileSync(path, copy);
  cpSync(join(dataDir, 'spool'), `${copy}.spool`, { recursive: true });
  const second = await newCore({ dataDir, keychain, host: 'desktop' });
  await second.must('jobs.resume', { what: 'all' });
  await untilEnded(second, batchId, waitMs);
  await second.stop();
  for (const end of ['-wal', '-shm', '.closed']) rmSync(path + end, { force: true });
  copyFileSync(copy, path);
  cpSync(`${copy}.spool`, join(dataDir, 'spool'), { recursive: true });
  return { service, folder, dataDir, keychain, batchId, connectionId };
}

describe('a copy of the database that is restored after an orderly end', () => {
  it(
    'sends nothing by itself: all waiting jobs are held, and a person is informed',
    async () => {
      const count = isFull ? 30 : 3;
      const { service, folder, dataDir, keychain, batchId, connectionId } = await copyPutBack(count);
      // A command line detects it first: the app is informed all the same.
      const beside = await newCore({ dataDir, keychain });
      expect(await noticesOf(beside)).toContain('database-restored');
      await beside.stop();
      const core = await newCore({ dataDir, keychain, host: 'desktop' });
      expect(await noticesOf(core)).toContain('database-restored');
      await core.must('jobs.resume', { what: 'all' });
      // New jobs are sent, and earlier jobs of the queue are not.
      const next = await register(core, connectionId, await writePdfs(await newFolder(), ['new.pdf']));
      expect(await untilEnded(core, next)).toMatchObject([{ state: 'done' }]);
      const held = await jobsOf(core, batchId);
      expect(held.map(({ state, pausedBy }) => [state, pausedBy])).toEqual(held.map(() => ['waiting', 'restored']));
      expect((await core.must('jobs.list', {})).restoredCount).toBe(count);
      const sum = await balance(service, folder, held);
      recordFault({ fault: 'copy of the database put back', injected: 1, ...sum });
      // The restored ledger knows of no answer; all documents are at the service, each once.
      expect(sum).toEqual({ jobs: count, done: 0, inDoubt: 0, lost: 0, doubled: 0 });
      // The jobs stay held until a person resumes them; then they are sent.
      await core.stop();
      const again = await newCore({ dataDir, keychain, host: 'desktop' });
      expect(await noticesOf(again)).toContain('database-restored');
      await again.must('jobs.resume', { what: 'restored' });
      await untilEnded(again, batchId, waitMs);
      expect((await again.must('jobs.list', {})).restoredCount).toBe(0);
      await again.stop();
      const after = await newCore({ dataDir, keychain, host: 'desktop' });
      expect(await noticesOf(after)).toEqual([]);
      expect((await balance(service, folder, await jobsOf(after))).lost).toBe(0);
    },
    limitMs,
  );

  it('is also detected after a kill, and only once', async () => {
    const { dataDir, keychain, batchId } = await copyPutBack(2);
    const { store } = await openStore({ dataDir, log });
    expect(store.jobs.restoredCount()).toBe(2);
    const killed = await copied(dataDir);
    store.close();
    const core = await newCore({ dataDir: killed, keychain });
    expect((await jobsOf(core, batchId)).map(({ pausedBy }) => pausedBy)).toEqual(['restored', 'restored']);
    await core.must('jobs.resume', { what: 'restored' });
    const again = await openStore({ dataDir: killed, log });
    expect(again.store.jobs.restoredCount()).toBe(0);
    again.store.close();
  });

  it('keeps all other pauses when it is resumed', async () => {
    const { dataDir, batchId } = await copyPutBack(3);
    const { store } = await openStore({ dataDir, log });
    const [a = '', b = ''] = store.jobs.list({ batchId, offset: 0, limit: 9 }).jobs.map(({ id }) => id);
    expect(store.jobs.holdJob(a, true)).toBe(false);
    store.jobs.holdBatch(batchId, true);
    expect(store.jobs.get(b)?.held).toBe('restored');
    expect(store.jobs.resumeRestored()).toBe(3);
    expect(store.jobs.list({ batchId, offset: 0, limit: 9 }).jobs.map(({ held }) => held)).toEqual([
      'batch',
      'batch',
      'batch',
    ]);
    store.close();
  });
});

const departure = {
  program: '1.0.0',
  connection: { name: '', address: '', namespaceUri: '', soapVersion: '1.1' },
  certificateFingerprint: null,
  certificateIssuer: null,
};

const failure = { code: 'service-refused', note: 'refused', retryable: false } as const;

/** A job that was refused, sent again and refused again by a program that was killed then. */
async function refusedTwice() {
  const dataDir = await newFolder();
  const { store } = await openStore({ dataDir, log });
  const batch = store.jobs.beginBatch();
  const job = { id: 'job', connectionId: 'office', operation: 'AddNewDocument', title: 'a', args: {} } as const;
  const file = { sourcePath: '/nowhere', imagePath: null, imageBytes: 0, hasSecret: false, sizeBytes: 1 };
  store.jobs.add(batch, [{ ...job, ...file, record: null }]);
  store.jobs.completeBatch(batch);
  for (let time = 0; time < 2; time++) {
    store.jobs.move('job', ['prepared', 'refused'], 'sending');
    await store.jobs.depart('job', departure);
    store.jobs.move('job', ['sending'], 'refused', { failure });
  }
  const killed = await copied(dataDir);
  store.close();
  const notes = readdirSync(join(killed, 'runs')).filter((name) => name.endsWith('.departed'));
  expect(notes).toHaveLength(1);
  const [note = ''] = notes;
  return { dataDir: killed, note: join(killed, 'runs', note) };
}

describe('a clock that is set back before a kill', () => {
  it.each([
    ['as this program notes it', (line: unknown[]) => line],
    ['as programs before noted it', ([jobId, id, at]: unknown[]) => [jobId, id, at]],
  ])('leaves no refused job in doubt: %s', async (_what, form) => {
    const { dataDir, note } = await refusedTwice();
    const lines = readFileSync(note, 'utf8').split('\n').filter(Boolean);
    const [first, second] = lines.map((line) => form(JSON.parse(line) as unknown[]));
    (second as unknown[])[2] = '2025-01-01T00:00:00.000Z';
    writeFileSync(note, [first, second].map((line) => `\n${JSON.stringify(line)}\n`).join(''));
    const { store } = await openStore({ dataDir, log });
    store.jobs.takeOverDeadRuns();
    expect(store.jobs.get('job')?.state).toBe('refused');
    expect(store.ledgerNotices.isPending('incomplete')).toBe(false);
    expect(existsSync(note)).toBe(false);
    store.close();
  });

  it('leaves jobs that the ledger does not know in doubt, with departures in either form', async () => {
    const sha256 = 'ab'.repeat(32);
    for (const more of [[3, sha256], [3], []]) {
      const { dataDir, note } = await refusedTwice();
      const { store: before } = await openStore({ dataDir, log });
      before.jobs.sendAgain(['job'], { from: ['refused'], to: 'waiting', gateOf: () => 'open' });
      before.close();
      writeFileSync(note, `\n${JSON.stringify(['job', 'unknown', '2020-01-01T00:00:00.000Z', ...more])}\n`);
      const { store } = await openStore({ dataDir, log });
      expect(store.jobs.get('job')?.state).toBe('in-doubt');
      // Its bytes make it a duplicate of the file that is given again.
      expect(store.jobs.get('job')?.sha256).toBe(more[1] ?? null);
      expect(store.ledgerNotices.isPending('incomplete')).toBe(true);
      expect(store.jobs.restoredCount()).toBe(0);
      store.jobs.sendAgain(['job'], { from: ['in-doubt'], to: 'waiting', gateOf: () => 'open' });
      store.jobs.move('job', ['prepared'], 'cancelled');
      const left = { state: 'in-doubt', departedAt: '2020-01-01T00:00:00.000Z', attemptEndedAt: null };
      expect(store.jobs.get('job')).toMatchObject(left);
      store.close();
    }
  });
});

describe('a plain kill', () => {
  it(
    'is not mistaken for an older ledger',
    async () => {
      const rounds = isFull ? 30 : 1;
      let injected = 0;
      const sums = { jobs: 0, done: 0, inDoubt: 0, lost: 0, doubled: 0 };
      const notices: string[] = [];
      for (let round = 0; round < rounds; round++) {
        const { service, folder, dataDir, env } = await newRun(namesOf(isFull ? 20 : 8), 100);
        const child = runQueue({ ...env, FOLDER: folder });
        await child.said('ready');
        await moment(Math.random() * 300);
        if (await kill(child)) injected += 1;
        const core = await newCore({ dataDir: await copied(dataDir), host: 'desktop' });
        notices.push(...(await noticesOf(core)));
        await core.stop();
        expect(await finished(runQueue(env))).toBe(true);
        const last = await newCore({ dataDir: await copied(dataDir) });
        const sum = await balance(service, folder, await jobsOf(last));
        for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += sum[key];
        await last.stop();
      }
      recordFault({ fault: 'killed at any moment', injected, ...sums });
      expect(injected).toBeGreaterThan(0);
      expect(notices).toEqual([]);
      expect(sums).toMatchObject({ lost: 0, doubled: 0 });
    },
    limitMs,
  );
});
