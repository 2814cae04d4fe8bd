import { X509Certificate } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { languageTags } from '../../contract/languages.ts';
import type { Receipt } from '../../contract/receipts.ts';
import { sealReceipt } from '../../electron/core/documents/receipts/receipt-format.ts';
import { loadTexts } from '../../locales/load-texts.ts';
import { selfSigned } from '../harness/certificate.ts';
import type { RunningCore } from '../harness/core.ts';
import { outputOf } from '../harness/independent-tool.ts';
import { receiptOf } from '../harness/save-receipt.ts';
import { unsignedPdf } from '../harness/signed-pdf.ts';
import { makeSigner } from '../harness/signers.ts';
import { atEnd, connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from './jobs-setup.ts';

const signed = unsignedPdf({ text: 'Lease 2027' }).sign({ signer: makeSigner({ key: 'rsa', name: 'Jane Doe' }) });
const forged = signed.replace({ 4: '<< /Length 3 >>\nstream\nq Q\nendstream' });

async function registered(
  fileName = 'lease.pdf',
  { bytes, ...more }: { description?: string; clientId?: string; bytes?: Buffer } = {},
) {
  const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
  const connectionId = await connect(core, service);
  const [path = ''] = await writePdfs(folder, [fileName]);
  if (bytes) await writeFile(path, bytes);
  const [job] = await untilEnded(core, await register(core, connectionId, [path], more));
  return { core, service, folder, connectionId, documentId: job?.documentId ?? '', path, job };
}

async function saved(core: RunningCore, about: { connectionId: string; documentId: string }, format: 'pdf' | 'json') {
  const path = join(await newFolder(), `receipt.${format}`);
  core.dialogs.targets.push(path);
  expect(await core.must('receipts.save', { ...about, format })).toEqual({ fileName: `receipt.${format}` });
  return path;
}

/** Asks nobody. */
async function verified(core: RunningCore, path: string) {
  const { id: intakeId } = await scan(core, [path], 'verify');
  const { runId } = await core.must('verify.start', { connectionId: null, intakeId });
  await core.untilTask('verification', ({ state, taskId }) => taskId === runId && state !== 'running');
}

async function check(core: RunningCore, receipt: string, file: string) {
  const [{ token: receiptToken }, { token: fileToken }] = await Promise.all([
    core.core.acceptPath(receipt),
    core.core.acceptPath(file),
  ]);
  return core.ask('receipts.check', { receiptToken, fileToken });
}

describe('a custody receipt', () => {
  it('contains what was sent, when and where, and the answer, but nothing secret', async () => {
    const { core, service, connectionId, documentId, path, job } = await registered('lease.pdf', { clientId: 'C-1' });
    await core.must('documents.status', { connectionId, documentId });
    const receipt = await receiptOf(core, { connectionId, documentId });
    expect(receipt).toMatchObject({
      kind: 'sealdesk-custody-receipt',
      nature: expect.stringContaining('not a certificate of the service'),
      file: { name: 'lease.pdf', sizeBytes: (await readFile(path)).length, sha256: job?.sha256 },
      document: { id: documentId, name: 'lease', clientReference: 'C-1' },
      request: { operation: 'AddNewDocument', fields: { creditType: '1', DocumentName: 'lease', ClientID: 'C-1' } },
      answer: { raw: documentId, isAcceptedByPerson: false },
      statuses: [{ raw: 'Completed' }],
      connection: {
        name: 'Service',
        address: service.baseUrl + service.mainPath,
        namespaceUri: service.namespaceUri,
        soapVersion: '1.1',
        certificateFingerprint: null,
      },
      program: { sentBy: '0.0.0-test', writtenBy: '0.0.0-test' },
    });
    const { taken, departed, answerBegan, answered } = receipt.times;
    expect([taken, departed, answerBegan, answered].every((time) => time !== null)).toBe(true);
    expect([taken, departed, answerBegan, answered]).toEqual([taken, departed, answerBegan, answered].sort());
    for (const secret of [service.apiKey, service.apiSig]) expect(JSON.stringify(receipt)).not.toContain(secret);
  });

  it.each(['json', 'pdf'] as const)('as %s is checked against a file without the service', async (format) => {
    const { core, service, folder, connectionId, documentId, path } = await registered('Überprüfung 合同 😀.pdf', {
      description: 'Zeile 1\nмир',
    });
    const receipt = await saved(core, { connectionId, documentId }, format);
    const before = JSON.stringify(service.control.requests());
    await service.close();
    expect(await check(core, receipt, path)).toMatchObject({ value: { isIntact: true, result: 'same' } });
    const changed = join(folder, 'changed.pdf');
    const bytes = await readFile(path);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await writeFile(changed, bytes);
    expect(await check(core, receipt, changed)).toMatchObject({
      value: { result: 'different', sizeBytes: bytes.length, receipt: { document: { id: documentId } } },
    });
    expect(JSON.stringify(service.control.requests())).toBe(before);
  });

  it('as PDF has real text, page numbers, and the receipt as JSON inside', async (test) => {
    const { core, connectionId, documentId, job } = await registered('Ёлка.pdf');
    const path = await saved(core, { connectionId, documentId }, 'pdf');
    const pdf = await PDFDocument.load(await readFile(path));
    expect(pdf.getTitle()).toBe(`Receipt ${documentId}`);
    const text = outputOf(test, 'pdftotext', path, '-');
    for (const part of [documentId, 'Ёлка.pdf', 'our own record, not a certificate of the', 'none (no TLS)'])
      expect(text).toContain(part);
    expect(text.replaceAll(/\s/g, '')).toContain(job?.sha256);
  });

  it('says of what is only practice that it is, as JSON and on every page', async (test) => {
    const core = await newCore();
    const [job] = await untilEnded(
      core,
      await register(core, 'practice', await writePdfs(await newFolder(), ['a.pdf'])),
    );
    const about = { connectionId: 'practice', documentId: job?.documentId ?? '' };
    const { connection } = await receiptOf(core, about);
    expect(connection?.name).toBe('Practice service · PRACTICE: no legal meaning');
    const pages = outputOf(test, 'pdftotext', await saved(core, about, 'pdf'), '-')
      .split('\f')
      .slice(0, -1);
    expect(pages.map((page) => page.includes('PRACTICE: no legal meaning'))).toEqual(pages.map(() => true));
  });

  it('as PDF is in the language of the window and tagged; its JSON is the same in every language', async (test) => {
    const { core, connectionId, documentId, path: file } = await registered();
    const path = join(await newFolder(), 'receipt.pdf');
    core.dialogs.targets.push(path);
    await core.must('receipts.save', { connectionId, documentId, format: 'pdf', language: 'de' });
    expect(await check(core, path, file)).toMatchObject({
      value: { isIntact: true, result: 'same', receipt: { nature: expect.stringContaining('our own record') } },
    });
    const tree = outputOf(test, 'pdfinfo', '-struct-text', path);
    expect(tree).toMatch(/H1 \(block\)\s+"Sendebeleg"/);
    expect(tree).toMatch(/H2 \(block\)\s+"Antwort des Dienstes, unverändert"/);
    expect(tree).toContain(`„${documentId}“`);
    expect(tree).not.toMatch(/\bReceipt\b|Answer|Written by/);
  });

  it('is reported as changed if it was altered, and other files are refused', async () => {
    const { core, folder, connectionId, documentId, path } = await registered();
    const receipt = await saved(core, { connectionId, documentId }, 'json');
    const kept = JSON.parse(await readFile(receipt, 'utf8')) as Receipt;
    const altered = join(folder, 'altered.json');
    await writeFile(altered, JSON.stringify({ ...kept, times: { ...kept.times, departed: '2020-01-01T00:00:00Z' } }));
    expect(await check(core, altered, path)).toMatchObject({ value: { isIntact: false, result: 'same' } });
    for (const [name, bytes] of [
      ['nothing.json', '{}'],
      ['more.json', JSON.stringify({ ...kept, also: 1 })],
      ['deep.json', '['.repeat(100_000)],
      ['binary.json', Buffer.from([0, 255, 1])],
      ['empty.pdf', '%PDF-1.7\n/Type /EmbeddedFile stream\n'],
      ['huge.pdf', `%PDF-1.7\n1 0 obj\n<< /Type /EmbeddedFile /Length 999999999 >>\nstream\n{}`],
    ] as const) {
      const file = join(folder, name);
      await writeFile(file, bytes);
      expect(await check(core, file, path), name).toMatchObject({
        failure: { code: 'bad-input', fields: { receiptToken: 'is no receipt' } },
      });
    }
    expect(await check(core, path, path)).toMatchObject({ failure: { code: 'bad-input' } });
  });

  it('says what the file itself proves and when that was examined, once it was, in every language', async (test) => {
    const { core, folder, connectionId, documentId, path } = await registered('signed.pdf', { bytes: forged.bytes });
    const about = { connectionId, documentId };
    expect(await receiptOf(core, about)).toMatchObject({ formatVersion: 2, ownVerdict: null });
    const silent = outputOf(test, 'pdftotext', await saved(core, about, 'pdf'), '-');
    expect(silent).not.toMatch(/The file itself|Examined/);

    // What other bytes prove is no word about these.
    await writeFile(join(folder, 'other.pdf'), signed.bytes);
    await verified(core, join(folder, 'other.pdf'));
    expect(await receiptOf(core, about)).toMatchObject({ ownVerdict: null });

    const before = new Date().toISOString();
    await verified(core, path);
    const { ownVerdict } = await receiptOf(core, about);
    expect(ownVerdict?.signatures).toMatchObject({ verdict: 'changed', signatures: [{ signer: 'Jane Doe' }] });
    const times = [before, ownVerdict?.examinedAt, new Date().toISOString()];
    expect(times).toEqual([...times].sort());
    for (const format of ['json', 'pdf'] as const)
      expect(await check(core, await saved(core, about, format), path)).toMatchObject({
        value: { isIntact: true, result: 'same', receipt: { formatVersion: 2, ownVerdict } },
      });
    for (const language of languageTags) {
      const target = join(await newFolder(), 'receipt.pdf');
      core.dialogs.targets.push(target);
      await core.must('receipts.save', { ...about, format: 'pdf', language });
      const text = outputOf(test, 'pdftotext', target, '-').replaceAll(/\s+/g, ' ');
      for (const part of ['Jane Doe', ownVerdict?.examinedAt]) expect(text, language).toContain(part);
      const t = await loadTexts(language, 'reports');
      if (language === 'ar') continue;
      for (const words of ['ownVerdicts.changed', 'ownReasons.page-changed'] as const)
        expect(text, language).toContain(t(words));
      const pages = t('ownPages.changed', { count: 1, pages: '1' }).replaceAll(/[\u2066-\u2069]/g, '');
      expect(text, language).toContain(pages);
    }
    // Examined again, the newer time counts.
    await verified(core, path);
    const again = await receiptOf(core, about);
    expect(again.ownVerdict?.examinedAt.localeCompare(ownVerdict?.examinedAt ?? '')).toBe(1);
  });

  it('leaves out what was examined at a time that nobody noted', async () => {
    const { core, connectionId, documentId, path } = await registered('signed.pdf', { bytes: signed.bytes });
    await verified(core, path);
    const about = { connectionId, documentId };
    expect((await receiptOf(core, about)).ownVerdict).not.toBeNull();
    const database = new DatabaseSync(join(core.dataDir, 'sealdesk.db'));
    database.exec("UPDATE verify_files SET signatures = json_remove(signatures, '$.examinedAt')");
    database.close();
    expect(await receiptOf(core, about)).toMatchObject({ ownVerdict: null });
  });

  it('of an earlier version is read as it was written, and none in between', async () => {
    const { core, folder, connectionId, documentId, path } = await registered();
    const { checksum: _newer, ownVerdict: _unknown, ...rest } = await receiptOf(core, { connectionId, documentId });
    const first = sealReceipt({ ...rest, formatVersion: 1 });
    const written = async (name: string, receipt: object) => {
      await writeFile(join(folder, name), JSON.stringify(receipt));
      return check(core, join(folder, name), path);
    };
    const read = await written('first.json', first);
    expect(read).toMatchObject({ value: { isIntact: true, result: 'same', receipt: first } });
    const refused = { failure: { code: 'bad-input' } };
    expect(await written('first-with-more.json', { ...first, ownVerdict: null })).toMatchObject(refused);
    expect(await written('second-with-less.json', { ...first, formatVersion: 2 })).toMatchObject(refused);
  });

  it('contains the fingerprint of the certificate of the service', async () => {
    const { key, cert } = selfSigned({ organisation: 'Test Authority' });
    const id = 'a1b2c3d4-0000-4000-8000-000000000001';
    const server: Server = createServer({ key, cert }, (request, response) => {
      request.resume().on('end', () => {
        response.setHeader('Content-Type', 'text/xml');
        response.end(
          `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><AddNewDocumentResponse xmlns="https://s.example/"><AddNewDocumentResult>${id}</AddNewDocumentResult></AddNewDocumentResponse></e:Body></e:Envelope>`,
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as { port: number };
    const [core, folder] = [await newCore(), await newFolder()];
    const { id: connectionId } = await core.must('connections.save', {
      settings: {
        name: 'Secure',
        baseUrl: `https://127.0.0.1:${port}`,
        mainPath: '/m.asmx',
        namespaceUri: 'https://s.example/',
        proxy: { mode: 'none' },
        extraCa: cert,
      },
    });
    await core.must('connections.setCredentials', { id: connectionId, apiKey: 'k-4711-x', apiSig: 's-0815-x' });
    const [job] = await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['a.pdf'])));
    expect(job).toMatchObject({ state: 'done', documentId: id });
    const { connection } = await receiptOf(core, { connectionId, documentId: id });
    expect(connection).toMatchObject({
      address: `https://127.0.0.1:${port}/m.asmx`,
      certificateFingerprint: new X509Certificate(cert).fingerprint256,
      certificateIssuer: 'Test Authority',
    });
  });

  it('is refused for documents that were not sent from here', async () => {
    const { service, documentId } = await registered();
    const core = await newCore();
    const connectionId = await connect(core, service);
    const ask = () => core.ask('receipts.save', { connectionId, documentId, format: 'json', language: 'en' });
    expect(await ask()).toMatchObject({ failure: { code: 'not-found' } });
    await core.must('documents.openById', { connectionId, documentId });
    expect(await ask()).toMatchObject({ failure: { code: 'bad-input' } });
    expect(await core.must('documents.list', {})).toMatchObject({ rows: [{ jobId: null }] });
  });
});
