import { expect, it, type TestContext } from 'vitest';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { startPostgres } from '../harness/postgres.ts';
import { cuttingProxy } from './cutting-proxy.ts';

/** How a register can fail to answer a claim that is on its way. */
const silences = [
  ['holds its answer back', 'INSERT INTO sealdesk.claims'],
  ['answers nothing at all', null],
] as const;

it.for(silences)(
  'keeps a cancel while the register %s, and nothing leaves when it is back',
  async ([, holds], test) => {
    const { proxy, core, service, connectionId, paths } = await program(test);
    proxy.holdsAnswersTo = holds;
    if (holds === null) proxy.delayMs = 3_600_000;
    const batchId = await register(core, connectionId, paths);
    const [job] = await untilJobs(core, batchId, (all) => all.every(({ state }) => state === 'sending'));
    await core.must('jobs.cancel', { jobId: job?.id ?? '' });
    // Of a file that waits for its claim nothing has left: "cancel all that waits" means it, too.
    expect(await core.must('jobs.cancelWaiting', { batchId })).toEqual({ count: paths.length - 1 });
    const cancelled = await untilJobs(core, batchId, (all) => all.every(({ state }) => state !== 'sending'), 2_000);
    expect(cancelled.map(({ state }) => state)).toEqual(paths.map(() => 'cancelled'));
    proxy.delayMs = 0;
    proxy.holdsAnswersTo = null;
    await core.must('team.tryNow', { connectionId });
    const later = await register(core, connectionId, await writePdfs(await newFolder(), ['later.pdf']));
    await untilEnded(core, later, 30_000);
    expect((await jobsOf(core, batchId)).map(({ state }) => state)).toEqual(paths.map(() => 'cancelled'));
    expect([...service.control.addsByHash().values()]).toEqual([1]);
  },
);

/** A program whose way to the register goes through a proxy. */
async function program(test: TestContext) {
  const [postgres, service] = [await startPostgres(test), await newService()];
  atEnd(() => postgres.close());
  const proxy = await cuttingProxy(postgres.port);
  atEnd(() => proxy.close());
  const core = await newCore();
  const connectionId = await connect(core, service);
  await core.must('team.join', {
    connectionId,
    settings: postgres.settings('bo', { port: proxy.port }),
    password: '',
  });
  return { proxy, core, service, connectionId, paths: await writePdfs(await newFolder(), ['a.pdf', 'b.pdf']) };
}
