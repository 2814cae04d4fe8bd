import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VerifyResult } from '../../contract/verify-result.ts';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { atLength, sampled } from '../harness/test-length.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from './jobs-setup.ts';

async function ready(parallel = 2) {
  const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
  return { core, service, folder, connectionId: await connect(core, service, { parallel }) };
}

async function verified(core: RunningCore, connectionId: string, paths: readonly string[]) {
  const intake = await scan(core, paths, 'verify');
  const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
  await core.untilTask(
    'verification',
    ({ progress: { run } }) => run.runId === runId && run.state === 'finished',
    20_000,
  );
  return { runId, ...(await core.must('verify.results', { runId })) };
}

/** A verification that stopped by itself. */
async function stopped(core: RunningCore, connectionId: string, paths: readonly string[]) {
  const intake = await scan(core, paths, 'verify');
  const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
  const end = await core.untilTask('verification', ({ taskId, state }) => taskId === runId && state !== 'running');
  const { results } = await core.must('verify.results', { runId });
  return { runId, results, run: end.progress.run };
}

const short = (results: readonly VerifyResult[]) => results.map(({ name, answer }) => [name, answer?.group]);

describe('a verification', () => {
  it('takes more files, verifies one that it already has once more in its place, and stays one run', async () => {
    const { core, folder, connectionId } = await ready();
    const [first = '', second = ''] = await writePdfs(folder, ['first.pdf', 'second.pdf']);
    const { runId } = await verified(core, connectionId, [first]);
    await untilEnded(core, await register(core, connectionId, [first]));
    const intake = await scan(core, [first, second], 'verify');
    expect(await core.must('verify.add', { runId, intakeId: intake.id })).toMatchObject({ runId, total: 2 });
    const { progress } = await core.untilTask(
      'verification',
      ({ progress: { run } }) => run.runId === runId && run.state === 'finished' && run.total === 2,
      20_000,
    );
    expect(progress.run).toMatchObject({ answered: 2, counts: { confirmed: 1, 'not-confirmed': 1 } });
    const { results } = await core.must('verify.results', { runId });
    expect(short(results)).toEqual([
      ['second.pdf', 'not-confirmed'],
      ['first.pdf', 'confirmed'],
    ]);
    expect((await core.must('verify.runs', {})).total).toBe(1);
  });

  it('finds its files by words of their names and folders, in any group', async () => {
    const { core, folder, connectionId } = await ready();
    const paths = await writePdfs(folder, ['Lease 10%.pdf', 'Lease 2027.pdf', 'Annex_B.pdf']);
    await untilEnded(core, await register(core, connectionId, paths.slice(0, 1)));
    const { runId } = await verified(core, connectionId, paths);
    const found = async (search: string, group?: 'confirmed') =>
      short((await core.must('verify.results', { runId, search, ...(group ? { group } : {}) })).results).map(
        ([name]) => name,
      );
    expect((await found('lease')).sort()).toEqual(['Lease 10%.pdf', 'Lease 2027.pdf']);
    expect(await found('2027 LEASE')).toEqual(['Lease 2027.pdf']);
    expect(await found('lease', 'confirmed')).toEqual(['Lease 10%.pdf']);
    // Signs of a pattern stand for themselves.
    expect([await found('%'), await found('_'), await found('x_b')]).toEqual([
      ['Lease 10%.pdf'],
      ['Annex_B.pdf'],
      ['Annex_B.pdf'],
    ]);
    expect(await found('nobody')).toEqual([]);
    // The counters are of what the search leaves; each agrees with the list that it shows.
    const leaves = async (search: string) => (await core.must('verify.results', { runId, search })).found;
    expect((await leaves('lease'))?.counts).toMatchObject({ confirmed: 1, 'not-confirmed': 1 });
    expect((await leaves('nobody'))?.counts).toMatchObject({ confirmed: 0, 'not-confirmed': 0 });
    const filtered = await core.must('verify.results', { runId, search: 'lease', group: 'confirmed' });
    expect(filtered).toMatchObject({ total: 1, found: { counts: { 'not-confirmed': 1 }, changes: null } });
    expect(await leaves(' ')).toBeNull();
  });

  it('distinguishes registered, changed and unknown files, failures first, and shows local knowledge', async () => {
    const { core, folder, connectionId } = await ready();
    const [kept = '', changed = ''] = await writePdfs(folder, ['kept.pdf', 'changed.pdf']);
    await untilEnded(core, await register(core, connectionId, [kept, changed], { clientId: 'CASE-7' }));
    const bytes = await readFile(changed);
    // The version in the first line: a difference that no reader shows.
    bytes[7] = bytes.readUInt8(7) ^ 1;
    await writeFile(changed, bytes);
    await writePdfs(folder, ['new.pdf']);
    await writeFile(join(folder, 'note.txt'), 'no PDF: the service does not look at it');
    const { run, results } = await verified(core, connectionId, [
      kept,
      join(folder, 'note.txt'),
      changed,
      join(folder, 'new.pdf'),
    ]);
    expect(results[3]).toMatchObject({
      name: 'kept.pdf',
      state: 'answered',
      answer: { group: 'confirmed' },
      raw: 'Valid',
      knownHere: { name: 'kept', clientId: 'CASE-7' },
    });
    expect(short(results).slice(0, 3)).toEqual([
      ['changed.pdf', 'not-confirmed'],
      ['new.pdf', 'not-confirmed'],
      ['note.txt', 'not-pdf'],
    ]);
    // A group of its own, so that nobody takes it for a PDF of which the service said nothing.
    expect(results[2]).toMatchObject({ qualification: { verdict: 'none', reason: 'unexamined-code' }, raw: '-150' });
    expect(results[0]?.knownHere).toBeNull();
    expect(results.map(({ finding }) => finding)).toEqual(['changed', 'unknown', null, null]);
    expect(run).toMatchObject({ state: 'finished', total: 4, answered: 4 });
    expect(run.counts).toEqual({
      confirmed: 1,
      'confirmed-with-remark': 0,
      'not-confirmed': 2,
      unclear: 0,
      'no-answer': 0,
      'not-pdf': 1,
    });
    // What words mean says nothing about it.
    await core.must('answers.sort', { kind: 'verdict', word: 'Invalid', group: 'unclear', meaning: '' });
    const { total, results: found } = await core.must('verify.results', { runId: run.runId, group: 'not-pdf' });
    expect([total, short(found)]).toEqual([1, [['note.txt', 'not-pdf']]]);
  });

  it.each(
    sampled(
      [
        ['Valid', 'confirmed', ['confirmed', null, 'sorted-word']],
        ['  valid ', 'confirmed', ['confirmed', null, 'sorted-word']],
        ['Valid - superseded version', 'confirmed-with-remark', ['confirmed', 'superseded version', 'sorted-word']],
        ['Invalid', 'not-confirmed', ['not-confirmed', null, 'sorted-word']],
        [
          'invalid - Changed after registration',
          'not-confirmed',
          ['not-confirmed', 'Changed after registration', 'sorted-word'],
        ],
        ['Invalid - not registered here', 'not-confirmed', ['not-confirmed', 'not registered here', 'sorted-word']],
        ['perhaps', 'unclear', ['none', null, 'unsorted-word']],
        ['Valid for somebody', 'unclear', ['none', null, 'unsorted-word']],
        ['', 'unclear', ['none', null, 'empty-answer']],
        [null, 'unclear', ['none', null, 'empty-answer']],
        ['-121', 'no-answer', ['none', null, 'unexamined-code']],
        ['-987654', 'unclear', ['none', null, 'open-code']],
      ] as const,
      { short: 4, ci: 2 },
    ),
  )('puts the answer %j into the group %s, with the words of the service', async (text, group, footing) => {
    const { core, service, folder, connectionId } = await ready();
    service.control.misbehave({ mischief: { kind: 'answer', text } });
    const { runId, results, run } = await verified(core, connectionId, await writePdfs(folder, ['a.pdf']));
    const [verdict, remark, reason] = footing;
    expect(results).toMatchObject([{ answer: { group }, raw: text, qualification: { verdict, remark, reason } }]);
    expect(run.counts[group]).toBe(1);
    expect((await core.must('verify.results', { runId, group })).total).toBe(1);
  });

  it.each(
    sampled(
      [
        ['a fault', { kind: 'fault' }, 'service-refused', 'fault'],
        ['half a reply', { kind: 'truncated' }, 'reply-unreadable', 'not-a-reply'],
        ['garbage', { kind: 'garbage' }, 'reply-unreadable', 'not-a-reply'],
      ] as const,
      { short: 2, ci: 1 },
    ),
  )('never counts %s as not confirmed, and asks again when told to', async (_what, mischief, code, reason) => {
    const { core, service, folder, connectionId } = await ready();
    service.control.misbehave({ mischief });
    const { runId, results, run } = await verified(core, connectionId, await writePdfs(folder, ['a.pdf']));
    expect(results).toMatchObject([
      { answer: { group: 'no-answer' }, failure: { code }, qualification: { verdict: 'none', remark: null, reason } },
    ]);
    expect(run.counts).toMatchObject({ 'no-answer': 1, 'not-confirmed': 0 });
    service.control.misbehave(null);
    expect(await core.must('verify.tryGroupAgain', { runId, group: 'no-answer' })).toEqual({ files: 1 });
    await core.untilTask('verification', ({ progress }) => progress.run.counts['not-confirmed'] === 1);
    expect(await core.must('verify.results', { runId })).toMatchObject({
      run: { state: 'finished', answered: 1 },
      results: [{ failure: null }],
    });
  });

  it('asks again only about files of which the service may say something else, and counts these', async () => {
    const { core, service, folder, connectionId } = await ready();
    const note = join(folder, 'note.txt');
    await writeFile(note, 'no PDF');
    service.control.misbehave({ mischief: { kind: 'answer', text: '-140' }, operation: 'ValidateDocument', times: 2 });
    const paths = await writePdfs(folder, ['a.pdf', 'b.pdf']);
    const { runId } = await verified(core, connectionId, paths);
    service.control.misbehave(null);
    const { id: intakeId } = await scan(core, [note], 'verify');
    await core.must('verify.add', { runId, intakeId });
    await core.untilTask('verification', ({ progress, state }) => progress.run.answered === 3 && state !== 'running');
    const read = () => core.must('verify.results', { runId });
    expect(await read()).toMatchObject({ run: { counts: { 'no-answer': 2, 'not-pdf': 1 } }, againCount: 2 });
    const calls = service.control.requests().ValidateDocument ?? 0;
    expect(await core.must('verify.tryGroupAgain', { runId, group: 'no-answer' })).toEqual({ files: 2 });
    await core.untilTask('verification', ({ progress }) => progress.run.counts['not-confirmed'] === 2);
    expect([await read(), service.control.requests().ValidateDocument]).toMatchObject([{ againCount: 0 }, calls + 2]);
  });

  it.each(
    sampled(
      [
        ['says that it is away', { kind: 'html', status: 503 }, 'http-status'],
        ['is behind a page of HTML', { kind: 'html' }, 'html-page'],
        ['cannot be reached', { kind: 'drop-before' }, 'connection-lost'],
        ['breaks off', { kind: 'drop-after' }, 'connection-lost'],
      ] as const,
      { short: 4, ci: 2 },
    ),
  )(
    'asks no more files than at once where the service %s: they stay open, and are asked when it is resumed',
    async (_how, mischief, detail) => {
      const { core, service, folder, connectionId } = await ready();
      const names = Array.from({ length: 12 }, (_each, n) => `${n}.pdf`);
      service.control.misbehave({ mischief, operation: 'ValidateDocument' });
      const { runId, results, run } = await stopped(core, connectionId, await writePdfs(folder, names));
      expect(run).toMatchObject({ state: 'stopped', trouble: { detail }, answered: 0, looked: 12 });
      expect(run.calls).toBeLessThanOrEqual(2);
      expect(results.filter(({ state, answer }) => state === 'pending' && answer === null)).toHaveLength(12);
      // A file that was sent was asked about, whatever came of it: it is counted, and nowhere said not to be asked about.
      const asked = results.filter(({ askedAt }) => askedAt !== null);
      expect(asked.map((one) => one.failure?.detail)).toEqual(Array.from({ length: run.calls }, () => detail));
      if (!detail.startsWith('connection')) expect(run.calls).toBe(service.control.requests().ValidateDocument);
      service.control.misbehave(null);
      await core.must('verify.resume', { runId });
      const again = await core.untilTask('verification', ({ progress }) => progress.run.state === 'finished');
      expect(again.progress.run).toMatchObject({ answered: 12, counts: { 'not-confirmed': 12, 'no-answer': 0 } });
    },
  );

  it('goes on with the others where the service is away for one file, which stays open and is asked last when it is resumed', async () => {
    const { core, service, folder, connectionId } = await ready(1);
    const paths = await writePdfs(folder, ['0.pdf', '1.pdf', '2.pdf', '3.pdf']);
    // Every second of two.
    service.control.misbehave({ mischief: { kind: 'html' }, operation: 'ValidateDocument', every: 2, times: 1 });
    const { runId, results, run } = await stopped(core, connectionId, paths);
    expect(run).toMatchObject({ state: 'stopped', trouble: { detail: 'html-page' }, answered: 3, calls: 4 });
    expect(results.filter(({ state }) => state === 'pending').map(({ name }) => name)).toEqual(['1.pdf']);
    await core.must('verify.resume', { runId });
    const again = await core.untilTask('verification', ({ progress }) => progress.run.state === 'finished');
    expect(again.progress.run).toMatchObject({ answered: 4, trouble: null });
  });

  it('asks a second time by itself only while the service cannot have the whole file: a call may cost something', async () => {
    const { core, service, folder, connectionId } = await ready();
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    const lost = await stopped(core, connectionId, await writePdfs(folder, ['a.pdf']));
    expect(lost.results).toMatchObject([{ state: 'pending', failure: { detail: 'connection-lost' } }]);
    expect(service.control.requests().ValidateDocument).toBe(1);
    service.control.misbehave({ mischief: { kind: 'drop-before', afterBytes: 1_000 }, times: 1 });
    const broken = await verified(core, connectionId, await writePdfs(folder, ['b.pdf'], 24_000_000));
    expect(broken.results).toMatchObject([{ answer: { group: 'not-confirmed' }, failure: null }]);
  });

  it('counts a check before it leaves: one that was under way at a kill stands beside those that were answered, in its reports too', async () => {
    const [dataDir, killed, folder, service] = [
      await newFolder(),
      await newFolder(),
      await newFolder(),
      await newService({ processingMs: 0 }),
    ];
    const keychain = memoryKeychain(new Map());
    const core = await newCore({ dataDir, keychain });
    const connectionId = await connect(core, service, { parallel: 1 });
    const delay = { kind: 'delay', ms: 60_000 } as const;
    service.control.misbehave({ mischief: delay, operation: 'ValidateDocument', every: 2, times: 1 });
    const intake = await scan(core, await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf']), 'verify');
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await core.untilTask('verification', ({ progress: { run } }) => run.answered === 1);
    await expect.poll(() => service.control.requests().ValidateDocument).toBe(2);
    // What a kill would leave.
    await cp(dataDir, killed, { recursive: true });
    await core.must('tasks.stop', { taskId: runId });
    const next = await newCore({ dataDir: killed, keychain });
    const { run } = await next.must('verify.results', { runId });
    expect(run).toMatchObject({ state: 'stopped', answered: 1, calls: 2, replies: 1 });
    await next.must('verify.resume', { runId });
    const { progress } = await next.untilTask('verification', (task) => task.progress.run.state === 'finished');
    expect(progress.run).toMatchObject({ answered: 3, calls: 4, replies: 3 });
    expect(service.control.requests().ValidateDocument).toBe(4);
    next.dialogs.targets.push(join(folder, 'report.csv'));
    await next.must('verify.saveReport', { runId, format: 'csv' });
    await next.untilTask('report', ({ state }) => state === 'done');
    const { headings, rows } = await readTable({ path: join(folder, 'report.csv') }, 'en');
    expect(headings.slice(-2)).toEqual(['checksSent', 'checksAnswered']);
    expect(rows.map(({ cells }) => cells.slice(-2))).toEqual(Array(3).fill(['4', '3']));
  });

  it('continues after a missing file', async () => {
    const { core, folder, connectionId } = await ready();
    const paths = await writePdfs(folder, ['a.pdf', 'b.pdf']);
    const intake = await scan(core, paths, 'verify');
    await rm(paths[0] ?? '');
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await core.untilTask('verification', ({ progress: { run } }) => run.state === 'finished');
    const { results } = await core.must('verify.results', { runId });
    expect(short(results)).toEqual([
      ['b.pdf', 'not-confirmed'],
      ['a.pdf', 'no-answer'],
    ]);
    expect(results[1]?.failure).toMatchObject({ code: 'file-unreadable', detail: 'file-missing' });
  });

  it('stops on demand: files without an answer stay pending, nothing more is sent', async () => {
    const { core, service, folder, connectionId } = await ready(1);
    const names = Array.from({ length: 30 }, (_each, n) => `${String(n).padStart(2, '0')}.pdf`);
    const paths = await writePdfs(folder, names);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 30 } });
    const intake = await scan(core, paths, 'verify');
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await core.untilTask('verification', ({ progress: { run } }) => run.answered >= 3);
    // One that the service has and does not answer: nothing is on its way to it when the run is stopped.
    service.control.misbehave({ mischief: { kind: 'delay', ms: 60_000 } });
    const before = service.control.requests().ValidateDocument ?? 0;
    await expect.poll(() => service.control.requests().ValidateDocument).toBe(before + 1);
    await core.must('tasks.stop', { taskId: runId });
    const published = await core.untilTask('verification', ({ progress: { run } }) => run.state === 'stopped');
    expect(published.progress.run.answered).toBeLessThan(30);
    const asked = service.control.requests().ValidateDocument;
    service.control.misbehave({ mischief: { kind: 'delay', ms: 30 } });
    // A call that is answered later than all calls that were about to be made.
    await core.must('service.version', { connectionId });
    expect(service.control.requests().ValidateDocument).toBe(asked);
    const { results, run } = await core.must('verify.results', { runId, limit: 500 });
    expect(results.filter(({ state }) => state === 'pending')).toHaveLength(30 - run.answered);
    expect(results.some(({ state }) => state === 'asking')).toBe(false);
    // One whose answer is not waited for was asked about, too.
    expect([run.calls, results.filter(({ askedAt }) => askedAt !== null).length]).toEqual([asked, asked]);
  });

  it('publishes at most ten events a second', async () => {
    const many = atLength({ short: 40, all: 200 });
    const { core, folder, connectionId } = await ready(8);
    const names = Array.from({ length: many }, (_each, n) => `${n}.pdf`);
    const startedAt = performance.now();
    const { run } = await verified(core, connectionId, await writePdfs(folder, names));
    const seconds = (performance.now() - startedAt) / 1000;
    expect(run.answered).toBe(many);
    expect(core.events.filter(({ name }) => name === 'tasks.progressed').length).toBeLessThan(seconds * 10 + 3);
  });
});
