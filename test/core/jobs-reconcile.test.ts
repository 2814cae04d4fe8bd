import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { compare, type Seen, type Wanted } from '../../electron/core/jobs/reconcile/compare.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import { openStore } from '../../electron/store/store.ts';
import type { RunningCore } from '../harness/core.ts';
import { outputOf } from '../harness/independent-tool.ts';
import { receiptOf } from '../harness/save-receipt.ts';
import { connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from './jobs-setup.ts';

const minuteMs = 60_000;
const unknownId = '11111111-2222-4333-8444-555555555555';

afterEach(() => void vi.useRealTimers());

/** Moves the clock on; nothing else waits for it. */
function passMinutes(minutes: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * minuteMs });
}

/** Leaves the job as a program does that was killed while it waited for the answer, and takes it over. */
async function endUnseen({ dataDir }: RunningCore, jobId: string): Promise<void> {
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  sql.run("UPDATE jobs SET state = 'sending', run_id = 'gone', attempt_ended_at = NULL WHERE id = ?", jobId);
  sql.close();
  const { store } = await openStore({ dataDir, log: { info: () => undefined, error: () => undefined } });
  store.jobs.takeOverDeadRuns();
  store.close();
}

/** The same service by another clock: it stands in the head of its answers, and in their times. */
async function otherClock(baseUrl: string, aheadMs: number): Promise<string> {
  const moved = (time: string) => new Date(Date.parse(time) + aheadMs).toISOString();
  const server = createServer(async (request, response) => {
    const headers = request.headers as Record<string, string>;
    const answer = await fetch(`${baseUrl}${request.url}`, {
      method: 'POST',
      headers,
      body: await buffer(request),
    }).catch(() => null);
    if (!answer) return void request.socket.destroy();
    const text = (await answer.text()).replaceAll(/(?<=<CreatedDate>)[^<]+/g, moved);
    response.writeHead(answer.status, {
      'Content-Type': answer.headers.get('content-type') ?? '',
      Date: new Date(Date.now() + aheadMs).toUTCString(),
    });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ready() {
  const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
  const connectionId = await connect(core, service);
  const [path = ''] = await writePdfs(folder, ['lease.pdf']);
  const usual = { emails: ['ann@example.com'], documentName: 'Lease 7', clientId: 'CASE-7' };
  const requestFrom = async (sender: RunningCore, senderId: string, more: Partial<typeof usual>): Promise<Job> => {
    const { token } = await sender.core.acceptPath(path);
    const given = {
      kind: 'plain',
      connectionId: senderId,
      fileToken: token,
      creditType: 1,
      ...usual,
      ...more,
    } as const;
    const { batchId } = await sender.must('signatures.request', given);
    const [job] = await untilEnded(sender, batchId);
    if (!job) throw new Error('no job');
    return job;
  };
  const request = (more: Partial<typeof usual> = {}) => requestFrom(core, connectionId, more);
  /** The same request, sent by a colleague's program. */
  const requestByColleague = async () => {
    const colleague = await newCore();
    return requestFrom(colleague, await connect(colleague, service), {});
  };
  /** A request whose answer is lost; accepted by the service or not. */
  const lost = async (kind: 'drop-after' | 'drop-before'): Promise<Job> => {
    service.control.misbehave({ mischief: { kind }, times: 1 });
    const job = await request();
    expect(job.state).toBe('in-doubt');
    service.control.misbehave(null);
    return job;
  };
  return { core, service, folder, connectionId, request, requestByColleague, lost };
}

describe('reconciling a request whose answer was lost', () => {
  it('finds it in the lists, shows the questions, keeps the result with the job, and lets a person accept it', async () => {
    const { core, connectionId, request, lost } = await ready();
    await request({ emails: ['bo@example.com'], documentName: 'Another' });
    const job = await lost('drop-after');
    const reconciliation = await core.must('jobs.reconcile', { jobId: job.id });
    expect(reconciliation.verdict).toBe('found');
    expect(reconciliation.questions).toMatchObject([
      { operation: 'GetESignList', about: 'Out for signature', failure: null, isCutOff: false },
      { operation: 'GetESignList', about: 'Signed', entries: 0 },
      { operation: 'GetDocumentDetails', failure: null },
    ]);
    const [found] = reconciliation.candidates;
    expect(found).toMatchObject({
      email: 'ann@example.com',
      documentName: 'Lease 7',
      clientId: 'CASE-7',
      fits: ['email', 'document-name', 'time', 'client-reference'],
      differs: [],
      isTaken: false,
    });
    const documentId = found?.documentId ?? '';
    const searched = await core.must('jobs.list', { search: documentId });
    expect(searched).toMatchObject({ jobs: [{ id: job.id }], found: { counts: { 'in-doubt': 1 } } });
    // What the lists show of it is not a request from elsewhere beside it.
    await core.must('tracking.refresh', { connectionId });
    const shown = async () => {
      const { groups } = await core.must('tracking.groups', { connectionId });
      const { requests, lists } = await core.must('tracking.state', { connectionId });
      return [lists.every(({ asOf }) => asOf !== null), groups.map(({ state }) => state).sort(), requests.elsewhere];
    };
    await expect.poll(shown).toEqual([true, ['needs-you', 'waiting'], 0]);
    await core.must('jobs.accept', { jobId: job.id, documentId });
    await expect.poll(shown).toEqual([true, ['waiting', 'waiting'], 0]);
    const { jobs } = await core.must('jobs.list', { batchId: job.batchId });
    expect(jobs).toMatchObject([{ state: 'done', documentId, raw: null, look: { verdict: 'found' } }]);
    const { rows } = await core.must('documents.list', { connectionId, search: documentId });
    expect(rows).toMatchObject([{ name: 'Lease 7', clientId: 'CASE-7', jobId: job.id, sha256: job.sha256 }]);
    const story = await core.must('jobs.history', { jobId: job.id });
    expect(story.map(({ kind }) => kind).slice(-3)).toEqual(['looked-for', 'done', 'accepted']);
    expect(await core.ask('jobs.accept', { jobId: job.id, documentId })).toMatchObject({
      failure: { code: 'bad-input' },
    });
  });

  it.each([
    ['by a look', 1],
    ['by the lists only', 0],
  ])(
    'is beside its correction a request of its own, in doubt, and what was found of it (%s) is not from elsewhere',
    async (_how, looks) => {
      const { core, connectionId, lost } = await ready();
      const job = await lost('drop-after');
      if (looks) expect(await core.must('jobs.reconcile', { jobId: job.id })).toMatchObject({ verdict: 'found' });
      const correction = await core.must('corrections.open', { jobId: job.id });
      if (correction.kind !== 'request') throw new Error(`it is a ${correction.kind}`);
      const { draftId } = correction;
      const { fileToken } = (await core.must('forms.open', { id: draftId })).content;
      const given = { kind: 'plain', connectionId, draftId, creditType: 1, fileToken: fileToken ?? '' } as const;
      const sent = { ...given, documentName: 'Lease 8', emails: ['bo@example.com'] };
      await untilEnded(core, (await core.must('signatures.request', sent)).batchId);
      await core.must('tracking.refresh', { connectionId });
      const shown = async () => {
        const { groups } = await core.must('tracking.groups', { connectionId });
        const { requests } = await core.must('tracking.state', { connectionId });
        return [groups.map((group) => [group.documentName, group.state, group.job?.jobId]), requests];
      };
      const rows = [
        ['Lease 8', 'waiting', undefined],
        ['Lease 7', 'not-known', job.id],
      ];
      await expect.poll(shown).toMatchObject([rows, { 'needs-you': 0, waiting: 1, 'not-known': 1, elsewhere: 0 }]);
      // Whatever names the document leads to the request in doubt.
      const [found] = (await core.must('jobs.read', { jobIds: [job.id] }))[0]?.look?.candidates ?? [];
      const documentId = found?.documentId ?? '';
      expect(documentId).not.toBe('');
      const { requests } = await core.must('find.all', { connectionId, text: documentId });
      expect(requests).toMatchObject([{ origDocumentId: null, jobId: job.id, documentName: 'Lease 7' }]);
      for (const which of [{ origDocumentId: documentId }, { search: documentId }]) {
        const { groups } = await core.must('tracking.groups', { connectionId, ...which });
        expect(groups).toMatchObject([{ job: { jobId: job.id }, state: 'not-known', isFromElsewhere: false }]);
      }
      const listed = await core.must('jobs.list', { search: documentId, corrected: 'too' });
      expect(listed).toMatchObject({ jobs: [{ id: job.id, state: 'in-doubt' }], total: 1 });
      const path = join(core.dataDir, 'requests.csv');
      core.dialogs.targets.push(path);
      expect(await core.must('tracking.export', { connectionId, format: 'csv' })).toMatchObject({ requestCount: 2 });
      expect(await readFile(path, 'utf8')).toMatch(/Lease 7.*In doubt[^;]*corrected since/);
    },
  );

  it('answers "not found" if the service never had it', async () => {
    const { core, request, lost } = await ready();
    await request({ emails: ['bo@example.com'], documentName: 'Another' });
    const job = await lost('drop-before');
    expect(await core.must('jobs.reconcile', { jobId: job.id })).toMatchObject({
      verdict: 'not-found',
      candidates: [],
    });
  });

  it('takes no document that a colleague requested after the attempt, however often it was looked for since', async () => {
    const { core, request, requestByColleague, lost } = await ready();
    await request({ emails: ['bo@example.com'] });
    const job = await lost('drop-before');
    passMinutes(70);
    expect(await core.must('jobs.reconcile', { jobId: job.id })).toMatchObject({ verdict: 'not-found' });
    passMinutes(3);
    await requestByColleague();
    passMinutes(3);
    expect(await core.must('jobs.reconcile', { jobId: job.id })).toMatchObject({
      verdict: 'not-found',
      candidates: [],
    });
  });

  it('shows the time of the attempt, whoever looked for it or settled it later', async () => {
    const { core, connectionId, lost } = await ready();
    const job = await lost('drop-after');
    passMinutes(70);
    const { candidates } = await core.must('jobs.reconcile', { jobId: job.id });
    const looked = (await core.must('jobs.list', { batchId: job.batchId })).jobs;
    passMinutes(10);
    await core.must('jobs.accept', { jobId: job.id, documentId: candidates[0]?.documentId ?? '' });
    const settled = (await core.must('jobs.list', { batchId: job.batchId })).jobs;
    const { rows } = await core.must('documents.list', { connectionId });
    expect([looked[0]?.at, settled[0]?.at, rows[0]?.registeredAt]).toEqual(Array(3).fill(job.at));
    const about = { connectionId, documentId: rows[0]?.documentId ?? '' };
    const { times } = await receiptOf(core, about);
    const matched = (await core.must('jobs.history', { jobId: job.id })).findLast(({ kind }) => kind === 'accepted');
    expect(times).toMatchObject({ answered: null, matched: matched?.at });
  });

  it('leaves the end of a lost answer out of the printed receipt', async (test) => {
    const { core, connectionId, lost } = await ready();
    const job = await lost('drop-after');
    const { candidates } = await core.must('jobs.reconcile', { jobId: job.id });
    const documentId = candidates[0]?.documentId ?? '';
    await core.must('jobs.accept', { jobId: job.id, documentId });
    const path = join(await newFolder(), 'receipt.pdf');
    core.dialogs.targets.push(path);
    await core.must('receipts.save', { connectionId, documentId, format: 'pdf' });
    const text = outputOf(test, 'pdftotext', path, '-');
    expect(text).toContain('The answer was lost.');
    expect(text).toContain('Matched by a person');
    expect(text).not.toContain('Answer complete');
  });

  it('cannot tell whether a document is of an attempt whose end nobody saw, unless it came soon after it began', async () => {
    const { core, requestByColleague, lost } = await ready();
    const job = await lost('drop-before');
    passMinutes(70);
    await requestByColleague();
    passMinutes(3);
    await endUnseen(core, job.id);
    expect(await core.must('jobs.reconcile', { jobId: job.id })).toMatchObject({
      verdict: 'cannot-tell',
      candidates: [{ differs: [], fits: ['email', 'document-name', 'client-reference'] }],
    });
  });

  it.each([
    ['behind', -10 * 24 * 60],
    ['ahead', 3 * 60],
  ])('cannot tell if the service has it at another time, and its clock is %s', async (_name, minutes) => {
    const { core, service, folder } = await ready();
    const away = await otherClock(service.baseUrl, minutes * minuteMs);
    const connectionId = await connect(core, { ...service, baseUrl: away }, { name: 'Away' });
    const [path = ''] = await writePdfs(folder, ['away.pdf']);
    const { token: fileToken } = await core.core.acceptPath(path);
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    const emails = ['ann@example.com'];
    const request = { kind: 'plain', connectionId, fileToken, creditType: 1, emails } as const;
    const { batchId } = await core.must('signatures.request', request);
    const [job] = await untilEnded(core, batchId);
    service.control.misbehave(null);
    expect(await core.must('jobs.reconcile', { jobId: job?.id ?? '' })).toMatchObject({
      verdict: 'cannot-tell',
      candidates: [{ email: 'ann@example.com', differs: ['time'], isTaken: false }],
    });
  });

  it('cannot tell which of two similar entries it is', async () => {
    const { core, lost } = await ready();
    const job = await lost('drop-after');
    await lost('drop-after');
    const reconciliation = await core.must('jobs.reconcile', { jobId: job.id });
    expect(reconciliation.verdict).toBe('cannot-tell');
    expect(reconciliation.candidates).toHaveLength(2);
  });

  it('excludes another job’s document, and refuses it if a person accepts it', async () => {
    const { core, request, lost } = await ready();
    const other = await request();
    const job = await lost('drop-before');
    const reconciliation = await core.must('jobs.reconcile', { jobId: job.id });
    expect(reconciliation).toMatchObject({ verdict: 'not-found', candidates: [{ isTaken: true }] });
    expect(await core.ask('jobs.accept', { jobId: job.id, documentId: other.documentId ?? '' })).toMatchObject({
      failure: { code: 'bad-input' },
    });
  });

  it('cannot tell if a list was cut off, has nil entries, or a question failed', async () => {
    const { core, service, lost, request } = await ready();
    await request();
    const job = await lost('drop-before');
    service.control.setNilEntryEvery(1);
    const hidden = await core.must('jobs.reconcile', { jobId: job.id });
    expect(hidden).toMatchObject({ verdict: 'cannot-tell', questions: [{ isCutOff: true }, {}, {}] });
    service.control.setNilEntryEvery(0);
    service.control.fillESignList(1_000);
    const cut = await core.must('jobs.reconcile', { jobId: job.id });
    expect(cut).toMatchObject({ verdict: 'cannot-tell', questions: [{ entries: 1_000, isCutOff: true }, {}] });
    service.control.misbehave({ mischief: { kind: 'fault' }, operation: 'GetESignList' });
    const failed = await core.must('jobs.reconcile', { jobId: job.id });
    expect(failed).toMatchObject({ verdict: 'unanswered', questions: [{ failure: { detail: 'soap-fault' } }, {}] });
  });

  it('keeps what an earlier search found or did not find while later ones get no answer', async () => {
    const { core, service, lost } = await ready();
    const [there, nowhere] = [await lost('drop-after'), await lost('drop-before')];
    const look = async ({ id }: Job) => (await core.must('jobs.read', { jobIds: [id] }))[0]?.look;
    const search = async ({ id }: Job) => core.must('jobs.reconcile', { jobId: id });
    const away = { mischief: { kind: 'html', status: 503 }, operation: 'GetESignList' } as const;
    service.control.misbehave(away);
    expect(await search(nowhere)).toMatchObject({ verdict: 'unanswered', candidates: [] });
    expect(await look(nowhere)).toMatchObject({ verdict: 'unanswered' });
    expect((await core.must('jobs.history', { jobId: nowhere.id })).at(-1)?.kind).toBe('look-unanswered');
    service.control.misbehave(null);
    const found = await search(there);
    expect([found.verdict, (await look(there))?.unanswered]).toEqual(['found', undefined]);
    service.control.misbehave(away);
    expect((await core.must('jobs.history', { jobId: there.id })).at(-1)?.kind).toBe('looked-for');
    expect(await search(there)).toMatchObject({ verdict: 'unanswered' });
    expect((await core.must('jobs.history', { jobId: there.id })).at(-1)?.kind).toBe('look-unanswered');
    expect(await look(there)).toMatchObject({
      ...found,
      unanswered: { questions: [{ entries: null }, { entries: null }] },
    });
    // The earlier finding can still be accepted.
    await core.must('jobs.accept', { jobId: there.id, documentId: found.candidates[0]?.documentId ?? '' });
  });

  it('repeats a question whose connection dropped, because questions are reads', async () => {
    const { core, service, lost } = await ready();
    const job = await lost('drop-after');
    service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'GetESignList', times: 2 });
    expect(await core.must('jobs.reconcile', { jobId: job.id })).toMatchObject({ verdict: 'found' });
  });
});

describe('reconciling a plain document', () => {
  async function lostDocument() {
    const [core, folder, dataDir] = [await newCore(), await newFolder(), await newFolder()];
    const service = await newService({ dataDir });
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['plain.pdf']), { clientId: 'P-1' });
    const [job] = await untilEnded(core, batchId);
    // The ID that a person would read in the service's own portal.
    const [documentId = ''] = (await readdir(join(dataDir, 'documents'))).map((name) => name.replace(/\..*$/, ''));
    return { core, connectionId, jobId: job?.id ?? '', documentId };
  }

  it('cannot tell without an ID, because there is no list of documents, and shows no questions', async () => {
    const { core, jobId } = await lostDocument();
    expect(await core.must('jobs.reconcile', { jobId })).toMatchObject({
      verdict: 'cannot-tell',
      questions: [],
      candidates: [],
    });
  });

  it('asks about a document that the person names', async () => {
    const { core, jobId, documentId } = await lostDocument();
    const found = await core.must('jobs.reconcile', { jobId, documentId });
    expect(found).toMatchObject({
      verdict: 'found',
      candidates: [{ documentId, clientId: 'P-1', fits: ['document-name', 'time', 'client-reference'] }],
    });
    const unknown = await core.must('jobs.reconcile', { jobId, documentId: unknownId });
    expect(unknown).toMatchObject({
      verdict: 'cannot-tell',
      questions: [{ operation: 'GetDocumentDetails', about: unknownId, failure: { code: 'service-refused' } }],
    });
  });

  it('asks about documents that were opened by ID since then', async () => {
    const { core, connectionId, jobId, documentId } = await lostDocument();
    await core.must('documents.openById', { connectionId, documentId });
    expect(await core.must('jobs.reconcile', { jobId })).toMatchObject({ verdict: 'found' });
    await core.must('jobs.accept', { jobId, documentId });
    const { rows, total } = await core.must('documents.list', { connectionId });
    expect([total, rows[0]?.jobId, rows[0]?.fileName]).toEqual([1, jobId, 'plain.pdf']);
  });

  it('is refused for a job that is not in doubt', async () => {
    const { core, folder, connectionId } = await ready();
    const batchId = await register(core, connectionId, await writePdfs(folder, ['fine.pdf']));
    const [job] = await untilEnded(core, batchId);
    for (const jobId of [job?.id ?? '', 'nobody'])
      expect(await core.ask('jobs.reconcile', { jobId })).toMatchObject({ ok: false });
  });
});

describe('reconciling a request that was sent again and lost a second time', () => {
  it.each(['seen', 'unseen'] as const)('finds what its first sending made, whose end was %s', async (end) => {
    const { core, service, lost } = await ready();
    const job = await lost('drop-after');
    if (end === 'unseen') await endUnseen(core, job.id);
    passMinutes(90);
    service.control.misbehave({ mischief: { kind: 'drop-before' }, times: 1 });
    await core.must('jobs.sendAgain', { jobId: job.id });
    await untilEnded(core, job.batchId);
    service.control.misbehave(null);
    expect(service.control.documents()).toHaveLength(1);
    expect(await core.must('jobs.reconcile', { jobId: job.id })).toMatchObject({
      verdict: 'found',
      candidates: [{ fits: ['email', 'document-name', 'time', 'client-reference'], differs: [] }],
    });
  });

  it('names both where the service has both, and finds none by itself', async () => {
    const { core, service, lost } = await ready();
    const job = await lost('drop-after');
    passMinutes(90);
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    await core.must('jobs.sendAgain', { jobId: job.id });
    await untilEnded(core, job.batchId);
    service.control.misbehave(null);
    const { verdict, candidates } = await core.must('jobs.reconcile', { jobId: job.id });
    expect(verdict).toBe('cannot-tell');
    expect(candidates.map(({ differs }) => differs)).toEqual([[], []]);
  });
});

describe('the comparison of a job with an entry', () => {
  const departed = Date.parse('2026-03-01T12:00:00Z');
  const wanted: Wanted = {
    emails: ['ann@example.com'],
    asksOwner: false,
    documentName: 'Lease',
    clientId: 'C-1',
    description: '',
    sendings: [{ departedMs: departed, seenMs: departed + 180_000, overMs: departed + 180_000 }],
    aheadMs: 0,
  };
  const seen = (more: Partial<Seen>): Seen => ({
    documentId: 'x',
    documentName: 'Lease',
    emails: ['Ann@Example.com'],
    name: null,
    createdDate: '2026-03-01T12:01:00Z',
    ...more,
  });

  it.each([
    ['everything', {}, ['email', 'document-name', 'time'], []],
    ['a time hours away with its zone', { createdDate: '2026-03-01T15:00:00Z' }, ['email', 'document-name'], ['time']],
    ['a time hours away without zone', { createdDate: '2026-03-01T22:00:00' }, ['email', 'document-name'], []],
    ['a day away without zone', { createdDate: '2026-03-02T22:00:00' }, ['email', 'document-name'], ['time']],
    ['no time that can be read', { createdDate: 'yesterday' }, ['email', 'document-name'], []],
    ['somebody else', { emails: ['bo@example.com'] }, ['document-name', 'time'], ['email']],
    ['another reference', { clientId: 'C-2' }, ['email', 'document-name', 'time'], ['client-reference']],
    ['an empty reference', { clientId: '' }, ['email', 'document-name', 'time'], ['client-reference']],
  ] as const)('%s', (_what, more, fits, differs) => {
    expect(compare(wanted, [seen(more)], false).candidate).toMatchObject({ fits, differs });
  });
});
