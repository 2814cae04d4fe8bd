import { afterEach, expect, it, vi } from 'vitest';
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

const dayMs = 86_400_000;
/** The clock of the programs: that of the database goes on as it is. */
function setOff(ms: number): void {
  vi.setSystemTime(Date.now() - off + ms);
  off = ms;
}
let off = 0;
afterEach(() => {
  off = 0;
  vi.useRealTimers();
});

it.for([
  [dayMs, -dayMs],
  [-dayMs, dayMs],
])('sends once, holds, reports and reads with clocks %i ms off, and later %i', async ([first = 0, later = 0], test) => {
  const postgres = await newTeamRegister(test);
  atEnd(() => postgres.close());
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  const service = await newService();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  setOff(first);
  const setup = {
    pauses: { teamLookMs: 200, teamNoticeMs: 20, freshCopyMs: 100 },
    pace: { soonMs: 200, leastMs: 400, mostMs: 800 },
  };
  const join = async (user: string) => {
    const core = await newCore({ ...setup, dataDir: await newFolder() });
    const connectionId = await connect(core, service);
    await core.must('team.join', { connectionId, settings: postgres.settings(user), password: '' });
    return { core, connectionId };
  };
  const [ana, bo] = [await join('ana'), await join('bo')];
  const link = async ({ core }: typeof ana) => (await core.must('team.state', {})).links[0];
  const paths = await writePdfs(await newFolder(), ['a.pdf', 'b.pdf', 'c.pdf']);
  const tick = setInterval(() => vi.setSystemTime(Date.now() + 20), 20);
  atEnd(async () => clearInterval(tick));
  const send = async ({ core, connectionId }: typeof ana, path = '') => await register(core, connectionId, [path]);
  await untilEnded(ana.core, await send(ana, paths[0]));
  await untilJobs(bo.core, await send(bo, paths[0]), ([job]) => job?.pausedBy === 'duplicate');
  setOff(later);
  await untilEnded(bo.core, await send(bo, paths[1]));
  await untilJobs(ana.core, await send(ana, paths[1]), ([job]) => job?.pausedBy === 'duplicate');
  for (const one of [ana, bo]) {
    await until(async () => (await link(one))?.unreportedCount === 0);
    expect(await link(one)).toMatchObject({ state: 'connected', failure: null });
    const list = { connectionId: one.connectionId, filters: { by: 'everyone' as const } };
    await until(async () => (await one.core.must('documents.list', list)).total === 2);
  }
  const listed = () => service.control.requests().GetESignList ?? 0;
  await ana.core.must('signatures.refresh', { connectionId: ana.connectionId, listType: 1 });
  const read = async () => {
    const before = listed();
    await until(() => listed() > before + 2, 15_000);
  };
  await read();
  // Set back while a reading is planned, and before a start.
  setOff(later - dayMs);
  await read();
  const { dataDir } = ana.core;
  for (const { core } of [ana, bo]) await core.stop();
  setOff(later - 2 * dayMs);
  const again = await newCore({ ...setup, dataDir });
  const { apiKey, apiSig } = service;
  await again.must('connections.setCredentials', { id: ana.connectionId, apiKey, apiSig });
  await read();
  expect([...service.control.addsByHash().values()]).toEqual([1, 1]);
  const rows = await admin.query('SELECT 1 FROM sealdesk.documents WHERE registered_at > now()');
  expect(rows).toEqual([]);
  expect(await again.must('team.openClaims', { connectionId: ana.connectionId })).toEqual([]);
});
