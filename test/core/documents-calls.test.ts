import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fillPattern } from '../../contract/text.ts';
import { safeFileName } from '../../electron/core/files/safe-file-name.ts';
import { connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from './jobs-setup.ts';

const unknownId = '11111111-2222-4333-8444-555555555555';

async function registered(sizeBytes = 0) {
  const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
  const connectionId = await connect(core, service);
  const paths = await writePdfs(folder, ['lease.pdf'], sizeBytes);
  const [job] = await untilEnded(core, await register(core, connectionId, paths, { clientId: 'CASE-1' }));
  return { core, service, folder, connectionId, documentId: job?.documentId ?? '', path: paths[0] ?? '' };
}

describe('a document in the register', () => {
  it('keeps its status as sent', async () => {
    const { core, service, connectionId, documentId } = await registered();
    const status = await core.must('documents.status', { connectionId, documentId });
    expect(status).toMatchObject({ raw: 'Completed', answer: { group: 'completed' } });
    service.control.misbehave({ mischief: { kind: 'answer', text: 'On the way' } });
    await core.must('documents.status', { connectionId, documentId });
    const { rows } = await core.must('documents.list', { connectionId });
    expect(rows).toMatchObject([{ status: { raw: 'On the way', answer: { kind: 'text', group: 'not-sorted' } } }]);
  });

  it('shows its details as sent', async () => {
    const { core, connectionId, documentId } = await registered();
    expect(await core.must('documents.details', { connectionId, documentId })).toMatchObject({
      documentName: 'lease',
      clientId: 'CASE-1',
      errors: 0,
      raw: expect.stringContaining('lease'),
    });
  });

  it('is asked about again after the service broke off, because this is a read', async () => {
    const { core, service, connectionId, documentId } = await registered();
    service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'GetDocumentStatus', times: 1 });
    expect(await core.must('documents.status', { connectionId, documentId })).toMatchObject({ raw: 'Completed' });
    expect(service.control.requests().GetDocumentStatus).toBe(2);
  });
});

describe('a document that is not in the register', () => {
  it('is opened by its ID', async () => {
    const { service, connectionId: _other, documentId } = await registered();
    const core = await newCore();
    const connectionId = await connect(core, service);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const opening = Date.now();
    const row = await core.must('documents.openById', { connectionId, documentId });
    expect(Date.parse(row.registeredAt)).toBeLessThan(opening);
    expect(row).toMatchObject({ documentId, name: 'lease', clientId: 'CASE-1', fileName: null, sha256: null });
    const again = await core.must('documents.openById', { connectionId, documentId: documentId.toLowerCase() });
    expect(again.id).toBe(row.id);
    expect((await core.must('documents.list', { search: 'lease' })).total).toBe(1);
    const among = async (search: string) =>
      core.must('documents.list', { connectionId, search, among: [row.id, crypto.randomUUID()] });
    expect([await among('lease'), await among('annex')]).toEqual([
      { rows: [], total: 1 },
      { rows: [], total: 0 },
    ]);
  });

  it('is refused with the code if the service does not know it', async () => {
    const { core, connectionId } = await registered();
    const answer = await core.ask('documents.openById', { connectionId, documentId: unknownId });
    expect(answer).toMatchObject({ ok: false, failure: { code: 'service-refused' } });
    expect((await core.must('documents.list', {})).total).toBe(1);
  });

  it('has a status, which is not stored', async () => {
    const { core, connectionId } = await registered();
    const status = await core.ask('documents.status', { connectionId, documentId: unknownId });
    expect(status).toMatchObject({ ok: true, value: { raw: 'Not Found', answer: { group: 'not-found' } } });
  });
});

describe('a download', () => {
  it('is saved into the chosen file with its hash, and can be shown there', async () => {
    const { core, folder, connectionId, documentId } = await registered(400_000);
    const target = join(folder, 'copy.pdf');
    core.dialogs.targets.push(target);
    const started = await core.must('documents.download', { connectionId, documentId });
    const taskId = started?.taskId ?? '';
    const done = await core.untilTask('download', ({ state }) => state === 'done');
    const bytes = await readFile(target);
    expect(done).toMatchObject({ taskId, progress: { documentId, fileName: 'copy.pdf' }, failure: null });
    expect(done.progress.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    await core.must('documents.showDownload', { taskId });
    expect(core.shown).toEqual([target]);
  });

  it('does not begin when the person cancelled the dialog', async () => {
    const { core, service, connectionId, documentId } = await registered();
    expect(await core.must('documents.download', { connectionId, documentId })).toBeNull();
    expect(service.control.requests().GetDocument).toBeUndefined();
  });

  it('leaves nothing behind when it is stopped', async () => {
    const { core, service, folder, connectionId, documentId } = await registered(400_000);
    service.control.misbehave({ mischief: { kind: 'slow', bytes: 2_000, everyMs: 20 } });
    const target = join(folder, 'copy.pdf');
    const { taskId } = await core.core.downloadTo(connectionId, documentId, target);
    await core.untilTask('download', ({ progress }) => progress.receivedBytes > 0);
    expect(await core.ask('documents.showDownload', { taskId })).toMatchObject({ failure: { code: 'bad-input' } });
    await core.must('tasks.stop', { taskId });
    const ended = await core.untilTask('download', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ state: 'stopped', failure: { code: 'cancelled' } });
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(folder)).toEqual(['lease.pdf']);
  });

  it('fails with the reason: missing folder, missing document', async () => {
    const { core, folder, connectionId, documentId } = await registered();
    await core.core.downloadTo(connectionId, documentId, join(folder, 'nowhere', 'copy.pdf'));
    const noFolder = await core.untilTask('download', ({ state }) => state !== 'running');
    expect(noFolder).toMatchObject({ state: 'failed', failure: { detail: 'target-not-writable' } });
    await core.core.downloadTo(connectionId, unknownId, join(folder, 'copy.pdf'));
    const unknown = await core.untilTask(
      'download',
      ({ progress, state }) => progress.documentId === unknownId && state !== 'running',
    );
    expect(unknown.state).toBe('failed');
    expect(existsSync(join(folder, 'copy.pdf'))).toBe(false);
  });
});

describe('names', () => {
  it.each([
    ['', 'Lease'],
    ['{folder}', 'Lease'],
    ['Deed {n}', 'Deed 1'],
  ])('are sent as they are shown, also where nothing is left of %j', async (name, sent) => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['Lease.pdf']), { name }));
    expect(service.control.seen().at(-1)?.children.DocumentName).toBe(sent);
    expect((await core.must('documents.list', { connectionId })).rows).toMatchObject([{ name: sent }]);
  });

  it('are sent with every character that XML has: tabs, line ends, the controls above ASCII', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const name = 'a\tb\nc\r\nd\re\u007f\u0085 f';
    await untilEnded(
      core,
      await register(core, connectionId, await writePdfs(folder, [`${name}.pdf`]), { name: '{name}' }),
    );
    const sent = service.control.seen().filter(({ operation }) => operation === 'AddNewDocument');
    expect(sent.map(({ children }) => children.DocumentName)).toEqual([name]);
    expect((await core.must('documents.list', { connectionId })).rows).toMatchObject([{ name }]);
  });

  it.each([
    ['../../etc/passwd', '_.._etc_passwd.pdf'],
    ['C:\\temp\\a<b>.pdf', 'C__temp_a_b_.pdf'],
    ['con', '_con.pdf'],
    ['LPT1.pdf', '_LPT1.pdf'],
    ['  .hidden. ', 'hidden.pdf'],
    ['exe\u202efdp.txt', 'exefdp.txt'],
    ['', 'ID.pdf'],
    ['...', 'ID.pdf'],
    ['a\u0000\nb', 'ab.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(120)}.pdf`],
    [`${'x'.repeat(119)}😀`, `${'x'.repeat(119)}.pdf`],
  ])('to save under are made safe: %j', (given, safe) => {
    expect(safeFileName(given, 'ID')).toBe(safe);
  });

  it.each([
    ['{name}', 'notice.v2'],
    ['{folder}/{file} {n}', '2024/q1/notice.v2.pdf 3'],
    ['{unknown} {{name}}', '{unknown} {notice.v2}'],
  ])('of documents are filled by pattern: %s', (pattern, filled) => {
    expect(fillPattern(pattern, { name: 'notice.v2.pdf', folder: '2024/q1' }, 3)).toBe(filled);
    expect(fillPattern('{name}', { name: '.pdf', folder: '' }, 1)).toBe('.pdf');
    const odd = { name: 'a\u0000b\u0001\ud800.pdf', folder: '' };
    expect(fillPattern('{name}\u0001', odd, 1)).toBe('a\ufffdb\ufffd\ufffd\u0001');
  });
});
