import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import {
  atEnd,
  jobsOf,
  newCore,
  newFolder,
  patient,
  register,
  scan,
  until,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { memoryKeychain } from '../harness/core.ts';
import { newTeamRegister } from '../harness/postgres.ts';
import { type Behaviour, recordingService } from '../harness/recording-service.ts';

type User = 'ana' | 'bo';

/** A service that keeps the first add until the test says what becomes of it, and takes all others. */
async function slowService() {
  let end: (how: Behaviour) => void = () => undefined;
  const first = new Promise<Behaviour>((resolve) => {
    end = resolve;
  });
  let isFirst = true;
  const service = await recordingService(() => {
    if (!isFirst) return { result: randomUUID() };
    isFirst = false;
    return first;
  });
  atEnd(service.close);
  const [, baseUrl = '', , namespaceUri = '', , mainPath = '', , easySignPath = ''] = service.connection;
  const settings = { name: 'Service', baseUrl, namespaceUri, mainPath, easySignPath, timeouts: patient };
  return { end, settings: { ...settings, proxy: { mode: 'none' } as const }, count: () => service.requests.length };
}

/** A program is sending what a colleague then wants to send, too. `rule`: of the colleague, about duplicates. */
async function heldBySender(test: TestContext, senders: User, waiters: User, rule: 'ask' | 'skip' = 'ask') {
  const [postgres, service, dataDir] = [await newTeamRegister(test), await slowService(), await newFolder()];
  atEnd(() => postgres.close());
  const keychain = memoryKeychain(new Map());
  const joined = async (user: User, given = {}) => {
    const core = await newCore(given);
    const { id: connectionId } = await core.must('connections.save', { settings: service.settings });
    await core.must('connections.setCredentials', { id: connectionId, apiKey: 'key-1', apiSig: 'sig-1' });
    const settings = postgres.settings(user);
    await core.must('team.join', { connectionId, settings, password: '' });
    return { core, connectionId };
  };
  const [sender, waiter] = [await joined(senders), await joined(waiters, { dataDir, keychain })];
  const paths = await writePdfs(await newFolder(), ['contract.pdf']);
  const own = await register(sender.core, sender.connectionId, paths);
  const [sending] = await untilJobs(
    sender.core,
    own,
    ([job]) => job?.answerAwaitedSince !== null && job?.state === 'sending',
  );
  const { id: intakeId } = await scan(waiter.core, paths);
  const { batchId: theirs } = await waiter.core.must('documents.register', {
    connectionId: waiter.connectionId,
    intakeId,
    creditType: 1,
    duplicates: { otherwise: rule },
  });
  const [held] = await untilJobs(waiter.core, theirs, ([job]) => job?.pausedBy === 'duplicate');
  expect(held?.duplicateOf).toMatchObject({ kind: 'team', state: 'sending', by: { person: senders } });
  const endRefused = async () => {
    service.end({ result: '-3' });
    await untilJobs(sender.core, own, ([job]) => job?.state === 'refused');
  };
  const accept = () =>
    sender.core.must('jobs.accept', {
      jobId: sending?.id ?? '',
      documentId: '0a7c9a54-6f0e-4f0e-9a54-0a7c9a546f0e',
      isUnchecked: true,
    });
  /** Starts the program that waits anew, after `change` of its ledger. */
  const restartWaiter = async (change: (path: string) => void) => {
    await waiter.core.stop();
    change(join(dataDir, 'sealdesk.db'));
    return await newCore({ dataDir, keychain });
  };
  return { sender, waiter, own, theirs, jobId: held?.id ?? '', service, endRefused, accept, restartWaiter };
}

/** Ana is sending, bo waits. */
async function heldByAna(test: TestContext, rule?: 'skip') {
  const { sender: ana, waiter: bo, own: hers, theirs: his, ...more } = await heldBySender(test, 'ana', 'bo', rule);
  return { ana, bo, hers, his, ...more };
}

it('sends what a colleague was sending as soon as hers was refused, and says no longer that she is sending it', async (test) => {
  const { bo, his, endRefused } = await heldByAna(test);
  await endRefused();
  const [done] = await untilEnded(bo.core, his, 20_000);
  expect(done).toMatchObject({ state: 'done', duplicateOf: null });
});

it('loses nothing that a person skips for a colleague whose own is refused then', async (test) => {
  const { bo, his, jobId, endRefused } = await heldByAna(test);
  await bo.core.must('jobs.decide', { jobIds: [jobId], decision: 'skip' });
  const [waits] = await untilJobs(bo.core, his, ([job]) => job?.duplicateOf?.skipsWhenDone === true);
  expect(waits?.state).toBe('waiting');
  await endRefused();
  const [done] = await untilEnded(bo.core, his, 20_000);
  expect(done?.state).toBe('done');
});

it('follows a claim into doubt and skips what is registered, by decision or rule', async (test) => {
  const { bo, ana, his, hers, jobId, service, accept } = await heldByAna(test);
  await bo.core.must('jobs.decide', { jobIds: [jobId], decision: 'skip' });
  const [sending] = await untilJobs(ana.core, hers, ([job]) => job?.state === 'sending');
  await ana.core.must('jobs.cancel', { jobId: sending?.id ?? '' });
  await untilJobs(bo.core, his, ([job]) => job?.duplicateOf?.state === 'in-doubt', 20_000);
  await accept();
  const [skipped] = await untilJobs(bo.core, his, ([job]) => job?.state === 'passed-over', 20_000);
  expect(skipped?.duplicateOf).toMatchObject({ state: 'done' });
  expect(service.count()).toBe(1);
});

it('by the rule to skip: sends what a colleague was sending once hers was refused', async (test) => {
  const { bo, his, endRefused, service } = await heldByAna(test, 'skip');
  expect((await jobsOf(bo.core, his))[0]?.duplicateOf?.skipsWhenDone).toBe(true);
  await endRefused();
  const [done] = await untilEnded(bo.core, his, 20_000);
  expect(done?.state).toBe('done');
  expect(service.count()).toBe(2);
});

it('by the rule to skip: skips what a colleague was sending once it is registered', async (test) => {
  const { bo, his, service } = await heldByAna(test, 'skip');
  const documentId = randomUUID();
  service.end({ result: documentId });
  const [skipped] = await untilJobs(bo.core, his, ([job]) => job?.state === 'passed-over', 20_000);
  expect(skipped?.duplicateOf).toMatchObject({ state: 'done', documentId });
  expect(service.count()).toBe(1);
});

it('lets all go on that a claim held, however many they are', async (test) => {
  const { restartWaiter, endRefused } = await heldByAna(test);
  const core = await restartWaiter((path) => {
    const sql = openSql(path);
    const columns = sql.all<{ name: string }>("SELECT name FROM pragma_table_info('jobs')").map(({ name }) => name);
    const others: Readonly<Record<string, string>> = {
      seq: 'seq + n',
      id: "substr(id, 1, 24) || printf('%012x', n)",
    };
    sql.exec(
      `WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 600)
       INSERT INTO jobs (${columns.join(', ')}) SELECT ${columns.map((name) => others[name] ?? name).join(', ')} FROM jobs, more`,
    );
    sql.close();
  });
  const askingCount = async () => (await core.must('jobs.list', { limit: 1 })).askingCount;
  expect(await askingCount()).toBe(601);
  await endRefused();
  await until(async () => (await askingCount()) === 0, 30_000);
});

it('holds nobody by the claims of a program that left: a lead decides at once', async (test) => {
  const { sender, waiter, theirs, service } = await heldBySender(test, 'bo', 'ana');
  await sender.core.must('team.leave', { connectionId: sender.connectionId, evenUnreported: true });
  const { connectionId } = waiter;
  const [claim] = await waiter.core.must('team.openClaims', { connectionId });
  expect(claim).toMatchObject({ state: 'in-doubt', by: { person: 'bo' } });
  await waiter.core.must('team.settle', { connectionId, claimId: claim?.claimId ?? '', documentId: null });
  const [done] = await untilEnded(waiter.core, theirs, 20_000);
  expect(done?.state).toBe('done');
  expect(service.count()).toBe(2);
});
