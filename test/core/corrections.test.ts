import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DraftContent, SignatureRequest } from '../../contract/compose.ts';
import type { Job } from '../../contract/jobs.ts';
import { isFull } from '../faults/fault-table.ts';
import type { RunningCore } from '../harness/core.ts';
import {
  connect,
  newCore,
  newFolder,
  newService,
  pdf,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from './jobs-setup.ts';

async function ready() {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  const core = await newCore({ dataDir });
  const connectionId = await connect(core, service);
  const [path = ''] = await writePdfs(folder, ['lease.pdf']);
  await writeFile(join(folder, 'seal.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  const fileToken = (await core.core.acceptPath(path)).token;
  const imageToken = (await core.core.acceptPath(join(folder, 'seal.png'))).token;
  return { core, service, folder, dataDir, connectionId, path, fileToken, imageToken };
}
type Ready = Awaited<ReturnType<typeof ready>>;
const kinds = ['plain', 'easy-sign', 'easy-sign-template'] as const;
type Kind = (typeof kinds)[number];

/** Everything that a person can type for a kind. */
function typed({ fileToken, imageToken }: Ready, kind: Kind): Partial<DraftContent> {
  const common = {
    kind,
    documentName: 'Lease & annex',
    description: 'Flat <3>',
    clientId: 'CASE-1',
    recipients: [
      { name: 'Ayla Öztürk', email: 'ayla@example.com' },
      { name: 'Chidi Okafor', email: 'chidi@example.com' },
    ],
    ownerSigns: true,
    fileToken: kind === 'easy-sign-template' ? null : fileToken,
  };
  if (kind === 'plain') return { ...common, ownerFirst: true, creditType: 2 };
  return {
    ...common,
    ccEmails: ['dana@example.com'],
    xmlData: '<fields><field page="1"/></fields>',
    uniqueId: 'U-1',
    allowSignerElementAdd: false,
    imageToken,
    enforceSigClick: true,
    messageToSigners: 'Please sign\nby Friday',
    customSubject: 'Your lease',
    idVerify: true,
    ...(kind === 'easy-sign' ? { elementsFromTemplateId: 'TPL-1001' } : { templateId: 'TPL-1001' }),
  };
}

/** As the window makes it of a draft. */
function requestOf(content: DraftContent, more: { readonly connectionId: string; readonly draftId?: string }) {
  const { kind, documentName, description, clientId, recipients, ownerSigns } = content;
  const emails = recipients.map(({ email }) => email);
  const common = { ...more, documentName, description, clientId, emails, ownerSigns };
  if (kind === 'plain') {
    const { fileToken, creditType, ownerFirst } = content;
    const secretOfDraft = more.draftId;
    return { kind, ...common, fileToken: fileToken ?? '', creditType: creditType ?? 1, ownerFirst, secretOfDraft };
  }
  const { ccEmails, xmlData, uniqueId, messageToSigners, customSubject } = content;
  const easy = {
    ...common,
    names: recipients.map(({ name }) => name),
    ccEmails: [...ccEmails],
    xmlData,
    uniqueId,
    messageToSigners,
    customSubject,
    allowSignerElementAdd: content.allowSignerElementAdd ?? undefined,
    enforceSigClick: content.enforceSigClick ?? undefined,
    idVerify: content.idVerify ?? undefined,
    imageToken: content.imageToken ?? undefined,
  };
  return kind === 'easy-sign'
    ? { kind, ...easy, fileToken: content.fileToken ?? '', elementsFromTemplateId: content.elementsFromTemplateId }
    : { kind, ...easy, templateId: content.templateId };
}

async function send(core: RunningCore, request: SignatureRequest): Promise<Job> {
  const [job] = await untilEnded(core, (await core.must('signatures.request', request)).batchId);
  if (!job) throw new Error('the batch has no job');
  return job;
}

/** Typed, kept, sent and refused. */
async function refused(given: Ready, kind: Kind, code = '-123') {
  const { core, service, connectionId } = given;
  const secretWord = kind === 'plain' ? { secretWord: 'cucumber-4711' } : {};
  const { id } = await core.must('forms.save', {
    place: 'draft',
    connectionId,
    content: typed(given, kind),
    ...secretWord,
  });
  const { content } = await core.must('forms.open', { id });
  service.control.misbehave({ mischief: { kind: 'answer', text: code } });
  const job = await send(core, requestOf(content, { connectionId, draftId: id }));
  service.control.misbehave(null);
  expect(job).toMatchObject({ state: 'refused', answer: { code } });
  return { draftId: id, job };
}

async function draftOf(core: RunningCore, jobId: string) {
  const correction = await core.must('corrections.open', { jobId });
  if (correction.kind !== 'request') throw new Error(`it is a ${correction.kind}`);
  return core.must('forms.open', { id: correction.draftId });
}

const tokens = { fileToken: null, imageToken: null };
const listed = async (core: RunningCore) => (await core.must('jobs.list', {})).jobs.map(({ id, state }) => [id, state]);

describe('a refused request', () => {
  it.each(kinds)(
    '%s goes back into its form with everything that was typed, and is sent as a new job',
    async (kind) => {
      const given = await ready();
      const { core, service, connectionId, path } = given;
      const { draftId, job } = await refused(given, kind);
      expect(await core.must('forms.list', { place: 'draft', connectionId })).toMatchObject([
        { id: draftId, job: { id: job.id, state: 'refused', failure: { serviceCode: '-123' } } },
      ]);
      await rm(path);
      const draft = await draftOf(core, job.id);
      expect(draft.id).toBe(draftId);
      expect({ ...draft.content, ...tokens }).toMatchObject({ ...typed(given, kind), ...tokens });
      // The original is gone, and the draft knew its place only: the job's own copy is there.
      if (kind !== 'easy-sign-template') expect(draft).toMatchObject({ missingFiles: [], file: { name: 'lease.pdf' } });
      expect(draft).toMatchObject({ hasSecretWord: kind === 'plain' });

      await core.must('forms.save', {
        place: 'draft',
        id: draftId,
        connectionId,
        content: { ...draft.content, clientId: 'CASE-2' },
      });
      const again = await core.must('forms.open', { id: draftId });
      const done = await send(core, requestOf(again.content, { connectionId, draftId }));
      expect(done).toMatchObject({ state: 'done' });
      expect(done.id).not.toBe(job.id);
      expect(await listed(core)).toEqual([[done.id, 'done']]);
      expect(await core.must('forms.list', { place: 'draft' })).toEqual([]);
      expect(service.control.seen().at(-1)?.children).toMatchObject({
        ClientID: 'CASE-2',
        Emails: 'ayla@example.com;chidi@example.com',
        ...(kind === 'plain'
          ? { SecretWord: 'cucumber-4711' }
          : { Names: 'Ayla Öztürk;Chidi Okafor', UniqueID: 'U-1' }),
      });
      const story = await core.must('jobs.history', { jobId: job.id });
      expect(story.at(-1)?.kind).toBe('corrected');
      expect(await core.ask('jobs.sendAgain', { jobId: job.id })).toMatchObject({ failure: { code: 'not-found' } });
      expect(await core.ask('corrections.open', { jobId: job.id })).toMatchObject({ failure: { code: 'not-found' } });
    },
  );

  it('with four signers (-152) loses nobody, also after a restart', async () => {
    const given = await ready();
    const { core, connectionId, dataDir, service } = given;
    const people = ['a', 'b', 'c', 'd'].map((name) => ({ name, email: `${name}@example.com` }));
    const content = { ...typed(given, 'easy-sign'), recipients: people };
    const { id } = await core.must('forms.save', { place: 'draft', connectionId, content });
    const saved = await core.must('forms.open', { id });
    const job = await send(core, requestOf(saved.content, { connectionId, draftId: id }));
    expect(job).toMatchObject({ state: 'refused', answer: { code: '-152' } });
    await core.stop();

    const next = await newCore({ dataDir });
    const { apiKey, apiSig } = service;
    await next.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
    const draft = await draftOf(next, job.id);
    expect(draft).toMatchObject({ id, content: { recipients: people, uniqueId: 'U-1' }, missingFiles: [] });
    const fewer = { ...draft.content, recipients: people.slice(0, 3) };
    expect(await send(next, requestOf(fewer, { connectionId, draftId: id }))).toMatchObject({ state: 'done' });
    expect(await next.must('forms.list', { place: 'draft' })).toEqual([]);
  });

  it.each(kinds)('%s that came from no draft gets one made of what was sent', async (kind) => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const { content } = await core.must('forms.open', {
      id: (await core.must('forms.save', { place: 'draft', connectionId, content: typed(given, kind) })).id,
    });
    service.control.misbehave({ mischief: { kind: 'answer', text: '-123' } });
    const { secretOfDraft: _none, ...request } = { secretOfDraft: '', ...requestOf(content, { connectionId }) };
    const word = kind === 'plain' ? { secretWord: 'cucumber-4711' } : {};
    const job = await send(core, { ...request, ...word } as SignatureRequest);
    service.control.misbehave(null);
    const draft = await draftOf(core, job.id);
    const { recipients = [], ...rest } = typed(given, kind);
    expect({ ...draft.content, ...tokens }).toMatchObject({ ...rest, ...tokens });
    expect(draft.content.recipients).toEqual(
      kind === 'plain' ? recipients.map(({ email }) => ({ email, name: '' })) : recipients,
    );
    expect(draft).toMatchObject({ hasSecretWord: kind === 'plain', missingFiles: [], job: { id: job.id } });
    expect((await draftOf(core, job.id)).id).toBe(draft.id);
    const done = await send(core, requestOf(draft.content, { connectionId, draftId: draft.id }));
    expect(done.state).toBe('done');
    if (kind === 'plain') expect(service.control.seen().at(-1)?.children.SecretWord).toBe('cucumber-4711');
  });
});

describe('a draft that is being sent', () => {
  it('is shown as such, neither changed, removed nor sent a second time, and comes back where it is cancelled', async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    const { id } = await core.must('forms.save', { place: 'draft', connectionId, content: typed(given, 'easy-sign') });
    const { content } = await core.must('forms.open', { id });
    await core.must('jobs.pause', { what: 'all' });
    const request = requestOf(content, { connectionId, draftId: id });
    const { jobId } = await core.must('signatures.request', request);
    const underWay = { ok: false, failure: { code: 'bad-input' } };
    expect(await core.ask('signatures.request', request)).toMatchObject(underWay);
    expect(await core.ask('forms.save', { place: 'draft', id, connectionId, content })).toMatchObject(underWay);
    expect(await core.ask('forms.remove', { id })).toMatchObject(underWay);
    expect(await core.ask('corrections.open', { jobId })).toMatchObject(underWay);
    expect(await core.must('forms.list', { place: 'draft' })).toMatchObject([{ id, job: { id: jobId } }]);
    await core.must('jobs.cancel', { jobId });
    expect(await core.must('forms.list', { place: 'draft' })).toMatchObject([
      { id, job: { id: jobId, state: 'cancelled' } },
    ]);
    await core.must('jobs.resume', { what: 'all' });
    expect(await send(core, request)).toMatchObject({ state: 'done' });
    expect(service.control.requests().AddNewEasySignDocument).toBe(1);
    expect(await core.ask('signatures.request', request)).toMatchObject({ failure: { code: 'not-found' } });
  });

  it('is an ordinary draft again where its refused job is taken off the list', async () => {
    const given = await ready();
    const { draftId, job } = await refused(given, 'plain');
    await given.core.must('jobs.dismiss', { jobIds: [job.id] });
    expect(await given.core.must('forms.list', { place: 'draft' })).toMatchObject([{ id: draftId, job: null }]);
  });

  it('keeps its file where the queue has the only copy, and leaves none behind once it was taken', async () => {
    const given = await ready();
    const { core, connectionId, dataDir, path } = given;
    const { draftId, job } = await refused(given, 'easy-sign');
    await rm(path);
    const { content } = await draftOf(core, job.id);
    expect(await readFile(join(dataDir, 'drafts', draftId, 'document'))).toEqual(pdf(path));
    await send(core, requestOf(content, { connectionId, draftId }));
    await expect
      .poll(() => readFile(join(dataDir, 'drafts', draftId, 'document')).catch(() => 'gone'), { timeout: 5_000 })
      .toBe('gone');
  });
});

describe('of a job and its correction never both are sent', () => {
  const rounds = isFull ? 30 : 4;
  it(`where both are asked for at once (${rounds} rounds)`, async () => {
    const given = await ready();
    const { core, service, connectionId } = given;
    for (let round = 1; round <= rounds; round += 1) {
      // Other bytes in each round: what was done before is held back as a duplicate.
      await writeFile(given.path, pdf(`round ${round}`));
      const { draftId, job } = await refused(given, 'easy-sign');
      const { content } = await core.must('forms.open', { id: draftId });
      const request = requestOf(content, { connectionId, draftId });
      const before = service.control.requests().AddNewEasySignDocument ?? 0;
      const asks = [
        () => core.ask('jobs.sendAgain', { jobId: job.id }),
        () => core.ask('signatures.request', request),
        () => core.ask('signatures.request', request),
        () => core.ask('jobs.retryAll', { states: ['refused'] }),
      ];
      const shifted = [...asks.slice(round % 4), ...asks.slice(0, round % 4)];
      await Promise.all(shifted.map((ask) => ask()));
      await expect
        .poll(async () => (await core.must('jobs.list', {})).counts, { timeout: 10_000 })
        .toMatchObject({ prepared: 0, waiting: 0, sending: 0, done: round });
      expect((service.control.requests().AddNewEasySignDocument ?? 0) - before).toBe(1);
    }
  });

  it('where the one in doubt gives its place: it is no duplicate of what corrects it, and one of everything else', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const [path = ''] = await writePdfs(folder, ['note.pdf']);
    service.control.misbehave({ mischief: { kind: 'drop-before' } });
    const [doubt] = await untilEnded(core, await register(core, connectionId, [path]));
    service.control.misbehave(null);
    expect(doubt?.state).toBe('in-doubt');
    const correction = await core.must('corrections.open', { jobId: doubt?.id ?? '' });
    if (correction.kind !== 'register' || !correction.file) throw new Error('no file');
    expect(correction).toMatchObject({ state: 'in-doubt', name: 'note', creditType: 1 });
    const intake = await core.must('files.scan', { tokens: [correction.file.token], purpose: 'register' });
    const corrects = correction.jobId;
    const check = await core.must('documents.checkDuplicates', { connectionId, intakeId: intake.id, corrects });
    const over = await core.untilTask(
      'duplicate-check',
      ({ taskId, state }) => taskId === check.taskId && state === 'done',
    );
    expect(over.progress.duplicateCount).toBe(0);
    const given = { connectionId, intakeId: intake.id, creditType: 1 };
    const { batchId } = await core.must('documents.register', { ...given, name: 'Note {n}', corrects });
    const [done] = await untilEnded(core, batchId);
    expect(done).toMatchObject({ state: 'done', duplicateOf: null });
    expect(service.control.seen().at(-1)?.children.DocumentName).toBe('Note {n}');
    expect(await listed(core)).toEqual([[done?.id, 'done']]);
  });
});

describe('other jobs that were refused', () => {
  it('a registration goes back with its file and its values, from the copy where the file is gone', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const [path = '', other = ''] = await writePdfs(folder, ['{n}.pdf', 'other.pdf']);
    service.control.misbehave({ mischief: { kind: 'answer', text: '-123' } });
    const values = { name: '{name}', description: 'Of {folder}', clientId: 'C-1' };
    const [job] = await untilEnded(core, await register(core, connectionId, [path], values));
    service.control.misbehave(null);
    expect(job?.state).toBe('refused');
    await rm(path);
    const correction = await core.must('corrections.open', { jobId: job?.id ?? '' });
    if (correction.kind !== 'register') throw new Error('no registration');
    expect(correction).toMatchObject({
      connectionId,
      fileName: '{n}.pdf',
      name: '{n}',
      clientId: 'C-1',
      creditType: 1,
    });
    const corrects = correction.jobId;
    const token = correction.file?.token ?? '';
    const more = (await core.core.acceptPath(other)).token;
    const two = await core.must('files.scan', { tokens: [token, more], purpose: 'register' });
    const given = { connectionId, creditType: 1, name: correction.name };
    expect(await core.ask('documents.register', { ...given, intakeId: two.id, corrects })).toMatchObject({
      failure: { code: 'bad-input' },
    });
    const { id: intakeId } = await core.must('files.scan', { tokens: [token], purpose: 'register' });
    const { batchId } = await core.must('documents.register', { ...given, intakeId, corrects });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done', title: '{n}.pdf' }]);
    expect(await listed(core)).toHaveLength(1);
    expect(await core.ask('documents.register', { ...given, intakeId, corrects })).toMatchObject({
      failure: { code: 'not-found' },
    });
    expect(service.control.requests().AddNewDocument).toBe(2);
  });

  it('a registration asks for its file anew where only a damaged copy is left of it', async () => {
    const { core, connectionId, path } = await ready();
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, [path]);
    const [{ id: jobId = '' } = {}] = await untilJobs(core, batchId, ([job]) => job?.state === 'waiting');
    await writeFile(join(core.dataDir, 'spool', `${jobId}.document`), 'changed', { flag: 'r+' });
    await rm(path);
    await core.must('jobs.resume', { what: 'all' });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'failed', failure: { detail: 'copy-changed' } }]);
    expect(await core.must('corrections.open', { jobId })).toMatchObject({ kind: 'register', file: null });
  });

  it('a note in doubt is settled by a person’s word alone, which is said, counts as no answer of the service, and can be undone', async () => {
    const [core, service] = [await newCore(), await newService()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'drop-after' } });
    const note = { connectionId, message: 'Call Chidi', description: '' };
    const { batchId } = await core.must('service.addQuickNote', note);
    const [{ id: jobId = '' } = {}] = await untilEnded(core, batchId);
    const now = async () => (await core.must('jobs.list', { batchId })).jobs[0];
    expect(await now()).toMatchObject({ state: 'in-doubt' });
    const documentId = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
    expect(await core.ask('jobs.accept', { jobId, documentId, isUnchecked: true })).toMatchObject({ ok: false });
    await core.must('jobs.accept', { jobId, documentId: null });
    expect(await now()).toMatchObject({ state: 'done', isByWord: true, documentId: null });
    expect(await core.must('notes.list', {})).toMatchObject({ notes: [{ state: 'done', isByWord: true, raw: null }] });
    const kinds = async () => (await core.must('jobs.history', { jobId })).map(({ kind }) => kind);
    expect((await kinds()).slice(-3)).toEqual(['done', 'accepted', 'unchecked']);
    const home = await core.must('home.summary', { connectionId, today: '2026-01-01', isHere: false });
    expect(home.sent).toMatchObject({ count: 1, taken: 0 });
    await core.must('jobs.undoAccept', { jobId });
    expect(await now()).toMatchObject({ state: 'in-doubt' });
    expect((await kinds()).at(-1)).toBe('accept-undone');
    expect(service.control.seen().filter(({ operation }) => operation === 'AddQuickNote')).toHaveLength(1);
  });

  it('a note goes back with message and description', async () => {
    const [core, service] = [await newCore(), await newService()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'answer', text: '-172' } });
    const note = { connectionId, message: 'Call Chidi\nabout the lease', description: 'Flat 3' };
    const [job] = await untilEnded(core, (await core.must('service.addQuickNote', note)).batchId);
    service.control.misbehave(null);
    expect(await core.must('notes.list', {})).toMatchObject({ notes: [{ state: 'refused', canCorrect: true }] });
    expect(await core.must('corrections.open', { jobId: job?.id ?? '' })).toMatchObject({ kind: 'note', ...note });
    const { batchId } = await core.must('service.addQuickNote', { ...note, corrects: job?.id ?? '' });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done' }]);
    expect(await core.must('notes.list', {})).toMatchObject({
      notes: [
        { state: 'done', canCorrect: false },
        { state: 'refused', canCorrect: false },
      ],
    });
  });

  it('a row of a bulk is mended and sent again, and its results are those of what was sent', async () => {
    const given = await ready();
    const { core, service, connectionId, fileToken, folder } = given;
    const table = join(folder, 'people.csv');
    await writeFile(
      table,
      'E-mail 1,Name 1,E-mail 2,Name 2,Message,Secret word\nayla@exmaple.com,Ayla,dana@example.com,Dana,Hi,cucumber\nchidi@exmaple.com,Chidi,dana@example.com,Dana,Hi,pumpkin',
    );
    const bulk = await core.must('bulk.check', {
      connectionId,
      tableToken: (await core.core.acceptPath(table)).token,
      content: { kind: 'plain', fileToken, creditType: 2 },
    });
    service.control.misbehave({ every: 2, mischief: { kind: 'answer', text: '-150' } });
    await core.must('bulk.send', { id: bulk.id, rows: 'all', perMinute: 6000 });
    await core.until('bulk.changed', ({ state, counts }) => state === 'finished' && counts.refused === 1);
    service.control.misbehave(null);
    const [row] = (await core.must('bulk.rows', { id: bulk.id, which: 'refused' })).rows;
    const [{ email: wrong, name } = { email: '', name: '' }] = row?.people ?? [];
    const draft = await draftOf(core, row?.jobId ?? '');
    expect(draft).toMatchObject({ hasSecretWord: true, file: { name: 'lease.pdf' } });
    const content = {
      ...draft.content,
      recipients: draft.content.recipients.with(0, { name: '', email: 'mended@example.com' }),
    };
    const done = await send(core, requestOf(content, { connectionId, draftId: draft.id }));
    expect(done.state).toBe('done');
    expect(service.control.seen().at(-1)?.children.SecretWord).toBe(wrong.startsWith('ayla') ? 'cucumber' : 'pumpkin');
    await core.until('bulk.changed', ({ counts }) => counts.done === 2 && counts.refused === 0);
    const all = await core.must('bulk.rows', { id: bulk.id });
    expect(all.rows.find((one) => one.row === row?.row)).toMatchObject({
      people: [
        { email: 'mended@example.com', name },
        { email: 'dana@example.com', name: 'Dana' },
      ],
      state: 'done',
      jobId: done.id,
    });
    core.dialogs.targets.push(join(folder, 'results.csv'));
    await core.must('bulk.saveResults', { id: bulk.id, format: 'csv', language: 'en' });
    const results = await readFile(join(folder, 'results.csv'), 'utf8');
    // Names are not sent in a plain request: nobody changed them.
    expect(results).toContain(`mended@example.com,${name},dana@example.com,Dana,Hi,,${row?.row},Sent,`);
    expect(results).toContain(`"E-mail 1, was: ${wrong}"`);
  });

  it('a row whose first columns are empty keeps each address in the column that it came from, in the results and where those are checked again', async () => {
    const given = await ready();
    const { core, service, connectionId, fileToken, folder } = given;
    const table = join(folder, 'people.csv');
    await writeFile(
      table,
      'E-mail 1,Name 1,E-mail 2,Name 2,E-mail 3,Name 3\n,,chidi@exmaple.com,Chidi,,\nayla@exmaple.com,Ayla,,,dana@example.com,Dana',
    );
    const check = async (path: string) =>
      core.must('bulk.check', {
        connectionId,
        tableToken: (await core.core.acceptPath(path)).token,
        content: { kind: 'easy-sign', fileToken },
      });
    const { id } = await check(table);
    service.control.misbehave({ mischief: { kind: 'answer', text: '-150' } });
    await core.must('bulk.send', { id, rows: 'all', perMinute: 6000 });
    await core.until('bulk.changed', ({ state, counts }) => state === 'finished' && counts.refused === 2);
    service.control.misbehave(null);
    const rows = async () => (await core.must('bulk.rows', { id })).rows;
    for (const [at, emails] of [
      [0, ['chidi@example.com']],
      [1, ['dana@example.com']],
    ] as const) {
      const draft = await draftOf(core, (await rows())[at]?.jobId ?? '');
      const kept = draft.content.recipients.slice(-1).map(({ name }) => ({ name, email: emails[0] }));
      const content = { ...draft.content, recipients: kept };
      expect((await send(core, requestOf(content, { connectionId, draftId: draft.id }))).state).toBe('done');
      expect(service.control.seen().at(-1)?.children.Emails).toBe(emails.join());
    }
    expect((await rows()).map(({ cells, mended }) => [cells, mended])).toEqual([
      [['', '', 'chidi@example.com', 'Chidi', '', ''], [{ column: 'email2', was: 'chidi@exmaple.com' }]],
      [
        ['', '', '', '', 'dana@example.com', 'Dana'],
        [
          { column: 'email1', was: 'ayla@exmaple.com' },
          { column: 'name1', was: 'Ayla' },
        ],
      ],
    ]);
    for (const format of ['csv', 'xlsx'] as const) {
      const results = join(folder, `results.${format}`);
      core.dialogs.targets.push(results);
      await core.must('bulk.saveResults', { id, format, language: 'en' });
      const { id: again } = await check(results);
      expect((await core.must('bulk.rows', { id: again })).rows).toMatchObject([
        { people: [{ email: 'chidi@example.com', name: 'Chidi' }], problems: [{ kind: 'already-sent' }] },
        { people: [{ email: 'dana@example.com', name: 'Dana' }], problems: [{ kind: 'already-sent' }] },
      ]);
      const { columns } = await core.must('bulk.columns', { tableToken: (await core.core.acceptPath(results)).token });
      expect(columns.map(({ values }) => values).slice(0, 6)).toEqual([
        [],
        [],
        ['chidi@example.com'],
        ['Chidi'],
        ['dana@example.com'],
        ['Dana'],
      ]);
      expect(columns.find(({ heading }) => heading === 'Corrected')?.values).toEqual([
        'E-mail 2, was: chidi@exmaple.com',
        'E-mail 1, was: ayla@exmaple.com; Name 1, was: Ayla',
      ]);
    }
  });
});
