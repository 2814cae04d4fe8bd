import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SignatureRequest } from '../../contract/compose.ts';
import type { RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, untilEnded, untilJobs, writePdfs } from './jobs-setup.ts';

async function ready(separator = ';') {
  const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
  const connectionId = await connect(core, service, { separator });
  const [path = ''] = await writePdfs(folder, ['lease.pdf']);
  const fileToken = (await core.core.acceptPath(path)).token;
  return { core, service, folder, connectionId, fileToken };
}

async function request(core: RunningCore, given: SignatureRequest) {
  const { batchId } = await core.must('signatures.request', given);
  const [job] = await untilEnded(core, batchId);
  return job;
}

const emails = ['ayla@example.com', 'chidi@example.com'];
const document = { sizeBytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
const credentials = { apiKey: '***', apiSig: '***' };

describe('a signature request on the wire', () => {
  it('of the plain kind has the children of AddNewDocumentESign and no others', async () => {
    const { core, service, connectionId, fileToken } = await ready();
    const job = await request(core, {
      kind: 'plain',
      connectionId,
      fileToken,
      creditType: 2,
      emails,
      documentName: 'Lease',
      description: 'Flat 3',
      clientId: 'CASE-1',
      ownerSigns: true,
      ownerFirst: true,
      secretWord: 'cucumber-4711',
    });
    expect(job).toMatchObject({ state: 'done', operation: 'AddNewDocumentESign', title: 'Lease' });
    const children = {
      ...credentials,
      Document: document,
      creditType: '2',
      DocumentName: 'Lease',
      Description: 'Flat 3',
      ClientID: 'CASE-1',
      Emails: 'ayla@example.com;chidi@example.com',
      ReqOwnerESign: 'true',
      OwnerESignFirst: 'true',
      SecretWord: 'cucumber-4711',
    };
    expect(service.control.seen().at(-1)?.children).toEqual(children);
    expect(Object.keys(service.control.seen().at(-1)?.children ?? {})).toEqual(Object.keys(children));
    const { rows } = await core.must('documents.list', { search: 'chidi@example' });
    expect(rows).toMatchObject([{ documentId: job?.documentId, name: 'Lease', fileName: 'lease.pdf' }]);
  });

  it('leaves absent optional children out, always says the required booleans, and is called like its file without a name of its own, as the lists here show it', async () => {
    const { core, service, connectionId, fileToken } = await ready(', ');
    await request(core, { kind: 'plain', connectionId, fileToken, creditType: 2, emails: ['ayla@example.com'] });
    const { rows } = await core.must('documents.list', { search: 'ayla@example' });
    expect(rows).toMatchObject([{ name: 'lease', fileName: 'lease.pdf' }]);
    expect(service.control.seen().at(-1)?.children).toEqual({
      ...credentials,
      Document: document,
      creditType: '2',
      DocumentName: 'lease',
      Emails: 'ayla@example.com',
      ReqOwnerESign: 'false',
      OwnerESignFirst: 'false',
    });
  });

  it('of Easy Sign from a file has every child of AddNewEasySignDocument', async () => {
    const { core, service, folder, connectionId, fileToken } = await ready();
    await writeFile(join(folder, 'seal.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
    const imageToken = (await core.core.acceptPath(join(folder, 'seal.png'))).token;
    await request(core, {
      kind: 'easy-sign',
      connectionId,
      fileToken,
      emails,
      names: ['Ayla Öztürk', 'Chidi & Söhne'],
      ccEmails: ['dana@example.com', 'erik@example.com'],
      documentName: 'Lease',
      xmlData: '<fields><field page="1"/></fields>',
      elementsFromTemplateId: 'T-9',
      uniqueId: 'U-1',
      allowSignerElementAdd: false,
      imageToken,
      enforceSigClick: true,
      messageToSigners: 'Please sign\nby Friday',
      customSubject: 'Your lease',
      idVerify: false,
    });
    expect(service.control.seen().at(-1)?.children).toEqual({
      ...credentials,
      Document: document,
      DocumentName: 'Lease',
      Emails: emails.join(';'),
      Names: 'Ayla Öztürk;Chidi & Söhne',
      ReqOwnerESign: 'false',
      XMLData: '<fields><field page="1"/></fields>',
      ElementsFromTemplateID: 'T-9',
      UniqueID: 'U-1',
      AllowSignerElementAdd: 'false',
      AdditionalImage: { sizeBytes: 8, sha256: expect.any(String) },
      EnforceSigClick: 'true',
      MessageToSigners: 'Please sign\nby Friday',
      CustomSubject: 'Your lease',
      IDVerify: 'false',
      CCEmails: 'dana@example.com;erik@example.com',
    });
  });

  it('of Easy Sign from a template sends its ID and no document', async () => {
    const { core, service, connectionId } = await ready();
    const job = await request(core, { kind: 'easy-sign-template', connectionId, templateId: 'T-1', emails });
    expect(job).toMatchObject({ operation: 'AddNewEasySignTemplate', title: 'T-1', sizeBytes: 0, sha256: null });
    expect(service.control.seen().at(-1)?.children).toEqual({
      ...credentials,
      TemplateID: 'T-1',
      Emails: emails.join(';'),
      ReqOwnerESign: 'false',
    });
  });

  it('refuses addresses and names that hold the separator, by field, and sends nothing', async () => {
    const { core, service, connectionId, fileToken } = await ready();
    const answer = await core.ask('signatures.request', {
      kind: 'easy-sign',
      connectionId,
      fileToken,
      emails: ['ayla@example.com', 'a@example.com;b@example.com'],
      names: ['Chidi; Chief'],
      ccEmails: ['dana@example.com;'],
    });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } });
    const fields = answer.ok ? {} : answer.failure.fields;
    expect(Object.keys(fields ?? {}).sort()).toEqual(['ccEmails.0', 'emails.1', 'names.0']);
    expect(service.control.seen()).toEqual([]);
  });
});

describe('a secret word', () => {
  const word = 'cucumber-4711';
  const secretOf = (connectionId: string, fileToken: string) => ({
    kind: 'plain' as const,
    connectionId,
    fileToken,
    creditType: 2,
    emails,
    secretWord: word,
  });
  const filesWithWord = async (dataDir: string) => {
    const files = ['sealdesk.db', 'sealdesk.db-wal'].map((name) => readFile(join(dataDir, name)).catch(() => ''));
    return (await Promise.all(files)).some((bytes) => bytes.includes(word));
  };

  it('is in the keychain while it is needed, and never in the database, in an event or in the log', async () => {
    const { core, service, connectionId, fileToken } = await ready();
    service.control.misbehave({ mischief: { kind: 'drop-after' } });
    const job = await request(core, secretOf(connectionId, fileToken));
    expect(job?.state).toBe('in-doubt');
    expect(core.secrets.get(`job-${job?.id}`)).toBe(word);
    expect(await filesWithWord(core.dataDir)).toBe(false);
    expect(JSON.stringify([core.events, core.log, job])).not.toContain(word);
    service.control.misbehave(null);
    await core.must('jobs.sendAgain', { jobId: job?.id ?? '' });
    expect(await untilEnded(core, job?.batchId ?? '')).toMatchObject([{ state: 'done' }]);
    expect(service.control.seen().at(-1)?.children.SecretWord).toBe(word);
    await expect.poll(() => core.secrets.has(`job-${job?.id}`)).toBe(false);
  });

  it.each([
    ['a fault', `<s:Fault><faultcode>s:${word}</faultcode><faultstring>not allowed: ${word}</faultstring></s:Fault>`],
    [
      'an answer',
      `<a:AddNewDocumentESignResponse xmlns:a="https://service.example.com/api/"><a:AddNewDocumentESignResult>Error: ${word}</a:AddNewDocumentESignResult></a:AddNewDocumentESignResponse>`,
    ],
  ])('that %s of the service repeats is not kept, shown, told or logged', async (_what, inside) => {
    const { core, service, fileToken } = await ready();
    const echo = createServer((asked, response) =>
      asked.resume().on('end', () => {
        response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' });
        response.end(
          `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${inside}</s:Body></s:Envelope>`,
        );
      }),
    );
    await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done));
    onTestFinished(() => void echo.close());
    const baseUrl = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
    const connectionId = await connect(
      core,
      { ...service, baseUrl, namespaceUri: 'https://service.example.com/api/' },
      { name: 'Echo' },
    );
    const job = await request(core, secretOf(connectionId, fileToken));
    expect(JSON.stringify(job)).toContain('•••');
    const history = await core.must('jobs.history', { jobId: job?.id ?? '' });
    const told = JSON.stringify([job, history, core.events, core.log]);
    expect(told).not.toContain(word);
    expect(await filesWithWord(core.dataDir)).toBe(false);
  });

  it('of a refused request is kept until the request is dismissed, and sent again with it', async () => {
    const { core, service, connectionId, fileToken } = await ready();
    service.control.misbehave({ mischief: { kind: 'fault', code: 'Client' }, times: 2 });
    const job = await request(core, secretOf(connectionId, fileToken));
    const other = await request(core, { ...secretOf(connectionId, fileToken), emails: ['gone@example.com'] });
    expect([job?.state, other?.state]).toEqual(['refused', 'refused']);
    await core.must('jobs.dismiss', { jobIds: [other?.id ?? ''] });
    await expect.poll(() => core.secrets.has(`job-${other?.id}`)).toBe(false);
    expect(await core.must('jobs.sendAgain', { jobId: job?.id ?? '' })).toEqual({
      count: 1,
      asking: 0,
      skipped: 0,
    });
    expect(await untilEnded(core, job?.batchId ?? '')).toMatchObject([{ state: 'done' }]);
    expect(service.control.seen().at(-1)?.children.SecretWord).toBe(word);
    await expect.poll(() => core.secrets.has(`job-${job?.id}`)).toBe(false);
  });

  it('that was lost with its run fails the job, and is typed again: it is not sent without it', async () => {
    const dataDir = await newFolder();
    const closed = {
      get: async () => null,
      set: () => Promise.reject(new Error('locked')),
      remove: async () => undefined,
    };
    const [service, folder] = [await newService(), await newFolder()];
    const core = await newCore({ dataDir, keychain: closed });
    const connectionId = await connect(core, service);
    const [path = ''] = await writePdfs(folder, ['lease.pdf']);
    const fileToken = (await core.core.acceptPath(path)).token;
    await core.must('jobs.pause', { what: 'all' });
    const { batchId } = await core.must('signatures.request', secretOf(connectionId, fileToken));
    await untilJobs(core, batchId, ([job]) => job?.state === 'waiting');
    await core.stop();
    const sent = service.control.seen().length;
    const again = await newCore({ dataDir, keychain: closed });
    const { apiKey, apiSig } = service;
    await again.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
    await again.must('jobs.resume', { what: 'all' });
    expect(await untilEnded(again, batchId)).toMatchObject([
      { state: 'failed', failure: { code: 'bad-input', detail: 'secret-word-missing' } },
    ]);
    const jobId = (await untilEnded(again, batchId))[0]?.id ?? '';
    expect(await again.ask('jobs.sendAgain', { jobId })).toMatchObject({
      failure: { code: 'bad-input', detail: 'secret-word-missing', fields: { secretWord: expect.any(String) } },
    });
    expect(service.control.seen().length).toBe(sent);
    await again.must('jobs.sendAgain', { jobId, secretWord: word });
    expect(await untilEnded(again, batchId)).toMatchObject([{ state: 'done' }]);
    expect(service.control.seen().at(-1)?.children.SecretWord).toBe(word);
    expect(JSON.stringify([again.events, again.log])).not.toContain(word);
  });
});

describe('a list of signature requests', () => {
  it('that is empty, and one that was never asked for, are distinguished', async () => {
    const { core, connectionId } = await ready();
    expect(await core.must('tracking.entries', { connectionId, listType: 2 })).toEqual({ entries: [], total: 0 });
    expect(await readAt(core, connectionId, 2)).toBeNull();
    const empty = await core.must('signatures.refresh', { connectionId, listType: 2 });
    expect(empty).toMatchObject({ total: 0, nilEntries: 0 });
    expect(await readAt(core, connectionId, 2)).toBe(empty.asOf);
  });

  it('with one entry has its fields, with the date in UTC, and only whether there is a secret word', async () => {
    const { core, connectionId, fileToken } = await ready();
    await request(core, {
      kind: 'plain',
      connectionId,
      fileToken,
      creditType: 2,
      emails: ['ayla@example.com'],
      documentName: 'Lease',
      secretWord: 'cucumber-4711',
    });
    await core.must('signatures.refresh', { connectionId, listType: 1 });
    const { entries, total } = await core.must('tracking.entries', { connectionId, listType: 1 });
    expect(total).toBe(1);
    expect(entries).toMatchObject([{ documentName: 'Lease', email: 'ayla@example.com', hasSecretWord: true }]);
    expect(entries[0]?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(JSON.stringify(entries)).not.toContain('cucumber');
    expect((await readFile(join(core.dataDir, 'sealdesk.db-wal'))).includes('cucumber')).toBe(false);
  });

  it('is replaced as a whole, pages, and stays as it was when the next one breaks off', async () => {
    const { core, service, connectionId } = await ready();
    service.control.fillESignList(1_200);
    await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 5_000 });
    service.control.fillESignList(30);
    const { total, asOf } = await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 5_000 });
    const page = await core.must('tracking.entries', { connectionId, listType: 1, offset: total - 3, limit: 10 });
    expect(page).toMatchObject({ total });
    expect(page.entries).toHaveLength(3);
    service.control.misbehave({ mischief: { kind: 'truncated' }, operation: 'GetESignList' });
    expect((await core.ask('signatures.refresh', { connectionId, listType: 1 })).ok).toBe(false);
    expect(await core.must('tracking.entries', { connectionId, listType: 1 })).toMatchObject({ total });
    expect(await readAt(core, connectionId, 1)).toBe(asOf);
  });
});

/** When the stored copy of a list was read; null if it never was. */
async function readAt(core: RunningCore, connectionId: string, listType: number) {
  const { lists } = await core.must('tracking.state', { connectionId });
  return lists.find((list) => list.listType === listType)?.asOf;
}
