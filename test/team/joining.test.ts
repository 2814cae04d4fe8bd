import { expect, it } from 'vitest';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  register,
  until,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';

it('tells the team what was registered before joining and while out of it, once, and without an event for each', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  atEnd(() => postgres.close());
  const [ana, bo] = [await newCore(), await newCore()];
  const [anas, bos] = [await connect(ana, service), await connect(bo, service)];
  const join = (core: typeof ana, connectionId: string, user: string) =>
    core.must('team.join', { connectionId, settings: postgres.settings(user), password: '' });
  const isReported = () =>
    until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 0, 20_000);
  const [before = '', outside = ''] = await writePdfs(await newFolder(), ['before.pdf', 'outside.pdf']);
  const [first] = await untilEnded(ana, await register(ana, anas, [before]));
  await join(ana, anas, 'ana');
  await isReported();
  await join(bo, bos, 'bo');
  const [held] = await untilJobs(bo, await register(bo, bos, [before]), ([job]) => job?.pausedBy === 'duplicate');
  expect(held?.duplicateOf).toMatchObject({ documentId: first?.documentId, by: { person: 'ana' } });

  await ana.must('team.leave', { connectionId: anas });
  await untilEnded(ana, await register(ana, anas, [outside]));
  await join(ana, anas, 'ana');
  await isReported();
  const [again] = await untilJobs(bo, await register(bo, bos, [outside]), ([job]) => job?.pausedBy === 'duplicate');
  expect(again?.duplicateOf).toMatchObject({ by: { person: 'ana' } });
  expect([...service.control.addsByHash().values()]).toEqual([1, 1]);

  const admin = await postgres.admin();
  atEnd(() => admin.close());
  expect(await admin.query('SELECT state, second_of FROM sealdesk.claims')).toEqual([
    { state: 'done', second_of: null },
    { state: 'done', second_of: null },
  ]);
  const events = await bo.must('team.events', { connectionId: bos });
  expect(events.map(({ kind }) => kind).filter((kind) => !['joined', 'left'].includes(kind))).toEqual([]);
});

it('goes on with what it left in doubt when it joins again, and sends that again only once', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  atEnd(() => postgres.close());
  const ana = await newCore();
  const connectionId = await connect(ana, service, {
    timeouts: { connectMs: 2_000, idleMs: 90_000, answerMs: 90_000 },
  });
  const join = () => ana.must('team.join', { connectionId, settings: postgres.settings('ana'), password: '' });
  await join();
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 } });
  const batchId = await register(ana, connectionId, await writePdfs(await newFolder(), ['contract.pdf']));
  const [sending] = await untilJobs(ana, batchId, ([job]) => job?.answerAwaitedSince != null);
  const jobId = sending?.id ?? '';
  await ana.must('team.leave', { connectionId, evenUnreported: true });
  await ana.must('jobs.cancel', { jobId });
  await untilJobs(ana, batchId, ([job]) => job?.state === 'in-doubt');
  service.control.misbehave(null);
  await join();
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  const claims = () => admin.query('SELECT state, second_of FROM sealdesk.claims');
  await until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 0, 20_000);
  expect(await claims()).toEqual([{ state: 'in-doubt', second_of: null }]);
  await ana.must('jobs.sendAgain', { jobId });
  const [done] = await untilEnded(ana, batchId, 20_000);
  expect(done?.state).toBe('done');
  await until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 0, 20_000);
  expect(await claims()).toEqual([{ state: 'done', second_of: null }]);
});
