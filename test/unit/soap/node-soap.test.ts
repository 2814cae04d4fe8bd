import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, WSDL } from 'soap';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OperationName } from '../../../contract/operation.ts';
import { createCall } from '../../../electron/soap/request/node-soap.ts';
import type { Arguments } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { httpAnswer, type RawServer, startRawServer } from '../../harness/raw-server.ts';
import {
  credentials,
  envelope11,
  envelope12,
  enveloped,
  namespaceUri,
  replyOf,
  targetFor,
} from '../../harness/soap-texts.ts';

const xml = 'text/xml; charset=utf-8';
const id = '11111111-2222-3333-4444-555555555555';
let folder = '';
let server: RawServer;
let answer: Buffer = Buffer.alloc(0);
let requests: string[] = [];

/** What node-soap's parser got since the test began, and what is done with what it made of it. */
let parsed: string[] = [];
let change: (made: unknown, text: string) => unknown = (made) => made;
const { xmlToObject } = WSDL.prototype as unknown as { xmlToObject: (text: string) => unknown };
const { _invoke } = Client.prototype as unknown as { _invoke: (...given: unknown[]) => unknown };
let clients: Set<Client>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'node-soap-'));
  server = await startRawServer(async (peer) => {
    requests.push(await peer.nextRequest());
    peer.socket.end(answer);
  });
  Object.assign(WSDL.prototype, {
    xmlToObject(this: WSDL, text: string) {
      parsed.push(text);
      return change(xmlToObject.call(this, text), text);
    },
  });
  Object.assign(Client.prototype, {
    _invoke(this: Client, ...given: unknown[]) {
      clients.add(this);
      return _invoke.apply(this, given);
    },
  });
});
beforeEach(() => {
  parsed = [];
  requests = [];
  clients = new Set();
});
afterEach(() => {
  change = (made) => made;
});
afterAll(async () => {
  Object.assign(WSDL.prototype, { xmlToObject });
  Object.assign(Client.prototype, { _invoke });
  await server.close();
  await rm(folder, { recursive: true });
});

async function withClient<T>(
  bytes: Buffer,
  work: (client: ReturnType<typeof createSoapClient>) => Promise<T>,
  more: Parameters<typeof targetFor>[1] = {},
): Promise<T> {
  answer = bytes;
  const client = createSoapClient(targetFor(server.url, more), credentials);
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
const invoke = (operation: OperationName, inner: string | null, args: Arguments = {}, more = {}) =>
  withClient(httpAnswer(200, xml, replyOf(operation, inner)), (client) => client.invoke(operation, args), more);

function cleanEnvelope(operation: string, result: string, envelope: string = envelope11): string {
  return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${envelope}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soap:Body><${operation}Response xmlns="${namespaceUri}">${result}</${operation}Response></soap:Body></soap:Envelope>`;
}

describe('what a call resolves with is what node-soap read', () => {
  /** Lets node-soap read another result than the one that was written for it. */
  const reads = (operation: string, value: unknown) => {
    change = () => ({ Body: { [`${operation}Response`]: { [`${operation}Result`]: value } } });
  };
  it('a text', async () => {
    reads('AddQuickNote', 'read');
    expect(await invoke('AddQuickNote', 'sent', { QuickNoteMessage: 'm' })).toEqual({ raw: 'read' });
  });
  it('details', async () => {
    reads('GetDocumentDetails', { Errors: 'read' });
    const { record } = await invoke('GetDocumentDetails', '<r:Errors>sent</r:Errors>');
    expect(record).toEqual({ Errors: 'read' });
  });
  it('the number of entries of a list', async () => {
    reads('GetESignList', 7);
    const entry = '<r:ESignList><r:Name>a</r:Name></r:ESignList>';
    const bytes = httpAnswer(200, xml, replyOf('GetESignList', entry));
    expect(await withClient(bytes, (client) => client.listESign(1, 10, () => undefined))).toBe(7);
  });
  it('the size of a document', async () => {
    reads('GetDocument', 7);
    const bytes = httpAnswer(200, xml, replyOf('GetDocument', Buffer.from('%PDF-1.4').toString('base64')));
    const path = join(folder, 'sized.pdf');
    expect(await withClient(bytes, (client) => client.download('id', { path }))).toMatchObject({ sizeBytes: 7, path });
    expect(await readFile(path, 'latin1')).toBe('%PDF-1.4');
  });
});

describe('its parser gets only what was written for it', () => {
  const entry = '<r:ESignList><r:Name>key-for-tests</r:Name><r:__proto__>x</r:__proto__></r:ESignList>';
  it.each([
    ['GetSchedule', 'a', '<GetScheduleResult>a</GetScheduleResult>'],
    ['GetSchedule', '', '<GetScheduleResult></GetScheduleResult>'],
    ['GetSchedule', null, '<GetScheduleResult xsi:nil="true"/>'],
    [
      'GetSchedule',
      '<x id="__proto__" href="#y"><poisoned>1</poisoned></x>',
      '<GetScheduleResult>x: 1</GetScheduleResult>',
    ],
    [
      'GetSchedule',
      '<![CDATA[<?xml version="1.0"?><a id="__proto__">b</a>]]>',
      '<GetScheduleResult>&lt;?xml version=&quot;1.0&quot;?&gt;&lt;a id=&quot;__proto__&quot;&gt;b&lt;/a&gt;</GetScheduleResult>',
    ],
    ['GetSchedule', `${'<a>'.repeat(50)}deep${'</a>'.repeat(50)}`, '<GetScheduleResult>a: deep</GetScheduleResult>'],
    ['GetSchedule', '&#x1;&amp;lt;\r\n', '<GetScheduleResult>\ufffd&amp;lt;\n</GetScheduleResult>'],
    ['GetSchedule', 'x'.repeat(70_000), '<GetScheduleResult xsi:nil="true"/>'],
    [
      'GetDocumentDetails',
      '<r:__proto__ id="__proto__">x</r:__proto__><r:Pages nil="1">&lt;7</r:Pages><r:constructor>y</r:constructor><r:Errors><r:deep>0</r:deep></r:Errors>',
      '<GetDocumentDetailsResult><Pages>&lt;7</Pages><Errors>0</Errors></GetDocumentDetailsResult>',
    ],
    ['GetDocumentDetails', '<r:hasOwnProperty>x</r:hasOwnProperty>', '<GetDocumentDetailsResult xsi:nil="true"/>'],
    ['GetESignList', entry.repeat(1_000), '<GetESignListResult>1000</GetESignListResult>'],
    ['GetDocument', 'JVBERi0xLjQ=', '<GetDocumentResult>8</GetDocumentResult>'],
  ] as const)('%s %#', async (operation, inner, result) => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const path = join(folder, 'parsed.pdf');
    const bytes = httpAnswer(200, xml, replyOf(operation, inner));
    await withClient(bytes, async (client) => {
      if (operation === 'GetESignList') await client.listESign(1, 0, () => undefined);
      else if (operation === 'GetDocument') await client.download('id', { path });
      else await client.invoke(operation, {});
    });
    expect(parsed).toEqual([cleanEnvelope(operation, result)]);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  it('nothing of the structure of a reply, which has the names of the service', async () => {
    const bytes = httpAnswer(200, xml, replyOf('GetESignList', entry));
    const { entry: names } = await withClient(bytes, (client) =>
      client.shape('GetESignList', {
        ListType: 1,
        MaxItems: 1,
      }),
    );
    expect(names).toEqual(['Name', '__proto__']);
    expect(parsed).toEqual([cleanEnvelope('GetESignList', '<GetESignListResult xsi:nil="true"/>')]);
  });

  it('an envelope of the SOAP version of the call', async () => {
    expect(await invoke('GetSchedule', 'a', {}, { soapVersion: '1.2' })).toEqual({ raw: 'a' });
    expect(parsed).toEqual([cleanEnvelope('GetSchedule', '<GetScheduleResult>a</GetScheduleResult>', envelope12)]);
  });

  it.each([
    ['a fault', httpAnswer(500, xml, enveloped('<soap-env:Fault><faultcode>a</faultcode></soap-env:Fault>'))],
    ['a web page', httpAnswer(200, 'text/html', '<a:Envelope '.repeat(1_000))],
    ['an error page', httpAnswer(503, xml, '<a/>')],
    ['half a reply', httpAnswer(200, xml, replyOf('GetSchedule', 'x').slice(0, -20))],
    ['an empty reply', httpAnswer(200, xml, '')],
    ['another reply', httpAnswer(200, xml, replyOf('GetVersion', 'x'))],
    ['no answer', Buffer.alloc(0)],
  ])('%s: nothing', async (_name, bytes) => {
    await expect(withClient(bytes, (client) => client.invoke('GetSchedule', {}))).rejects.toMatchObject({
      failure: { code: expect.stringMatching(/^(service-refused|reply-unreadable|service-unreachable)$/) },
    });
    expect(parsed).toEqual([]);
  });
});

describe('if it cannot read what was written for it', () => {
  const throws = () => {
    throw new Error(`with ${credentials.apiKey}`);
  };
  const ways: readonly (readonly [string, typeof change])[] = [
    ['throws', throws],
    ['reads nothing', () => ({})],
    ['gives up without a call back', () => null],
    ['reads no body', () => ({ Body: 'x' })],
    ['reads no result', () => ({ Body: { AddNewDocumentResponse: {} } })],
    ['reads another kind', () => ({ Body: { AddNewDocumentResponse: { AddNewDocumentResult: 1 } } })],
  ];
  it.each(ways)('and %s, an add is in doubt, with its answer, and was sent once', async (_name, changed) => {
    change = changed;
    const failure = await invoke('AddNewDocument', id, { creditType: 1 }).then(
      () => null,
      (error: { failure: unknown }) => error.failure,
    );
    expect(failure).toMatchObject({ code: 'outcome-unknown', raw: id });
    expect(JSON.stringify(failure)).not.toContain(credentials.apiKey);
    expect(requests).toHaveLength(1);
  });
  it('a read is a bug', async () => {
    change = throws;
    await expect(invoke('GetVersion', '1')).rejects.toMatchObject({ failure: { code: 'bug' } });
  });
});

describe('after a call', () => {
  it('it holds neither the request nor the reply', async () => {
    await invoke('GetAuthToken', 'a token');
    await expect(withClient(Buffer.alloc(0), (client) => client.invoke('GetAuthToken', {}))).rejects.toThrow();
    expect(clients.size).toBe(2);
    for (const client of clients) {
      const held = Object.fromEntries(Object.entries(client).filter(([name]) => name.startsWith('last')));
      expect(JSON.stringify(held)).not.toMatch(/key-for-tests|a token/);
    }
  });
});

describe('texts', () => {
  it('come back as they were written, whatever they look like', async () => {
    const call = createCall(targetFor(server.url), null);
    const pieces = [
      '<',
      '&',
      '>',
      ']]>',
      '<![CDATA[',
      '&#13;',
      '\r',
      '\n',
      ' ',
      '\t',
      '\u00a0',
      '\u0085',
      '\ufeff',
      '\u2028',
      '😀',
      'a',
      '"',
      "'",
      '<?xml?>',
      '--',
      '\ufffd',
      '&amp;',
      '{"a":1}',
      '0',
    ];
    for (let seed = 0; seed < 400; seed++) {
      const text = Array.from(
        { length: seed % 9 },
        (_, at) => pieces[(seed * 7 + at * at * 13 + (seed >> 4)) % pieces.length],
      ).join('');
      const { value } = await call('GetVersion', {}, async () => ({ value: text, aside: null }));
      expect(value).toBe(text);
    }
  });
  it('that are long are sent and read whole', async () => {
    const long = `é<${'x&😀'.repeat(30_000)}`;
    const { raw } = await invoke('AddQuickNote', long.replaceAll('&', '&amp;').replaceAll('<', '&lt;'), {
      QuickNoteMessage: long,
      description: 'd',
    });
    expect(raw).toBe(long);
    const body = Buffer.from(requests[0] ?? '', 'latin1').toString('utf8');
    expect(body).toContain(
      `<QuickNoteMessage>${long.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</QuickNoteMessage><description>d</description>`,
    );
  });
});
