import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { OperationName } from '../../contract/operation.ts';
import {
  connect,
  newCore,
  newFolder,
  newService,
  patient,
  register,
  scan,
  until,
  untilEnded,
  writePdfs,
} from './jobs-setup.ts';

const pauses = { undoMs: 60_000, doubtLookMs: 50 };

/** A core that looks by itself, and requests whose answer is lost after the service took them. */
async function ready(more: Parameters<typeof newCore>[0] = {}, listsLost = 0) {
  const [core, service, folder] = [await newCore({ pauses, ...more }), await newService(), await newFolder()];
  const connectionId = await connect(core, service, { timeouts: patient });
  const [path = '', deed = ''] = await writePdfs(folder, ['lease.pdf', 'deed.pdf']);
  const lost = async (documentName: string, kind: 'drop-after' | 'drop-before' = 'drop-after') => {
    service.control.misbehave([
      { mischief: { kind }, operation: 'AddNewDocumentESign', times: 1 },
      { mischief: { kind: 'drop-after' }, operation: 'GetESignList', times: listsLost },
    ]);
    const { token: fileToken } = await core.core.acceptPath(path);
    const { batchId } = await core.must('signatures.request', {
      kind: 'plain',
      connectionId,
      fileToken,
      creditType: 1,
      emails: ['ann@example.com'],
      documentName,
      clientId: documentName,
    });
    const [job] = await untilEnded(core, batchId);
    if (job?.state !== 'in-doubt') throw new Error(`the job is ${job?.state}`);
    return job.id;
  };
  const read = async (jobId: string) => (await core.must('jobs.read', { jobIds: [jobId] }))[0];
  const lists = () => service.control.requests().GetESignList ?? 0;
  const adds = () => service.control.requests().AddNewDocumentESign ?? 0;
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 400));
  return { core, service, connectionId, deed, lost, read, lists, adds, quiet };
}

it('a request in doubt is looked for once in the lists, within the budget of calls, and nothing is settled or sent by it', async () => {
  const { core, lost, read, lists, adds, quiet } = await ready();
  const before = (await core.must('budget.state', {})).used;
  const jobId = await lost('Lease 7');
  await until(async () => (await read(jobId))?.look?.verdict === 'found');
  await quiet();
  // Two lists, and the details of the one that was found.
  expect([lists(), adds()]).toEqual([2, 1]);
  expect((await core.must('budget.state', {})).used - before).toBeGreaterThanOrEqual(3);
  expect(await read(jobId)).toMatchObject({ state: 'in-doubt', look: { candidates: [{ documentName: 'Lease 7' }] } });
});

it('what a person may not ask automatically is not asked, nor what is in no list', async () => {
  const { core, service, connectionId, deed, lost, read, lists, quiet } = await ready();
  const { perHour } = await core.must('budget.state', {});
  await core.must('tracking.setBudget', { perHour, isAutomatic: false });
  const jobId = await lost('Lease 7');
  await quiet();
  expect([lists(), (await read(jobId))?.look]).toEqual([0, null]);
  await core.must('tracking.setBudget', { perHour, isAutomatic: true });
  service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'AddNewDocument', times: 1 });
  const [registration] = await untilEnded(core, await register(core, connectionId, [deed]));
  await quiet();
  expect(registration).toMatchObject({ state: 'in-doubt', look: null });
  expect(service.control.requests().ValidateDocument ?? 0).toBe(0);
});

it('many doubts leave a part of the calls of the hour for later, and are looked for then', async () => {
  const { core, lost, read, lists } = await ready({ pauses: { ...pauses, doubtLookMs: 20 } });
  await core.must('tracking.setBudget', { perHour: 13, isAutomatic: false });
  const jobIds: string[] = [];
  for (let n = 1; n <= 3; n += 1) jobIds.push(await lost(`Lease ${n}`));
  await core.must('tracking.setBudget', { perHour: 13, isAutomatic: true });
  await until(() => lists() >= 4);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  // Each look asks two lists and, as all were sent just now, about three documents.
  expect((await core.must('budget.state', {})).used).toBe(10);
  await core.must('tracking.setBudget', { perHour: 1_000, isAutomatic: true });
  await until(async () => (await Promise.all(jobIds.map(read))).every((job) => job?.look?.verdict === 'found'));
});

it('lists that cannot be read are tried a few times after longer pauses, not without end', async () => {
  const often = { ...pauses, doubtLookMs: 1 };
  const { lost, read, lists } = await ready({ pauses: often }, 4);
  const found = await lost('Lease 7');
  await until(async () => (await read(found))?.look?.verdict === 'found');
  expect(lists()).toBe(6);
  const never = await ready({ pauses: often }, 100);
  const jobId = await never.lost('Lease 7');
  await until(() => never.lists() >= 6);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect([never.lists(), (await never.read(jobId))?.look]).toEqual([6, null]);
});

it('a doubt of an earlier run is looked for at the next start, and one that was looked for is not', async () => {
  const dataDir = await newFolder();
  const { core, lost, lists, quiet } = await ready({ dataDir, pauses: { ...pauses, doubtLookMs: 3_600_000 } });
  const jobId = await lost('Lease 7');
  const { secrets } = core;
  await core.stop();
  const again = async () => {
    const next = await newCore({ dataDir, pauses });
    for (const [account, secret] of secrets) next.secrets.set(account, secret);
    return next;
  };
  const second = await again();
  await until(async () => (await second.must('jobs.read', { jobIds: [jobId] }))[0]?.look?.verdict === 'found');
  await second.stop();
  const count = lists();
  await again();
  await quiet();
  expect(lists()).toBe(count);
});

it('what a list shows of a doubt before it was looked for is no request from elsewhere, and is looked for all the same', async () => {
  const { core, lost, read, connectionId } = await ready({ pauses: { ...pauses, doubtLookMs: 2_000 } });
  const jobId = await lost('Lease 7');
  await core.must('signatures.refresh', { connectionId, listType: 1 });
  await until(async () => (await read(jobId))?.look?.questions.length === 0);
  const { groups } = await core.must('tracking.groups', { connectionId });
  expect(groups.map(({ isFromElsewhere, state }) => [isFromElsewhere, state])).toEqual([[false, 'needs-you']]);
  await until(async () => (await read(jobId))?.look?.verdict === 'found');
});

it('a look for the answer of an earlier attempt says nothing about the next one', async () => {
  const { core, service, lost, read } = await ready();
  const jobId = await lost('Lease 7', 'drop-before');
  await until(async () => (await read(jobId))?.look?.verdict === 'not-found');
  service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'AddNewDocumentESign', times: 1 });
  await core.must('jobs.sendAgain', { jobId });
  await until(async () => (await read(jobId))?.look?.verdict === 'found');
});

it('an accepted document can be undone for a while: job, register and copy are again what they were', async () => {
  const { core, connectionId, lost, read, adds } = await ready();
  const jobId = await lost('Lease 7');
  await until(async () => (await read(jobId))?.look?.verdict === 'found');
  const before = await read(jobId);
  const documentId = before?.look?.candidates[0]?.documentId ?? '';
  await core.must('jobs.accept', { jobId, documentId });
  expect((await core.must('documents.list', { connectionId })).total).toBe(1);
  await core.must('jobs.undoAccept', { jobId });
  expect(await read(jobId)).toEqual(before);
  expect((await core.must('documents.list', { connectionId, search: 'Lease' })).total).toBe(0);
  const kinds = (await core.must('jobs.history', { jobId })).map(({ kind }) => kind);
  expect(kinds.slice(-4)).toEqual(['done', 'accepted', 'in-doubt', 'accept-undone']);
  expect(await core.ask('jobs.undoAccept', { jobId })).toMatchObject({ failure: { code: 'bad-input' } });
  // The copy is still there: it can be accepted once more, or sent again.
  await core.must('jobs.accept', { jobId, documentId });
  await core.must('jobs.undoAccept', { jobId });
  await core.must('jobs.sendAgain', { jobId });
  await until(async () => (await read(jobId))?.state === 'done');
  expect(adds()).toBe(2);
});

it('a document that was known before is undone to what it was, and after the time nothing can be undone', async () => {
  const { core, connectionId, lost, read } = await ready({ pauses: { ...pauses, undoMs: 300 } });
  const jobId = await lost('Lease 7');
  await until(async () => (await read(jobId))?.look?.verdict === 'found');
  const documentId = (await read(jobId))?.look?.candidates[0]?.documentId ?? '';
  await core.must('documents.openById', { connectionId, documentId });
  const row = async () => (await core.must('documents.list', { connectionId })).rows[0];
  const before = await row();
  expect(before).toMatchObject({ jobId: null });
  await core.must('jobs.accept', { jobId, documentId });
  expect(await row()).toMatchObject({ jobId });
  await core.must('jobs.undoAccept', { jobId });
  expect(await row()).toEqual(before);
  await core.must('jobs.accept', { jobId, documentId });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await core.ask('jobs.undoAccept', { jobId })).toMatchObject({ failure: { code: 'bad-input' } });
  expect(await read(jobId)).toMatchObject({ state: 'done', documentId });
});

it('the end of the program waits for no answer of a silent service: not for a list, a look, a status or a verification', async () => {
  const dataDir = await newFolder();
  const { core, service, connectionId, deed, lost } = await ready({
    dataDir,
    pauses: { ...pauses, doubtLookMs: 3_600_000 },
  });
  const jobId = await lost('Lease 7');
  await core.must('signatures.refresh', { connectionId, listType: 1 });
  const intake = await scan(core, [deed], 'verify');
  const before = { ...service.control.requests() };
  service.control.misbehave({ mischief: { kind: 'delay', ms: 60_000 } });
  const asked = [
    core.must('signatures.refresh', { connectionId, listType: 2 }),
    core.must('jobs.reconcile', { jobId }),
    core.must('tracking.askRequestStatus', { connectionId, documentId: randomUUID() }),
    core.must('verify.start', { connectionId, intakeId: intake.id }),
  ];
  // Whoever asked is gone.
  for (const answer of asked) answer.catch(() => undefined);
  const isAsked = (operation: OperationName) => (service.control.requests()[operation] ?? 0) > (before[operation] ?? 0);
  await until(() => (['GetESignList', 'GetDocumentStatus', 'ValidateDocument'] as const).every(isAsked));
  const since = performance.now();
  await core.stop();
  expect(performance.now() - since).toBeLessThan(10_000);
  const again = await newCore({ dataDir, resumesQueue: false });
  expect((await again.must('jobs.read', { jobIds: [jobId] }))[0]).toMatchObject({
    state: 'in-doubt',
    // Of the list that was read before.
    look: { questions: [] },
  });
});
