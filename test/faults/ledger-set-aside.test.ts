import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { openStore, type Store } from '../../electron/store/store.ts';
import { atEnd, newFolder } from '../core/jobs-setup.ts';
import { atLength } from '../harness/test-length.ts';
import { copied, programOf } from './fault-runs.ts';
import { limitMs, recordFault } from './fault-table.ts';

const log = { info: () => undefined, error: () => undefined };
const answering = (answer: 'quit' | 'retry' | 'set-aside', takesBack: boolean) => ({
  trouble: async () => answer,
  mended: async () => takesBack,
});

const departure = {
  program: '1.0.0',
  connection: { name: '', address: '', namespaceUri: '', soapVersion: '1.1' },
  certificateFingerprint: null,
  certificateIssuer: null,
};

function addJobs(store: Store, dataDir: string, ids: readonly string[]): void {
  const batch = store.jobs.beginBatch();
  const job = { connectionId: 'office', operation: 'AddNewDocument', args: {}, record: null, imagePath: null } as const;
  const file = { sourcePath: '/nowhere', imageBytes: 0, hasSecret: false, sizeBytes: 1 };
  store.jobs.add(
    batch,
    ids.map((id) => ({ ...job, ...file, id, title: id })),
  );
  store.jobs.completeBatch(batch);
  mkdirSync(join(dataDir, 'spool'), { recursive: true });
  for (const id of ids) {
    writeFileSync(join(dataDir, 'spool', `${id}.document`), id);
    store.jobs.move(id, ['prepared'], 'waiting');
  }
}

/**
 * Waiting jobs, one job that was sent, its departures and copies of documents, as a killed program leaves them; `sound`: the bytes of its database.
 */
async function damagedLedger() {
  const made = await newFolder();
  const { store } = await openStore({ dataDir: made, log });
  addJobs(store, made, ['one', 'two', 'left']);
  store.jobs.move('left', ['waiting'], 'sending');
  await store.jobs.depart('left', departure);
  const dataDir = await copied(made);
  store.close();
  for (const name of readdirSync(join(dataDir, 'runs'))) {
    if (name.includes('.lock')) rmSync(join(dataDir, 'runs', name));
  }
  const path = join(dataDir, 'sealdesk.db');
  const sound = readFileSync(path);
  writeFileSync(path, Buffer.concat([Buffer.alloc(100), sound.subarray(100)]));
  return { dataDir, path, sound };
}

/** All files of a ledger in any folder, by their path in the data folder; the mark of what is open there is none. */
function pieces(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => !/-shm$|\.lock|^set-aside|about\.json$|\.opened$/.test(name))
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}`,
    )
    .sort();
}

const asideOf = (dataDir: string) =>
  readdirSync(join(dataDir, 'set-aside')).map((name) => join(dataDir, 'set-aside', name));

async function killedOnTheWay(dataDir: string, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [programOf('set-aside-program.ts')], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  atEnd(async () => void child.kill('SIGKILL'));
  let out = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (bytes) => {
      out += String(bytes);
      if (out.includes('moving')) resolve();
    });
    child.once('exit', () => resolve());
  });
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  child.kill('SIGKILL');
  await gone;
  return !out.includes('ended');
}

describe('a damaged ledger that is set aside', () => {
  it(
    'is moved completely or not at all if the program is killed at any moment; nothing starts before',
    async () => {
      const rounds = atLength({ short: 1, ci: 2, all: 30 });
      let killed = 0;
      for (let round = 0; round < rounds; round++) {
        const { dataDir } = await damagedLedger();
        const before = pieces(dataDir);
        if (await killedOnTheWay(dataDir, (round % 10) * 3)) killed += 1;
        // A host without a person changes nothing, in any state.
        if (existsSync(join(dataDir, 'set-aside')) && asideOf(dataDir).some((name) => name.endsWith('.moving'))) {
          const error = await openStore({ dataDir, log }).catch((error: unknown) => error);
          expect(failureOf(error)?.detail).toBe('database-moving');
        }
        const { store } = await openStore({ dataDir, log, ask: answering('set-aside', false) });
        expect(store.jobs.get('one')).toBeNull();
        store.close();
        const [folder = ''] = asideOf(dataDir);
        expect(asideOf(dataDir)).toHaveLength(1);
        expect(pieces(folder)).toEqual(before);
        expect(readdirSync(dataDir)).not.toContain('spool');
      }
      recordFault({ fault: 'killed while set aside', injected: killed });
      expect(killed).toBeGreaterThan(0);
    },
    limitMs,
  );

  it.each([0, 1, 2, 3, 4])('continues after an interruption after %i moves', async (count) => {
    const { dataDir } = await damagedLedger();
    const before = pieces(dataDir);
    const folder = join(dataDir, 'set-aside', '20260101T000000Z.moving');
    mkdirSync(folder, { recursive: true });
    const notes = readdirSync(join(dataDir, 'runs')).map((name) => join('runs', name));
    for (const name of [...notes, 'spool', 'sealdesk.db-wal', 'sealdesk.db'].slice(0, count)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      renameSync(join(dataDir, name), join(folder, name));
    }
    const { store } = await openStore({ dataDir, log, ask: answering('quit', false) });
    expect(store.jobs.counts().waiting).toBe(0);
    store.close();
    expect(pieces(join(dataDir, 'set-aside', '20260101T000000Z'))).toEqual(before);
  });
});

/** A damaged ledger that was set aside, another one that was used since, and the first one repaired in its place. */
async function mendedLedger() {
  const { dataDir, sound } = await damagedLedger();
  const before = pieces(dataDir).filter((name) => !name.startsWith('sealdesk.db'));
  const { store } = await openStore({ dataDir, log, ask: answering('set-aside', false) });
  addJobs(store, dataDir, ['since']);
  store.close();
  const [folder = ''] = asideOf(dataDir);
  // It is offered only after the repair, and not taken back if the person declines.
  const unmended = { ...answering('quit', true), mended: async () => expect.fail('it is still damaged') };
  (await openStore({ dataDir, log, ask: unmended })).store.close();
  writeFileSync(join(folder, 'sealdesk.db'), sound);
  const { store: still } = await openStore({ dataDir, log, ask: answering('quit', false) });
  expect(still.jobs.get('since')?.state).toBe('waiting');
  still.close();
  const since = pieces(dataDir).filter((name) => !name.startsWith('sealdesk.db'));
  return { dataDir, before, since };
}

function expectTakenBack(store: Store, dataDir: string, before: readonly string[], since: readonly string[]): void {
  // Waiting jobs may have been sent by the other ledger in the meantime.
  expect(['one', 'two', 'left'].map((id) => [store.jobs.get(id)?.state, store.jobs.get(id)?.held])).toEqual([
    ['waiting', 'restored'],
    ['waiting', 'restored'],
    ['in-doubt', null],
  ]);
  expect(store.ledgerNotices.isPending('restored')).toBe(true);
  expect(store.jobs.get('since')).toBeNull();
  const [folder = ''] = asideOf(dataDir);
  expect(asideOf(dataDir)).toHaveLength(1);
  expect(pieces(folder)).toEqual(expect.arrayContaining([...since]));
  expect(pieces(dataDir)).toEqual(expect.arrayContaining(before.filter((name) => name.startsWith('spool'))));
  expect(readdirSync(dataDir)).not.toContain('taken-back');
}

describe('a ledger that was set aside and repaired', () => {
  it('is restored completely; the ledger used since is set aside, and waiting jobs are held', async () => {
    const { dataDir, before, since } = await mendedLedger();
    const { store } = await openStore({ dataDir, log, ask: answering('quit', true) });
    store.jobs.takeOverDeadRuns();
    expectTakenBack(store, dataDir, before, since);
    store.close();
    // The other ledger is sound, but it is not offered again and again.
    const quiet = { ...answering('quit', true), mended: async () => expect.fail('it was put aside for another one') };
    (await openStore({ dataDir, log, ask: quiet })).store.close();
  });

  it(
    'is restored completely at the next start if the program is killed at any moment',
    async () => {
      const rounds = atLength({ short: 1, ci: 2, all: 30 });
      let killed = 0;
      for (let round = 0; round < rounds; round++) {
        const { dataDir, before, since } = await mendedLedger();
        const kept = await newFolder();
        cpSync(dataDir, kept, { recursive: true });
        if (await killedOnTheWay(kept, (round % 10) * 4)) killed += 1;
        const { store } = await openStore({ dataDir: kept, log, ask: answering('quit', true) });
        store.jobs.takeOverDeadRuns();
        expectTakenBack(store, kept, before, since);
        store.close();
      }
      recordFault({ fault: 'killed while taken back', injected: killed });
      expect(killed).toBeGreaterThan(0);
    },
    limitMs,
  );
});
