import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { operationNames } from '../../../contract/operation.ts';
import { proposalFrom } from '../../../electron/core/connections/wsdl-source.ts';
import { fetchWsdl } from '../../../electron/soap/wsdl/fetch-wsdl.ts';
import { readWsdl, readWsdlFile } from '../../../electron/soap/wsdl/read-wsdl.ts';
import { httpAnswer, type RawServer, startRawServer } from '../../harness/raw-server.ts';

const assets = join(import.meta.dirname, '../../../assets/wsdl');
const timeouts = { connectMs: 500, idleMs: 500, answerMs: 500 };

async function wsdl(path: 'main' | 'easy-sign', address: string, rename: Record<string, string> = {}): Promise<string> {
  const template = await readFile(join(assets, `practice-${path}.wsdl`), 'utf8');
  const named = Object.entries(rename).reduce(
    (text, [from, to]) => text.replaceAll(`name="${from}"`, `name="${to}"`),
    template,
  );
  return named.replaceAll('{{namespaceUri}}', 'https://acme.example/ns/').replaceAll('{{address}}', address);
}

const proposed = (text: string) => proposalFrom(readWsdl(text), null, undefined);

describe('a WSDL', () => {
  it.each(['&#xB;', '&#0;', '\u000b', '\ufffe'])('with %j in its words is read as without it', async (written) => {
    const text = await wsdl('main', 'https://acme.example/V2/acme.asmx');
    const first = text.indexOf('>', text.indexOf('definitions')) + 1;
    const documented = `${text.slice(0, first)}<documentation>Version ${written} 2</documentation>${text.slice(first)}`;
    expect(proposed(documented)).toEqual(proposed(text));
  });

  it('with other element names is matched by position', async () => {
    const text = await wsdl('main', 'https://acme.example/V2/acme.asmx', {
      ServiceDocumentID: 'AcmeID',
      OrigServiceDocumentID: 'OrigAcmeID',
      ServiceDocument: 'AcmeFile',
      GetVersionResult: 'Version',
    });
    expect(proposed(text)).toMatchObject({
      settings: {
        baseUrl: 'https://acme.example',
        mainPath: '/V2/acme.asmx',
        namespaceUri: 'https://acme.example/ns/',
        elementNames: {
          ServiceDocumentID: 'AcmeID',
          OrigServiceDocumentID: 'OrigAcmeID',
          ServiceDocument: 'AcmeFile',
          GetVersionResult: 'Version',
        },
      },
      soapVersions: ['1.1', '1.2'],
      operations: operationNames.slice(0, 11),
      missing: [],
    });
  });

  it('a name that only one operation uses differently belongs to that operation', async () => {
    const text = await wsdl('main', 'https://acme.example/a.asmx');
    const one = text.replace(/(<s:element name="GetDocumentStatus">[\s\S]*?name=")ServiceDocumentID"/, '$1DocID"');
    expect(one).not.toBe(text);
    expect(proposed(one).settings.elementNames).toEqual({ 'GetDocumentStatus.ServiceDocumentID': 'DocID' });
  });

  it('for Easy Sign yields the base address before the fixed path', async () => {
    const { settings } = proposed(await wsdl('easy-sign', 'https://acme.example/app/easysign/v2/easysign.asmx'));
    expect(settings).toMatchObject({
      baseUrl: 'https://acme.example/app',
      easySignPath: '/easysign/v2/easysign.asmx',
      elementNames: {},
    });
    expect(settings.mainPath).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['a web page', '<!DOCTYPE html><html></html>'],
    ['other XML', '<a/>'],
    ['half of one', '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"><service>'],
    ['one without a port', '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/"/>'],
    ['JSON', '{"openapi":"3.0.0"}'],
  ])('%s is refused', (_name, text) => {
    expect(() => readWsdl(text)).toThrowError(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'bad-input', detail: 'wsdl-unusable' }) }),
    );
  });

  it('of another service is refused', async () => {
    const other = (await wsdl('main', 'https://a.example/')).replace(/\b(Get|Add|Validate)(?=[A-Z])/g, 'Other');
    expect(() => readWsdl(other)).toThrow('none of the operations');
  });

  it('is read from a file in UTF-16', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wsdl-'));
    const path = join(folder, 'service.wsdl');
    await writeFile(path, Buffer.from(`\ufeff${await wsdl('main', 'https://a.example/x.asmx')}`, 'utf16le'));
    expect((await readWsdlFile({ path })).ports[0]?.address).toBe('https://a.example/x.asmx');
    await expect(readWsdlFile({ path: folder })).rejects.toMatchObject({ failure: { code: 'file-unreadable' } });
    await rm(folder, { recursive: true });
  });
});

describe('a WSDL from an address', () => {
  let server: RawServer | undefined;
  afterEach(() => server?.close());
  const serve = async (answer: (path: string) => Buffer) => {
    server = await startRawServer(async (peer) => {
      peer.socket.end(answer((await peer.nextRequest()).split(' ')[1] ?? ''));
    });
    return fetchWsdl(`${server.url}/a.asmx?wsdl`, { proxy: 'DIRECT', timeouts });
  };
  it('is fetched, also after a redirect on the same host', async () => {
    const text = await wsdl('main', 'https://a.example/a.asmx');
    const { description, reached } = await serve((path) =>
      path === '/a.asmx?wsdl' ? httpAnswer(302, '', '', 'Location: /b?wsdl\r\n') : httpAnswer(200, 'text/xml', text),
    );
    expect(description.ports[0]?.operations).toHaveLength(11);
    expect(reached.pathname).toBe('/b');
  });
  it.each([
    ['redirected', httpAnswer(302, '', '', 'Location: http://localhost:1/\r\n')],
    ['redirected', httpAnswer(302, '', '', 'Location: /a.asmx?wsdl\r\n')],
    ['http-status', httpAnswer(404, 'text/html', '<p>')],
    ['wsdl-unusable', httpAnswer(200, 'text/html', '<p>')],
    ['wsdl-unusable', httpAnswer(200, 'text/xml', Buffer.alloc(6_000_000, ' '))],
    ['truncated-reply', httpAnswer(200, 'text/xml', '<a>').subarray(0, -2)],
  ])('%s', async (detail, answer) => {
    await expect(serve(() => answer)).rejects.toMatchObject({ failure: { detail } });
  });
});
