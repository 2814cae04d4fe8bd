import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallInput } from '../../contract/index.ts';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import { countSent, listJobs } from '../../electron/store/jobs/job-lists.ts';
import { openStore } from '../../electron/store/store.ts';
import type { FaultRule } from '../../practice/misbehave.ts';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { explained } from '../harness/explained.ts';
import { bulkOf } from '../harness/find-bulk.ts';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  until,
  untilJobs,
  writePdfs,
} from './jobs-setup.ts';

afterEach(() => {
  vi.useRealTimers();
});

const countdownMs = 20;

/** Clocks that a test moves. */
function newClock() {
  let [steadyMs, sinceBootMs] = [1_000_000, 5_000_000];
  return {
    read: () => ({ steadyMs, sinceBootMs }),
    pass: (ms: number) => {
      steadyMs += ms;
      sinceBootMs += ms;
    },
    /** The steady clock stands still meanwhile, as it does on Linux. */
    sleep: (ms: number) => {
      sinceBootMs += ms;
    },
  };
}

async function ready(given: { readonly seconds?: number; readonly dataDir?: string } = {}) {
  const [service, folder, clock] = [await newService(), await newFolder(), newClock()];
  const dataDir = given.dataDir ?? (await newFolder());
  const keychain = memoryKeychain(new Map());
  const setup = { dataDir, keychain, clock: clock.read, waitBeforeSeconds: given.seconds ?? 10 };
  const start = (own = keychain) => newCore({ ...setup, keychain: own, pauses: { ...usualPauses, countdownMs } });
  const core = await start();
  const connectionId = await connect(core, service, { parallel: 4 });
  const paths = await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf']);
  /** Lets two ticks see the time. */
  const seen = () => new Promise((resolve) => setTimeout(resolve, 3 * countdownMs));
  /** Lets a countdown end. */
  const end = async () => {
    for (let tick = 0; tick < 4; tick += 1) {
      clock.pass(3_300);
      await seen();
    }
  };
  return { service, folder, dataDir, clock, core, start, connectionId, paths, seen, end };
}
type Ready = Awaited<ReturnType<typeof ready>>;

async function request({ core, connectionId, paths }: Ready, email = 'ayla@example.com', repeats?: 'ask') {
  const fileToken = (await core.core.acceptPath(paths[0] ?? '')).token;
  const content = { kind: 'plain' as const, recipients: [{ email, name: '' }], documentName: 'Lease', fileToken };
  const { id: draftId } = await core.must('forms.save', { place: 'draft', connectionId, content });
  return await core.must('signatures.request', {
    kind: 'plain' as const,
    connectionId,
    fileToken,
    creditType: 1,
    draftId,
    emails: [email],
    documentName: 'Lease',
    repeats,
  });
}

/** Checks a table of these addresses for a bulk. */
async function checkBulk(
  { core, folder, connectionId }: Ready,
  emails: readonly string[],
  content: CallInput<'bulk.check'>['content'],
  headings = 'E-mail',
) {
  const table = join(folder, 'people.csv');
  await writeFile(table, [headings, ...emails].join('\n'));
  const tableToken = (await core.core.acceptPath(table)).token;
  return await core.must('bulk.check', { connectionId, tableToken, content });
}
const template = { kind: 'easy-sign-template', templateId: 'TPL-1001' } as const;

const countdownsOf = async (core: RunningCore) => (await core.must('jobs.list', {})).countdowns;
const adds = ({ service }: Pick<Ready, 'service'>) => [...service.control.addsByHash().values()];
const copied = (core: RunningCore, batchId: string) =>
  untilJobs(core, batchId, (jobs) => jobs.every(({ state }) => state === 'waiting'));

describe('a countdown before sending', () => {
  it('copies and hashes meanwhile, sends nothing before its end, and then everything', async () => {
    const given = await ready();
    const { core, connectionId, paths, clock, seen } = given;
    const batchId = await register(core, connectionId, paths);
    const jobs = await copied(core, batchId);
    expect(jobs.map(({ pausedBy, sha256 }) => [pausedBy, sha256?.length])).toEqual(jobs.map(() => ['countdown', 64]));
    expect(await countdownsOf(core)).toMatchObject([
      { batchId, connectionId, count: 3, leftMs: 10_000, isStopped: false, operation: 'AddNewDocument' },
    ]);
    for (let second = 0; second < 3; second += 1) {
      clock.pass(3_300);
      await seen();
    }
    expect(await countdownsOf(core)).toMatchObject([{ leftMs: 100 }]);
    expect(adds(given)).toEqual([]);
    clock.pass(100);
    await untilJobs(core, batchId, (now) => now.every(({ state }) => state === 'done'));
    expect(adds(given)).toEqual([1, 1, 1]);
    expect(await countdownsOf(core)).toEqual([]);
  });

  it('does not follow a wall clock that jumps', async () => {
    const given = await ready();
    const { core, connectionId, paths, seen } = given;
    vi.useFakeTimers({ toFake: ['Date'] });
    const batchId = await register(core, connectionId, paths);
    await copied(core, batchId);
    for (const day of ['2001-01-01', '2099-01-01', '1970-01-02']) {
      vi.setSystemTime(new Date(day));
      await seen();
      expect(await countdownsOf(core)).toMatchObject([{ leftMs: 10_000, isStopped: false }]);
    }
    expect(adds(given)).toEqual([]);
    await core.must('jobs.sendNow', { batchId });
    await untilJobs(core, batchId, (now) => now.every(({ state }) => state === 'done'));
  });

  it('is skipped by a person who sends now', async () => {
    const given = await ready();
    const batchId = await register(given.core, given.connectionId, given.paths);
    await given.core.must('jobs.sendNow', { batchId });
    await untilJobs(given.core, batchId, (now) => now.every(({ state }) => state === 'done'));
    expect(adds(given)).toEqual([1, 1, 1]);
  });

  it('lets each of a batch be taken back, and does not send those', async () => {
    const given = await ready();
    const { core, connectionId, paths, clock } = given;
    const batchId = await register(core, connectionId, paths);
    const [first, second] = await copied(core, batchId);
    const ids = [first?.id ?? '', second?.id ?? ''];
    expect(await core.must('jobs.takeBack', { jobIds: ids })).toEqual({ jobIds: ids });
    expect(await countdownsOf(core)).toMatchObject([{ count: 1 }]);
    clock.pass(4_900);
    await given.seen();
    clock.pass(4_900);
    await given.seen();
    clock.pass(200);
    const jobs = await untilJobs(core, batchId, (now) => now.some(({ state }) => state === 'done'));
    expect(jobs.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'done']);
    expect(adds(given)).toEqual([1]);
    expect((await core.must('jobs.history', { jobId: ids[0] ?? '' })).map(({ kind }) => kind)).toContain('taken-back');
  });

  it('takes nothing back that has begun to leave', async () => {
    const given = await ready({ seconds: 0 });
    const { core, connectionId, paths, service } = given;
    service.control.misbehave({ mischief: { kind: 'delay', ms: 400 } });
    const batchId = await register(core, connectionId, paths.slice(0, 1));
    const [job] = await untilJobs(core, batchId, (now) => now.every(({ state }) => state === 'sending'));
    await until(() => (service.control.requests().AddNewDocument ?? 0) > 0);
    expect(await core.must('jobs.takeBack', { jobIds: [job?.id ?? ''] })).toEqual({ jobIds: [] });
    expect(await untilJobs(core, batchId, (now) => now.every(({ state }) => state === 'done'))).toHaveLength(1);
  });

  it('opens the form of a request that was taken back as it was', async () => {
    const given = await ready();
    const { core } = given;
    const { jobId } = await request(given);
    expect(await core.must('jobs.takeBack', { jobIds: [jobId] })).toEqual({ jobIds: [jobId] });
    const correction = await core.must('corrections.open', { jobId });
    expect(correction.kind).toBe('request');
    const draftId = correction.kind === 'request' ? correction.draftId : '';
    const draft = await core.must('forms.open', { id: draftId });
    expect(draft.content).toMatchObject({
      kind: 'plain',
      documentName: 'Lease',
      recipients: [{ email: 'ayla@example.com' }],
    });
    expect(draft.content.fileToken).not.toBeNull();
    expect(given.service.control.requests().AddNewDocumentESign).toBeUndefined();
  });

  it('holds again what is sent again', async () => {
    const given = await ready();
    const { core, clock, seen } = given;
    const { jobId, batchId } = await request(given);
    await core.must('jobs.takeBack', { jobIds: [jobId] });
    await core.must('jobs.sendAgain', { jobId });
    await copied(core, batchId);
    expect(await countdownsOf(core)).toMatchObject([{ batchId, count: 1, leftMs: 10_000 }]);
    clock.pass(4_900);
    await seen();
    expect(given.service.control.requests().AddNewDocumentESign).toBeUndefined();
    clock.pass(4_900);
    await seen();
    clock.pass(300);
    await untilJobs(core, batchId, (now) => now.every(({ state }) => state === 'done'));
  });

  it('holds what is corrected and sent again', async () => {
    const given = await ready();
    const { core, clock, seen, service, connectionId } = given;
    service.control.misbehave({ mischief: { kind: 'answer', text: '-123' }, times: 1 });
    const { jobId, batchId } = await request(given);
    await core.must('jobs.sendNow', { batchId });
    await untilJobs(core, batchId, ([job]) => job?.state === 'refused');
    const opened = await core.must('corrections.open', { jobId });
    const draftId = opened.kind === 'request' ? opened.draftId : '';
    const { content } = await core.must('forms.open', { id: draftId });
    const corrected = await core.must('signatures.request', {
      kind: 'plain' as const,
      connectionId,
      fileToken: content.fileToken ?? '',
      creditType: 1,
      draftId,
      emails: ['bo@example.com'],
      documentName: 'Lease',
    });
    await copied(core, corrected.batchId);
    expect(await countdownsOf(core)).toMatchObject([{ batchId: corrected.batchId, count: 1, leftMs: 10_000 }]);
    clock.pass(4_900);
    await seen();
    expect(service.control.requests().AddNewDocumentESign).toBe(1);
    clock.pass(4_900);
    await seen();
    clock.pass(300);
    await untilJobs(core, corrected.batchId, (now) => now.every(({ state }) => state === 'done'));
    expect(service.control.requests().AddNewDocumentESign).toBe(2);
  });

  it('holds a duplicate that a person decides to send', async () => {
    const given = await ready();
    const { core, connectionId, paths } = given;
    const first = await register(core, connectionId, paths.slice(0, 1));
    await core.must('jobs.sendNow', { batchId: first });
    await untilJobs(core, first, (now) => now.every(({ state }) => state === 'done'));
    const second = await register(core, connectionId, paths.slice(0, 1));
    await core.must('jobs.sendNow', { batchId: second });
    const [job] = await untilJobs(core, second, (now) => now.every(({ pausedBy }) => pausedBy === 'duplicate'));
    await core.must('jobs.decide', { jobIds: [job?.id ?? ''], decision: 'send' });
    expect(await jobsOf(core, second)).toMatchObject([{ pausedBy: 'countdown', state: 'waiting' }]);
    expect(adds(given)).toEqual([1]);
    await core.must('jobs.sendNow', { batchId: second });
    await untilJobs(core, second, (now) => now.every(({ state }) => state === 'done'));
    expect(adds(given)).toEqual([2]);
  });
});

describe('a request that was reviewed before the same people got the same from elsewhere', () => {
  it('asks before it counts down to its sending', async () => {
    const given = await ready();
    const first = await request(given);
    await copied(given.core, first.batchId);
    await given.core.must('jobs.sendNow', { batchId: first.batchId });
    await untilJobs(given.core, first.batchId, (now) => now.every(({ state }) => state === 'done'));
    const second = await request(given, 'ayla@example.com', 'ask');
    await copied(given.core, second.batchId);
    await given.core.must('jobs.sendNow', { batchId: second.batchId });
    const [job] = await jobsOf(given.core, second.batchId);
    expect(job).toMatchObject({ state: 'waiting', pausedBy: 'duplicate', duplicateOf: { jobId: first.jobId } });
    expect(adds(given)).toEqual([1]);
    await given.core.must('jobs.decide', { jobIds: [second.jobId], decision: 'send' });
    await given.core.must('jobs.sendNow', { batchId: second.batchId });
    await untilJobs(given.core, second.batchId, (now) => now.every(({ state }) => state === 'done'));
    expect(adds(given)).toEqual([2]);
  });
});

describe('the settings of a countdown', () => {
  it('are 10 seconds for what mails people and none for registering in a window, and none in a command line', async () => {
    const given = await ready();
    for (const [host, requestMs] of [
      ['preview', 10_000],
      ['command-line', null],
    ] as const) {
      const core = await newCore({ host, clock: given.clock.read, waitBeforeSeconds: null });
      const connectionId = await connect(core, given.service);
      const batchId = await register(core, connectionId, given.paths.slice(0, 1));
      await untilJobs(core, batchId, (jobs) => jobs.every(({ state }) => state === 'done'));
      const { batchId: sent } = await request({ ...given, core, connectionId });
      if (requestMs === null) await untilJobs(core, sent, (jobs) => jobs.every(({ state }) => state === 'done'));
      else expect(await countdownsOf(core)).toMatchObject([{ batchId: sent, leftMs: requestMs }]);
    }
    expect(given.service.control.requests().AddNewDocumentESign).toBe(1);
  });

  it('hold from the next one on', async () => {
    const given = await ready();
    const core = await newCore({ host: 'preview', clock: given.clock.read, waitBeforeSeconds: null });
    const connectionId = await connect(core, given.service);
    await core.must('app.setPreferences', { requestWait: 45, registerWait: 5 });
    const { batchId } = await request({ ...given, core, connectionId });
    const registered = await register(core, connectionId, given.paths);
    const byBatch = new Map((await countdownsOf(core)).map((one) => [one.batchId, one.leftMs]));
    expect([byBatch.get(batchId), byBatch.get(registered)]).toEqual([45_000, 5_000]);
    expect(await core.ask('app.setPreferences', { requestWait: 61 })).toMatchObject({ ok: false });
  });
});

describe('a countdown that nobody sees', () => {
  it.each([
    ['the computer slept and its steady clock stood still', (clock: Ready['clock']) => clock.sleep(60_000)],
    ['the computer slept and its steady clock went on', (clock: Ready['clock']) => clock.pass(60_000)],
  ])('asks when %s', async (_what, sleep) => {
    const given = await ready();
    const { core, connectionId, paths, clock, seen } = given;
    const batchId = await register(core, connectionId, paths);
    await copied(core, batchId);
    sleep(clock);
    await seen();
    expect(await countdownsOf(core)).toMatchObject([{ batchId, leftMs: null, isStopped: true }]);
    expect((await jobsOf(core, batchId)).map(({ pausedBy }) => pausedBy)).toEqual(paths.map(() => 'countdown-stopped'));
    clock.pass(4_000);
    await seen();
    clock.pass(4_000);
    await seen();
    expect(adds(given)).toEqual([]);
    await core.must('jobs.sendNow', { batchId });
    await untilJobs(core, batchId, (now) => now.every(({ state }) => state === 'done'));
    expect(adds(given)).toEqual([1, 1, 1]);
  });

  it.each([
    [
      'after a sleep',
      async ({ core, clock, seen }: Ready) => {
        clock.sleep(60_000);
        await seen();
        return core;
      },
    ],
    [
      'at the next start',
      async ({ core, start }: Ready) => {
        await core.stop();
        return await start();
      },
    ],
  ])('%s, sent then, asks once more about what was sent again elsewhere meanwhile', async (_when, interrupt) => {
    const before = await ready();
    const send = async (given: Ready) => [
      await register(given.core, given.connectionId, given.paths.slice(1)),
      (await request(given)).batchId,
    ];
    const stopped = await send(before);
    for (const batchId of stopped) await copied(before.core, batchId);
    const core = await interrupt(before);
    await until(async () => (await countdownsOf(core)).filter(({ isStopped }) => isStopped).length === 2);
    // Who gives the same again sees that it waits, and decides to send it all the same.
    for (const batchId of await send({ ...before, core })) {
      await copied(core, batchId);
      const jobIds = (await jobsOf(core, batchId)).map(({ id }) => id);
      await core.must('jobs.decide', { jobIds, decision: 'send' });
      await core.must('jobs.sendNow', { batchId });
      await untilJobs(core, batchId, (now) => now.every(({ state }) => state === 'done'));
    }
    expect(adds(before)).toEqual([1, 1, 1]);
    for (const batchId of stopped) await core.must('jobs.sendNow', { batchId });
    const asking = [...(await jobsOf(core, stopped[0])), ...(await jobsOf(core, stopped[1]))];
    expect(asking.map(({ state, pausedBy, duplicateOf }) => [state, pausedBy, duplicateOf?.state])).toEqual(
      asking.map(() => ['waiting', 'duplicate', 'done']),
    );
    expect(adds(before)).toEqual([1, 1, 1]);
  });

  it('asks at the next start after the program ended', async () => {
    const given = await ready();
    const batchId = await register(given.core, given.connectionId, given.paths);
    await copied(given.core, batchId);
    const note = { connectionId: given.connectionId, message: 'Call Chidi' };
    const { batchId: ofNote } = await given.core.must('service.addQuickNote', note);
    await given.core.stop();
    const again = await given.start();
    await until(async () => (await countdownsOf(again)).filter(({ isStopped }) => isStopped).length === 2);
    given.clock.pass(4_000);
    await given.seen();
    expect(adds(given)).toEqual([]);
    const stopped = async () => (await again.must('jobs.batches', {})).batches.map((one) => one.stoppedCount);
    await expect.poll(stopped).toEqual([1, 3]);
    const { notes } = await again.must('notes.list', { connectionId: note.connectionId });
    expect(notes).toMatchObject([{ state: 'waiting', pausedBy: 'countdown-stopped' }]);
    // What a person decides about does not merely wait: that is taken back.
    expect(await again.must('jobs.cancelWaiting', {})).toEqual({ count: 0 });
    await again.must('jobs.takeBack', { batchId: ofNote });
    const { jobIds } = await again.must('jobs.takeBack', { batchId });
    expect(jobIds).toHaveLength(3);
    expect(await stopped()).toEqual([0, 0]);
    expect((await jobsOf(again, batchId)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(await countdownsOf(again)).toEqual([]);
  });
});

it('counts only what leaves at its end: not what asks a person, nor what an earlier run stopped in the same batch', async () => {
  const given = await ready();
  const { core, connectionId, paths } = given;
  const first = await register(core, connectionId, paths.slice(0, 1));
  await core.must('jobs.sendNow', { batchId: first });
  await untilJobs(core, first, (now) => now.every(({ state }) => state === 'done'));
  const asking = await register(core, connectionId, paths.slice(0, 1));
  await untilJobs(core, asking, ([job]) => job?.pausedBy === 'duplicate');
  expect(await countdownsOf(core)).toEqual([]);
  const batchId = await register(core, connectionId, paths);
  await copied(core, batchId);
  expect(await countdownsOf(core)).toMatchObject([{ batchId, count: 2, leftMs: 10_000 }]);
  await core.stop();
  const again = await given.start();
  await until(async () => (await countdownsOf(again))[0]?.isStopped === true);
  const left = { batchId, count: 2, leftMs: null, isStopped: true };
  expect(await countdownsOf(again)).toMatchObject([left]);
  const [asked] = await untilJobs(again, batchId, (now) => now.some(({ pausedBy }) => pausedBy === 'duplicate'));
  await again.must('jobs.decide', { jobIds: [asked?.id ?? ''], decision: 'send' });
  // It waits for a person as the others do, who decides about all of them, and nothing counts down.
  expect(await countdownsOf(again)).toMatchObject([{ ...left, count: 3 }]);
  const jobId = (await jobsOf(again, batchId)).find(({ id }) => id !== asked?.id)?.id ?? '';
  await again.must('jobs.takeBack', { jobIds: [jobId] });
  await again.must('jobs.sendAgain', { jobId });
  await copied(again, batchId);
  const counting = { batchId, jobId, count: 1, leftMs: 10_000, isStopped: false };
  expect(await countdownsOf(again)).toMatchObject([counting, left]);
  await again.must('jobs.sendNow', { batchId, isStopped: false });
  await untilJobs(again, batchId, (now) => now.some(({ state }) => state === 'done'));
  expect(await countdownsOf(again)).toMatchObject([left]);
  expect(adds(given)).toEqual([1, 1]);
  await again.must('jobs.sendNow', { batchId, isStopped: true });
  await untilJobs(again, batchId, (now) => now.every(({ state }) => state === 'done'));
  expect(adds(given)).toEqual([2, 1, 1]);
});

it('has no time of sending before it leaves: in Signatures, its days, its order and its export; what left once has that of its departure', async () => {
  const given = await ready();
  const { core, connectionId, service, dataDir } = given;
  const send = async (email: string) => {
    const { batchId, jobId } = await request(given, email, 'ask');
    await core.must('jobs.sendNow', { batchId });
    const [job] = await untilJobs(
      core,
      batchId,
      ([one]) => one?.state === 'done' || one?.state === 'in-doubt' || one?.pausedBy === 'duplicate',
    );
    return { jobId, state: job?.state };
  };
  expect(await send('done@example.com')).toMatchObject({ state: 'done' });
  service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
  const doubt = await send('doubt@example.com');
  expect(await send('done@example.com')).toMatchObject({ state: 'waiting' });
  await copied(core, (await request(given, 'counted@example.com')).batchId);
  const shown = async (running: RunningCore, filter: Partial<CallInput<'tracking.groups'>> = {}) =>
    (await running.must('tracking.groups', { connectionId, ...filter })).groups.map(({ signers, state, sentAt }) => {
      const departed = sentAt === null ? null : Date.parse(sentAt);
      return [signers[0]?.email, state, departed === null ? departed : departed <= left] as const;
    });
  const left = Date.now();
  // It has left, whatever becomes of its second sending, which counts down.
  await core.must('jobs.sendAgain', { jobId: doubt.jobId });
  const sentOnes = [
    ['doubt@example.com', 'not-sent', true],
    ['done@example.com', 'not-known', true],
  ];
  const unsent = [
    ['counted@example.com', 'not-sent', null],
    ['done@example.com', 'needs-you', null],
  ];
  expect(await shown(core)).toEqual([...unsent, ...sentOnes]);
  expect(await shown(core, { descending: false })).toEqual([...sentOnes.toReversed(), ...unsent.toReversed()]);
  const [today = '', tomorrow] = [0, 1].map((days) => new Date(left + days * 86_400_000).toLocaleDateString('sv'));
  for (const days of [{ from: today }, { to: tomorrow }, { from: today, to: tomorrow }])
    expect(await shown(core, days)).toEqual(sentOnes);
  core.dialogs.targets.push(join(dataDir, 'requests.csv'));
  await core.must('tracking.export', { connectionId, format: 'csv' });
  const { headings, rows } = await readTable({ path: join(dataDir, 'requests.csv') }, 'en');
  const cells = rows.map((row) => ['E-mail', 'Created', 'Signature'].map((name) => row.cells[headings.indexOf(name)]));
  const words = ['In the queue', 'Not sent: needs your decision', 'In the queue', 'not known'];
  expect(cells).toEqual(
    [...unsent, ...sentOnes].map(([email, , isSent], at) => [
      email,
      isSent ? expect.stringMatching(/^20/) : '',
      words[at],
    ]),
  );
  await core.stop();
  const again = await given.start();
  await until(async () => (await countdownsOf(again))[0]?.isStopped === true);
  expect((await shown(again)).map(([email, , isSent]) => [email, isSent])).toEqual(
    [...unsent, ...sentOnes].map(([email, , isSent]) => [email, isSent]),
  );
});

it('what waits for a person is not counted among what waits for its connection', async () => {
  const given = await ready();
  const { core, connectionId, paths } = given;
  await core.must('jobs.pause', { what: 'all' });
  const registered = await register(core, connectionId, paths);
  await copied(core, registered);
  await core.must('jobs.sendNow', { batchId: registered });
  const { batchId } = await request(given);
  await copied(core, batchId);
  await core.stop();
  // Without its keychain the next program has no credentials.
  const again = await given.start(memoryKeychain(new Map()));
  await until(async () => (await countdownsOf(again))[0]?.isStopped === true);
  await again.must('jobs.resume', { what: 'all' });
  const away = async () => (await again.must('jobs.list', {})).backingOff.map(({ openJobs }) => openJobs);
  await until(async () => (await away()).length > 0);
  // One registration has the bytes of the request, and asks; the countdown of the request was stopped.
  expect(await away()).toEqual([2]);
});

describe('two programs on one data folder', () => {
  it('one counts, and the other can take back and send now', async () => {
    const given = await ready();
    const { core, connectionId, paths, start } = given;
    const other = await start();
    const batchId = await register(core, connectionId, paths);
    const [first] = await copied(core, batchId);
    await until(async () => (await countdownsOf(other)).length === 1);
    expect(await countdownsOf(other)).toMatchObject([{ batchId, leftMs: null, isStopped: false }]);
    const jobIds = [first?.id ?? ''];
    expect(await other.must('jobs.takeBack', { jobIds })).toEqual({ jobIds });
    await other.must('jobs.sendNow', { batchId });
    await untilJobs(core, batchId, (now) => now.filter(({ state }) => state === 'done').length === 2);
    expect((await jobsOf(core, batchId)).map(({ state }) => state)).toEqual(['cancelled', 'done', 'done']);
    expect(adds(given)).toEqual([1, 1]);
  });
});

describe('a bulk', () => {
  async function bulk(given: Ready, rows: number, perMinute = 6_000) {
    const emails = Array.from({ length: rows }, (_each, n) => `p${n}@example.com`);
    const { id } = await checkBulk(given, emails, template);
    await given.core.must('bulk.send', { id, rows: 'all', perMinute });
    await until(async () => (await countdownsOf(given.core))[0]?.count === rows);
    return id;
  }
  const sent = ({ service }: Ready) => service.control.requests().AddNewEasySignTemplate ?? 0;

  it('has one countdown for all rows, of which each can be taken back, and then keeps its pace', async () => {
    const given = await ready();
    const { core } = given;
    const id = await bulk(given, 30, 600);
    expect(await countdownsOf(core)).toMatchObject([{ bulkId: id, count: 30, leftMs: 10_000 }]);
    const { batchId } = await bulkOf(core, id);
    const jobs = await jobsOf(core, batchId ?? '');
    const jobIds = jobs.slice(5, 15).map((job) => job.id);
    expect((await core.must('jobs.takeBack', { jobIds })).jobIds).toHaveLength(10);
    expect(sent(given)).toBe(0);
    const began = performance.now();
    await core.must('jobs.sendNow', { batchId: batchId ?? '' });
    await until(async () => (await bulkOf(core, id)).state === 'finished', 20_000);
    // 20 rows at 10 a second; the pace makes up for one second that was lost.
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(sent(given)).toBe(20);
    const rows = await core.must('bulk.rows', { id });
    expect(rows.rows.filter(({ state }) => state === 'cancelled')).toHaveLength(10);
  });

  it('asks in each row after a sleep and after a restart, and nowhere once all are sent', async () => {
    const given = await ready();
    const { core, clock, seen } = given;
    const id = await bulk(given, 5);
    const asking = async (running: RunningCore) =>
      (await running.must('bulk.rows', { id })).rows.filter((row) => row.isAsking).length;
    expect(await asking(core)).toBe(0);
    const told = core.until('bulk.changed', ({ counts }) => counts.asking === 5 && counts.waiting === 5);
    clock.sleep(60_000);
    await seen();
    await told;
    expect(await asking(core)).toBe(5);
    await core.stop();
    const again = await given.start();
    expect([(await bulkOf(again, id)).counts.asking, await asking(again)]).toEqual([5, 5]);
    await again.must('jobs.sendNow', { batchId: (await bulkOf(again, id)).batchId ?? '', isStopped: true });
    await until(async () => (await bulkOf(again, id)).state === 'finished', 20_000);
    expect([sent(given), await asking(again), (await bulkOf(again, id)).counts.asking]).toEqual([5, 0, 0]);
  });

  it.each(['a template', 'a file'])(
    'with %s holds a row of which the same left elsewhere while it waited for its turn, until a person decides',
    async (what) => {
      const given = await ready();
      const { core, connectionId, dataDir, paths, seen, end } = given;
      const keychain = memoryKeychain(new Map());
      const beside = await newCore({ dataDir, keychain, resumesQueue: false, waitBeforeSeconds: 0 });
      const { apiKey, apiSig } = given.service;
      await beside.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
      const contentFor = async ({ core: files }: RunningCore) =>
        what === 'a file'
          ? ({ kind: 'easy-sign', fileToken: (await files.acceptPath(paths[0] ?? '')).token } as const)
          : template;
      // More than wait in the queue at the same time.
      const emails = Array.from({ length: 16 }, (_each, n) => `p${n}@example.com`);
      const { id } = await checkBulk(given, emails, await contentFor(core));
      await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
      await until(async () => (await countdownsOf(core))[0]?.count === 16);
      const content = await contentFor(beside);
      for (const email of emails.slice(0, 14))
        await beside.must('signatures.request', { ...content, connectionId, emails: [email] });
      const left = () => given.service.control.seen().filter(({ operation }) => operation.startsWith('AddNewEasySign'));
      await until(() => left().length === 14);
      await until(async () => (await core.must('jobs.list', { states: ['done'] })).total === 14);
      await core.must('jobs.sendNow', { batchId: (await bulkOf(core, id)).batchId ?? '' });
      await until(async () => (await bulkOf(core, id)).counts.done === 2, 20_000);
      await until(async () => (await bulkOf(core, id)).counts.asking === 14);
      expect(left()).toHaveLength(16);
      const { jobs } = await core.must('jobs.list', { asking: true });
      expect(jobs).toHaveLength(14);
      expect(jobs[0]).toMatchObject({ pausedBy: 'duplicate', duplicateOf: { kind: 'job', state: 'done' } });
      expect((await core.must('jobs.batches', {})).batches.map(({ askingCount }) => askingCount)).toContain(14);
      expect((await core.must('bulk.rows', { id })).rows[0]).toMatchObject({ state: 'waiting', isAsking: true });
      const [again = '', ...others] = jobs.map((job) => job.id);
      await core.must('jobs.decide', { jobIds: others, decision: 'skip' });
      expect(await bulkOf(core, id)).toMatchObject({ state: 'sending', counts: { asking: 1, passedOver: 13 } });
      await core.must('jobs.decide', { jobIds: [again], decision: 'send' });
      await seen();
      await end();
      await until(async () => (await bulkOf(core, id)).state === 'finished', 20_000);
      expect((await bulkOf(core, id)).counts).toMatchObject({ done: 3, passedOver: 13, waiting: 0 });
      expect(left()).toHaveLength(17);
    },
  );

  it('goes on when rows are put back while others count down, and these count with them', async () => {
    const given = await ready();
    const { core } = given;
    const id = await bulk(given, 12);
    expect((await core.must('bulk.takeBack', { id, rows: [3, 4, 5] })).rows).toEqual([3, 4, 5]);
    await core.must('bulk.putBack', { id, rows: [3, 4] });
    expect(await bulkOf(core, id)).toMatchObject({ state: 'sending' });
    await until(async () => (await countdownsOf(core))[0]?.count === 11);
    expect(sent(given)).toBe(0);
    await core.must('jobs.sendNow', { batchId: (await bulkOf(core, id)).batchId ?? '' });
    await until(async () => (await bulkOf(core, id)).state === 'finished', 20_000);
    expect(sent(given)).toBe(11);
  });

  /** Of twelve rows that the program's end stopped, three were taken back and two of them put back: nine ask, two count down. */
  async function inParts() {
    const given = await ready();
    const id = await bulk(given, 12);
    await given.core.stop();
    const core = await given.start();
    await until(async () => (await countdownsOf(core))[0]?.isStopped === true);
    await core.must('bulk.takeBack', { id, rows: [3, 4, 5] });
    await core.must('bulk.putBack', { id, rows: [3, 4] });
    const parts = async () => (await countdownsOf(core)).map(({ isStopped, count }) => [isStopped, count]);
    await until(async () => (await parts())[0]?.[1] === 2);
    expect(await parts()).toEqual([
      [false, 2],
      [true, 9],
    ]);
    return { ...given, core, id, batchId: (await bulkOf(core, id)).batchId ?? '', parts };
  }

  it.each([
    ['Send now of what asks', { sent: 9, cancelled: 1 }],
    ['Take back of what asks', { sent: 2, cancelled: 10 }],
    ['the end of the countdown', { sent: 2, cancelled: 1 }],
  ] as const)('of which a part asks and a part counts down: %s is about that part alone', async (what, then) => {
    const given = await inParts();
    const { core, id, batchId, parts, end } = given;
    const waits = [[false, 2]];
    if (what === 'the end of the countdown') {
      await end();
      await until(() => sent(given) === then.sent);
      expect([await parts(), sent(given)]).toEqual([[[true, 9]], 2]);
      await core.must('jobs.sendNow', { batchId, isStopped: true });
    } else if (what === 'Send now of what asks') {
      await core.must('jobs.sendNow', { batchId, isStopped: true });
      await until(() => sent(given) === then.sent);
      expect([await parts(), (await bulkOf(core, id)).state]).toEqual([waits, 'sending']);
      await end();
    } else {
      expect((await core.must('jobs.takeBack', { batchId, isStopped: true })).jobIds).toHaveLength(9);
      expect([await parts(), (await bulkOf(core, id)).state, sent(given)]).toEqual([waits, 'sending', 0]);
      await end();
    }
    await until(async () => (await bulkOf(core, id)).state === 'finished', 20_000);
    expect((await bulkOf(core, id)).counts).toMatchObject({ done: 12 - then.cancelled, cancelled: then.cancelled });
    expect(sent(given)).toBe(12 - then.cancelled);
  });

  it('of which a part counts down and is taken back leaves what asks as it is; taken back then, that is the rest, and can be sent', async () => {
    const given = await inParts();
    const { core, id, batchId, parts, end } = given;
    expect((await core.must('jobs.takeBack', { batchId, isStopped: false })).jobIds).toHaveLength(2);
    await end();
    expect([await parts(), (await bulkOf(core, id)).state, sent(given)]).toEqual([[[true, 9]], 'sending', 0]);
    expect((await core.must('jobs.takeBack', { batchId, isStopped: true })).jobIds).toHaveLength(9);
    expect(await bulkOf(core, id)).toMatchObject({ state: 'paused', counts: { ready: 9, queued: 0, cancelled: 3 } });
  });

  it('goes on while a row of it that was sent again counts down, which can be taken back alone', async () => {
    const given = await ready();
    const { core, service } = given;
    service.control.misbehave({ mischief: { kind: 'answer', text: '-123' }, times: 1 });
    const id = await bulk(given, 6, 120);
    const batchId = (await bulkOf(core, id)).batchId ?? '';
    await core.must('jobs.sendNow', { batchId });
    await until(async () => (await bulkOf(core, id)).counts.refused === 1);
    const [row] = (await core.must('bulk.rows', { id, which: 'refused' })).rows;
    await core.must('jobs.sendAgain', { jobId: row?.jobId ?? '' });
    const before = sent(given);
    await until(() => sent(given) > before);
    expect((await core.must('jobs.takeBack', { batchId, isStopped: false })).jobIds).toHaveLength(1);
    await until(async () => (await bulkOf(core, id)).state === 'finished', 20_000);
    expect((await bulkOf(core, id)).counts).toMatchObject({ refused: 1, done: 5 });
  });

  it('that is taken back as a whole has all its rows again, and can be sent', async () => {
    const given = await ready();
    const { core } = given;
    const id = await bulk(given, 12);
    const [countdown] = await countdownsOf(core);
    expect((await core.must('jobs.takeBack', { batchId: countdown?.batchId ?? '' })).jobIds).toHaveLength(12);
    expect(await bulkOf(core, id)).toMatchObject({ state: 'paused', counts: { ready: 12, queued: 0 } });
    await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
    await until(async () => (await countdownsOf(core))[0]?.count === 12);
    expect(sent(given)).toBe(0);
    await core.must('jobs.sendNow', { batchId: (await bulkOf(core, id)).batchId ?? '' });
    await until(async () => (await bulkOf(core, id)).state === 'finished', 20_000);
    expect(sent(given)).toBe(12);
  });

  it.each(['while it counts', 'after its countdown'])('has its rows again when it is paused %s', async (when) => {
    const given = await ready();
    const { core } = given;
    const id = await bulk(given, 12, 120);
    const batchId = (await bulkOf(core, id)).batchId ?? '';
    if (when === 'after its countdown') {
      await core.must('jobs.sendNow', { batchId });
      await until(() => sent(given) > 0);
    }
    await core.must('bulk.pause', { id });
    await until(async () => (await bulkOf(core, id)).counts.waiting === 0);
    const gone = sent(given);
    expect(await bulkOf(core, id)).toMatchObject({ state: 'paused', counts: { ready: 12 - gone } });
    expect(gone).toBeLessThan(12);
    expect(gone > 0).toBe(when === 'after its countdown');
    expect(await countdownsOf(core)).toEqual([]);
    given.clock.pass(4_000);
    await given.seen();
    expect(sent(given)).toBe(gone);
    await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
    await until(async () => (await countdownsOf(core))[0]?.count === 12 - gone);
    await core.must('jobs.sendNow', { batchId });
    await until(async () => (await bulkOf(core, id)).state === 'finished', 20_000);
    expect(sent(given)).toBe(12);
  });

  it('whose program ended before its rows had their countdown asks at the next start, about all rows', async () => {
    const given = await ready();
    const id = await bulk(given, 12);
    const { batchId } = await bulkOf(given.core, id);
    await given.core.must('jobs.takeBack', { batchId: batchId ?? '' });
    await given.core.stop();
    // As a kill leaves it right after the person sent it: no row is in the queue.
    const { store } = await openStore({ dataDir: given.core.dataDir, log: { info: () => {}, error: () => {} } });
    store.bulks.change(id, { state: 'sending', begins: true });
    store.close();
    const again = await given.start();
    await until(async () => (await countdownsOf(again))[0]?.count === 12);
    expect(await countdownsOf(again)).toMatchObject([{ isStopped: true, leftMs: null, bulkId: id }]);
    await given.seen();
    expect(sent(given)).toBe(0);
    await again.must('jobs.sendNow', { batchId: batchId ?? '' });
    await until(async () => (await bulkOf(again, id)).state === 'finished', 20_000);
    expect(sent(given)).toBe(12);
  });

  it('asks at the next start, and sends no row before', async () => {
    const given = await ready();
    const id = await bulk(given, 12);
    await given.core.stop();
    const again = await given.start();
    await until(async () => (await countdownsOf(again))[0]?.isStopped === true);
    await given.seen();
    expect(sent(given)).toBe(0);
    await again.must('jobs.sendNow', { batchId: (await bulkOf(again, id)).batchId ?? '' });
    await until(async () => (await bulkOf(again, id)).state === 'finished', 20_000);
    expect(sent(given)).toBe(12);
  });
});

describe('a correction that is taken back', () => {
  /** A bulk of two, whose first row is refused, then corrected; its correction counts down. */
  async function corrected() {
    const given = await ready();
    const { core, service, connectionId, paths, seen, end } = given;
    const fileToken = (await core.core.acceptPath(paths[0] ?? '')).token;
    const content = { kind: 'plain', fileToken, creditType: 1 } as const;
    const bulk = await checkBulk(given, ['ayla@exmaple.com', 'chidi@example.com'], content);
    service.control.misbehave({ every: 2, mischief: { kind: 'answer', text: '-150' } });
    await core.must('bulk.send', { id: bulk.id, rows: 'all', perMinute: 6000 });
    await seen();
    await end();
    await core.until('bulk.changed', ({ state, counts }) => state === 'finished' && counts.refused === 1);
    service.control.misbehave(null);
    const refused = (await core.must('bulk.rows', { id: bulk.id, which: 'refused' })).rows[0];
    const opened = await core.must('corrections.open', { jobId: refused?.jobId ?? '' });
    const draftId = opened.kind === 'request' ? opened.draftId : '';
    const sent = await core.must('signatures.request', {
      kind: 'plain' as const,
      connectionId,
      fileToken,
      creditType: 1,
      draftId,
      emails: ['mended@example.com'],
    });
    expect(await countdownsOf(core)).toMatchObject([{ batchId: sent.batchId, count: 1 }]);
    return { ...given, bulk, refused, sent, draftId };
  }

  it('is not sent by its bulk: the refused row stands as before, and its form is the correction of it', async () => {
    const given = await corrected();
    const { core, bulk, refused, sent, draftId } = given;
    const before = adds(given);
    expect(await core.must('jobs.takeBack', { batchId: sent.batchId })).toEqual({ jobIds: [refused?.jobId] });
    await core.must('bulk.send', { id: bulk.id, rows: 'all', perMinute: 6000 });
    await core.until('bulk.changed', ({ state }) => state === 'finished');
    expect(adds(given)).toEqual(before);
    const rows = async () => (await core.must('bulk.rows', { id: bulk.id, which: 'refused' })).rows;
    await until(async () => (await rows())[0]?.cells[0] === refused?.cells[0]);
    expect(await rows()).toMatchObject([
      { jobId: refused?.jobId, state: 'refused', people: refused?.people, cells: refused?.cells },
    ]);
    const { jobs } = await core.must('jobs.list', { states: ['refused'] });
    expect(jobs.map(({ id }) => id)).toEqual([refused?.jobId]);
    expect(await core.must('corrections.open', { jobId: refused?.jobId ?? '' })).toEqual({ kind: 'request', draftId });
  });

  it('gives a refused job its place back as it stood also where all that waits is cancelled while sending is paused', async () => {
    const given = await corrected();
    const { core, bulk, refused, sent, draftId } = given;
    const [before] = (await core.must('jobs.read', { jobIds: [refused?.jobId ?? ''] })) ?? [];
    await core.must('jobs.pause', { what: 'all' });
    await core.must('jobs.sendNow', { batchId: sent.batchId });
    await core.must('jobs.cancelWaiting', { batchId: sent.batchId });
    const { jobs } = await core.must('jobs.list', { states: ['refused', 'cancelled'] });
    expect(jobs).toMatchObject([{ id: refused?.jobId, state: 'refused', failure: before?.failure, at: before?.at }]);
    const rows = async () => (await core.must('bulk.rows', { id: bulk.id, which: 'refused' })).rows;
    await until(async () => (await rows())[0]?.cells[0] === refused?.cells[0]);
    expect(await rows()).toMatchObject([{ jobId: refused?.jobId, people: refused?.people }]);
    expect(await core.must('corrections.open', { jobId: refused?.jobId ?? '' })).toEqual({ kind: 'request', draftId });
  });

  it('can be sent again from its form, once', async () => {
    const given = await corrected();
    const { core, bulk, sent, connectionId, draftId, paths } = given;
    const before = adds(given).reduce((sum, n) => sum + n, 0);
    await core.must('jobs.takeBack', { batchId: sent.batchId });
    const again = await core.must('signatures.request', {
      kind: 'plain' as const,
      connectionId,
      creditType: 1,
      draftId,
      fileToken: (await core.core.acceptPath(paths[0] ?? '')).token,
      emails: ['mended@example.com'],
    });
    await core.must('jobs.sendNow', { batchId: again.batchId });
    await untilJobs(core, again.batchId, (now) => now.every(({ state }) => state === 'done'));
    await core.until('bulk.changed', ({ counts }) => counts.done === 2 && counts.refused === 0);
    expect(adds(given).reduce((sum, n) => sum + n, 0)).toBe(before + 1);
    const rows = (await core.must('bulk.rows', { id: bulk.id })).rows;
    expect(rows.map(({ state }) => state)).toEqual(['done', 'done']);
    expect(rows.flatMap(({ people }) => people.map(({ email }) => email))).toContain('mended@example.com');
  });

  /** A request in doubt, and the one that corrects it, which counts down. */
  async function correctedDoubt() {
    const given = await ready();
    const { core, service, connectionId, paths } = given;
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    const first = await request(given);
    await core.must('jobs.sendNow', { batchId: first.batchId });
    const [before] = await untilJobs(core, first.batchId, ([job]) => job?.state === 'in-doubt');
    const opened = await core.must('corrections.open', { jobId: first.jobId });
    const draftId = opened.kind === 'request' ? opened.draftId : '';
    const fileToken = (await core.core.acceptPath(paths[0] ?? '')).token;
    const asked = { kind: 'plain' as const, connectionId, fileToken, creditType: 1 };
    const correct = (repeats: 'tell' | 'skip') =>
      core.must('signatures.request', { ...asked, draftId, repeats, emails: ['mended@example.com'] });
    return { ...given, first, before, draftId, asked, correct };
  }

  it.each(['cancel', 'cancelWaiting'] as const)('gives a job in doubt its place back also by jobs.%s', async (how) => {
    const { core, service, first, draftId, correct } = await correctedDoubt();
    const { jobId, batchId } = await correct('tell');
    if (how === 'cancel') await core.must('jobs.cancel', { jobId });
    else expect(await core.must('jobs.cancelWaiting', { batchId })).toEqual({ count: 1 });
    const { jobs } = await core.must('jobs.list', {});
    expect(jobs.map(({ id, state }) => [id, state])).toEqual([[first.jobId, 'in-doubt']]);
    expect(await core.must('corrections.open', { jobId: first.jobId })).toEqual({ kind: 'request', draftId });
    expect(service.control.requests().AddNewDocumentESign).toBe(1);
  });

  it.each([
    ['is refused', 'refused'],
    ['fails before it leaves', 'failed'],
    ['is passed over as a duplicate', 'passed-over'],
  ] as const)('gives a job in doubt its place back also where it %s, and says that beside it', async (_how, state) => {
    const { core, service, dataDir, first, before, asked, correct } = await correctedDoubt();
    if (state === 'passed-over') {
      const other = await core.must('signatures.request', { ...asked, emails: ['mended@example.com'] });
      await core.must('jobs.sendNow', { batchId: other.batchId });
      await untilJobs(core, other.batchId, ([job]) => job?.state === 'done');
    } else if (state === 'refused') service.control.misbehave({ mischief: { kind: 'answer', text: '-123' }, times: 1 });
    const { jobId, batchId } = await correct('skip');
    if (state !== 'passed-over') await copied(core, batchId);
    if (state === 'failed') await writeFile(join(dataDir, 'spool', `${jobId}.document`), 'changed', { flag: 'r+' });
    const shown = core.until(
      'jobs.changed',
      (now) => now.counts[state] === 1 && now.jobs.some(({ id }) => id === first.jobId),
    );
    if (state !== 'passed-over') await core.must('jobs.sendNow', { batchId });
    await untilJobs(core, batchId, ([job]) => job?.state === state);
    await shown;
    const { jobs, counts } = await core.must('jobs.list', { states: ['in-doubt', state] });
    expect(new Map(jobs.map((job) => [job.id, job.state]))).toEqual(
      new Map([
        [jobId, state],
        [first.jobId, 'in-doubt'],
      ]),
    );
    expect(counts).toMatchObject({ 'in-doubt': 1, [state]: 1 });
    expect(jobs.find(({ id }) => id === first.jobId)).toMatchObject({ failure: before?.failure, at: before?.at });
    const history = await core.must('jobs.history', { jobId: first.jobId });
    expect(history.map(({ kind }) => kind).slice(-2)).toEqual(['corrected', 'as-before']);
    // Each has a form of its own, and neither replaces the other.
    const [ofDoubt, ofOther] = [
      await core.must('corrections.open', { jobId: first.jobId }),
      await core.must('corrections.open', { jobId }),
    ];
    expect(ofDoubt).not.toEqual(ofOther);
  });

  it.each(['arrives', 'is refused', 'is taken back'] as const)(
    'says of what corrects a refused correction of a job in doubt that the first may have arrived, which stays in doubt where that %s',
    async (how) => {
      const { core, service, first, asked, correct } = await correctedDoubt();
      const refuse = () => service.control.misbehave({ mischief: { kind: 'answer', text: '-123' }, times: 1 });
      refuse();
      const refused = await correct('tell');
      await core.must('jobs.sendNow', { batchId: refused.batchId });
      await untilJobs(core, refused.batchId, ([job]) => job?.state === 'refused');
      const formOf = async (jobId: string) => {
        const opened = await core.must('corrections.open', { jobId });
        const { id, job } = await core.must('forms.open', { id: opened.kind === 'request' ? opened.draftId : '' });
        return { draftId: id, isBesideDoubt: job?.isBesideDoubt };
      };
      const { draftId, isBesideDoubt } = await formOf(refused.jobId);
      expect(isBesideDoubt).toBe(true);
      const again = { ...asked, draftId, repeats: 'tell' as const, emails: ['again@example.com'] };
      const second = await core.must('signatures.request', again);
      await copied(core, second.batchId);
      const listed = async () =>
        (await core.must('jobs.list', {})).jobs
          .map((job) => [job.id, job.state, job.isBesideDoubt ?? false, job.correction ?? null] as const)
          .sort(([one], [other]) => Number(one !== first.jobId) - Number(other !== first.jobId));
      const doubt = [first.jobId, 'in-doubt', false, null] as const;
      expect(await listed()).toEqual([doubt, [second.jobId, 'waiting', true, null]]);
      if (how === 'is refused') refuse();
      if (how === 'is taken back') await core.must('jobs.takeBack', { jobIds: [second.jobId] });
      else await core.must('jobs.sendNow', { batchId: second.batchId });
      const [end, beside] = {
        arrives: [[second.jobId, 'done'], false] as const,
        'is refused': [[second.jobId, 'refused'], true] as const,
        'is taken back': [[refused.jobId, 'refused'], true] as const,
      }[how];
      await until(async () => (await listed())[1]?.[1] === end[1]);
      expect(await listed()).toEqual([doubt, [...end, beside, null]]);
      if (beside) expect((await formOf(end[0])).isBesideDoubt).toBe(true);
      // Once it is decided, no doubt is beside the other.
      const documentId = service.control.documents()[0]?.documentId ?? '';
      await core.must('jobs.accept', { jobId: first.jobId, documentId, isUnchecked: true });
      expect((await listed()).map(([, state, isBeside]) => [state, isBeside])).toEqual([
        ['done', false],
        [end[1], false],
      ]);
    },
  );

  it.each(['ends while it counts', 'ends while it is paused', 'sleeps while it counts'] as const)(
    'waits for a person where the program %s, and taken back gives the job in doubt its place: neither is lost, or sent without a word',
    async (how) => {
      const { core, service, clock, seen, start, dataDir, paths, first, before, draftId, correct } =
        await correctedDoubt();
      const { batchId, jobId } = await correct('tell');
      await copied(core, batchId);
      await rm(paths[0] ?? '');
      let now = core;
      if (how === 'sleeps while it counts') {
        clock.sleep(60_000);
        await seen();
      } else {
        if (how === 'ends while it is paused') {
          await core.must('jobs.pause', { what: 'all' });
          await core.must('jobs.sendNow', { batchId });
        }
        await core.stop();
        now = await start();
        await now.must('jobs.resume', { what: 'all' });
      }
      await until(async () => (await countdownsOf(now))[0]?.isStopped === true);
      const held = await now.must('jobs.list', {});
      const waits = { id: jobId, state: 'waiting', pausedBy: 'countdown-stopped', isBesideDoubt: true };
      expect(held).toMatchObject({ jobs: [waits], stoppedCount: 1 });
      expect((await now.must('jobs.list', { states: ['waiting'], stopped: true })).jobs).toMatchObject([waits]);
      expect((await now.must('jobs.list', { states: ['waiting'], asking: false })).total).toBe(0);
      expect(await now.must('jobs.takeBack', { batchId })).toEqual({ jobIds: [first.jobId] });
      const { jobs, countdowns } = await now.must('jobs.list', {});
      expect(jobs).toMatchObject([{ id: first.jobId, state: 'in-doubt', failure: before?.failure, at: before?.at }]);
      expect(countdowns).toEqual([]);
      expect(await now.must('corrections.open', { jobId: first.jobId })).toEqual({ kind: 'request', draftId });
      const history = await now.must('jobs.history', { jobId: first.jobId });
      expect(history.map(({ kind }) => kind).slice(-2)).toEqual(['corrected', 'as-before']);
      // The copy that the correction had made of the same file is the only one now.
      await expect.poll(() => existsSync(join(dataDir, 'spool', `${first.jobId}.document`))).toBe(true);
      await now.must('jobs.sendNow', { batchId });
      expect(service.control.requests().AddNewDocumentESign).toBe(1);
    },
  );

  it('is not sent yet, and what it corrects, or what is sent again, was sent today all the same', async () => {
    const { core, connectionId, correct, first, service } = await correctedDoubt();
    const today = new Date().toLocaleDateString('sv');
    const from = new Date(`${today}T00:00:00`).toISOString();
    const sent = async () => {
      const { count } = (await core.must('home.summary', { connectionId, today, isHere: true })).sent;
      // The rows that Home leads to are what it counts, also those that were taken off the list.
      const { jobs, total, found } = await core.must('jobs.list', { sent: { connectionId, from } });
      expect([jobs.length, total, Object.values(found?.counts ?? {}).reduce((sum, n) => sum + n, 0)]).toEqual(
        Array(3).fill(count),
      );
      return count;
    };
    expect(await sent()).toBe(1);
    const { jobId } = await correct('tell');
    expect(await sent()).toBe(1);
    const besideDoubt = async () => (await core.must('jobs.list', {})).jobs.map((job) => job.isBesideDoubt);
    expect(await besideDoubt()).toEqual([true]);
    await core.must('jobs.takeBack', { jobIds: [jobId] });
    await core.must('jobs.sendAgain', { jobId: first.jobId });
    expect(await sent()).toBe(1);
    await core.must('jobs.takeBack', { jobIds: [first.jobId] });
    await core.must('jobs.sendNow', { batchId: (await correct('tell')).batchId });
    await until(async () => service.control.requests().AddNewDocumentESign === 2);
    // Both have left, and the service may have both.
    expect([await sent(), await besideDoubt()]).toEqual([2, [undefined]]);
    const done = async () =>
      (await core.must('jobs.list', { sent: { connectionId, from }, states: ['done'] })).jobs.map(({ id }) => id);
    await expect.poll(done).toHaveLength(1);
    await core.must('jobs.dismiss', { jobIds: await done() });
    expect([(await done()).length, await sent()]).toEqual([1, 2]);
    expect(await core.must('jobs.list', { sent: { connectionId, from: new Date().toISOString() } })).toMatchObject({
      total: 0,
    });
  });

  it('is a sending of its own once it has left, as is what is sent again: on Home, in Activity, in its lists and its days', async () => {
    const { core, connectionId, correct, first, service, folder, dataDir } = await correctedDoubt();
    const today = new Date().toLocaleDateString('sv');
    const sent = { connectionId, from: new Date(`${today}T00:00:00`).toISOString() };
    service.control.misbehave({ mischief: { kind: 'answer', text: '-123' }, times: 1 });
    await core.must('jobs.sendAgain', { jobId: first.jobId });
    await core.must('jobs.sendNow', { batchId: first.batchId });
    const kinds = async () => (await core.must('jobs.history', { jobId: first.jobId })).map(({ kind }) => kind);
    await until(async () => (await kinds()).at(-1) === 'as-before');
    const { batchId } = await correct('tell');
    await core.must('jobs.sendNow', { batchId });
    await untilJobs(core, batchId, ([job]) => job?.state === 'done');
    expect(service.control.requests().AddNewDocumentESign).toBe(3);
    const summary = await core.must('home.summary', { connectionId, today, isHere: true });
    expect(summary.sent).toEqual({ count: 3, taken: 1 });
    const { jobs, total, found } = await core.must('jobs.list', { sent });
    expect([total, jobs.map(({ state }) => state)]).toEqual([3, ['done', 'refused', 'in-doubt']]);
    expect(found).toMatchObject({ counts: { done: 1, refused: 1, 'in-doubt': 1 }, correctedCount: 0 });
    const times = jobs.map(({ departedAt = '' }) => departedAt);
    expect(times).toEqual([...new Set(times)].sort().reverse());
    expect(jobs[1]).toMatchObject({ documentId: null, failure: { serviceCode: '-123' }, correction: { batchId } });
    const saved = async (filter: CallInput<'jobs.list'>) => {
      core.dialogs.targets.push(join(folder, 'log.csv'));
      await core.must('documents.saveBatch', { ...filter, format: 'csv' });
      return (await readTable({ path: join(folder, 'log.csv') }, 'en')).rows.map(({ cells }) => cells);
    };
    expect((await saved({ sent })).map((cells) => cells[5])).toEqual(times.toReversed());
    for (const state of ['done', 'refused', 'in-doubt'] as const) {
      const some = await core.must('jobs.list', { sent, states: [state] });
      expect([some.total, some.jobs.length, (await saved({ sent, states: [state] })).length]).toEqual([1, 1, 1]);
    }
    // What was corrected stays in the log, beside the counts of what is on the list.
    const log = await core.must('jobs.batches', {});
    expect(log.batches.map(({ correctedCount, counts }) => [correctedCount, counts.done])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect([log.total, log.correctedCount, (await core.must('jobs.list', {})).total]).toEqual([2, 1, 1]);
    expect((await core.must('jobs.list', { corrected: 'too' })).jobs.map(({ id }) => id)).toContain(first.jobId);
    expect((await core.must('jobs.list', { corrected: 'only', search: 'ayla' })).total).toBe(1);
    expect((await saved({ corrected: 'too' })).map((cells) => cells[4])).toEqual([
      'In doubt: no clear answer · corrected since',
      'Sent',
    ]);
    const sql = openSql(join(dataDir, 'sealdesk.db'));
    const { sql: watched, plan } = explained(sql);
    expect(countSent(watched, sent)).toEqual({ count: 3, taken: 1 });
    listJobs(watched, { sent, limit: 10, offset: 0 });
    expect(plan.filter((detail) => detail.startsWith('SCAN'))).toEqual([]);
    expect(plan).toContain('SEARCH e USING COVERING INDEX job_events_counted (kind=? AND at>?)');
    sql.close();
  });

  it.each([
    ['E-mail', ['ayla@example.com', 'chidi@example.com']],
    ['E-mail 1,E-mail 2,E-mail 3', ['ayla@example.com,,dana@example.com', 'chidi@example.com,,dana@example.com']],
  ] as const)(
    'leaves a row in doubt in doubt, with the values that were sent, where the service refuses it: %s',
    async (headings, addresses) => {
      const given = await ready({ seconds: 0 });
      const { core, service, connectionId } = given;
      const bulk = await checkBulk(given, addresses, template, headings);
      service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
      await core.must('bulk.send', { id: bulk.id, rows: 'all', perMinute: 6000 });
      await core.until('bulk.changed', ({ state, counts }) => state === 'finished' && counts.inDoubt === 1);
      const rows = async () => (await core.must('bulk.rows', { id: bulk.id, which: 'in-doubt' })).rows;
      const [before] = await rows();
      const opened = await core.must('corrections.open', { jobId: before?.jobId ?? '' });
      service.control.misbehave({ mischief: { kind: 'answer', text: '-123' }, times: 1 });
      const { batchId } = await core.must('signatures.request', {
        kind: 'easy-sign-template',
        connectionId,
        templateId: 'TPL-1001',
        emails: ['mended@example.com'],
        draftId: opened.kind === 'request' ? opened.draftId : '',
      });
      await untilJobs(core, batchId, ([job]) => job?.state === 'refused');
      await until(async () => (await rows())[0]?.cells[0] === before?.cells[0]);
      expect(await rows()).toEqual([before]);
    },
  );

  it('of a row that was taken back itself leaves the row as the table had it: put back, its file is the one that was checked', async () => {
    const given = await ready();
    const { core, connectionId, paths } = given;
    const fileToken = (await core.core.acceptPath(paths[0] ?? '')).token;
    const content = { kind: 'plain', fileToken, creditType: 1 } as const;
    const bulk = await checkBulk(given, ['ayla@example.com', 'chidi@example.com'], content);
    const [first] = (await core.must('bulk.rows', { id: bulk.id })).rows;
    const row = first?.row ?? 0;
    await core.must('bulk.takeBack', { id: bulk.id, rows: [row] });
    const jobId = (await core.must('bulk.rows', { id: bulk.id, which: 'cancelled' })).rows[0]?.jobId ?? '';
    const opened = await core.must('corrections.open', { jobId });
    const sent = await core.must('signatures.request', {
      kind: 'plain' as const,
      connectionId,
      fileToken,
      creditType: 1,
      emails: ['mended@example.com'],
      draftId: opened.kind === 'request' ? opened.draftId : '',
    });
    expect(await core.must('jobs.takeBack', { batchId: sent.batchId })).toEqual({ jobIds: [jobId] });
    await until(async () => (await core.must('bulk.rows', { id: bulk.id })).rows[0]?.cells[0] === 'ayla@example.com');
    await core.must('bulk.putBack', { id: bulk.id, rows: [row] });
    await core.must('bulk.send', { id: bulk.id, rows: 'all', perMinute: 6000 });
    await given.seen();
    await given.end();
    await core.until('bulk.changed', ({ state, counts }) => state === 'finished' && counts.done === 2);
    const people = (await core.must('bulk.rows', { id: bulk.id })).rows.flatMap((one) => one.people);
    expect(people.map(({ email }) => email)).toEqual(['ayla@example.com', 'chidi@example.com']);
  });
});

describe('what is sent again and does not leave', () => {
  /** A request whose first sending is in doubt, or was refused, and that counts down again. */
  async function sentAgain(mischief: FaultRule) {
    const given = await ready();
    const { core, service } = given;
    service.control.misbehave({ mischief, times: 1 });
    const { jobId, batchId } = await request(given);
    await core.must('jobs.sendNow', { batchId });
    const [before] = await untilJobs(core, batchId, ([job]) => job?.state === 'in-doubt' || job?.state === 'refused');
    await core.must('jobs.sendAgain', { jobId });
    await until(async () => (await countdownsOf(core))[0]?.count === 1);
    return { ...given, jobId, batchId, before };
  }
  const asBefore = async ({ core, batchId, before }: Awaited<ReturnType<typeof sentAgain>>) => {
    const [now] = await jobsOf(core, batchId);
    const { state, failure, at, raw, answer } = before ?? {};
    expect(now).toMatchObject({ state, failure, at, raw, answer, pausedBy: null, duplicateOf: null });
  };

  it.each([
    ['in doubt', { kind: 'drop-after' }],
    ['refused', { kind: 'answer', text: '-123' }],
  ] as const)('is %s as before once it is taken back', async (_what, mischief) => {
    const given = await sentAgain(mischief);
    const { core, jobId, batchId, before } = given;
    expect(await core.must('jobs.takeBack', { batchId })).toEqual({ jobIds: [jobId], wereSentAgain: true });
    await asBefore(given);
    expect((await core.must('jobs.list', {})).counts).toMatchObject({ [before?.state ?? '']: 1 });
    // And again, from there.
    await core.must('jobs.sendAgain', { jobId });
    await core.must('jobs.takeBack', { jobIds: [jobId] });
    await asBefore(given);
    expect(given.service.control.requests().AddNewDocumentESign).toBe(1);
  });

  it('is in doubt as before if it was, once it is cancelled, or its file is gone', async () => {
    const given = await sentAgain({ kind: 'drop-after' });
    const { core, jobId, batchId, paths } = given;
    await core.must('jobs.cancel', { jobId });
    await asBefore(given);
    await core.must('jobs.sendAgain', { jobId });
    expect(await core.must('jobs.cancelWaiting', { batchId })).toEqual({ count: 1 });
    await asBefore(given);
    await rm(join(given.dataDir, 'spool'), { recursive: true });
    await rm(paths[0] ?? '');
    await core.must('jobs.sendAgain', { jobId });
    await core.must('jobs.sendNow', { batchId });
    await until(async () => (await core.must('jobs.history', { jobId })).some(({ kind }) => kind === 'failed'));
    await asBefore(given);
    expect(await core.must('jobs.retryAll', { states: ['failed', 'refused', 'cancelled'] })).toMatchObject({
      count: 0,
    });
  });

  it.each(['counts down', 'is paused'])(
    'is in doubt as before at the next start, where it %s as its program ends',
    async (how) => {
      const given = await sentAgain({ kind: 'drop-after' });
      const { core, start, batchId, service } = given;
      if (how === 'is paused') {
        await core.must('jobs.pause', { what: 'batch', batchId });
        await core.must('jobs.sendNow', { batchId });
      }
      await core.stop();
      const next = await start();
      await asBefore({ ...given, core: next });
      const history = await next.must('jobs.history', { jobId: given.jobId });
      expect(history.at(-1)).toMatchObject({ kind: 'as-before' });
      await next.must('jobs.resume', { what: 'batch', batchId });
      await next.must('jobs.sendNow', { batchId });
      await asBefore({ ...given, core: next });
      expect(service.control.requests().AddNewDocumentESign).toBe(1);
    },
  );

  it('is in doubt as before when the computer slept while it counted', async () => {
    const given = await sentAgain({ kind: 'drop-after' });
    given.clock.sleep(60_000);
    await given.seen();
    await asBefore(given);
    expect(await countdownsOf(given.core)).toEqual([]);
  });

  it('counts down before what only waits for a decision, however old it is', async () => {
    const given = await ready();
    const { core, connectionId, paths, clock, seen } = given;
    const old = await register(core, connectionId, paths.slice(0, 1));
    const [job] = await copied(core, old);
    await core.must('jobs.takeBack', { batchId: old });
    const others = [
      await register(core, connectionId, paths.slice(1, 2)),
      await register(core, connectionId, paths.slice(2)),
    ];
    await Promise.all(others.map((batchId) => copied(core, batchId)));
    clock.sleep(60_000);
    await seen();
    await core.must('jobs.sendAgain', { jobId: job?.id ?? '' });
    const all = await countdownsOf(core);
    expect(all.map(({ batchId, isStopped }) => [batchId, isStopped])).toEqual([
      [old, false],
      [others[1], true],
      [others[0], true],
    ]);
  });

  it('repeats what it repeated, and stays decided, if it was in doubt: that may be why the service knows its bytes', async () => {
    const given = await ready({ seconds: 0 });
    const { core, service, connectionId, paths } = given;
    const [path = ''] = paths;
    await untilJobs(core, await register(core, connectionId, [path]), ([job]) => job?.state === 'done');
    const batchId = await register(core, connectionId, [path]);
    const [{ id: jobId = '' } = {}] = await untilJobs(core, batchId, ([job]) => job?.pausedBy === 'duplicate');
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    await core.must('jobs.decide', { jobIds: [jobId], decision: 'send' });
    const [before] = await untilJobs(core, batchId, ([job]) => job?.state === 'in-doubt');
    expect(before?.duplicateOf).toMatchObject({ kind: 'document', isDecided: true });
    await core.must('jobs.pause', { what: 'all' });
    await core.must('jobs.sendAgain', { jobId });
    await core.must('jobs.cancel', { jobId });
    expect(await jobsOf(core, batchId)).toMatchObject([{ state: 'in-doubt', duplicateOf: before?.duplicateOf }]);
  });

  it('is in doubt as before if it was, once it is refused, which says nothing of its first sending', async () => {
    const given = await sentAgain({ kind: 'drop-after' });
    const { core, jobId, batchId, service } = given;
    service.control.misbehave({ mischief: { kind: 'answer', text: '-123' }, times: 1 });
    await core.must('jobs.sendNow', { batchId });
    const refusals = async () => (await core.must('jobs.history', { jobId })).filter(({ kind }) => kind === 'refused');
    await until(async () => (await refusals()).length === 1);
    await asBefore(given);
    expect(await refusals()).toMatchObject([{ failure: { code: 'service-refused' } }]);
    expect(await core.must('jobs.retryAll', { states: ['refused'] })).toMatchObject({ count: 0 });
    expect(service.control.requests().AddNewDocumentESign).toBe(2);
  });

  it('is in doubt as before if it was, once its copy was found changed on its way, and is copied anew then', async () => {
    const given = await sentAgain({ kind: 'drop-after' });
    const { core, jobId, batchId, service } = given;
    await writeFile(join(given.dataDir, 'spool', `${jobId}.document`), 'changed', { flag: 'r+' });
    await core.must('jobs.sendNow', { batchId });
    await until(async () => (await core.must('jobs.history', { jobId })).some(({ kind }) => kind === 'failed'));
    await asBefore(given);
    expect(service.control.requests().AddNewDocumentESign).toBe(1);
    await core.must('jobs.sendAgain', { jobId });
    await core.must('jobs.sendNow', { batchId });
    await untilJobs(core, batchId, ([job]) => job?.state === 'done');
  });

  it('stays the row of its bulk, which has nothing to send again', async () => {
    const given = await ready();
    const { core, service } = given;
    const { id } = await checkBulk(given, ['ayla@example.com', 'chidi@example.com'], template);
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
    await until(async () => (await countdownsOf(core))[0]?.count === 2);
    await core.must('jobs.sendNow', { batchId: (await countdownsOf(core))[0]?.batchId ?? '' });
    await core.until('bulk.changed', ({ counts }) => counts.done === 1 && counts.inDoubt === 1);
    const [row] = (await core.must('bulk.rows', { id, which: 'in-doubt' })).rows;
    await core.must('jobs.sendAgain', { jobId: row?.jobId ?? '' });
    await core.must('jobs.takeBack', { batchId: (await countdownsOf(core))[0]?.batchId ?? '' });
    expect((await core.must('bulk.rows', { id, which: 'in-doubt' })).rows).toMatchObject([{ jobId: row?.jobId }]);
    await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
    await core.until('bulk.changed', ({ state }) => state === 'finished');
    // From its table as well: it is taken back, and nothing of it can be put back.
    await core.must('jobs.sendAgain', { jobId: row?.jobId ?? '' });
    const rows = [row?.row ?? 0];
    expect(await core.must('bulk.takeBack', { id, rows })).toEqual({ rows });
    await core.must('bulk.putBack', { id, rows });
    expect((await core.must('bulk.list', {})).map(({ state }) => state)).toEqual(['finished']);
    expect(service.control.requests().AddNewEasySignTemplate).toBe(2);
  });
});
