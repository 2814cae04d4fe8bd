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
