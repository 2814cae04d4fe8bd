import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, type TestContext } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
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
import { startPostgres } from '../harness/postgres.ts';
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts';

/** How a register can fail to answer a claim that is on its way. */
const silences = [
  ['holds its answer back', 'INSERT INTO sealdesk.claims'],
  ['answers nothing at all', null],
] as const;

/** The request for a claim, as it begins on the wire. */
const asks = 'INSERT INTO sealdesk.claims (claim_id';

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

/** Ways to take a request back that people get by mail. */
const ways = [
  ['jobs.cancel', async (core: Core, jobId: string) => await core.must('jobs.cancel', { jobId })],
  ['jobs.takeBack', async (core: Core, jobId: string) => await core.must('jobs.takeBack', { jobIds: [jobId] })],
] as const;

it.for(ways)('mails nobody a request that %s took back while its claim hung', async ([, takeBack], test) => {
  const { proxy, core, service, connectionId } = await program(test);
  proxy.holdsAnswersTo = asks;
  const { batchId } = await core.must('signatures.request', {
    kind: 'easy-sign-template',
    connectionId,
    templateId: 'TPL-1001',
    emails: ['ayla@example.com'],
  });
  const [job] = await untilJobs(core, batchId, ([one]) => one?.state === 'sending');
  await takeBack(core, job?.id ?? '');
  await untilJobs(core, batchId, ([one]) => one?.state === 'cancelled', 2_000);
  await mailsOnlyLater(proxy, core, service, connectionId);
});

it('mails nobody the row of a bulk that was paused while its claim hung, and sends it with the rest', async (test) => {
  const { proxy, core, service, connectionId, paths } = await program(test);
  proxy.holdsAnswersTo = asks;
  const table = join(await newFolder(), 'people.csv');
  await writeFile(table, 'E-mail,Name\nayla@example.com,Ayla\nchidi@example.com,Chidi');
  const tableToken = (await core.core.acceptPath(table)).token;
  const fileToken = (await core.core.acceptPath(paths[0] ?? '')).token;
  const content = { kind: 'easy-sign', fileToken, messageToSigners: 'Hello', idVerify: false } as const;
  const { id } = await core.must('bulk.check', { connectionId, tableToken, content });
  await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
  await until(async () => (await jobsOf(core)).some(({ state }) => state === 'sending'));
  await core.must('bulk.pause', { id });
  await until(async () => (await jobsOf(core)).every(({ state }) => state === 'cancelled'), 2_000);
  proxy.holdsAnswersTo = null;
  await core.must('team.tryNow', { connectionId });
  await sleep(500);
  expect(service.control.requests().AddNewEasySignDocument).toBeUndefined();
  await core.must('bulk.send', { id, rows: 'all', perMinute: 6_000 });
  await until(async () => service.control.requests().AddNewEasySignDocument === 2, 30_000);
});

it('keeps a cancel that comes while another program keeps the ledger from being written', async (test) => {
  const { proxy, core, dataDir, service, connectionId, paths } = await program(test);
  const [path = ''] = paths;
  proxy.holdsAnswersTo = asks;
  const batchId = await register(core, connectionId, [path]);
  const [job] = await untilJobs(core, batchId, ([one]) => one?.state === 'sending');
  const other = openSql(join(dataDir, 'sealdesk.db'));
  other.exec('BEGIN IMMEDIATE');
  // The register is lost, and that the job waits cannot be written down.
  proxy.isOff = true;
  await sleep(500);
  other.exec('ROLLBACK');
  other.close();
  await core.must('jobs.cancel', { jobId: job?.id ?? '' });
  await untilJobs(core, batchId, ([one]) => one?.state === 'cancelled', 5_000);
  proxy.holdsAnswersTo = null;
  proxy.isOff = false;
  await core.must('team.tryNow', { connectionId });
  await sleep(500);
  expect((await jobsOf(core, batchId)).map(({ state }) => state)).toEqual(['cancelled']);
  expect(service.control.requests().AddNewDocument).toBeUndefined();
});

/** Once the register answers, one more request goes out, and nothing else. */
async function mailsOnlyLater(
  proxy: CuttingProxy,
  core: Core,
  service: Awaited<ReturnType<typeof newService>>,
  connectionId: string,
): Promise<void> {
  proxy.holdsAnswersTo = null;
  await core.must('team.tryNow', { connectionId });
  const { batchId } = await core.must('signatures.request', {
    kind: 'easy-sign-template',
    connectionId,
    templateId: 'TPL-1001',
    emails: ['later@example.com'],
  });
  await untilEnded(core, batchId, 30_000);
  const mailed = service.control.seen().filter(({ operation }) => operation === 'AddNewEasySignTemplate');
  expect(mailed.map(({ children }) => children.Emails)).toEqual(['later@example.com']);
}

type Core = Awaited<ReturnType<typeof newCore>>;

/** A program whose way to the register goes through a proxy. */
async function program(test: TestContext) {
  const [postgres, service] = [await startPostgres(test), await newService()];
  atEnd(() => postgres.close());
  const proxy = await cuttingProxy(postgres.port);
  atEnd(() => proxy.close());
  const dataDir = await newFolder();
  const core = await newCore({ dataDir });
  const connectionId = await connect(core, service);
  await core.must('team.join', {
    connectionId,
    settings: postgres.settings('bo', { port: proxy.port }),
    password: '',
  });
  return { proxy, core, dataDir, service, connectionId, paths: await writePdfs(await newFolder(), ['a.pdf', 'b.pdf']) };
}
