import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetsDir, type RunningCore, startCore } from '../harness/core.ts';
import { plainPdf } from '../harness/pdf.ts';
import { startPractice } from '../harness/practice.ts';
import { enveloped } from '../harness/soap-texts.ts';

type Practice = Awaited<ReturnType<typeof startPractice>>;
let core: RunningCore;
let service: Practice;
let practiceDir: string;
beforeAll(async () => {
  core = await startCore();
  practiceDir = await mkdtemp(join(tmpdir(), 'sealdesk-service-'));
  service = await startPractice({ dataDir: practiceDir, assetsDir });
});
afterAll(async () => {
  await core.stop();
  await service.close();
  await rm(practiceDir, { recursive: true });
});

let count = 0;
const settingsOf = ({ baseUrl, mainPath, easySignPath, namespaceUri }: Practice) => ({
  name: `Service ${count++}`,
  baseUrl,
  mainPath,
  easySignPath,
  namespaceUri,
});
const connect = async (credentials = { apiKey: service.apiKey, apiSig: service.apiSig }) => {
  const { id } = await core.must('connections.save', { settings: settingsOf(service) });
  await core.must('connections.setCredentials', { id, ...credentials });
  return id;
};

describe('the small questions', () => {
  it('need no credentials for version and schedule', async () => {
    const { id } = await core.must('connections.save', { settings: settingsOf(service) });
    const version = await core.must('service.version', { connectionId: id });
    expect(version.raw).toMatch(/\S/);
    expect(Date.parse(version.askedAt)).toBeGreaterThan(Date.now() - 10_000);
    expect((await core.must('service.schedule', { connectionId: id })).raw).toMatch(/\S/);
  });

  it('test credentials without giving the token to the window', async () => {
    const id = await connect();
    const token = await core.core.authToken(id);
    expect(token).toMatch(/\S/);
    const answer = await core.must('service.testCredentials', { connectionId: id });
    expect(answer).toEqual({ accepted: true, askedAt: expect.any(String) });
    expect(JSON.stringify([answer, core.events, core.log])).not.toContain(token);
  });

  it.each([
    ['empty', '<GetAuthTokenResult/>'],
    ['blank', '<GetAuthTokenResult> \n </GetAuthTokenResult>'],
    ['nil', '<GetAuthTokenResult xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>'],
    ['missing', ''],
  ])('say that a token is %s', async (_name, inner) => {
    const server = createServer((_asked, out) => {
      out.writeHead(200, { 'Content-Type': 'text/xml' });
      out.end(enveloped(`<GetAuthTokenResponse xmlns="${service.namespaceUri}">${inner}</GetAuthTokenResponse>`));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { id } = await core.must('connections.save', {
      settings: { ...settingsOf(service), name: baseUrl, baseUrl },
    });
    await core.must('connections.setCredentials', { id, apiKey: 'k', apiSig: 's' });
    const failure = { code: 'reply-unreadable', detail: 'empty-reply' };
    expect(await core.ask('service.testCredentials', { connectionId: id })).toMatchObject({ failure });
    await expect(core.core.authToken(id)).rejects.toMatchObject({ failure });
    server.closeAllConnections();
    server.close();
  });

  it('say that credentials are wrong, and take new ones at once', async () => {
    const id = await connect({ apiKey: 'wrong-key', apiSig: 'wrong-sig' });
    const answer = await core.ask('service.testCredentials', { connectionId: id });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'credentials-rejected', retryable: false } });
    await core.must('connections.setCredentials', { id, apiKey: service.apiKey, apiSig: service.apiSig });
    await core.must('service.testCredentials', { connectionId: id });
    await core.must('connections.forgetCredentials', { id });
    const forgotten = await core.ask('service.testCredentials', { connectionId: id });
    expect(forgotten).toMatchObject({ ok: false, failure: { code: 'not-connected' } });
  });

  it('follow a changed address at once', async () => {
    const id = await connect();
    await core.must('service.testCredentials', { connectionId: id });
    const { apiKey, apiSig } = service;
    const settings = { ...settingsOf(service), baseUrl: 'http://127.0.0.1:9' };
    await core.must('connections.save', { id, settings, credentials: { apiKey, apiSig } });
    const answer = await core.ask('service.testCredentials', { connectionId: id });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'service-unreachable' } });
  });
});

describe('a quick note', () => {
  it('is one job, sent once', async () => {
    const id = await connect();
    const before = service.control.credits().note;
    await core.must('notes.keepUnsent', { connectionId: id, message: 'Call back\nafter lunch', description: 'Phone' });
    const { batchId, jobId } = await core.must('service.addQuickNote', {
      connectionId: id,
      message: 'Call back\nafter lunch',
      description: 'Phone',
    });
    await core.until('jobs.changed', ({ jobs }) => jobs.some((job) => job.id === jobId && job.state === 'done'));
    const { jobs } = await core.must('jobs.list', { batchId });
    expect(jobs).toMatchObject([
      { id: jobId, operation: 'AddQuickNote', title: 'Call back after lunch', sizeBytes: 0 },
    ]);
    expect(service.control.credits().note).toBe(before - 1);
    const sent = service.control.seen().filter(({ operation }) => operation === 'AddQuickNote');
    expect(sent).toMatchObject([{ children: { QuickNoteMessage: 'Call back\nafter lunch', description: 'Phone' } }]);
    // Also if the window is killed before it empties the form.
    expect(await core.must('notes.unsent', { connectionId: id })).toBeNull();
  });

  it('that is being written is there after a restart, until it is empty', async () => {
    const id = await connect();
    const written = { message: 'Call ba', description: '' };
    await core.must('notes.keepUnsent', { connectionId: id, ...written });
    expect(await core.must('notes.unsent', { connectionId: id })).toEqual(written);
    await core.must('notes.keepUnsent', { connectionId: id, message: '', description: '' });
    expect(await core.must('notes.unsent', { connectionId: id })).toBeNull();
  });

  it('on a connection that is not there is not taken', async () => {
    const answer = await core.ask('service.addQuickNote', { connectionId: 'nobody', message: 'x' });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'not-found' } });
  });
});

describe('a connection that is removed', () => {
  it('leaves its documents in the register', async () => {
    const id = await connect();
    const [sample] = await core.must('files.samples', {});
    const { id: intakeId } = await core.must('files.scan', { tokens: [String(sample?.token)], purpose: 'register' });
    const { batchId } = await core.must('documents.register', { connectionId: id, intakeId, creditType: 1 });
    await core.until('jobs.changed', ({ jobs }) => jobs.some((job) => job.batchId === batchId && job.state === 'done'));
    await core.must('connections.remove', { id });
    expect(await core.must('documents.list', { connectionId: id })).toMatchObject({
      total: 1,
      rows: [{ connectionId: id, fileName: sample?.name }],
    });
  });
});

describe('a connection that is changed while something is on its way', () => {
  it('does not break it off', async () => {
    const id = await connect();
    const before = service.control.requests().AddNewDocument ?? 0;
    service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 600 } });
    const { token } = await core.core.acceptStream(
      'slow.pdf',
      (async function* () {
        yield plainPdf('slow');
      })(),
    );
    const { id: intakeId } = await core.must('files.scan', { tokens: [token], purpose: 'register' });
    const { batchId } = await core.must('documents.register', { connectionId: id, intakeId, creditType: 1 });
    await core.until('jobs.changed', ({ jobs }) =>
      jobs.some((job) => job.batchId === batchId && job.state === 'sending'),
    );
    await core.must('connections.save', { id, settings: settingsOf(service) });
    await core.must('connections.setCredentials', { id, apiKey: service.apiKey, apiSig: service.apiSig });
    await core.until('jobs.changed', ({ jobs }) => jobs.some((job) => job.batchId === batchId && job.state === 'done'));
    service.control.misbehave(null);
    expect(service.control.requests().AddNewDocument).toBe(before + 1);
  });

  it('lets a question come to its end', async () => {
    const id = await connect();
    service.control.misbehave({ operation: 'GetAuthToken', mischief: { kind: 'delay', ms: 300 } });
    const before = service.control.requests().GetAuthToken ?? 0;
    const asked = core.ask('service.testCredentials', { connectionId: id });
    await expect.poll(() => service.control.requests().GetAuthToken).toBe(before + 1);
    await core.must('connections.save', { id, settings: settingsOf(service) });
    expect(await asked).toMatchObject({ ok: true });
    // Broken off, it would have been asked a second time.
    expect(service.control.requests().GetAuthToken).toBe(before + 1);
    service.control.misbehave(null);
  });
});
