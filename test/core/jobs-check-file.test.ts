import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import type { CoreSetup } from '../harness/core.ts';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  scan,
  untilEnded,
  untilJobs,
  writePdfs,
} from './jobs-setup.ts';

const unknownId = '11111111-2222-4333-8444-555555555555';

async function ready(setup: CoreSetup = {}) {
  const [core, service, folder] = [await newCore(setup), await newService(), await newFolder()];
  const connectionId = await connect(core, service);
  const paths = await writePdfs(folder, ['deed.pdf']);
  /** A registration whose answer is lost; accepted by the service or not. */
  const lost = async (kind: 'drop-after' | 'drop-before') => {
    service.control.misbehave({ mischief: { kind }, operation: 'AddNewDocument', times: 1 });
    const [job] = await untilEnded(core, await register(core, connectionId, paths));
    service.control.misbehave(null);
    if (job?.state !== 'in-doubt') throw new Error(`the job is ${job?.state}`);
    return job;
  };
  const check = (jobId: string) => core.must('jobs.reconcile', { jobId, withFile: true });
  const read = async (jobId: string) => (await core.must('jobs.read', { jobIds: [jobId] }))[0];
  const calls = () => service.control.requests().ValidateDocument ?? 0;
  return { core, service, connectionId, paths, lost, check, read, calls };
}

describe('the file of a registration whose answer was lost', () => {
  it('is asked about once, and where the service knows it a person accepts it, without an ID until one is entered', async () => {
    const { core, service, connectionId, lost, check, read, calls } = await ready({ pauses: { undoMs: 60_000 } });
    const job = await lost('drop-after');
    expect(await core.ask('jobs.accept', { jobId: job.id, documentId: null })).toMatchObject({ ok: false });
    expect((await read(job.id))?.sameFileAs).toBeUndefined();
    // A registration is in no list: a look that asked nothing found nothing out.
    await core.must('jobs.reconcile', { jobId: job.id });
    expect(await read(job.id)).toMatchObject({ look: null });
    const look = await check(job.id);
    expect(look).toMatchObject({ verdict: 'found', candidates: [] });
    expect(look.questions).toMatchObject([{ operation: 'ValidateDocument', about: 'Valid', failure: null }]);
    expect([calls(), await read(job.id)]).toMatchObject([1, { state: 'in-doubt' }]);
    await core.must('jobs.accept', { jobId: job.id, documentId: null });
    expect(await read(job.id)).toMatchObject({ state: 'done', documentId: null, failure: null, at: job.at });
    // It is found among the documents, by its name, and with the ID it keeps its place there.
    const listed = async (search = '') => (await core.must('documents.list', { connectionId, search })).rows;
    const unnamed = { documentId: null, jobId: job.id, name: 'deed' };
    expect([await listed(), await listed('deed'), await listed(job.id.slice(0, 8))]).toMatchObject([
      [unnamed],
      [unnamed],
      [],
    ]);
    const { documents } = await core.must('find.all', { connectionId, text: 'deed' });
    expect(documents).toMatchObject([{ documentId: null, key: job.id }]);
    const place = { of: { connectionId, documentId: job.id }, sort: 'name', descending: false } as const;
    expect(await core.must('documents.place', place)).toMatchObject({ row: unnamed, index: 0 });
    await core.must('jobs.undoAccept', { jobId: job.id });
    expect(await listed()).toEqual([]);
    await core.must('jobs.accept', { jobId: job.id, documentId: null });
    const [{ id = '' } = {}] = await listed();
    const [document] = service.control.documents();
    const documentId = document?.documentId ?? '';
    await core.must('jobs.accept', { jobId: job.id, documentId, isUnchecked: true });
    expect(await read(job.id)).toMatchObject({ state: 'done', documentId, at: job.at });
    expect([await listed(), await listed(documentId)]).toMatchObject([[{ id, documentId }], [{ id }]]);
    await core.must('jobs.undoAccept', { jobId: job.id });
    expect(await listed()).toMatchObject([unnamed]);
    await core.must('jobs.accept', { jobId: job.id, documentId, isUnchecked: true });
    expect(await listed()).toMatchObject([{ documentId }]);
    // One ID for good, and nothing was sent again.
    expect(await core.ask('jobs.accept', { jobId: job.id, documentId: unknownId })).toMatchObject({ ok: false });
    expect([...service.control.addsByHash().values()]).toEqual([1]);
    expect(calls()).toBe(1);
  });

  it('is neither known nor unknown while nobody answers, and what was known stays', async () => {
    const { service, lost, check, read } = await ready();
    const job = await lost('drop-after');
    const away = { mischief: { kind: 'drop-after' }, operation: 'ValidateDocument' } as const;
    service.control.misbehave(away);
    expect(await check(job.id)).toMatchObject({ verdict: 'unanswered' });
    expect((await read(job.id))?.look?.verdict).toBe('unanswered');
    service.control.misbehave(null);
    const { askedAt } = await check(job.id);
    service.control.misbehave(away);
    await check(job.id);
    const kept = { verdict: 'found', askedAt, unanswered: { questions: [{ operation: 'ValidateDocument' }] } };
    expect((await read(job.id))?.look).toMatchObject(kept);
  });

  it('is among the documents also where an earlier version took it', async () => {
    const dataDir = await newFolder();
    const { core, connectionId, lost, check } = await ready({ dataDir });
    const job = await lost('drop-after');
    await check(job.id);
    await core.must('jobs.accept', { jobId: job.id, documentId: null });
    await core.stop();
    const sql = openSql(join(dataDir, 'sealdesk.db'));
    sql.exec(
      `DELETE FROM documents; DELETE FROM documents_search; ALTER TABLE job_events DROP COLUMN unseen; ALTER TABLE tracked DROP COLUMN listed_until;
       DROP INDEX job_events_counted; DROP INDEX jobs_corrected; CREATE INDEX jobs_departed ON jobs (connection_id, departed_at, state);
       ALTER TABLE verify_runs DROP COLUMN replies; PRAGMA user_version = 37`,
    );
    sql.close();
    const next = await newCore({ dataDir });
    expect((await next.must('documents.list', { connectionId, search: 'deed' })).rows).toMatchObject([
      { documentId: null, jobId: job.id },
    ]);
  });

  it('stays in doubt where another registration of these bytes may be what the service knows', async () => {
    const { core, connectionId, paths, lost, check, read } = await ready();
    const job = await lost('drop-before');
    const { id: intakeId } = await scan(core, paths);
    const duplicates = { otherwise: 'send' } as const;
    const again = await core.must('documents.register', { connectionId, intakeId, creditType: 1, duplicates });
    expect(await untilEnded(core, again.batchId)).toMatchObject([{ state: 'done' }]);
    // Also before anything is asked.
    expect(await read(job.id)).toMatchObject({ look: null, sameFileAs: 'deed' });
    const look = await check(job.id);
    expect(look).toMatchObject({ verdict: 'cannot-tell', questions: [{ about: 'Valid' }], explainedBy: 'deed' });
    expect(await core.ask('jobs.accept', { jobId: job.id, documentId: null })).toMatchObject({ ok: false });
    expect(await read(job.id)).toMatchObject({ state: 'in-doubt' });
  });

  it('settles the job where the same file waits besides, of which nothing has left, also by a meaning that is set later', async () => {
    const { core, service, connectionId, paths, lost, check, read, calls } = await ready();
    const job = await lost('drop-after');
    const held = await register(core, connectionId, paths);
    await untilJobs(core, held, ([one]) => one?.pausedBy === 'duplicate');
    service.control.misbehave({ mischief: { kind: 'answer', text: 'On our books' }, operation: 'ValidateDocument' });
    expect(await check(job.id)).toMatchObject({ verdict: 'cannot-tell' });
    await core.must('answers.sort', { kind: 'verdict', word: 'On our books', group: 'confirmed', meaning: '' });
    expect(await read(job.id)).toMatchObject({ state: 'in-doubt', look: { verdict: 'found' } });
    await core.must('jobs.accept', { jobId: job.id, documentId: null });
    expect([await read(job.id), calls()]).toMatchObject([{ state: 'done', documentId: null }, 1]);
    expect(await jobsOf(core, held)).toMatchObject([{ state: 'waiting', pausedBy: 'duplicate' }]);
  });

  it('stays in doubt where another attempt to register it may have succeeded: waiting again, in doubt as before, or over another connection', async () => {
    const { core, service, connectionId, paths, lost, check, read } = await ready();
    const first = await lost('drop-after');
    await core.must('jobs.pause', { what: 'all' });
    await core.must('jobs.sendAgain', { jobId: first.id });
    await expect.poll(async () => (await read(first.id))?.state).toBe('waiting');
    const branch = await connect(core, service, { name: 'Branch' });
    await core.must('jobs.pause', { what: 'job', jobId: first.id });
    await core.must('jobs.resume', { what: 'all' });
    service.control.misbehave({ mischief: { kind: 'drop-before' }, operation: 'AddNewDocument', times: 1 });
    const [second] = await untilEnded(core, await register(core, branch, paths));
    service.control.misbehave(null);
    const unsettled = { verdict: 'cannot-tell', explainedBy: 'deed.pdf' };
    expect(await check(second?.id ?? '')).toMatchObject(unsettled);
    await core.must('jobs.cancel', { jobId: first.id });
    expect(await check(second?.id ?? '')).toMatchObject(unsettled);
    expect([connectionId, (await read(first.id))?.state]).toEqual([first.connectionId, 'in-doubt']);
  });

  it('names what else explains the answer, once a person says what that means', async () => {
    const { core, service, connectionId, paths, lost, check, read, calls } = await ready();
    const job = await lost('drop-before');
    const { id: intakeId } = await scan(core, paths);
    const given = { connectionId, intakeId, creditType: 1, duplicates: { otherwise: 'send' } } as const;
    await untilEnded(core, (await core.must('documents.register', given)).batchId);
    service.control.misbehave({ mischief: { kind: 'answer', text: 'On our books' }, operation: 'ValidateDocument' });
    expect((await check(job.id)).explainedBy).toBeUndefined();
    await core.must('answers.sort', { kind: 'verdict', word: 'On our books', group: 'confirmed', meaning: '' });
    expect([await read(job.id), calls()]).toMatchObject([{ look: { explainedBy: 'deed' } }, 1]);
  });

  it('stays in doubt where such a registration becomes known after the service was asked', async () => {
    const { core, connectionId, paths, lost, check, read } = await ready();
    const job = await lost('drop-after');
    expect((await check(job.id)).verdict).toBe('found');
    const sql = openSql(join(core.dataDir, 'sealdesk.db'));
    sql.run(
      `INSERT INTO documents (id, connection_id, document_id, name, description, client_id, signers, sha256, registered_at, by_person, by_computer)
       VALUES ('x', ?, ?, 'Deed', '', '', '', ?, ?, 'Mei', 'PC 2')`,
      ...[connectionId, unknownId, job.sha256, new Date().toISOString()],
    );
    sql.close();
    expect(await core.ask('jobs.accept', { jobId: job.id, documentId: null })).toMatchObject({ ok: false });
    expect(await read(job.id)).toMatchObject({ state: 'in-doubt' });
    expect(paths).toHaveLength(1);
  });

  it('that the service does not know is not found, which is no proof: it can still be sent again', async () => {
    const { core, lost, check, read, calls } = await ready();
    const job = await lost('drop-before');
    expect(await check(job.id)).toMatchObject({ verdict: 'not-found', candidates: [] });
    expect([calls(), await read(job.id)]).toMatchObject([1, { state: 'in-doubt' }]);
    await core.must('jobs.sendAgain', { jobId: job.id });
    await expect.poll(async () => (await read(job.id))?.state).toBe('done');
  });

  it('is known once a person says what the service’s words mean, without another call', async () => {
    const { core, service, lost, check, read, calls } = await ready();
    const job = await lost('drop-after');
    service.control.misbehave({ mischief: { kind: 'answer', text: 'On our books' }, operation: 'ValidateDocument' });
    expect(await check(job.id)).toMatchObject({ verdict: 'cannot-tell', questions: [{ about: 'On our books' }] });
    const steps = (await core.must('jobs.history', { jobId: job.id })).length;
    await core.must('answers.sort', { kind: 'verdict', word: 'On our books', group: 'confirmed', meaning: '' });
    expect(await read(job.id)).toMatchObject({ state: 'in-doubt', look: { verdict: 'found' } });
    expect([calls(), (await core.must('jobs.history', { jobId: job.id })).length]).toEqual([1, steps]);
    await core.must('jobs.accept', { jobId: job.id, documentId: null });
    expect(await read(job.id)).toMatchObject({ state: 'done', documentId: null });
  });

  it('about which the service cannot be asked leaves the job as it was, after one call', async () => {
    const { service, lost, check, read } = await ready();
    const job = await lost('drop-after');
    service.control.misbehave({ mischief: { kind: 'drop-before' }, operation: 'ValidateDocument' });
    const look = await check(job.id);
    expect(look).toMatchObject({ verdict: 'unanswered', questions: [{ operation: 'ValidateDocument' }] });
    expect(look.questions[0]?.failure).not.toBeNull();
    expect(service.control.seen().filter(({ operation }) => operation === 'ValidateDocument').length).toBeLessThan(2);
    expect(await read(job.id)).toMatchObject({ state: 'in-doubt' });
  });
});
