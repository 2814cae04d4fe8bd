import { expect } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { scan, until, untilJobs } from '../core/jobs-setup.ts';
import type { Service } from '../faults/fault-runs.ts';
import type { RunningCore } from '../harness/core.ts';

/** The jobs that a program names in doubt. */
export async function doubtsOf(core: RunningCore): Promise<readonly Job[]> {
  return (await core.must('jobs.list', { states: ['in-doubt'], limit: 500 })).jobs;
}

/**
 * Does what a person does about a doubt, knowing no more than a person sees. The file is verified: does the service know its bytes? If so, the account's page at the
 * service (the practice service's list of documents) says the ID under the reference that was sent, the program compares that document with the job, and the job is
 * settled with the ID. If not, it was not sent, and is sent again in the normal way. Answers which of both it was.
 */
export async function settleDoubt(
  core: RunningCore,
  service: Service,
  { id: jobId, batchId, connectionId, title }: Job,
  path: string,
): Promise<'was sent' | 'was not sent'> {
  // A document without signers is in no list of the interface: the program does not guess.
  expect((await core.must('jobs.reconcile', { jobId })).verdict).toBe('cannot-tell');
  const listed = service.control.documents().filter(({ clientId }) => clientId === title);
  if (await isConfirmed(core, connectionId, path)) {
    expect(listed).toHaveLength(1);
    const documentId = listed[0]?.documentId ?? '';
    expect((await core.must('jobs.reconcile', { jobId, documentId })).verdict).toBe('found');
    await core.must('jobs.accept', { jobId, documentId });
    return 'was sent';
  }
  expect(listed).toEqual([]);
  expect(await core.must('jobs.sendAgain', { jobId })).toEqual({ count: 1, asking: 0, skipped: 0 });
  await untilJobs(core, batchId, (jobs) => jobs.find(({ id }) => id === jobId)?.state === 'done', 60_000);
  return 'was not sent';
}

/** Whether the service confirms the file, as it answers to Verify. */
async function isConfirmed(core: RunningCore, connectionId: string, path: string): Promise<boolean> {
  const { id: intakeId } = await scan(core, [path], 'verify');
  const { runId } = await core.must('verify.start', { connectionId, intakeId });
  const isOver = ({ progress: { run } }: { progress: { run: { runId: string; state: string } } }) =>
    run.runId === runId && run.state === 'finished';
  await core.untilTask('verification', isOver, 60_000);
  const [result] = (await core.must('verify.results', { runId })).results;
  expect(['confirmed', 'not-confirmed']).toContain(result?.answer?.group);
  return result?.answer?.group === 'confirmed';
}

/** Resolves when the register has all outcomes of the program. */
export async function untilReported(core: RunningCore): Promise<void> {
  await until(async () => {
    const { links } = await core.must('team.state', {});
    return links.every(({ state, unreportedCount }) => state === 'connected' && unreportedCount === 0);
  }, 60_000);
}
