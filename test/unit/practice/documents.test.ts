import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeBytes } from '../../harness/describe-bytes.ts';
import {
  assetsDir,
  call,
  envelope,
  innerOf,
  newFolder,
  type Practice,
  pdf,
  practice,
  send,
} from './practice-client.ts';

const guid = /^[0-9A-F]{8}-([0-9A-F]{4}-){3}[0-9A-F]{12}$/;

function add(service: Practice, document: Buffer, more: Record<string, string | number> = {}) {
  return call(service, 'AddNewDocument', { Document: document, creditType: 1, DocumentName: 'lease.pdf', ...more });
}

async function fetched(service: Practice, id: string, keys: Record<string, string> = {}): Promise<Buffer | null> {
  const text = await call(service, 'GetDocument', { ServiceDocumentID: id, ...keys });
  return text === null ? null : Buffer.from(text, 'base64');
}

function validate(service: Practice, document: Buffer) {
  return call(service, 'ValidateDocument', { ServiceDocument: document });
}

describe('a registered document', () => {
  test('is completed after the processing time, and downloaded with a seal', async () => {
    const service = await practice({ processingMs: 900 });
    const sample = await readFile(join(assetsDir, 'samples', 'letter-of-engagement.pdf'));
    const id = (await add(service, sample, { Description: 'a & b', ClientID: 'C-1' })) ?? '';
    expect(id).toMatch(guid);
    expect(await call(service, 'GetDocumentStatus', { ServiceDocumentID: id })).toBe('Processing');
    expect(await fetched(service, id)).toBeNull();
    await expect
      .poll(() => call(service, 'GetDocumentStatus', { ServiceDocumentID: id.toLowerCase() }), { timeout: 20_000 })
      .toBe('Completed');
    const sealed = await fetched(service, id);
    expect(sealed?.subarray(0, sample.length).equals(sample)).toBe(true);
    expect(sealed?.subarray(sample.length).toString('latin1')).toContain(`%SealdeskPracticeSeal 1 ${id}`);
    expect(sealed?.toString('latin1')).toMatch(/startxref\n\d+\n%%EOF\n$/);
    // A revision of its own that a strict reader reads: nobody signed it.
    const own = await describeBytes(sealed ?? Buffer.alloc(0));
    expect([own.verdict, own.revisionEnds?.length]).toEqual(['unsigned', 2]);
    const details = await call(service, 'GetDocumentDetails', { ServiceDocumentID: id });
    expect(details).toMatch(
      /^<DocumentName>lease.pdf<\/DocumentName><CreatedDate>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}\+00:00<\/CreatedDate><Description>a &amp; b<\/Description><ClientID>C-1<\/ClientID><Pages>1<\/Pages><OriginalDocumentName>lease.pdf<\/OriginalDocumentName><Errors>0<\/Errors>$/,
    );
  });

  test('is distinguished from a changed and from an unknown one', async () => {
    const service = await practice();
    const sample = await readFile(join(assetsDir, 'samples', 'delivery-certificate.pdf'));
    const other = await readFile(join(assetsDir, 'samples', 'letter-of-engagement.pdf'));
    const sealed = (await fetched(service, (await add(service, sample)) ?? '')) ?? Buffer.alloc(0);
    expect(await validate(service, sample)).toBe('Valid');
    expect(await validate(service, sealed)).toBe('Valid');
    for (const document of [sample, sealed]) {
      const changed = Buffer.from(document);
      changed[1500] = (changed[1500] ?? 0) ^ 1;
      expect(await validate(service, changed)).toBe('Invalid - changed after registration');
    }
    const longer = Buffer.concat([sealed.subarray(0, 40), Buffer.from('%\n'), sealed.subarray(40)]);
    expect(await validate(service, longer)).toBe('Invalid - changed after registration');
    expect(await validate(service, other)).toBe('Invalid - not registered here');
    const forged = Buffer.from(
      sealed.toString('latin1').replace(/[0-9a-f]{64}\n/, `${'0'.repeat(64)}\n%more`),
      'latin1',
    );
    expect(await validate(service, forged)).toBe('Invalid - not registered here');
    expect(await validate(service, Buffer.from('no document at all'))).toBe('-150');
  });

  test('survives a restart, also if the journal was cut in the middle of a line', async () => {
    const dataDir = await newFolder();
    const first = await practice({ dataDir, credits: { document: 10 } });
    const id = (await add(first, pdf('kept'))) ?? '';
    await first.close();
    await appendFile(join(dataDir, 'journal.jsonl'), '{"event":"document","docu');
    const second = await practice({ dataDir });
    expect(second.apiKey).not.toBe(first.apiKey);
    expect(await call(second, 'GetDocumentStatus', { ServiceDocumentID: id })).toBe('Completed');
    expect(await validate(second, pdf('kept'))).toBe('Valid');
    expect(second.control.credits().document).toBe(9);
    await add(second, pdf('after'));
    await second.close();
    const third = await practice({ dataDir });
    expect(third.control.addsByHash().size).toBe(2);
    expect(third.control.addsByHash().get(createHash('sha256').update(pdf('kept')).digest('hex'))).toBe(1);
  });

  test('leaves no other files', async () => {
    const dataDir = await newFolder();
    const service = await practice({ dataDir });
    await add(service, pdf());
    await add(service, Buffer.from('not a PDF'));
    await validate(service, pdf());
    const [incoming] = (await readdir(dataDir)).filter((name) => name.startsWith('incoming-'));
    expect(await readdir(join(dataDir, incoming ?? ''))).toEqual([]);
    expect(await readdir(join(dataDir, 'documents'))).toHaveLength(1);
    await service.close();
    expect((await readdir(dataDir)).sort()).toEqual(['documents', 'journal.jsonl', 'seal.key']);
  });

  test('does not exist if its upload broke off', async () => {
    const dataDir = await newFolder();
    const service = await practice({ dataDir });
    const incoming = async () => {
      const [folder = ''] = (await readdir(dataDir)).filter((name) => name.startsWith('incoming-'));
      return readdir(join(dataDir, folder));
    };
    const text = envelope(
      '1.2',
      service.namespaceUri,
      'AddNewDocument',
      innerOf(service, 'AddNewDocument', { Document: pdf() }),
    );
    const head = `POST ${service.mainPath} HTTP/1.1\r\nHost: ${new URL(service.baseUrl).host}\r\nContent-Type: application/soap+xml\r\nContent-Length: ${text.length}\r\n\r\n`;
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    socket.write(head + text.slice(0, text.indexOf('</Document>') - 4));
    await expect.poll(incoming).toHaveLength(1);
    socket.destroy();
    await expect.poll(incoming).toEqual([]);
    expect(service.control.addsByHash().size).toBe(0);
    expect(service.control.requests()).toEqual({});
  });

  test('is readable by its owner and by accounts that it is shared with', async () => {
    const service = await practice();
    const id = (await add(service, pdf())) ?? '';
    const other = await service.control.addAccount('partner@example.com');
    expect(await call(service, 'GetDocumentStatus', { ServiceDocumentID: id, ...other })).toBe('-154');
    expect(await fetched(service, id, other)).toBeNull();
    await service.control.share(id, 'partner@example.com');
    expect(await call(service, 'GetDocumentStatus', { ServiceDocumentID: id, ...other })).toBe('Completed');
    expect((await fetched(service, id, other))?.subarray(0, 5).toString()).toBe('%PDF-');
    expect(await call(service, 'GetDocumentDetails', { ServiceDocumentID: id, ...other })).toBe(
      '<Errors>-154</Errors>',
    );
  });
});

describe('codes', () => {
  test.each([
    ['not a PDF', Buffer.from('PK\u0003\u0004'), '-150'],
    ['empty', Buffer.alloc(0), '-156'],
    ['without its end', Buffer.from('%PDF-1.7\n1 0 obj'), '-155'],
    ['encrypted', Buffer.from('%PDF-1.7\ntrailer << /Encrypt 5 0 R /Root 1 0 R >>\nstartxref\n9\n%%EOF'), '-145'],
    ['too large', pdf('x'.repeat(600)), '-143'],
    ['more than there is room for', pdf('x'.repeat(400)), '-182'],
  ])('a document that is %s', async (_what, document, code) => {
    const service = await practice({ limits: { documentBytes: 500, accountBytes: 300 } });
    expect(await add(service, document)).toBe(code);
    expect(service.control.credits().document).toBe(100_000);
    expect(service.control.addsByHash().size).toBe(0);
  });

  test('for no document, no credit type, no credits', async () => {
    const service = await practice({ credits: { document: 1, prepaid: 0 } });
    expect(await call(service, 'AddNewDocument', { creditType: 1 })).toBe('-123');
    expect(await call(service, 'AddNewDocument', { Document: pdf() })).toBe('-130');
    expect(await add(service, pdf(), { creditType: 9 })).toBe('-130');
    expect(await add(service, pdf(), { creditType: 2 })).toBe('-141');
    expect(await add(service, pdf())).toMatch(guid);
    expect(await add(service, pdf())).toBe('-140');
    await service.control.setPermissions({ subscription: 'ended', prepaidLocked: true });
    expect(await add(service, pdf(), { creditType: 3 })).toBe('-181');
    expect(await add(service, pdf(), { creditType: 2 })).toBe('-142');
  });

  test('concurrent adds spend the last credit once', async () => {
    const service = await practice({ credits: { document: 3 } });
    const answers = await Promise.all(Array.from({ length: 10 }, (_each, at) => add(service, pdf(`${at}`))));
    expect(answers.filter((answer) => answer === '-140')).toHaveLength(7);
    expect(service.control.credits().document).toBe(0);
  });

  test('for IDs and credentials', async () => {
    const service = await practice();
    const status = (ServiceDocumentID: string) => call(service, 'GetDocumentStatus', { ServiceDocumentID });
    const unknown = '00000000-0000-0000-0000-000000000000';
    expect(await status(unknown)).toBe('Not Found');
    expect(await status('12')).toBe('-151');
    expect(await status('')).toBe('-123');
    expect(await fetched(service, unknown)).toBeNull();
    expect(await call(service, 'GetDocumentDetails', { ServiceDocumentID: unknown })).toBe('<Errors>-124</Errors>');
    expect(await call(service, 'GetAuthToken', { apiKey: 'x' })).toBe('-121');
    expect(await call(service, 'GetAuthToken', { apiSig: 'x' })).toBe('-122');
    await service.control.setPermissions({ apiAccess: false });
    expect(await call(service, 'GetAuthToken')).toBe('-184');
  });

  test('for notes', async () => {
    const service = await practice({ credits: { note: 1 } });
    const note = (QuickNoteMessage: string) => call(service, 'AddQuickNote', { QuickNoteMessage, description: 'd' });
    expect(await note(' ')).toBe('-171');
    expect(await note('x'.repeat(3000))).toBe('-170');
    expect(await note('hello')).toBe('OK');
    expect(await note('again')).toBe('-172');
  });

  test('for a document that is damaged on disk: a fault, not a broken answer', async () => {
    const dataDir = await newFolder();
    const service = await practice({ dataDir });
    const id = (await add(service, pdf())) ?? '';
    await writeFile(join(dataDir, 'documents', `${id}.pdf`), 'short');
    const reply = await send(service, 'GetDocument', { ServiceDocumentID: id });
    expect(reply.status).toBe(500);
    expect(reply.body).toContain('soap:Server');
  });
});
