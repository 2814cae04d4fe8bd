import { basename } from 'node:path';
import { expect, it, type TestContext, vi } from 'vitest';
import type { TeamEvent, TeamSettings } from '../../contract/team.ts';
import { claimInRegister, claimsTogether } from '../../electron/core/team/claims.ts';
import type { Query } from '../../electron/core/team/database.ts';
import { openStore } from '../../electron/store/store.ts';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  until,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { type CoreSetup, memoryKeychain, type RunningCore } from '../harness/core.ts';
import { newTeamRegister, type Postgres, startPostgres, type TeamRegister } from '../harness/postgres.ts';
import { enterBySql } from './tell.ts';

async function newRegister(test: TestContext): Promise<TeamRegister> {
  const register = await newTeamRegister(test);
  atEnd(() => register.close());
  return register;
}

/** For a test that stops it. */
async function newPostgres(test: TestContext): Promise<Postgres> {
  const postgres = await startPostgres(test);
  atEnd(() => postgres.close());
  return postgres;
}

type Service = Awaited<ReturnType<typeof newService>>;

/** A program of a member of the team, with a data folder of its own. */
async function joined(
  postgres: TeamRegister,
  service: Service,
  user = 'bo',
  more: Partial<TeamSettings> = {},
  setup: CoreSetup = {},
) {
  const core = await newCore(setup);
  const timeouts = { connectMs: 2_000, idleMs: 90_000, answerMs: 90_000 };
  const connectionId = await connect(core, service, { timeouts });
  const link = await core.must('team.join', { connectionId, settings: postgres.settings(user, more), password: '' });
  return { core, connectionId, link };
}

const adds = (service: Service) => [...service.control.addsByHash().values()].reduce((sum, times) => sum + times, 0);
const linkOf = async (core: RunningCore) => (await core.must('team.state', {})).links[0];

it('holds what a colleague registered, with name and document, until a person skips it or sends it anyway', async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  const [ana, bo] = [await joined(postgres, service, 'ana'), await joined(postgres, service, 'bo')];
  expect(ana.link).toMatchObject({ state: 'connected', role: 'lead' });
  expect(bo.link).toMatchObject({ state: 'connected', role: 'member' });
  const [path = ''] = await writePdfs(folder, ['contract.pdf']);
  const [first] = await untilEnded(ana.core, await register(ana.core, ana.connectionId, [path]));
  await until(async () => (await linkOf(ana.core))?.unreportedCount === 0);

  const batchId = await register(bo.core, bo.connectionId, [path]);
  const [held] = await untilJobs(bo.core, batchId, ([job]) => job?.pausedBy === 'duplicate');
  expect(adds(service)).toBe(1);
  if (held?.duplicateOf?.kind === 'team')
    expect(held.duplicateOf).toMatchObject({ state: 'done', documentId: first?.documentId, by: { person: 'ana' } });

  await bo.core.must('jobs.decide', { jobIds: [held?.id ?? ''], decision: 'send' });
  // Held once by the local copy of ana's document and once by her claim, if the copy came first.
  await untilJobs(bo.core, batchId, ([job]) => job?.state === 'done' || job?.duplicateOf?.kind === 'team');
  const [again] = await jobsOf(bo.core, batchId);
  if (again?.state !== 'done') await bo.core.must('jobs.decide', { jobIds: [again?.id ?? ''], decision: 'send' });
  await untilEnded(bo.core, batchId);
  expect(adds(service)).toBe(2);
  const events = await ana.core.must('team.events', { connectionId: ana.connectionId });
  expect(events.map(({ kind, by }) => [kind, by.person])).toContainEqual(['sent-anyway', 'bo']);
  // What was reported since is left out.
  const isKnown = ({ eventId }: TeamEvent) => events.some((one) => one.eventId === eventId);
  const sought = async (part: { search?: string; from?: string; to?: string }) =>
    (await ana.core.must('team.events', { connectionId: ana.connectionId, ...part })).filter(isKnown);
  const of = (fits: (event: TeamEvent) => boolean) => events.filter(fits);
  expect(await sought({ search: 'CONTRACT bo' })).toEqual(of(({ title, by }) => title !== '' && by.person === 'bo'));
  expect(await sought({ search: first?.documentId ?? '' })).toEqual(of((one) => one.documentId === first?.documentId));
  // Signs of a pattern stand for themselves.
  expect([await sought({ search: '%' }), await sought({ to: '2020-01-01T00:00:00Z' })]).toEqual([[], []]);
  const { at = '' } = events[1] ?? {};
  expect(await sought({ from: at })).toEqual(of((event) => event.at >= at));
});

it('shows the documents of colleagues with their name, and keeps them after leaving', async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  const [ana, bo] = [await joined(postgres, service, 'ana'), await joined(postgres, service, 'bo')];
  const paths = await writePdfs(folder, ['one.pdf', 'two.pdf']);
  await untilEnded(ana.core, await register(ana.core, ana.connectionId, paths));
  const list = async (by: 'mine' | 'everyone') =>
    (await bo.core.must('documents.list', { connectionId: bo.connectionId, filters: { by } })).rows;
  const startedMs = performance.now();
  await until(async () => (await list('everyone')).length === 2);
  expect(performance.now() - startedMs).toBeLessThan(2_500);
  expect((await list('everyone')).map(({ by }) => by?.person)).toEqual(['ana', 'ana']);
  expect(await list('mine')).toEqual([]);
  await bo.core.must('team.leave', { connectionId: bo.connectionId });
  expect((await list('everyone')).length).toBe(2);
  expect(await bo.core.must('team.state', {})).toEqual({ links: [] });
});

it('sends no byte while the database is away, says so, and sends when it is back', async (test) => {
  const [postgres, service, folder] = [await newPostgres(test), await newService(), await newFolder()];
  const { core, connectionId } = await joined(postgres, service);
  await postgres.stop('fast');
  const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf', 'b.pdf']));
  const jobs = await untilJobs(core, batchId, (all) => all.every(({ failure }) => failure !== null));
  expect(jobs.map(({ state, failure }) => [state, failure?.detail])).toEqual([
    ['waiting', 'team-away'],
    ['waiting', 'team-away'],
  ]);
  expect(service.control.requests().AddNewDocument).toBeUndefined();
  expect((await linkOf(core))?.state).toBe('away');
  await postgres.start();
  await core.must('team.tryNow', { connectionId });
  const ended = await untilEnded(core, batchId, 30_000);
  expect(ended.map(({ state }) => state)).toEqual(['done', 'done']);
  expect(adds(service)).toBe(2);
});

it('sends a batch without the register on a decision, and reports it when the register is back', async (test) => {
  const [postgres, service, folder] = [await newPostgres(test), await newService(), await newFolder()];
  const [ana, bo] = [await joined(postgres, service, 'ana'), await joined(postgres, service, 'bo')];
  await postgres.stop('immediate');
  const paths = await writePdfs(folder, ['urgent.pdf']);
  const batchId = await register(bo.core, bo.connectionId, paths);
  await untilJobs(bo.core, batchId, ([job]) => job?.failure?.detail === 'team-away');
  await bo.core.must('team.sendWithout', { batchId });
  const [done] = await untilEnded(bo.core, batchId);
  expect(done?.state).toBe('done');
  expect(await bo.core.must('jobs.history', { jobId: done?.id ?? '' })).toContainEqual(
    expect.objectContaining({ kind: 'sent-without-register' }),
  );
  expect((await linkOf(bo.core))?.unreportedCount).toBe(1);
  await postgres.start();
  await bo.core.must('team.tryNow', { connectionId: bo.connectionId });
  await ana.core.must('team.tryNow', { connectionId: ana.connectionId });
  await until(async () => (await linkOf(bo.core))?.unreportedCount === 0, 20_000);
  const second = await register(ana.core, ana.connectionId, paths);
  await untilJobs(ana.core, second, ([job]) => job?.pausedBy === 'duplicate', 20_000);
  expect(adds(service)).toBe(1);
  const events = await ana.core.must('team.events', { connectionId: ana.connectionId });
  expect(events.map(({ kind }) => kind)).toContain('sent-without-register');
});

it('asks again before a file leaves a computer that slept after it had asked: colleagues may have decided meanwhile', async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  const bo = await joined(postgres, service);
  const realNow = Date.now.bind(Date);
  let calls = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => realNow() + calls++ * 61_000);
  const batchId = await register(bo.core, bo.connectionId, await writePdfs(folder, ['slept.pdf']));
  await untilJobs(bo.core, batchId, ([job]) => job?.failure?.detail === 'team-away');
  expect(adds(service)).toBe(0);
  clock.mockRestore();
  await bo.core.must('jobs.tryNow', { connectionId: bo.connectionId });
  expect((await untilEnded(bo.core, batchId))[0]?.state).toBe('done');
  expect(adds(service)).toBe(1);
});

it("keeps a vanished colleague's claim until a lead decides, and takes the correction of its program", async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  const [ana, bo] = [await joined(postgres, service, 'ana'), await joined(postgres, service, 'bo')];
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 } });
  const paths = await writePdfs(folder, ['gone.pdf']);
  const lost = await register(bo.core, bo.connectionId, paths);
  await untilJobs(bo.core, lost, ([job]) => job?.state === 'sending' && job.answerAwaitedSince !== null);
  const batchId = await register(ana.core, ana.connectionId, paths);
  const [held] = await untilJobs(ana.core, batchId, ([job]) => job?.pausedBy === 'duplicate');
  expect(held?.duplicateOf).toMatchObject({ kind: 'team', state: 'sending', by: { person: 'bo' } });
  const [claim] = await ana.core.must('team.openClaims', { connectionId: ana.connectionId });
  expect(claim).toMatchObject({ state: 'claimed', isMine: false, title: basename(paths[0] ?? '') });
  const decision = { connectionId: ana.connectionId, claimId: claim?.claimId ?? '' };
  // Its program is at work: nobody decides in its place.
  expect((await ana.core.ask('team.declareInDoubt', decision)).ok).toBe(false);
  const admin = await postgres.admin();
  await admin.query("UPDATE sealdesk.programs SET seen_at = now() - interval '3 minutes' WHERE person = 'bo'");
  await admin.close();
  await ana.core.must('team.declareInDoubt', decision);
  expect(await ana.core.ask('team.settle', { ...decision, documentId: 'notaguid' })).toMatchObject({
    failure: { code: 'bad-input', fields: { documentId: expect.any(String) } },
  });
  await ana.core.must('team.settle', { ...decision, documentId: null });
  service.control.misbehave(null);
  // Let in now: its program's doubt is reported as the second claim, and none is lost.
  await ana.core.must('jobs.decide', { jobIds: [held?.id ?? ''], decision: 'send' });
  const [sent] = await untilEnded(ana.core, batchId);
  expect(sent?.state).toBe('done');
  const [late] = await jobsOf(bo.core, lost);
  await bo.core.must('jobs.cancel', { jobId: late?.id ?? '' });
  await untilJobs(bo.core, lost, ([job]) => job?.state === 'in-doubt');
  for (const { core } of [ana, bo]) await until(async () => (await linkOf(core))?.unreportedCount === 0);
  const open = await ana.core.must('team.openClaims', { connectionId: ana.connectionId });
  expect(open).toMatchObject([{ state: 'in-doubt', isSecond: true, by: { person: 'bo' } }]);
  const refused = await bo.core.ask('team.declareInDoubt', {
    connectionId: bo.connectionId,
    claimId: claim?.claimId ?? '',
  });
  expect(refused.ok).toBe(false);
});

it('records who joined and who left for everybody, once each', async (test) => {
  const [postgres, service] = [await newRegister(test), await newService()];
  const ana = await joined(postgres, service, 'ana');
  const bo = await joined(postgres, service, 'bo');
  // Other settings of the same team are no second joining.
  const settings = postgres.settings('bo', { person: 'Bo Lindqvist' });
  await bo.core.must('team.join', { connectionId: bo.connectionId, settings, password: '' });
  await bo.core.must('team.leave', { connectionId: bo.connectionId });
  const events = await ana.core.must('team.events', { connectionId: ana.connectionId });
  expect(events.map(({ kind, by }) => [kind, by.person])).toEqual([
    ['left', 'Bo Lindqvist (bo)'],
    ['joined', 'Bo Lindqvist (bo)'],
    ['joined', 'ana'],
  ]);
});

it('reads nothing for a connection that is removed, goes on if it is put back, and leaves its team once it cannot be', async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  const setup: CoreSetup = { dataDir: folder, pauses: { undoMs: 600_000 } };
  const { core, connectionId } = await joined(postgres, service, 'bo', {}, setup);
  const sessions = async () =>
    (await admin.query("SELECT 1 FROM pg_stat_activity WHERE usename = 'bo' AND datname = current_database()")).length;
  const left = async () => (await admin.query("SELECT 1 FROM sealdesk.events WHERE kind = 'left'")).length;
  expect(await sessions()).toBeGreaterThan(0);
  const removal = await core.must('connections.remove', { id: connectionId });
  expect(await linkOf(core)).toBeUndefined();
  await until(async () => (await sessions()) === 0);
  await core.must('removals.putBack', removal);
  await until(async () => (await linkOf(core))?.state === 'connected');
  expect([await left(), await sessions()]).toEqual([0, expect.any(Number)]);
  await core.must('connections.remove', { id: connectionId });
  await core.stop();
  // Nobody can put it back any more: the next program leaves.
  const next = await newCore({ ...setup, keychain: memoryKeychain(core.secrets) });
  await until(async () => (await left()) === 1);
  await until(() => core.secrets.size === 0);
  // The server notices a little later that a link was closed.
  await until(async () => (await sessions()) === 0);
  expect(await linkOf(next)).toBeUndefined();
});

it('leaves the team of a connection that is removed, and tells it what is in doubt', async (test) => {
  const [postgres, service] = [await newRegister(test), await newService()];
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  const { core, connectionId } = await joined(postgres, service, 'bo', {}, { pauses: { undoMs: 500 } });
  service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'AddNewDocument', times: 1 });
  const batchId = await register(core, connectionId, await writePdfs(await newFolder(), ['lost.pdf']));
  expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'in-doubt' }]);
  await core.must('connections.remove', { id: connectionId });
  await until(async () => (await admin.query("SELECT 1 FROM sealdesk.events WHERE kind = 'left'")).length === 1);
  await until(() => core.secrets.size === 0);
  expect(await admin.query('SELECT state FROM sealdesk.claims')).toEqual([{ state: 'in-doubt' }]);
});

it('claims what it sends after another program with its data folder joined, and not after that one left', async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  const window = await newCore({ dataDir: folder });
  const connectionId = await connect(window, service);
  const paths = await writePdfs(folder, ['one.pdf', 'two.pdf', 'three.pdf']);
  const commandLine = await newCore({ dataDir: folder, resumesQueue: false });
  await commandLine.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  const claimed = async () => (await admin.query('SELECT 1 FROM sealdesk.claims')).length;
  await untilEnded(window, await register(window, connectionId, paths.slice(0, 1)));
  expect(await claimed()).toBe(1);
  expect((await linkOf(window))?.state).toBe('connected');
  await until(async () => (await linkOf(commandLine))?.unreportedCount === 0);
  await commandLine.must('team.leave', { connectionId });
  await untilEnded(window, await register(window, connectionId, paths.slice(1, 2)));
  expect(await claimed()).toBe(1);
  expect(await window.must('team.state', {})).toEqual({ links: [] });
});

it('holds what another connection of the same person sends and has sent for the team', async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  const { core, connectionId } = await joined(postgres, service);
  const other = await connect(core, service, { name: 'The same account again' });
  await core.must('team.join', { connectionId: other, settings: postgres.settings('bo'), password: '' });
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 2_000 } });
  const paths = await writePdfs(folder, ['once.pdf']);
  const first = await register(core, connectionId, paths);
  await untilJobs(core, first, ([job]) => job?.state === 'sending' && job.answerAwaitedSince !== null);
  const meanwhile = await register(core, other, paths);
  const [held] = await untilJobs(core, meanwhile, ([job]) => job?.pausedBy === 'duplicate' || job?.state === 'done');
  expect(held).toMatchObject({ state: 'waiting', duplicateOf: { kind: 'team', state: 'sending' } });
  const [sent] = await untilEnded(core, first);
  await untilJobs(core, meanwhile, ([job]) => job?.duplicateOf?.state === 'done');
  // Held by the claim, or by the copy of its document, whichever this connection has first.
  const afterwards = await register(core, other, paths);
  const [later] = await untilJobs(core, afterwards, ([job]) => job?.pausedBy === 'duplicate' || job?.state === 'done');
  const { documentId } = sent ?? {};
  expect(later).toMatchObject({ state: 'waiting', duplicateOf: { state: 'done', documentId, by: { person: 'bo' } } });
  expect(adds(service)).toBe(1);
});

it('tells nobody of files that were passed over or taken back before anything left', async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  const [ana, bo] = [await joined(postgres, service, 'ana'), await joined(postgres, service, 'bo')];
  const paths = await writePdfs(folder, ['same.pdf']);
  await untilEnded(ana.core, await register(ana.core, ana.connectionId, paths));
  await until(async () => (await linkOf(ana.core))?.unreportedCount === 0);
  const batchId = await register(bo.core, bo.connectionId, paths);
  const [held] = await untilJobs(bo.core, batchId, ([job]) => job?.pausedBy === 'duplicate');
  await bo.core.must('jobs.decide', { jobIds: [held?.id ?? ''], decision: 'skip' });
  await until(async () => (await linkOf(bo.core))?.unreportedCount === 0);
  const events = await ana.core.must('team.events', { connectionId: ana.connectionId });
  expect(events.map(({ kind, by }) => [kind, by.person]).sort()).toEqual([
    ['joined', 'ana'],
    ['joined', 'bo'],
    ['registered', 'ana'],
  ]);
});

it('claims what counts down only at the end of that: a colleague who sends meanwhile has it, and nothing is in doubt', async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  let nowMs = 1_000_000;
  const clock = () => ({ steadyMs: nowMs, sinceBootMs: nowMs });
  const counting = { waitBeforeSeconds: 10, clock, pauses: { countdownMs: 20 } };
  const ana = await joined(postgres, service, 'ana', {}, counting);
  const bo = await joined(postgres, service, 'bo');
  const [path = ''] = await writePdfs(folder, ['lease.pdf']);
  const batchId = await register(ana.core, ana.connectionId, [path]);
  await untilJobs(ana.core, batchId, ([job]) => job?.state === 'waiting' && job.pausedBy === 'countdown');
  // A longer step would be a sleep of the computer.
  for (let step = 0; step < 3; step += 1) {
    nowMs += 3_300;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  // It looks for what it has to tell the register meanwhile.
  await ana.core.must('team.tryNow', { connectionId: ana.connectionId });
  const database = await postgres.admin();
  atEnd(() => database.close());
  expect(await database.query('SELECT claim_id FROM sealdesk.claims')).toEqual([]);
  const [sent] = await untilEnded(bo.core, await register(bo.core, bo.connectionId, [path]));
  expect([sent?.state, adds(service)]).toEqual(['done', 1]);
  nowMs += 200;
  await untilJobs(ana.core, batchId, ([job]) => job?.pausedBy === 'duplicate');
  expect(await database.query('SELECT state FROM sealdesk.claims')).toHaveLength(1);
  expect(adds(service)).toBe(1);
});

it('is told of a document that a person accepted only when that can no longer be undone', async (test) => {
  const [postgres, service, folder] = [await newRegister(test), await newService(), await newFolder()];
  const ana = await joined(postgres, service, 'ana', {}, { pauses: { undoMs: 2_000, teamLookMs: 100 } });
  const bo = await joined(postgres, service, 'bo');
  service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'AddNewDocument', times: 1 });
  const batchId = await register(ana.core, ana.connectionId, await writePdfs(folder, ['lease.pdf']));
  const [job] = await untilEnded(ana.core, batchId);
  const jobId = job?.id ?? '';
  const told = async () =>
    (await bo.core.must('team.events', { connectionId: bo.connectionId })).map(({ kind }) => kind);
  await until(async () => (await told()).includes('in-doubt'));
  const documentId = service.control.documents()[0]?.documentId ?? '';
  await ana.core.must('jobs.accept', { jobId, documentId, isUnchecked: true });
  await new Promise((resolve) => setTimeout(resolve, 600));
  await ana.core.must('jobs.undoAccept', { jobId });
  await until(async () => (await linkOf(ana.core))?.unreportedCount === 0);
  expect(await told()).not.toContain('registered');
  const database = await postgres.admin();
  atEnd(() => database.close());
  expect(await database.query('SELECT state, document_id FROM sealdesk.claims')).toEqual([
    { state: 'in-doubt', document_id: null },
  ]);
  await ana.core.must('jobs.accept', { jobId, documentId, isUnchecked: true });
  await until(async () => (await told()).includes('registered'));
});

/** What bo's program needs to make claims by the product's statements, without the program. */
async function membership(test: TestContext) {
  const postgres = await newRegister(test);
  const { store } = await openStore({
    dataDir: await newFolder(),
    log: { info: () => undefined, error: () => undefined },
  });
  atEnd(async () => store.close());
  const entered = await enterBySql(postgres, store, 'bo');
  atEnd(() => entered.database.close());
  return entered;
}

it('makes the claims of jobs that are sent at once by one statement; one whose title the database refuses keeps none of the others, nor itself', async (test) => {
  const { database, member, newClaim } = await membership(test);
  const make = claimsTogether();
  const ask = async (...claims: readonly Awaited<ReturnType<typeof newClaim>>[]) =>
    await Promise.allSettled(claims.map((one) => claimInRegister({ database, member }, one, make)));

  const asked = await ask(await newClaim('a'), await newClaim('b'), await newClaim('c'), await newClaim('b'));
  const results = asked.map((one) => (one.status === 'fulfilled' ? one.value.result : 'failed'));
  expect(results.toSorted()).toEqual(['conflict', 'won', 'won', 'won']);
  expect([results[0], results[2]]).toEqual(['won', 'won']);
  expect(await database.query('SELECT count(DISTINCT claimed_at)::int AS times FROM sealdesk.claims')).toEqual([
    { times: 1 },
  ]);

  const odd = await ask(await newClaim('d'), await newClaim('e', 'no text\0'), await newClaim('f', 'half \ud83d'));
  expect(odd).toEqual(Array(3).fill({ status: 'fulfilled', value: { result: 'won' } }));
});

it('names what is in the way of a claim that is asked for again, and not the one beside which a person had it made', async (test) => {
  const { database, member, newClaim } = await membership(test);
  const [first, own, other] = [await newClaim('a'), await newClaim('a'), await newClaim('a')];
  const beside = first.claim.claimId;
  for (const asked of [first, { ...own, beside }, { ...other, beside }])
    expect(await claimInRegister({ database, member }, asked)).toEqual({ result: 'won' });
  const done =
    "UPDATE sealdesk.claims SET state = 'done', document_id = 'D', changed_at = now() WHERE claim_id <> $1::uuid";
  await database.query(done, [own.claim.claimId]);
  const again = { ...own, claim: { ...own.claim, secondOf: beside }, beside: null };
  expect(await claimInRegister({ database, member }, again)).toMatchObject({
    result: 'conflict',
    with: { claim: { claimId: other.claim.claimId } },
  });
});

it('looks for a claim by its own key alone, however many claims the team has', async (test) => {
  const { database, member, newClaim } = await membership(test);
  const asked = await newClaim('a');
  const lines: string[] = [];
  const explaining: Query = async (text, values) => {
    const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
    lines.push(...rows.map((row) => row['QUERY PLAN']));
    return [];
  };
  await expect(claimInRegister({ database: { ...database, query: explaining }, member }, asked)).rejects.toThrow();
  const at = lines.findIndex((line) => line.includes('claims_key on claims'));
  expect(lines[at + 1]).toMatch(/Index Cond: .*claim_key = /);
});
