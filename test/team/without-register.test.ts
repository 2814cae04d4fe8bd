import { expect, it } from 'vitest';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { newTeamRegister, startPostgres } from '../harness/postgres.ts';

it('sends a batch without the register although another batch, which comes first, waits for it', async (test) => {
  const [postgres, service, folder] = [await startPostgres(test), await newService(), await newFolder()];
  atEnd(() => postgres.close());
  const core = await newCore();
  const connectionId = await connect(core, service, { parallel: 1 });
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  await postgres.stop('fast');
  const [patient = '', ...urgent] = await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf']);
  const waits = await register(core, connectionId, [patient]);
  await untilJobs(core, waits, ([job]) => job?.failure?.detail === 'team-away');
  const batchId = await register(core, connectionId, urgent);
  await untilJobs(core, batchId, (jobs) => jobs.every(({ failure }) => failure?.detail === 'team-away'));
  expect(await core.must('team.sendWithout', { batchId })).toEqual({ count: 3 });
  const sent = await untilEnded(core, batchId, 20_000);
  expect(sent.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect(service.control.requests().AddNewDocument).toBe(3);
  await untilJobs(core, waits, ([job]) => job?.state === 'waiting' && job.failure?.detail === 'team-away');
});

it('claims what has not left when the register is back, although it was to be sent without it', async (test) => {
  const [postgres, service, folder] = [await startPostgres(test), await newService(), await newFolder()];
  atEnd(() => postgres.close());
  const joined = async (user: 'ana' | 'bo') => {
    const core = await newCore();
    const connectionId = await connect(core, service, { parallel: 1 });
    await core.must('team.join', { connectionId, settings: postgres.settings(user), password: '' });
    return { core, connectionId };
  };
  const [ana, bo] = [await joined('ana'), await joined('bo')];
  const paths = await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf']);
  await postgres.stop('fast');
  const batchId = await register(bo.core, bo.connectionId, paths);
  await untilJobs(bo.core, batchId, (jobs) => jobs.every(({ failure }) => failure?.detail === 'team-away'));
  await bo.core.must('jobs.pause', { what: 'batch', batchId });
  await bo.core.must('team.sendWithout', { batchId });
  await postgres.start();
  await ana.core.must('team.tryNow', { connectionId: ana.connectionId });
  await untilEnded(ana.core, await register(ana.core, ana.connectionId, paths), 30_000);
  await bo.core.must('jobs.resume', { what: 'batch', batchId });
  const held = await untilJobs(bo.core, batchId, (jobs) => jobs.every(({ state }) => state !== 'sending'), 30_000);
  expect(held.map(({ pausedBy }) => pausedBy)).toEqual(paths.map(() => 'duplicate'));
  expect([...service.control.addsByHash().values()]).toEqual([1, 1, 1, 1]);
});

it('sends nothing without a register that is closed: a person can decide so only while it is away', async (test) => {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  const admin = await postgres.admin();
  const core = await newCore();
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  await admin.query('UPDATE sealdesk.teams SET is_restored = true');
  const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
  await untilJobs(core, batchId, ([job]) => job?.failure?.detail === 'team-restored');
  expect(await core.must('team.sendWithout', { batchId })).toEqual({ count: 0 });
  await core.must('jobs.tryNow', { connectionId });
  await untilJobs(core, batchId, ([job]) => job?.failure?.detail === 'team-restored');
  expect(service.control.requests().AddNewDocument).toBeUndefined();
});

it('sends what a person decided about a colleague’s document in the local copy, without asking again', async (test) => {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  const joined = async (user: 'ana' | 'bo') => {
    const core = await newCore();
    const connectionId = await connect(core, service);
    await core.must('team.join', { connectionId, settings: postgres.settings(user), password: '' });
    return { core, connectionId };
  };
  const [ana, bo] = [await joined('ana'), await joined('bo')];
  const paths = await writePdfs(folder, ['contract.pdf']);
  const [first] = await untilEnded(ana.core, await register(ana.core, ana.connectionId, paths));
  await expect
    .poll(async () => (await bo.core.must('documents.list', { connectionId: bo.connectionId })).total, {
      timeout: 20_000,
    })
    .toBe(1);
  const batchId = await register(bo.core, bo.connectionId, paths);
  const [held] = await untilJobs(bo.core, batchId, ([job]) => job?.pausedBy === 'duplicate');
  expect(held?.duplicateOf).toMatchObject({
    kind: 'document',
    documentId: first?.documentId,
    state: 'done',
    by: { person: 'ana' },
  });
  await bo.core.must('jobs.decide', { jobIds: [held?.id ?? ''], decision: 'send' });
  const [done] = await untilEnded(bo.core, batchId);
  expect(done?.state).toBe('done');
  const events = await bo.core.must('team.events', { connectionId: bo.connectionId });
  expect(events.map(({ kind }) => kind)).toContain('sent-anyway');
});
