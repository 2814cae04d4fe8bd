import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperationName } from '../../../contract/operation.ts';
import type { Arguments } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { type RawServer, startRawServer } from '../../harness/raw-server.ts';
import { credentials, envelope11, envelope12, namespaceUri, replyOf, targetFor } from '../../harness/soap-texts.ts';

const keys = '<apiKey>key-for-tests</apiKey><apiSig>signature-for-tests</apiSig>';
const easyDocument =
  '<DocumentName>n</DocumentName><Description>d</Description><ClientID>c</ClientID><Emails>a@x.example;b@x.example</Emails><Names>A;B</Names><ReqOwnerESign>true</ReqOwnerESign><XMLData>&lt;x a=&quot;1&quot;/&gt;</XMLData>';

let folder = '';
let server: RawServer;
let recorded = '';

/** Arguments in an order that is not the order of the wire, and the children that must go out for them, literally. */
const cases: Record<OperationName, () => { args: Arguments; children: string; path: string }> = {
  GetVersion: () => ({ args: {}, children: '', path: '/V2/service.asmx' }),
  GetSchedule: () => ({ args: {}, children: '', path: '/V2/service.asmx' }),
  GetAuthToken: () => ({ args: {}, children: keys, path: '/V2/service.asmx' }),
  AddNewDocument: () => ({
    args: { ClientID: 'c', DocumentName: 'Ünï & <b>', creditType: 1, Document: document() },
    children: `${keys}<Document>JVBERi0xLjQ=</Document><creditType>1</creditType><DocumentName>Ünï &amp; &lt;b&gt;</DocumentName><ClientID>c</ClientID>`,
    path: '/V2/service.asmx',
  }),
  AddNewDocumentESign: () => ({
    args: {
      SecretWord: 's',
      OwnerESignFirst: false,
      ReqOwnerESign: true,
      Emails: 'a@x.example',
      ClientID: '',
      Description: 'd',
      DocumentName: 'n',
      creditType: -2147483648,
      Document: document(),
    },
    children: `${keys}<Document>JVBERi0xLjQ=</Document><creditType>-2147483648</creditType><DocumentName>n</DocumentName><Description>d</Description><ClientID></ClientID><Emails>a@x.example</Emails><ReqOwnerESign>true</ReqOwnerESign><OwnerESignFirst>false</OwnerESignFirst><SecretWord>s</SecretWord>`,
    path: '/V2/service.asmx',
  }),
  GetDocumentStatus: () => ({
    args: { ServiceDocumentID: 'id' },
    children: `${keys}<ServiceDocumentID>id</ServiceDocumentID>`,
    path: '/V2/service.asmx',
  }),
  GetDocument: () => ({
    args: { ServiceDocumentID: 'id' },
    children: `${keys}<ServiceDocumentID>id</ServiceDocumentID>`,
    path: '/V2/service.asmx',
  }),
  AddQuickNote: () => ({
    args: { description: 'd\r\n2', QuickNoteMessage: '<![CDATA[</QuickNoteMessage>]]>' },
    children: `${keys}<QuickNoteMessage>&lt;![CDATA[&lt;/QuickNoteMessage&gt;]]&gt;</QuickNoteMessage><description>d&#13;\n2</description>`,
    path: '/V2/service.asmx',
  }),
  GetESignList: () => ({
    args: { MaxItems: 0, ListType: 2 },
    children: `${keys}<ListType>2</ListType><MaxItems>0</MaxItems>`,
    path: '/V2/service.asmx',
  }),
  GetDocumentDetails: () => ({ args: {}, children: keys, path: '/V2/service.asmx' }),
  ValidateDocument: () => ({
    args: { ServiceDocument: document() },
    children: `${keys}<ServiceDocument>JVBERi0xLjQ=</ServiceDocument>`,
    path: '/V2/service.asmx',
  }),
  AddNewEasySignDocument: () => ({
    args: {
      CCEmails: 'cc@x.example',
      IDVerify: false,
      CustomSubject: 'su',
      MessageToSigners: 'm',
      EnforceSigClick: true,
      AdditionalImage: image(),
      AllowSignerElementAdd: false,
      UniqueID: 'u',
      ElementsFromTemplateID: 't',
      XMLData: '<x a="1"/>',
      ReqOwnerESign: true,
      Names: 'A;B',
      Emails: 'a@x.example;b@x.example',
      ClientID: 'c',
      Description: 'd',
      DocumentName: 'n',
      Document: document(),
    },
    children: `${keys}<Document>JVBERi0xLjQ=</Document>${easyDocument}<ElementsFromTemplateID>t</ElementsFromTemplateID><UniqueID>u</UniqueID><AllowSignerElementAdd>false</AllowSignerElementAdd><AdditionalImage>iVBORw==</AdditionalImage><EnforceSigClick>true</EnforceSigClick><MessageToSigners>m</MessageToSigners><CustomSubject>su</CustomSubject><IDVerify>false</IDVerify><CCEmails>cc@x.example</CCEmails>`,
    path: '/easysign/v2/easysign.asmx',
  }),
  AddNewEasySignTemplate: () => ({
    args: {
      XMLData: '<x a="1"/>',
      ReqOwnerESign: true,
      Names: 'A;B',
      Emails: 'a@x.example;b@x.example',
      ClientID: 'c',
      Description: 'd',
      DocumentName: 'n',
      TemplateID: 'T1',
      AdditionalImage: image(),
    },
    children: `${keys}<TemplateID>T1</TemplateID>${easyDocument}<AdditionalImage>iVBORw==</AdditionalImage>`,
    path: '/easysign/v2/easysign.asmx',
  }),
};

const [pdf, png] = [Buffer.from('%PDF-1.4'), Buffer.from([0x89, 0x50, 0x4e, 0x47])];
const source = (name: string, bytes: Buffer) => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { path: join(folder, name), sizeBytes: bytes.length, sha256 };
};
const document = () => source('document.pdf', pdf);
const image = () => source('image.png', png);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wire-'));
  await writeFile(join(folder, 'document.pdf'), pdf);
  await writeFile(join(folder, 'image.png'), png);
  server = await startRawServer(async (peer) => {
    for (;;) {
      recorded = Buffer.from(await peer.nextRequest(), 'latin1').toString('utf8');
      const operation = /Body><(\w+)/.exec(recorded)?.[1] ?? '';
      const inner = operation === 'GetDocument' ? 'JVBERi0xLjQ=' : operation === 'GetESignList' ? '' : 'x';
      const reply = replyOf(operation, inner);
      peer.socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(reply)}\r\n\r\n${reply}`,
      );
    }
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

async function send(soapVersion: '1.1' | '1.2', operation: OperationName, args: Arguments, base = '') {
  const client = createSoapClient(targetFor(`${server.url}${base}`, { soapVersion }), credentials);
  try {
    if (operation === 'GetDocument') return await client.download('id', { path: join(folder, `${randomUUID()}.pdf`) });
    if (operation === 'GetESignList') return await client.listESign(2, 0, () => undefined);
    return await client.invoke(operation, args);
  } finally {
    client.close();
  }
}

function expectedRequest(soapVersion: '1.1' | '1.2', operation: OperationName, path: string, children: string) {
  const isFresh = operation.startsWith('Add') || operation === 'GetDocument';
  const envelope = soapVersion === '1.1' ? envelope11 : envelope12;
  const body = `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="${envelope}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"  xmlns:tns="${namespaceUri}"><soap:Body><${operation} xmlns="${namespaceUri}">${children}</${operation}></soap:Body></soap:Envelope>`;
  const type =
    soapVersion === '1.1'
      ? `Content-Type: text/xml; charset=utf-8\r\nSOAPAction: "https://service.example/ns/${operation}"`
      : 'Content-Type: application/soap+xml; charset=utf-8';
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nAccept: text/xml, application/soap+xml\r\nAccept-Encoding: identity\r\nUser-Agent: Sealdesk\r\nConnection: ${isFresh ? 'close' : 'keep-alive'}\r\n\r\n${body}`;
}

describe.each(['1.1', '1.2'] as const)('raw bytes with SOAP %s', (soapVersion) => {
  it.each(Object.keys(cases) as OperationName[])('%s', async (operation) => {
    const { args, children, path } = cases[operation]();
    await send(soapVersion, operation, args);
    expect(recorded).toBe(expectedRequest(soapVersion, operation, path, children));
  });
});

describe('settings of the connection', () => {
  it('joins a base that has a path without a double slash', async () => {
    await send('1.1', 'GetVersion', {}, '/prefix/');
    expect(recorded).toMatch(/^POST \/prefix\/V2\/service\.asmx HTTP\/1\.1\r\n/);
  });

  it('uses the element names of the connection, for one operation before those for all', async () => {
    const elementNames = {
      ServiceDocumentID: 'AcmeID',
      'GetDocumentDetails.ServiceDocumentID': 'attributes',
      apiKey: 'key',
    };
    const client = createSoapClient(targetFor(server.url, { elementNames }), credentials);
    await client.invoke('GetDocumentStatus', { ServiceDocumentID: 'id' });
    expect(recorded).toContain('<key>key-for-tests</key><apiSig>signature-for-tests</apiSig><AcmeID>id</AcmeID>');
    await client.invoke('GetDocumentDetails', { ServiceDocumentID: 'id' });
    expect(recorded).toContain('<attributes>id</attributes>');
    client.close();
  });

  it('escapes a namespace exactly once', async () => {
    const client = createSoapClient(targetFor(server.url, { namespaceUri: 'urn:a&b\'c"d<e/' }), credentials);
    await expect(client.invoke('GetVersion', {})).rejects.toMatchObject({ failure: { detail: 'wrong-reply' } });
    expect(recorded).toContain('<GetVersion xmlns="urn:a&amp;b&apos;c&quot;d&lt;e/">');
    client.close();
  });

  it('reuses one connection for reads and opens a new one for every add', async () => {
    const before = server.connections();
    const client = createSoapClient(targetFor(server.url), credentials);
    for (let turn = 0; turn < 3; turn++) await client.invoke('GetVersion', {});
    expect(server.connections() - before).toBe(1);
    for (let turn = 0; turn < 2; turn++) await client.invoke('AddQuickNote', { QuickNoteMessage: 'm' });
    expect(server.connections() - before).toBe(3);
    client.close();
  });
});

describe('arguments that cannot be sent', () => {
  it.each([
    ['AddNewDocument', { creditType: 1.5 }, 'creditType'],
    ['AddNewDocument', { creditType: 2147483648 }, 'creditType'],
    ['AddNewDocument', { creditType: '1' }, 'creditType'],
    ['AddNewDocument', {}, 'creditType'],
    ['AddNewDocument', { creditType: 1, Document: 'JVBERi0' }, 'Document'],
    ['AddNewDocument', { creditType: 1, DocumentName: 'a\u0000' }, 'DocumentName'],
    ['AddNewDocument', { creditType: 1, DocumentName: 'a\ud800' }, 'DocumentName'],
    ['AddNewDocument', { creditType: 1, apiKey: 'other' }, 'apiKey'],
    ['AddNewDocument', { creditType: 1, attributes: 'x' }, 'attributes'],
    ['AddNewDocument', { creditType: 1, _xml: '<x/>' }, '_xml'],
    ['GetVersion', { apiKey: 'k' }, 'apiKey'],
  ] as const)('%s %j', async (operation, args, field) => {
    const before = server.connections();
    const failure = await send('1.1', operation, args as Arguments).catch((error: unknown) => error);
    expect(failure).toMatchObject({ failure: { code: 'bad-input', fields: { [field]: expect.any(String) } } });
    expect(server.connections()).toBe(before);
  });

  it('requires credentials only for operations that take them', async () => {
    const client = createSoapClient(targetFor(server.url), null);
    await expect(client.invoke('GetAuthToken', {})).rejects.toMatchObject({ failure: { code: 'not-connected' } });
    await expect(client.invoke('GetVersion', {})).resolves.toEqual({ raw: 'x' });
    client.close();
  });
});
