import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../contract/failure.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { RawESignEntry, ReplyRemark, SoapClient } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { type RawServer, startXmlServer } from '../../harness/raw-server.ts';
import { credentials, enveloped, namespaceUri, targetFor } from '../../harness/soap-texts.ts';

let server: RawServer;
let folder = '';
let answer = '';
let remarks: ReplyRemark[] = [];
let client: SoapClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'renamed-results-'));
  server = await startXmlServer(() => ({ xml: answer }));
});
beforeEach(() => {
  remarks = [];
  client = createSoapClient(targetFor(server.url), credentials, undefined, (remark) => remarks.push(remark));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const names = ['Return', 'return', 'result', 'out'] as const;
const nameFor = (name: (typeof names)[number], operation: string) => (name === 'Return' ? `${operation}Return` : name);

/** A response with these children, of which the ones without a prefix are in no namespace (as JAX-WS sends them). */
function respond(operation: OperationName, children: string): void {
  answer = enveloped(`<n:${operation}Response xmlns:n="${namespaceUri}">${children}</n:${operation}Response>`);
}

const entry = `<ESignList><DocumentName>a</DocumentName><ServiceDocumentID>${guid}</ServiceDocumentID></ESignList>`;
const listed = { DocumentName: 'a', ServiceDocumentID: guid };

async function list(): Promise<readonly RawESignEntry[]> {
  const found: RawESignEntry[] = [];
  await client.listESign(1, 10, (entries) => void found.push(...entries));
  return found;
}

async function received(): Promise<Buffer> {
  const { path } = await client.download(guid, { path: join(folder, 'document.pdf') });
  const bytes = await readFile(path);
  await rm(path);
  return bytes;
}

const failureOf = async (work: Promise<unknown>): Promise<Partial<Failure> | { read: unknown }> =>
  work.then(
    (read) => ({ read }),
    (error: { failure: Failure }) => error.failure,
  );

describe.each(names)('a result that is called %s', (name) => {
  it('is a text', async () => {
    const called = nameFor(name, 'GetVersion');
    respond('GetVersion', `<${called}>2.1</${called}>`);
    expect(await client.invoke('GetVersion', {})).toEqual({ raw: '2.1', resultName: called });
    expect(remarks).toEqual([{ kind: 'reply-renamed', operation: 'GetVersion', name: called }]);
  });
  it('is a list, whole and cut off at its limit', async () => {
    const called = nameFor(name, 'GetESignList');
    respond('GetESignList', `<${called}>${entry.repeat(3)}</${called}>`);
    expect(await list()).toEqual([listed, listed, listed]);
    expect(remarks).toEqual([{ kind: 'reply-renamed', operation: 'GetESignList', name: called }]);
    respond('GetESignList', `<${called}>${entry.repeat(30)}</${called}>`);
    expect(await list()).toHaveLength(10);
    expect(remarks).toHaveLength(2);
  });
  it('is a record', async () => {
    const called = nameFor(name, 'GetDocumentDetails');
    respond('GetDocumentDetails', `<${called}><DocumentName>a</DocumentName><Errors>0</Errors></${called}>`);
    expect((await client.invoke('GetDocumentDetails', { ServiceDocumentID: guid })).record).toEqual({
      DocumentName: 'a',
      Errors: '0',
    });
  });
  it('is a document', async () => {
    const called = nameFor(name, 'GetDocument');
    const bytes = Buffer.from(`%PDF-1.7 ${'x'.repeat(200_000)}`);
    respond('GetDocument', `<${called}>${bytes.toString('base64')}</${called}>`);
    const digest = (some: Buffer) => createHash('sha256').update(some).digest('hex');
    expect(digest(await received())).toBe(digest(bytes));
    expect(remarks).toEqual([{ kind: 'reply-renamed', operation: 'GetDocument', name: called }]);
  });
  it('is the answer to an add', async () => {
    const called = nameFor(name, 'AddNewDocument');
    respond('AddNewDocument', `<${called}>${guid}</${called}>`);
    expect(await client.invoke('AddNewDocument', { creditType: 1 })).toEqual({ raw: guid, resultName: called });
  });
});

describe('without the result, but with something else', () => {
  const odd: readonly (readonly [string, string])[] = [
    ['two elements', '<status>0</status><message>ok</message>'],
    ['entries without a list around them', entry.replaceAll('ESignList', 'return').repeat(2)],
    ['one entry without a list around it', entry.replaceAll('ESignList', 'return')],
    ['a status', '<status>0</status>'],
    ['a wrapper around the entries', `<GetESignListResult><Items>${entry}</Items></GetESignListResult>`],
    ['entries with names of their own', '<GetESignListResult><E><Titel>a</Titel><Nr>1</Nr></E></GetESignListResult>'],
    ['a text', 'no such list'],
    ['a code', '-121'],
    ['a reference', '<GetESignListResult href="#id1"/>'],
    ['a reference under another name', '<GetESignListReturn href="#id1"/>'],
  ];
  it.each(odd)('a list that is %s is unreadable, never empty', async (_name, children) => {
    respond('GetESignList', children);
    expect(await failureOf(list())).toMatchObject({ code: 'reply-unreadable', detail: 'wrong-reply' });
  });
  it.each([
    ['two elements', '<status>0</status><message>ok</message>'],
    ['a text', guid],
    ['a reference', '<AddNewDocumentReturn href="#id1"/>'],
  ])('an add that is answered by %s is in doubt', async (_name, children) => {
    respond('AddNewDocument', children);
    expect(await failureOf(client.invoke('AddNewDocument', { creditType: 1 }))).toMatchObject({
      code: 'outcome-unknown',
      detail: 'wrong-reply',
    });
  });
  it('a document that is two elements, or follows one, is unreadable', async () => {
    const text = Buffer.from(`%PDF-1.7 ${'x'.repeat(1000)}`).toString('base64');
    for (const children of [
      `<a>${text}</a><b>${text}</b>`,
      `<a>${text}</a><GetDocumentResult>${text}</GetDocumentResult>`,
    ]) {
      respond('GetDocument', children);
      expect(await failureOf(received())).toMatchObject({ code: 'reply-unreadable', detail: 'wrong-reply' });
    }
  });
});

describe('with the result, other elements beside it', () => {
  const text = Buffer.from(`%PDF-1.7 ${'x'.repeat(1000)}`).toString('base64');
  const sides = [
    (result: string) => `<status>0</status>${result}`,
    (result: string) => `${result}<status>0</status>`,
    (result: string) => `<a/><status><code>0</code></status>${result}<b>1</b>`,
  ];
  it.each(sides)('are not read: %s', async (beside) => {
    respond('GetVersion', beside('<GetVersionResult>2.1</GetVersionResult>'));
    expect(await client.invoke('GetVersion', {})).toEqual({ raw: '2.1' });
    respond('GetESignList', beside(`<GetESignListResult>${entry}</GetESignListResult>`));
    expect(await list()).toEqual([listed]);
    respond('AddNewDocument', beside(`<AddNewDocumentResult>${guid}</AddNewDocumentResult>`));
    expect(await client.invoke('AddNewDocument', { creditType: 1 })).toEqual({ raw: guid });
    expect(remarks).toEqual([]);
  });
  it.each(sides.slice(0, 2))('are no part of a document: %s', async (beside) => {
    respond('GetDocument', beside(`<GetDocumentResult>${text}</GetDocumentResult>`));
    expect((await received()).toString('base64')).toBe(text);
    expect(remarks).toEqual([]);
  });
});

it('an answer with nothing in it is nothing, as the interface allows', async () => {
  respond('GetESignList', '');
  expect(await list()).toEqual([]);
  respond('GetDocumentDetails', ' \n ');
  expect(await client.invoke('GetDocumentDetails', { ServiceDocumentID: guid })).toEqual({ raw: null });
  respond('GetDocument', '');
  expect(await failureOf(received())).toMatchObject({ code: 'service-refused', detail: 'no-document-in-reply' });
  expect(remarks).toEqual([]);
});
