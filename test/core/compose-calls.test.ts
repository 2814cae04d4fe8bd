import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DraftContent, SignatureRequest } from '../../contract/compose.ts';
import { settingsOfConnection } from '../../contract/connections.ts';
import { childrenOf } from '../../electron/soap/service/operations.ts';
import type { RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, untilEnded, writePdfs } from './jobs-setup.ts';

async function ready() {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  const core = await newCore({ dataDir, pauses: { undoMs: 60_000 } });
  const connectionId = await connect(core, service);
  const [path = ''] = await writePdfs(folder, ['lease.pdf']);
  await writeFile(join(folder, 'seal.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
  const fileToken = (await core.core.acceptPath(path)).token;
  const imageToken = (await core.core.acceptPath(join(folder, 'seal.png'))).token;
  return { core, service, folder, dataDir, connectionId, path, fileToken, imageToken };
}

type Ready = Awaited<ReturnType<typeof ready>>;

/** A request with every child of its kind, each with its own value. */
function everything({ connectionId, fileToken, imageToken }: Ready, kind: SignatureRequest['kind']): SignatureRequest {
  const common = {
    connectionId,
    documentName: 'Lease & annex',
    description: 'Flat <3>',
    clientId: 'CASE-1',
    emails: ['ayla@example.com', 'chidi@example.com'],
    ownerSigns: true,
  };
  if (kind === 'plain')
    return { kind, ...common, fileToken, creditType: 2, ownerFirst: true, secretWord: 'cucumber-4711' };
  const easy = {
    ...common,
    names: ['Ayla Öztürk', 'Chidi Okafor'],
    ccEmails: ['dana@example.com'],
    xmlData: '<fields><field page="1"/></fields>',
    uniqueId: 'U-1',
    allowSignerElementAdd: false,
    imageToken,
    enforceSigClick: true,
    messageToSigners: 'Please sign\nby Friday',
    customSubject: 'Your lease',
    idVerify: true,
  };
  return kind === 'easy-sign'
    ? { kind, ...easy, fileToken, elementsFromTemplateId: 'TPL-1001' }
    : { kind, ...easy, templateId: 'TPL-1001' };
}

const operations = {
  plain: ['AddNewDocumentESign', 11],
  'easy-sign': ['AddNewEasySignDocument', 19],
  'easy-sign-template': ['AddNewEasySignTemplate', 18],
} as const;
const kinds = ['plain', 'easy-sign', 'easy-sign-template'] as const;

async function send(core: RunningCore, request: SignatureRequest) {
  const [job] = await untilEnded(core, (await core.must('signatures.request', request)).batchId);
  return job;
}

describe('the preview of a request', () => {
  it.each(kinds)('%s shows every child of its operation, and the wire has exactly these', async (kind) => {
    const given = await ready();
    const request = everything(given, kind);
    const preview = await given.core.must('compose.preview', request);
    const [operation, count] = operations[kind];
    expect(preview.operation).toBe(operation);
    expect(preview.children.map(({ name }) => name)).toEqual(childrenOf(operation).map(({ name }) => name));
    expect(preview.children).toHaveLength(count);
    expect(preview.children.every(({ sent }) => sent)).toBe(true);
    expect(JSON.stringify(preview)).not.toContain('cucumber');
    await send(given.core, request);
    const seen = given.service.control.seen().at(-1);
    expect(seen?.operation).toBe(operation);
    expect(Object.keys(seen?.children ?? {})).toEqual(preview.children.map(({ name }) => name));
    for (const { name, value, file, isSecret } of preview.children) {
      const sent = seen?.children[name];
      if (file) expect(sent).toMatchObject({ sizeBytes: file.sizeBytes });
      else if (!isSecret) expect(sent).toBe(value);
    }
  });

  it('leaves out empty fields, uses the connection’s element names, and sends nothing', async () => {
    const { core, service, connectionId, fileToken } = await ready();
    const { connections } = await core.must('connections.state', {});
    const found = connections.filter(({ id }) => id === connectionId);
    const [settings] = found.map(settingsOfConnection);
    if (!settings) throw new Error('no connection');
    await core.must('connections.save', {
      id: connectionId,
      settings: { ...settings, elementNames: { Emails: 'Mails' } },
    });
    const requests = service.control.seen().length;
    const preview = await core.must('compose.preview', {
      kind: 'plain',
      connectionId,
      fileToken,
      creditType: 2,
      emails: ['ayla@example.com'],
    });
    const sent = preview.children.filter((child) => child.sent).map(({ wireName }) => wireName);
    const [file, others] = [
      ['Document', 'creditType', 'DocumentName'],
      ['Mails', 'ReqOwnerESign', 'OwnerESignFirst'],
    ];
    expect(sent).toEqual(['apiKey', 'apiSig', ...file, ...others]);
    expect(preview).toMatchObject({
      cost: { creditType: { value: 2, name: 'Prepaid credits' }, requests: 1, prepaidCredits: 2, idChecks: 0 },
      mails: [{ email: 'ayla@example.com', role: 'signer' }],
      problems: [],
    });
    expect(service.control.seen().length).toBe(requests);
  });
});

describe('a request that was sent before', () => {
  it.each(['plain', 'easy-sign-template'] as const)(
    'is said by the preview of the next, to the same people only: %s',
    async (kind) => {
      const given = await ready();
      const all = everything(given, kind);
      const emails = ['ayla@example.com'];
      const request = { ...all, emails, ...('names' in all ? { names: ['Ayla'] } : {}) } as SignatureRequest;
      const sentBefore = async (emails: string[]) =>
        (
          await given.core.must('compose.preview', {
            ...request,
            emails,
            ...('names' in all ? { names: [] } : {}),
          } as SignatureRequest)
        ).sentBefore;
      expect(await sentBefore(['ayla@example.com'])).toBeNull();
      const job = await send(given.core, request);
      expect(job?.state).toBe('done');
      expect(await sentBefore(['Ayla@Example.com'])).toMatchObject({ kind: 'already-sent', sentAt: job?.at });
      expect(await sentBefore(['bo@example.com'])).toBeNull();
      if (kind === 'easy-sign-template') {
        const other = { ...request, xmlData: '<other/>' } as SignatureRequest;
        expect((await given.core.must('compose.preview', other)).sentBefore).toBeNull();
      }
      expect(await sentBefore(['ayla@example.com', 'bo@example.com'])).toBeNull();
    },
  );
});

describe('recipients that cannot be used', () => {
  it('are reported by position and kind, and the request is not sent', async () => {
    const { core, service, connectionId, fileToken } = await ready();
    const emails = ['ayla@example.com', 'Ayla@Example.com', 'no-address'];
    const request = { kind: 'plain', connectionId, fileToken, creditType: 1, emails } as const;
    expect((await core.must('compose.preview', request)).problems).toMatchObject([
      { kind: 'email-twice', index: 1, severity: 'error' },
      { kind: 'email-invalid', index: 2, severity: 'error' },
    ]);
    expect(await core.ask('signatures.request', request)).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', fields: { 'emails.1': 'email-twice', 'emails.2': 'email-invalid' } },
    });
    expect(await core.ask('signatures.request', { ...request, emails: [] })).toMatchObject({ ok: false });
    expect(service.control.requests().AddNewDocumentESign).toBeUndefined();
  });

  it('cause only warnings if they may be right, and the request is sent', async () => {
    const given = await ready();
    const emails = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'];
    const request = { ...everything(given, 'easy-sign'), emails, names: undefined } as SignatureRequest;
    expect((await given.core.must('compose.preview', request)).problems).toMatchObject([
      { kind: 'too-many-signers', severity: 'warning' },
    ]);
    expect(await send(given.core, request)).toMatchObject({ state: 'refused', answer: { code: '-152' } });
  });
});

describe('a draft', () => {
  it('survives a restart with its file and its secret word, which no file holds unencrypted', async () => {
    const { core, service, dataDir, connectionId, fileToken } = await ready();
    const recipients = [{ email: 'ayla@example.com', name: 'A' }];
    const content = { kind: 'plain' as const, fileToken, creditType: 2, recipients };
    const { id } = await core.must('forms.save', {
      place: 'draft',
      connectionId,
      content,
      secretWord: 'cucumber-4711',
    });
    const key = core.secrets.get('secret-words');
    await core.stop();
    expect((await readFile(join(dataDir, 'sealdesk.db'))).includes('cucumber')).toBe(false);

    const again = await newCore({ dataDir });
    again.secrets.set('secret-words', key ?? '');
    const { apiKey, apiSig } = service;
    await again.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
    const draft = await again.must('forms.open', { id });
    expect(draft).toMatchObject({
      name: 'lease.pdf',
      hasSecretWord: true,
      missingFiles: [],
      file: { name: 'lease.pdf' },
    });
    expect(JSON.stringify(draft)).not.toContain('cucumber');
    await send(again, {
      kind: 'plain',
      connectionId,
      fileToken: draft.content.fileToken ?? '',
      creditType: 2,
      emails: ['ayla@example.com'],
      secretOfDraft: id,
      draftId: id,
    });
    expect(service.control.seen().at(-1)?.children.SecretWord).toBe('cucumber-4711');
    expect(await again.must('forms.list', { place: 'draft' })).toEqual([]);
  });

  it('keeps the bytes of a file without a path, and reports a file that no longer exists', async () => {
    const { core, dataDir, connectionId, path, fileToken, imageToken } = await ready();
    async function* bytes() {
      yield await readFile(path);
    }
    const { token } = await core.core.acceptStream('from mail.pdf', bytes());
    const dropped = await core.must('forms.save', {
      place: 'draft',
      connectionId,
      content: { fileToken: token, imageToken },
    });
    const lost = await core.must('forms.save', { place: 'draft', connectionId, content: { fileToken } });
    await core.stop();
    await rm(path);
    const again = await newCore({ dataDir });
    const kept = await again.must('forms.open', { id: dropped.id });
    expect(kept).toMatchObject({ missingFiles: [], file: { name: 'from mail.pdf' }, image: { name: 'seal.png' } });
    expect(await again.must('forms.open', { id: lost.id })).toMatchObject({ file: null, missingFiles: ['lease.pdf'] });
  });

  it('is none while nothing is filled in, which a bulk opens all the same, until the next start', async () => {
    const { core, dataDir, connectionId, imageToken } = await ready();
    const keep = (content: Partial<DraftContent>) => core.must('forms.save', { place: 'draft', connectionId, content });
    const nobody = { name: '', email: '' };
    const untouched = await keep({ kind: 'easy-sign', recipients: [nobody] });
    const filled = [
      await keep({ enforceSigClick: false }),
      await keep({ ccEmails: ['', 'cc@example.com'] }),
      await keep({ imageToken }),
    ];
    const emptied = await keep({ documentName: 'Lease', ccEmails: ['cc@example.com'] });
    await core.must('forms.save', { place: 'draft', id: emptied.id, connectionId, content: { ccEmails: [''] } });
    const listed = async (asked: typeof core) =>
      (await asked.must('forms.list', { place: 'draft' })).map(({ id }) => id).toSorted();
    const expected = filled.map(({ id }) => id).toSorted();
    expect(await listed(core)).toEqual(expected);
    expect(await core.must('forms.open', { id: untouched.id })).toMatchObject({ content: { kind: 'easy-sign' } });
    await core.stop();
    const again = await newCore({ dataDir });
    expect(await listed(again)).toEqual(expected);
    for (const { id } of [untouched, emptied])
      expect(await again.ask('forms.open', { id })).toMatchObject({ ok: false, failure: { code: 'not-found' } });
  });
});

describe('what was removed', () => {
  it('is put back as it was: a draft with its file, secret word and refused job, a preset, a template', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    const token = (
      await core.core.acceptStream('from mail.pdf', (await import('node:fs')).createReadStream(given.path))
    ).token;
    const content = {
      kind: 'easy-sign-template' as const,
      templateId: 'none such',
      recipients: [{ email: 'a@example.com' }],
    };
    const draft = await core.must('forms.save', {
      place: 'draft',
      connectionId,
      content: { ...content, fileToken: token },
      secretWord: 'cucumber',
    });
    const sent = {
      kind: content.kind,
      connectionId,
      templateId: 'none such',
      emails: ['a@example.com'],
      draftId: draft.id,
    };
    await untilEnded(core, (await core.must('signatures.request', sent)).batchId);
    await core.must('forms.save', { place: 'preset', name: 'Lease', content });
    await core.must('forms.save', {
      place: 'template',
      connectionId,
      name: 'Order',
      content: { templateId: 'TPL-1001' },
    });
    const all = async () => ({
      drafts: await core.must('forms.list', { place: 'draft' }),
      presets: await core.must('forms.list', { place: 'preset' }),
      templates: await core.must('forms.list', { place: 'template' }),
    });
    const before = await all();
    expect(before.drafts).toMatchObject([{ id: draft.id, job: { state: 'refused' } }]);
    const removals = [
      await core.must('forms.remove', { id: draft.id }),
      await core.must('forms.remove', { id: before.presets[0]?.id ?? '' }),
      await core.must('forms.remove', { id: before.templates[0]?.id ?? '' }),
    ];
    expect(await all()).toEqual({ drafts: [], presets: [], templates: [] });
    for (const removal of removals) await core.must('removals.putBack', removal);
    expect(await all()).toEqual(before);
    expect(await core.must('forms.open', { id: draft.id })).toMatchObject({
      hasSecretWord: true,
      missingFiles: [],
      file: { name: 'from mail.pdf' },
    });
  });

  it('stays removed where another preset has its name by now, or another template its ID', async () => {
    const { core, connectionId } = await ready();
    const preset = { place: 'preset', name: 'Lease', content: {} } as const;
    const template = { place: 'template', connectionId, name: 'Order', content: { templateId: 'TPL-1001' } } as const;
    for (const form of [preset, template]) {
      const { id } = await core.must('forms.save', form);
      expect(await core.ask('forms.save', form)).toMatchObject({ ok: false, failure: { code: 'bad-input' } });
      const removal = await core.must('forms.remove', { id });
      const { id: other } = await core.must('forms.save', form);
      expect(await core.ask('removals.putBack', removal)).toMatchObject({ ok: false, failure: { code: 'not-found' } });
      const left = await core.must('forms.list', { place: form.place });
      expect(left.map((one) => one.id)).toEqual([other]);
    }
  });
});

describe('a sent request', () => {
  it('keeps an https address from the answer, and only that address can be opened', async () => {
    const given = await ready();
    const { core, service } = given;
    service.control.setEasySignAnswer('AddNewEasySignDocument', 'id');
    const page = await send(core, everything(given, 'easy-sign-template'));
    const plain = await send(core, everything(given, 'easy-sign'));
    await core.must('jobs.dismiss', { jobIds: [page?.id ?? '', plain?.id ?? ''] });
    await core.must('compose.openAnswer', { jobId: page?.id ?? '' });
    expect(core.shown).toEqual([expect.stringMatching(/^https:/)]);
    expect((await core.ask('compose.openAnswer', { jobId: plain?.id ?? '' })).ok).toBe(false);
  });

  it('is remembered by its people once the service has it, not where it was refused or nobody knows', async () => {
    const given = await ready();
    const { core, service } = given;
    const known = async () =>
      (await core.must('people.list', {})).people.map(({ name, email }) => `${name} <${email}>`);
    service.control.misbehave({ mischief: { kind: 'answer', text: '-5' } });
    expect((await send(core, everything(given, 'easy-sign')))?.state).toBe('refused');
    service.control.misbehave({ mischief: { kind: 'drop-after' } });
    const doubt = await send(core, everything(given, 'easy-sign'));
    expect([doubt?.state, await known()]).toEqual(['in-doubt', []]);
    service.control.misbehave(null);
    await core.must('jobs.accept', { jobId: doubt?.id ?? '', documentId: crypto.randomUUID(), isUnchecked: true });
    const both = ['Ayla Öztürk <ayla@example.com>', 'Chidi Okafor <chidi@example.com>'];
    expect((await known()).sort()).toEqual(both);
    await send(core, everything(given, 'easy-sign'));
    const { people } = await core.must('people.list', {});
    expect([people.map(({ uses }) => uses), (await known()).sort()]).toEqual([[2, 2], both]);
  });

  it('is remembered by its people, templates and notes, and people are forgotten on request', async () => {
    const given = await ready();
    const { core, connectionId } = given;
    await core.must('forms.save', {
      place: 'template',
      name: 'Lease',
      content: { templateId: 'TPL-1001', use: 'both' },
    });
    await send(core, everything(given, 'easy-sign-template'));
    expect((await core.must('people.list', { search: 'ozt' })).people.map(({ email }) => email)).toEqual([
      'ayla@example.com',
    ]);
    await core.must('people.remove', { email: 'AYLA@example.com' });
    expect(await core.must('people.list', { search: 'ayla' })).toEqual({ people: [], total: 0 });
    expect(await core.must('forms.list', { place: 'template', connectionId })).toMatchObject([
      { lastUsedAt: expect.any(String) },
    ]);
    const { batchId } = await core.must('service.addQuickNote', { connectionId, message: 'Call Chidi' });
    await untilEnded(core, batchId);
    expect(await core.must('notes.list', { connectionId })).toMatchObject({
      total: 1,
      notes: [{ message: 'Call Chidi', description: '', state: 'done' }],
    });
  });

  it('can use a library of templates that is exported and imported as a file', async () => {
    const { core, folder } = await ready();
    await core.must('forms.save', { place: 'template', name: 'One', content: { templateId: 'T-1' } });
    await core.must('forms.save', {
      place: 'template',
      name: 'Two',
      content: { templateId: 'T-2', note: 'for flats' },
    });
    core.dialogs.targets.push(join(folder, 'templates.json'));
    expect(await core.must('templates.export', {})).toEqual({ fileName: 'templates.json', count: 2 });
    const other = await newCore();
    await other.must('forms.save', { place: 'template', name: 'Old', content: { templateId: 'T-1' } });
    const { token } = await other.core.acceptPath(join(folder, 'templates.json'));
    expect(await other.must('templates.import', { token })).toEqual({ added: 1, changed: 1 });
    expect((await other.must('forms.list', { place: 'template' })).map(({ name }) => name)).toEqual(['One', 'Two']);
  });
});
