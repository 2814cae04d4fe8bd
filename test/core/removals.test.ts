import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  until,
  untilEnded,
  writePdfs,
} from './jobs-setup.ts';

/** Longer than any of these tests. */
const pauses = { undoMs: 600_000 };
const gone = { ok: false, failure: { code: 'not-found' } };

async function ready(setup: Parameters<typeof newCore>[0] = { pauses }) {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  const core = await newCore({ dataDir, ...setup });
  const connectionId = await connect(core, service);
  return { core, service, folder, dataDir, connectionId };
}

const namesOf = async (core: RunningCore) =>
  (await core.must('connections.state', {})).connections.map(({ id, credentials }) => [id, credentials]);

async function newBulk({ core, folder, connectionId }: Awaited<ReturnType<typeof ready>>): Promise<string> {
  const path = join(folder, 'people.csv');
  await writeFile(path, 'email\nayla@example.com');
  const { token: tableToken } = await core.core.acceptPath(path);
  const content = { kind: 'easy-sign-template', templateId: 'TPL-1001' } as const;
  return (await core.must('bulk.check', { connectionId, tableToken, content })).id;
}

/** A watched folder with one file, looked through once. */
async function newAudit({ core, folder, connectionId }: Awaited<ReturnType<typeof ready>>) {
  await mkdir(join(folder, 'archive'), { recursive: true });
  await writePdfs(join(folder, 'archive'), ['lease.pdf']);
  const { token } = await core.core.acceptPath(join(folder, 'archive'));
  const { auditId } = await core.must('audits.add', { connectionId, token });
  const { runId } = await core.must('audits.run', { auditId });
  await core.until('tasks.ended', ({ taskId }) => taskId === runId);
  return { auditId, runId, token };
}

describe('a connection that was removed', () => {
  it('is put back with its credentials, in use as before; meanwhile nothing is sent on it, and what waits goes on waiting', async () => {
    const { core, service, folder, connectionId } = await ready();
    await core.must('connections.use', { id: connectionId });
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['lease.pdf']));
    await until(async () => (await jobsOf(core, batchId))[0]?.state === 'waiting');
    await core.must('service.testCredentials', { connectionId });
    const before = await core.must('connections.state', {});
    expect(before.health[connectionId]).toMatchObject({ state: 'works' });
    const kept = new Map(core.secrets);

    const removal = await core.must('connections.remove', { id: connectionId });
    const state = await core.must('connections.state', {});
    expect([state.connections.length, state.currentId]).toEqual([1, 'practice']);
    expect(core.secrets).toEqual(kept);
    await core.must('jobs.resume', { what: 'all' });
    expect(await core.ask('service.testCredentials', { connectionId })).toMatchObject({
      failure: { code: 'not-connected' },
    });
    await until(() => core.log.some((line) => line.includes('sending was interrupted')));
    expect(await jobsOf(core, batchId)).toMatchObject([{ state: 'waiting' }]);
    expect(service.control.requests()).toEqual({ GetAuthToken: 1 });

    await core.must('removals.putBack', removal);
    expect(await core.must('connections.state', {})).toEqual(before);
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done' }]);
  });

  it('gives its place to the next real connection, not to practice, also for good', async () => {
    const { core, connectionId, service, dataDir } = await ready();
    const branch = await connect(core, service, { name: 'Branch' });
    await core.must('connections.use', { id: connectionId });
    const inUse = async (on: RunningCore) => (await on.must('connections.state', {})).currentId;
    const removal = await core.must('connections.remove', { id: connectionId });
    expect(await inUse(core)).toBe(branch);
    await core.must('removals.putBack', removal);
    expect(await inUse(core)).toBe(connectionId);
    await core.must('connections.remove', { id: connectionId });
    await core.stop();
    const next = await newCore({ dataDir, pauses });
    await until(async () => {
      const used = await next.ask('connections.use', { id: connectionId });
      return !used.ok && used.failure.code === 'not-found';
    });
    expect(await inUse(next)).toBe(branch);
    await next.must('connections.remove', { id: branch });
    expect(await inUse(next)).toBe('practice');
  });

  it('does not come back where another one has its name by now', async () => {
    const { core, connectionId } = await ready();
    const { connections } = await core.must('connections.state', {});
    const { name, baseUrl, mainPath, easySignPath, namespaceUri } = connections[1] ?? { ...connections[0], name: '' };
    const removal = await core.must('connections.remove', { id: connectionId });
    const settings = { name, baseUrl, mainPath, easySignPath, namespaceUri } as never;
    const { id } = await core.must('connections.save', { settings });
    expect(await core.ask('removals.putBack', removal)).toMatchObject(gone);
    expect((await namesOf(core)).map(([one]) => one)).toEqual(['practice', id]);
  });

  it('is gone with its credentials when it cannot be put back any more', async () => {
    const { core, connectionId } = await ready({ pauses: { undoMs: 50 } });
    const removal = await core.must('connections.remove', { id: connectionId });
    await until(() => core.secrets.size === 0);
    await until(async () => (await core.ask('connections.use', { id: connectionId })).ok === false);
    expect(await core.ask('removals.putBack', removal)).toMatchObject(gone);
    expect(await core.ask('connections.use', { id: connectionId })).toMatchObject(gone);
  });
});

describe('what is removed with its files and results', () => {
  it('comes back as it was: a bulk, a watched folder with its runs, one verification', async () => {
    const given = await ready();
    const { core, dataDir } = given;
    const id = await newBulk(given);
    const { auditId, runId } = await newAudit(given);
    const second = await core.must('audits.run', { auditId });
    await core.until('tasks.ended', ({ taskId }) => taskId === second.runId);
    const all = async () => ({
      bulks: await core.must('bulk.list', {}),
      audits: await core.must('audits.list', {}),
      runs: await core.must('verify.runs', {}),
    });
    const before = await all();
    expect(before.runs.total).toBe(2);
    const results = await core.must('verify.results', { runId });

    const removals = [await core.must('bulk.remove', { id }), await core.must('verify.forget', { runId })];
    expect((await all()).runs.runs.map((run) => run.runId)).toEqual([second.runId]);
    removals.push(await core.must('audits.remove', { auditId }));
    expect(await all()).toEqual({ bulks: [], audits: [], runs: { runs: [], total: 0 } });
    expect(await core.ask('bulk.rows', { id, offset: 0, limit: 1 })).toMatchObject(gone);
    expect(await core.ask('bulk.send', { id, rows: 'all', perMinute: 60 })).toMatchObject(gone);
    expect(await core.ask('audits.run', { auditId })).toMatchObject(gone);
    expect(await core.ask('verify.results', { runId: second.runId })).toMatchObject(gone);
    expect(existsSync(join(dataDir, 'bulk', id))).toBe(existsSync(join(dataDir, 'bulk')));

    for (const removal of removals) await core.must('removals.putBack', removal);
    expect(await all()).toEqual(before);
    expect(await core.must('verify.results', { runId })).toEqual(results);
  });

  it('is gone where the same folder is watched again', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    const { auditId, runId, token } = await newAudit(given);
    const removal = await core.must('audits.remove', { auditId });
    const again = await core.must('audits.add', { connectionId, token });
    expect(again).toMatchObject({ lastRun: null });
    expect(again.auditId).not.toBe(auditId);
    expect(await core.ask('removals.putBack', removal)).toMatchObject(gone);
    expect(await core.ask('verify.results', { runId })).toMatchObject(gone);
  });
});

it('what was removed is gone at the next start, whether or not it could still have been put back', async () => {
  const secrets = new Map<string, string>();
  const keychain = memoryKeychain(secrets);
  const given = await ready({ pauses, keychain });
  const { core, dataDir, connectionId } = given;
  const id = await newBulk(given);
  await mkdir(join(dataDir, 'bulk', id), { recursive: true });
  const { auditId, runId } = await newAudit(given);
  await core.must('bulk.remove', { id });
  await core.must('audits.remove', { auditId });
  const removal = await core.must('connections.remove', { id: connectionId });
  // A command line that is started beside it leaves to the window what the window may put back.
  const beside = await newCore({ dataDir, keychain, resumesQueue: false });
  expect(await namesOf(beside)).toHaveLength(1);
  await beside.stop();
  await core.must('removals.putBack', removal);
  await core.must('connections.remove', { id: connectionId });
  expect(secrets.size).toBe(1);
  await core.stop();

  const next = await newCore({ dataDir, keychain });
  await until(() => secrets.size === 0 && !existsSync(join(dataDir, 'bulk', id)));
  expect(await namesOf(next)).toHaveLength(1);
  expect(await next.must('bulk.list', {})).toEqual([]);
  expect(await next.must('audits.list', {})).toEqual([]);
  expect(await next.ask('verify.results', { runId })).toMatchObject(gone);
});
