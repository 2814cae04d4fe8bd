import { expect, it, type TestContext } from 'vitest';
import { thenFed } from '../../electron/core/team/feed.ts';
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
import { teamId } from './tell.ts';

type User = 'ana' | 'bo';

/** A program is sending what a colleague then wants to send, too. */
async function heldBySender(test: TestContext, senders: User, waiters: User) {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  atEnd(() => postgres.close());
  const joined = async (user: User) => {
    const core = await newCore();
    const timeouts = { connectMs: 2_000, idleMs: 90_000, answerMs: 90_000 };
    const connectionId = await connect(core, service, { timeouts });
    const settings = postgres.settings(user);
    await core.must('team.join', { connectionId, settings, password: '' });
    return { core, connectionId };
  };
  const [sender, waiter] = [await joined(senders), await joined(waiters)];
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 } });
  const paths = await writePdfs(await newFolder(), ['contract.pdf']);
  const own = await register(sender.core, sender.connectionId, paths);
  const [sending] = await untilJobs(
    sender.core,
    own,
    ([job]) => job?.answerAwaitedSince !== null && job?.state === 'sending',
  );
  const theirs = await register(waiter.core, waiter.connectionId, paths);
  const [held] = await untilJobs(waiter.core, theirs, ([job]) => job?.pausedBy === 'duplicate');
  expect(held?.duplicateOf).toMatchObject({ kind: 'team', state: 'sending', by: { person: senders } });
  service.control.misbehave(null);
  /** Ends it without a document, after it left. */
  const endWithout = async () => {
    await sender.core.must('jobs.cancel', { jobId: sending?.id ?? '' });
    await untilJobs(sender.core, own, ([job]) => job?.state === 'in-doubt');
    const admin = await postgres.admin();
    await admin.query(
      `WITH ended AS (
         UPDATE sealdesk.claims SET state = 'refused', version = version + 1 RETURNING 'claim' AS kind, claim_id::text AS item
       ), ${thenFed('ended')} SELECT pg_notify('sealdesk', $1::text) FROM changed`,
      [await teamId(admin)],
    );
    await admin.close();
  };
  const accept = () =>
    sender.core.must('jobs.accept', { jobId: sending?.id ?? '', documentId: '0a7c9a54-6f0e-4f0e-9a54-0a7c9a546f0e' });
  return { sender, waiter, own, theirs, jobId: held?.id ?? '', service, endWithout, accept };
}

/** Ana is sending, bo waits. */
async function heldByAna(test: TestContext) {
  const { sender: ana, waiter: bo, own: hers, theirs: his, ...more } = await heldBySender(test, 'ana', 'bo');
  return { ana, bo, hers, his, ...more };
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

it('holds nobody by the claims of a program that left: a lead decides at once', async (test) => {
  const { sender, waiter, theirs, service } = await heldBySender(test, 'bo', 'ana');
  await sender.core.must('team.leave', { connectionId: sender.connectionId, evenUnreported: true });
  const { connectionId } = waiter;
  const [claim] = await waiter.core.must('team.openClaims', { connectionId });
  expect(claim).toMatchObject({ state: 'in-doubt', by: { person: 'bo' } });
  await waiter.core.must('team.settle', { connectionId, claimId: claim?.claimId ?? '', documentId: null });
  const [done] = await untilEnded(waiter.core, theirs, 20_000);
  expect(done?.state).toBe('done');
  expect(service.control.requests().AddNewDocument).toBe(2);
});
