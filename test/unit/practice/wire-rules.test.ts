import { describe, expect, test } from 'vitest';
import { operations } from '../../../practice/interface.ts';
import { startPractice } from '../../harness/practice.ts';
import {
  addressOf,
  assetsDir,
  call,
  envelope,
  headersFor,
  http,
  newFolder,
  type Practice,
  pdf,
  practice,
  raw,
  send,
  sendInner,
  type Version,
} from './practice-client.ts';

const keysOf = (service: Practice) => `<apiKey>${service.apiKey}</apiKey><apiSig>${service.apiSig}</apiSig>`;
const nil = 'xsi:nil="true" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const versions: readonly Version[] = ['1.1', '1.2'];

describe('every operation in both SOAP versions', () => {
  test.each(versions.flatMap((version) => operations.map(({ name }) => [name, version] as const)))(
    '%s in SOAP %s answers one response element with its length',
    async (name, version) => {
      const service = await practice();
      const id = await call(service, 'AddNewDocument', { Document: pdf(), creditType: 1 });
      const values = {
        Document: pdf(name),
        ServiceDocument: pdf(),
        creditType: 1,
        Emails: 'ada@example.com',
        ServiceDocumentID: id ?? '',
        TemplateID: 'TPL-1001',
        QuickNoteMessage: 'hello',
        ListType: 1,
        MaxItems: 10,
      };
      const reply = await send(service, name, values, version);
      expect(reply.status).toBe(200);
      expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)));
      expect(reply.headers['transfer-encoding']).toBeUndefined();
      expect(reply.headers['content-type']).toBe(
        version === '1.1' ? 'text/xml; charset=utf-8' : 'application/soap+xml; charset=utf-8',
      );
      expect(reply.body).toContain(`<soap:Body><${name}Response xmlns="${service.namespaceUri}"><${name}Result`);
      expect(reply.body.match(/Result[ >]/g)).toHaveLength(reply.body.includes('Result />') ? 1 : 2);
      expect(reply.body).toContain(
        version === '1.1' ? 'http://schemas.xmlsoap.org/soap/envelope/' : 'http://www.w3.org/2003/05/soap-envelope',
      );
      expect(service.namespaceUri).toMatch(/\/$/);
    },
  );
});

describe('behaviour of ASP.NET servers', () => {
  test('an empty list is an empty element, a refused one is no element', async () => {
    const service = await practice();
    const list = { ListType: 1, MaxItems: 5 };
    expect((await send(service, 'GetESignList', list)).body).toContain('<GetESignListResult />');
    const refused = await send(service, 'GetESignList', { ...list, apiKey: 'wrong' });
    expect(refused.body).toContain(`<GetESignListResponse xmlns="${service.namespaceUri}" />`);
  });

  test('a number may begin with a sign and with any number of zeros', async () => {
    const service = await practice();
    for (const ListType of ['0000000000000001', '+1', ' 01 '])
      expect((await send(service, 'GetESignList', { ListType, MaxItems: 5 })).body).toContain('<GetESignListResult />');
  });

  const unreadable = [
    ['a word as a number', 'GetESignList', '<ListType>one</ListType><MaxItems>1</MaxItems>'],
    ['an empty number', 'GetESignList', '<ListType/><MaxItems>1</MaxItems>'],
    ['a nil number', 'GetESignList', `<ListType ${nil}/><MaxItems>1</MaxItems>`],
    ['a number of too many bits', 'GetESignList', '<ListType>2147483648</ListType><MaxItems>1</MaxItems>'],
    ['a word as a later number', 'GetESignList', '<ListType>1</ListType><MaxItems>ten</MaxItems>'],
    ['a word as a boolean', 'AddNewDocumentESign', '<creditType>1</creditType><ReqOwnerESign>yes</ReqOwnerESign>'],
    ['no base64', 'AddNewDocument', '<Document>JVBERi0x*</Document>'],
    ['URL-safe base64', 'AddNewDocument', '<Document>JVBE_-0x</Document>'],
    ['half a quad of base64', 'AddNewDocument', '<Document>JVBER</Document>'],
    ['padding in the middle', 'AddNewDocument', '<Document>QQ==QUJD</Document>'],
    ['an entity in base64', 'AddNewDocument', '<Document>JVBERi0x&amp;</Document>'],
    ['a bad picture', 'AddNewEasySignTemplate', '<AdditionalImage>?</AdditionalImage>'],
  ] as const;
  const credentials = [
    ['right credentials', keysOf],
    ['wrong credentials', () => '<apiKey>a</apiKey><apiSig>b</apiSig>'],
    ['no credentials', () => ''],
  ] as const;
  test.each(
    unreadable.flatMap(([what, operation, inner]) =>
      credentials.flatMap(([who, keys]) => versions.map((version) => ({ what, who, version, operation, inner, keys }))),
    ),
  )('$what with $who is a fault with status 500 in SOAP $version', async ({ operation, inner, keys, version }) => {
    const service = await practice();
    const reply = await sendInner(service, operation, keys(service) + inner, version);
    expect(reply.status).toBe(500);
    expect(reply.body).toMatch(
      version === '1.1'
        ? /<faultcode>soap:Client<\/faultcode><faultstring>.*Server was unable to read request.*(Format|Overflow)Exception/
        : /<soap:Value>soap:Sender<\/soap:Value>.*<soap:Text xml:lang="en">.*Server was unable to read request.*(Format|Overflow)Exception/,
    );
    expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)));
  });

  test.each([
    ['a control character', '<Document/><creditType>1</creditType><DocumentName>a\u0001b</DocumentName>'],
    ['a reference to one', '<Document/><creditType>1</creditType><DocumentName>a&#1;b</DocumentName>'],
    ['an open tag', '<Document>'],
  ])('%s is answered with 400 and an empty body', async (_what, inner) => {
    const service = await practice();
    const reply = await sendInner(service, 'AddNewDocument', keysOf(service) + inner);
    expect(reply).toMatchObject({ status: 400, body: '' });
    expect(reply.headers['content-length']).toBe('0');
  });

  test('a DTD is refused', async () => {
    const service = await practice();
    const body = `<!DOCTYPE x [<!ENTITY a "b">]>${envelope('1.1', service.namespaceUri, 'GetVersion', '')}`;
    const headers = headersFor('1.1', service.namespaceUri, 'GetVersion');
    expect((await http(addressOf(service, 'GetVersion'), { headers, body })).status).toBe(400);
  });

  test.each([
    ['none', {}],
    ['an unquoted one', { SOAPAction: 'http://practice.sealdesk.example/GetVersion' }],
    ['another one', { SOAPAction: '"http://practice.sealdesk.example/GetSchedule"' }],
  ])('SOAP 1.1 with %s as SOAPAction is a fault', async (_what, action) => {
    const service = await practice();
    const headers = { 'Content-Type': 'text/xml; charset=utf-8', ...(action as Record<string, string>) };
    const body = envelope('1.1', service.namespaceUri, 'GetVersion', '');
    const reply = await http(addressOf(service, 'GetVersion'), { headers, body });
    expect(reply.status).toBe(500);
    expect(reply.body).toContain('did not recognize the value of HTTP Header SOAPAction');
  });

  test.each([
    ['children out of order', 'GetDocument', '<ServiceDocumentID>x</ServiceDocumentID><apiKey>a</apiKey>'],
    ['a child twice', 'GetAuthToken', '<apiKey>a</apiKey><apiKey>a</apiKey>'],
    ['an unknown child', 'GetAuthToken', '<apikey>a</apikey>'],
    ['a child without the namespace', 'GetAuthToken', '<apiKey xmlns="">a</apiKey>'],
    ['an element inside a text', 'GetAuthToken', '<apiKey><b>a</b></apiKey>'],
  ])('%s is a fault', async (_what, operation, inner) => {
    const reply = await sendInner(await practice(), operation, inner);
    expect(reply.status).toBe(500);
    expect(reply.body).toContain('soap:Client');
  });

  test('the envelope of the other version is a version mismatch', async () => {
    const service = await practice();
    const headers = headersFor('1.1', service.namespaceUri, 'GetVersion');
    const body = envelope('1.2', service.namespaceUri, 'GetVersion', '');
    expect((await http(addressOf(service, 'GetVersion'), { headers, body })).body).toContain('soap:VersionMismatch');
  });

  test('header blocks are ignored unless they have mustUnderstand', async () => {
    const service = await practice();
    const headers = headersFor('1.1', service.namespaceUri, 'GetVersion');
    const withHeader = (attribute: string) =>
      envelope('1.1', service.namespaceUri, 'GetVersion', '').replace(
        '<s:Body>',
        `<s:Header><t:Trace xmlns:t="urn:t" ${attribute}><t:a>1</t:a></t:Trace></s:Header><s:Body>`,
      );
    const address = addressOf(service, 'GetVersion');
    expect((await http(address, { headers, body: withHeader('') })).status).toBe(200);
    const insisting = await http(address, { headers, body: withHeader('s:mustUnderstand="1"') });
    expect(insisting.body).toContain('soap:MustUnderstand');
  });

  test('a nil child is an absent one', async () => {
    const service = await practice();
    expect((await sendInner(service, 'GetAuthToken', `<apiKey ${nil}/><apiSig ${nil}/>`)).body).toContain('>-121<');
    const keys = `<apiKey>${service.apiKey}</apiKey><apiSig>${service.apiSig}</apiSig>`;
    expect(
      (await sendInner(service, 'AddNewDocument', `${keys}<Document ${nil}/><creditType>1</creditType>`)).body,
    ).toContain('>-123<');
  });

  test('an Easy Sign operation is not on the main path', async () => {
    const service = await practice();
    const headers = headersFor('1.2', service.namespaceUri, 'AddNewEasySignTemplate');
    const body = envelope('1.2', service.namespaceUri, 'AddNewEasySignTemplate', '');
    expect((await http(service.baseUrl + service.mainPath, { headers, body })).status).toBe(500);
  });

  test('other paths, methods, types and hosts are refused with a page and a length', async () => {
    const service = await practice();
    const address = service.baseUrl + service.mainPath;
    const replies = [
      [404, await http(`${service.baseUrl}/V2/other.asmx`)],
      [405, await http(address, { method: 'DELETE' })],
      [415, await http(address, { headers: { 'Content-Type': 'text/plain' }, body: 'x' })],
      [421, await http(address, { method: 'GET', headers: { Host: 'rebound.example' } })],
      [200, await http(address, { method: 'GET' })],
    ] as const;
    for (const [status, reply] of replies) {
      expect(reply.status).toBe(status);
      expect(reply.headers['content-type']).toContain('text/html');
      expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.body)));
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('a request without a length is refused', async () => {
    const service = await practice();
    const head = `POST ${service.mainPath} HTTP/1.1\r\nHost: ${new URL(service.baseUrl).host}\r\nContent-Type: text/xml\r\nConnection: close\r\n`;
    expect(await raw(service, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1.1 411 /);
  });

  test('100 Continue is sent on request, and not before a refusal', async () => {
    const service = await practice();
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: ${new URL(service.baseUrl).host}\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: 9000000\r\nExpect: 100-continue\r\n\r\n`;
    expect(await raw(service, head(service.mainPath), '\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(await raw(service, head('/nowhere'))).toMatch(/^HTTP\/1.1 404 [\s\S]*Connection: close/i);
    service.control.misbehave({ mischief: { kind: 'early', status: 401 } });
    expect(await raw(service, head(service.mainPath))).toMatch(/^HTTP\/1.1 401 /);
  });

  test('a port in use rejects with its code', async () => {
    const service = await practice();
    const port = Number(new URL(service.baseUrl).port);
    const second = startPractice({ dataDir: await newFolder(), assetsDir, port });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('elements can have other names, in requests, answers and the description', async () => {
    const service = await practice({ elementNames: { ServiceDocumentID: 'AcmeID' } });
    const inner = `<apiKey>${service.apiKey}</apiKey><apiSig>${service.apiSig}</apiSig><AcmeID>x</AcmeID>`;
    expect((await sendInner(service, 'GetDocumentStatus', inner)).body).toContain('>-151<');
    const wsdl = await http(`${service.baseUrl}${service.mainPath}?WSDL`, { method: 'GET' });
    expect(wsdl.body).toContain('name="AcmeID"');
    expect(wsdl.body).not.toContain('name="ServiceDocumentID"');
    expect(wsdl.body).toContain(`location="${service.baseUrl}${service.mainPath}"`);
  });
});
