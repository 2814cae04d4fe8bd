import { expect, it, type TestContext } from 'vitest';
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
import { newTeamRegister } from '../harness/postgres.ts';

/** Ana's program is sending what bo then wants to send, too. `answer` lets the service answer hers. */
async function heldByAna(test: TestContext) {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  atEnd(() => postgres.close());
  const joined = async (user: 'ana' | 'bo') => {
    const core = await newCore();
    const timeouts = { connectMs: 2_000, idleMs: 90_000, answerMs: 90_000 };
    const connectionId = await connect(core, service, { timeouts });
    const settings = postgres.settings(user);
    await core.must('team.join', { connectionId, settings, password: '' });
    return { core, connectionId, settings };
  };
  const [ana, bo] = [await joined('ana'), await joined('bo')];
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 } });
  const paths = await writePdfs(await newFolder(), ['contract.pdf']);
  const hers = await register(ana.core, ana.connectionId, paths);
  const [sending] = await untilJobs(
    ana.core,
    hers,
    ([job]) => job?.answerAwaitedSince !== null && job?.state === 'sending',
  );
  const his = await register(bo.core, bo.connectionId, paths);
  const [held] = await untilJobs(bo.core, his, ([job]) => job?.pausedBy === 'duplicate');
  expect(held?.duplicateOf).toMatchObject({ kind: 'team', state: 'sending', by: { person: 'ana' } });
  service.control.misbehave(null);
  /** Ends hers without a document: cancelled by her after it left, and then decided that it never arrived. */
  const endWithout = async () => {
    await ana.core.must('jobs.cancel', { jobId: sending?.id ?? '' });
    await untilJobs(ana.core, hers, ([job]) => job?.state === 'in-doubt');
    const admin = await postgres.admin();
    await admin.query("UPDATE sealdesk.claims SET state = 'refused', version = version + 1");
    await admin.query("SELECT pg_notify('sealdesk', (SELECT team_id::text FROM sealdesk.teams))");
    await admin.close();
  };
  const accept = () =>
    ana.core.must('jobs.accept', { jobId: sending?.id ?? '', documentId: '0a7c9a54-6f0e-4f0e-9a54-0a7c9a546f0e' });
  return { bo, his, jobId: held?.id ?? '', service, ana, hers, endWithout, accept };
}

it('sends what a colleague was sending as soon as hers was refused, and says no longer that she is sending it', async (test) => {
  const { bo, his, endWithout } = await heldByAna(test);
  await endWithout();
  const [done] = await untilEnded(bo.core, his, 20_000);
  expect(done).toMatchObject({ state: 'done', duplicateOf: null });
});

it('loses nothing that a person skips for a colleague whose own is refused then', async (test) => {
  const { bo, his, jobId, endWithout } = await heldByAna(test);
  await bo.core.must('jobs.decide', { jobIds: [jobId], decision: 'skip' });
  const [waits] = await untilJobs(bo.core, his, ([job]) => job?.duplicateOf?.skipsWhenDone === true);
  expect(waits?.state).toBe('waiting');
  await endWithout();
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
  const [skipped] = await untilJobs(bo.core, his, ([job]) => job?.state === 'cancelled', 20_000);
  expect(skipped?.duplicateOf).toMatchObject({ state: 'done' });
  expect([...service.control.addsByHash().values()].reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(1);
});

it('holds nobody by the claims of a program that left: what had not left is free, the rest a lead decides at once', async (test) => {
  const { bo, ana, his, jobId, hers, service } = await heldByAna(test);
  await bo.core.must('jobs.cancel', { jobId });
  await untilJobs(bo.core, his, ([job]) => job?.state === 'cancelled');
  await ana.core.must('team.leave', { connectionId: ana.connectionId, evenUnreported: true });
  await ana.core.must('team.join', {
    connectionId: ana.connectionId,
    settings: ana.settings,
    password: '',
  });
  const [claim] = await ana.core.must('team.openClaims', { connectionId: ana.connectionId });
  expect(claim).toMatchObject({ state: 'in-doubt' });
  await ana.core.must('team.settle', {
    connectionId: ana.connectionId,
    claimId: claim?.claimId ?? '',
    documentId: null,
  });
  await bo.core.must('jobs.sendAgain', { jobId });
  const [done] = await untilEnded(bo.core, his, 20_000);
  expect(done?.state).toBe('done');
  expect((await untilJobs(ana.core, hers, ([job]) => job?.state === 'sending')).length).toBe(1);
  expect(service.control.requests().AddNewDocument).toBe(2);
});
