import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WsdlProposal, WsdlRemark } from '../../contract/connections.ts';
import { proposalFrom } from '../../electron/core/connections/wsdl-source.ts';
import { fetchWsdl } from '../../electron/soap/wsdl/fetch-wsdl.ts';
import { readWsdl } from '../../electron/soap/wsdl/read-wsdl.ts';
import {
  type ConnectionDraft,
  newDraft,
  ontoOf,
  withWsdl,
} from '../../renderer/screens/connections/connection-draft.ts';
import { selfSigned } from '../harness/certificate.ts';
import { assetsDir, type RunningCore, startCore } from '../harness/core.ts';

let core: RunningCore;
let folder: string;
const servers: (Server | TcpServer)[] = [];
beforeAll(async () => {
  core = await startCore();
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-wsdl-merge-'));
});
afterAll(async () => {
  await core.stop();
  await rm(folder, { recursive: true });
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
});

type Kind = 'main' | 'easy-sign';

async function wsdl(
  kind: Kind,
  address: string,
  rename: Record<string, string> = {},
  namespace = 'https://acme.example/ns/',
) {
  const template = await readFile(join(assetsDir, 'wsdl', `practice-${kind}.wsdl`), 'utf8');
  const named = Object.entries(rename).reduce(
    (text, [from, to]) => text.replaceAll(`name="${from}"`, `name="${to}"`),
    template,
  );
  return named.replaceAll('{{namespaceUri}}', namespace).replaceAll('{{address}}', address);
}

/** A web server with a text at each path; answers its origin. */
async function serve(texts: Record<string, (origin: string) => Promise<string>>): Promise<string> {
  const answer: RequestListener = async (asked, out) => {
    const text = texts[asked.url?.split('?')[0] ?? ''];
    if (!text) return out.writeHead(404).end();
    out.setHeader('content-type', 'text/xml; charset=utf-8').end(await text(`http://${asked.headers.host}`));
  };
  return `http://127.0.0.1:${await listen(createServer(answer))}`;
}

async function listen(server: Server | TcpServer, host = '127.0.0.1'): Promise<number> {
  servers.push(server);
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Read {
  readonly draft: ConnectionDraft;
  readonly remarks: readonly WsdlRemark[];
}

/** As the form does it, one WSDL after the other. */
async function readInto(draft: ConnectionDraft, ...addresses: string[]): Promise<Read> {
  let [form, remarks] = [draft, [] as readonly WsdlRemark[]];
  for (const address of addresses) {
    const proposal = await core.must('connections.readWsdl', { address, onto: ontoOf(form) });
    form = withWsdl(form, proposal).draft;
    remarks = [...remarks, ...proposal.remarks];
  }
  return { draft: form, remarks };
}

async function fileInto(draft: ConnectionDraft, text: string | Buffer): Promise<Read> {
  const path = join(folder, 'service.wsdl');
  await writeFile(path, text);
  const { token } = await core.core.acceptPath(path);
  const proposal = await core.must('connections.readWsdl', { token, onto: ontoOf(draft) });
  return { draft: withWsdl(draft, proposal).draft, remarks: proposal.remarks };
}

const kinds = (remarks: readonly WsdlRemark[]) => remarks.map(({ kind }) => kind);
const namesIn = ({ elementNames }: ConnectionDraft) =>
  Object.fromEntries(elementNames.map(({ key, value }) => [key, value]));

describe('two WSDLs, read one after the other', () => {
  const at = { main: '/app/folder/service.asmx', 'easy-sign': '/app/folder/easysign/v2/easysign.asmx' } as const;
  const two = () =>
    serve({
      [at.main]: (origin) => wsdl('main', origin + at.main, { ServiceDocumentID: 'AcmeID', apiKey: 'key' }),
      [at['easy-sign']]: (origin) =>
        wsdl('easy-sign', origin + at['easy-sign'], { XMLData: 'Felder', apiKey: 'Schluessel' }),
    });

  it.each([
    ['main first', ['main', 'easy-sign']],
    ['Easy Sign first', ['easy-sign', 'main']],
  ] as const)('%s: both leave what the other said, in a folder of a web server', async (_what, order) => {
    const origin = await two();
    const { draft } = await readInto(newDraft, ...order.map((kind) => `${origin}${at[kind]}?wsdl`));
    expect(draft).toMatchObject({
      baseUrl: `${origin}/app/folder`,
      mainPath: '/service.asmx',
      easySignPath: '/easysign/v2/easysign.asmx',
      namespaceUri: 'https://acme.example/ns/',
    });
    expect(namesIn(draft)).toEqual({
      apiKey: 'key',
      'AddNewEasySignDocument.apiKey': 'Schluessel',
      'AddNewEasySignTemplate.apiKey': 'Schluessel',
      ServiceDocumentID: 'AcmeID',
      XMLData: 'Felder',
    });
  });

  it('keep what a person typed beside, and name what they change', async () => {
    const origin = await two();
    const typed: ConnectionDraft = {
      ...newDraft,
      elementNames: [
        { key: 'GetDocument.ServiceDocumentID', value: 'OldID' },
        { key: 'CCEmails', value: 'Copies' },
        { key: 'half', value: '' },
      ],
    };
    const { draft, remarks } = await readInto(typed, `${origin}${at.main}?wsdl`);
    expect(namesIn(draft)).toMatchObject({ ServiceDocumentID: 'AcmeID', CCEmails: 'Copies', half: '' });
    expect(remarks).toContainEqual({
      kind: 'name-changed',
      about: 'GetDocument.ServiceDocumentID',
      was: 'OldID',
      now: 'AcmeID',
    });
    expect(remarks.find(({ kind, now }) => kind === 'name-found' && now === 'AcmeID')?.about).toContain(
      'GetDocumentStatus',
    );
  });

  it('leave what a person types while they are read', async () => {
    const origin = await two();
    const onto = { onto: ontoOf(newDraft) };
    const proposal = await core.must('connections.readWsdl', { address: `${origin}${at.main}?wsdl`, ...onto });
    const meanwhile = {
      ...newDraft,
      name: 'Acme',
      mainPath: '/typed.asmx',
      elementNames: [{ key: 'apiKey', value: 'mine' }],
    };
    const { draft } = withWsdl(meanwhile, proposal, newDraft);
    expect(draft).toMatchObject({ name: 'Acme', baseUrl: origin, mainPath: '/typed.asmx' });
    expect(namesIn(draft)).toMatchObject({ apiKey: 'mine', ServiceDocumentID: 'AcmeID' });
  });

  it('at two computers are not joined: the connection stays, and it is said', async () => {
    const [one, other] = [await two(), await two()];
    const { draft, remarks } = await readInto(newDraft, `${one}${at.main}?wsdl`, `${other}${at['easy-sign']}?wsdl`);
    expect(draft).toMatchObject({ baseUrl: one, mainPath: at.main, easySignPath: '/easysign/v2/easysign.asmx' });
    expect(remarks).toContainEqual({ kind: 'other-host', about: 'easySignPath', was: one, now: other });
  });

  it('with two namespaces or SOAP versions: the main one stays, and it is said', async () => {
    const origin = await serve({
      '/a.asmx': (from) => wsdl('main', `${from}/a.asmx`),
      '/easysign/v2/easysign.asmx': async (from) =>
        (await wsdl('easy-sign', `${from}/easysign/v2/easysign.asmx`, {}, 'https://other.example/')).replaceAll(
          'http://schemas.xmlsoap.org/wsdl/soap/',
          'http://schemas.xmlsoap.org/wsdl/soap12/',
        ),
    });
    const pages = [`${origin}/a.asmx?wsdl`, `${origin}/easysign/v2/easysign.asmx?wsdl`];
    for (const order of [pages, [...pages].reverse()]) {
      const { draft, remarks } = await readInto(newDraft, ...order);
      expect(draft).toMatchObject({ namespaceUri: 'https://acme.example/ns/', soapVersion: '1.1' });
      expect(kinds(remarks).some((kind) => kind === 'other-namespace' || kind === 'namespace-changed')).toBe(true);
      expect(kinds(remarks)).toContain('easy-sign-version');
    }
  });
});

describe('the address of a connection', () => {
  it('is the one that was typed: https is not made http, the port is not lost', async () => {
    const certificate = selfSigned({ organisation: 'Acme' });
    const text = await wsdl('main', 'http://internal:8080/V2/acme.asmx');
    const answer: RequestListener = (_asked, out) => out.setHeader('content-type', 'text/xml').end(text);
    const port = await listen(createHttps(certificate, answer));
    const trusting = { ...newDraft, extraCa: certificate.cert };
    const { draft, remarks } = await readInto(trusting, `https://127.0.0.1:${port}/V2/acme.asmx?wsdl`);
    expect(draft).toMatchObject({ baseUrl: `https://127.0.0.1:${port}`, mainPath: '/V2/acme.asmx' });
    expect(remarks).toContainEqual({
      kind: 'downgrade-refused',
      about: 'baseUrl',
      was: 'http://internal:8080',
      now: `https://127.0.0.1:${port}`,
    });
  });

  it('is another port or name than the description has: the typed one, and it is said', async () => {
    const origin = await serve({
      '/V2/acme.asmx': () => wsdl('main', 'https://user:word@internal.example/V2/acme.asmx'),
    });
    const { draft, remarks } = await readInto(newDraft, `${origin}/V2/acme.asmx?wsdl`);
    expect(draft).toMatchObject({ baseUrl: origin, mainPath: '/V2/acme.asmx' });
    expect(remarks).toContainEqual(expect.objectContaining({ kind: 'address-kept', was: 'https://internal.example' }));
    expect(JSON.stringify(remarks)).not.toContain('word');
  });

  it('is where a redirect on the same host leads, relative addresses and another path included', async () => {
    const inner = await serve({ '/b/acme.asmx': () => wsdl('main', 'acme.asmx') });
    const outer = createServer((_asked, out) => out.writeHead(302, { location: `${inner}/b/acme.asmx?wsdl` }).end());
    const address = `http://127.0.0.1:${await listen(outer)}/old?wsdl`;
    const { draft, remarks } = await readInto(newDraft, address);
    expect(draft).toMatchObject({ baseUrl: inner, mainPath: '/b/acme.asmx' });
    expect(kinds(remarks)).toContain('redirected');
    const moved = await serve({ '/out/acme.asmx': (from) => wsdl('main', `${from}/in/acme.asmx`) });
    const read = await readInto(newDraft, `${moved}/out/acme.asmx?wsdl`);
    expect(read.draft.mainPath).toBe('/in/acme.asmx');
    expect(kinds(read.remarks)).toContain('path-differs');
    const without = await serve({ '/out/acme.asmx': () => wsdl('main', 'net.tcp://acme/x') });
    const unusable = await readInto(newDraft, `${without}/out/acme.asmx?wsdl`);
    expect(unusable.draft).toMatchObject({ baseUrl: without, mainPath: '/out/acme.asmx' });
    expect(kinds(unusable.remarks)).toContain('address-unusable');
  });

  it('with a user name is refused, and what is wrong is said', async () => {
    const address = 'http://user:word@127.0.0.1:9/a.asmx?wsdl';
    const answer = await core.ask('connections.readWsdl', { address });
    expect(answer).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', fields: { address: expect.any(String) } },
    });
    expect(JSON.stringify(answer)).not.toContain('word');
  });

  it('of IPv6 stays one', async () => {
    const text = await wsdl('main', 'http://[::1]:1/V2/acme.asmx');
    const server = createServer((_asked, out) => out.setHeader('content-type', 'text/xml').end(text));
    const port = await listen(server, '::1');
    const { draft, remarks } = await readInto(newDraft, `http://[::1]:${port}/V2/acme.asmx?wsdl`);
    expect(draft).toMatchObject({ baseUrl: `http://[::1]:${port}`, mainPath: '/V2/acme.asmx' });
    expect(kinds(remarks)).not.toContain('in-clear');
    const settings = {
      name: 'Six',
      baseUrl: draft.baseUrl,
      mainPath: draft.mainPath,
      namespaceUri: draft.namespaceUri,
    };
    await core.must('connections.save', { settings });
  });

  it('from a file is the described one; http to another computer is named; it never ends an https', async () => {
    const text = await wsdl('main', 'http://service.example:80/V2/acme.asmx');
    const fresh = await fileInto(newDraft, text);
    expect(fresh.draft).toMatchObject({ baseUrl: 'http://service.example', mainPath: '/V2/acme.asmx' });
    expect(fresh.remarks).toContainEqual({ kind: 'in-clear', about: 'baseUrl', now: 'http://service.example' });
    const secure = { ...newDraft, baseUrl: 'https://service.example:8443', mainPath: '/V2/acme.asmx' };
    const kept = await fileInto(secure, text);
    expect(kept.draft.baseUrl).toBe('https://service.example:8443');
    expect(kinds(kept.remarks)).toContain('downgrade-refused');
    const usual = await fileInto(newDraft, await wsdl('main', 'https://service.example:443/V2/acme.asmx'));
    expect(usual.draft.baseUrl).toBe('https://service.example');
    const relative = await fileInto(newDraft, await wsdl('main', '/V2/acme.asmx'));
    expect(relative.draft.baseUrl).toBe(newDraft.baseUrl);
    expect(kinds(relative.remarks)).toContain('address-unusable');
  });
});

describe('a description', () => {
  const both = async (main: string, easySign: string) => {
    const [one, other] = [await wsdl('main', main), await wsdl('easy-sign', easySign)];
    const inside = (text: string, tag: string) =>
      new RegExp(`<wsdl:${tag}[ >][\\s\\S]*</wsdl:${tag}>`).exec(text)?.[0] ?? '';
    const services = inside(other, 'service').replace(/wsdl:service name="/, 'wsdl:service name="Other');
    return one
      .replace('</s:schema>', `${/<s:schema[^>]*>([\s\S]*)<\/s:schema>/.exec(other)?.[1]}</s:schema>`)
      .replace('</wsdl:definitions>', `${inside(other, 'binding')}${services}</wsdl:definitions>`);
  };

  it('of both services fills both paths in', async () => {
    const text = await both('https://a.example/x/main.asmx', 'https://a.example/x/easysign/v2/easysign.asmx');
    const { settings, missing } = proposalFrom(readWsdl(text), null, undefined);
    expect(settings).toMatchObject({
      baseUrl: 'https://a.example/x',
      mainPath: '/main.asmx',
      easySignPath: '/easysign/v2/easysign.asmx',
    });
    expect(missing).toEqual([]);
  });

  it('of one service does not say that the other is missing', async () => {
    const at = 'https://a.example/x.asmx';
    for (const kind of ['main', 'easy-sign'] as const) {
      expect(proposalFrom(readWsdl(await wsdl(kind, at)), null, undefined).missing).toEqual([]);
    }
    const part = (await wsdl('main', at)).replaceAll('"GetSchedule"', '"GetOther"');
    expect(proposalFrom(readWsdl(part), null, undefined).missing).toEqual(['GetSchedule']);
  });

  it('of both services at two computers fills one in and says so', async () => {
    const text = await both('https://a.example/main.asmx', 'https://b.example/easysign/v2/easysign.asmx');
    const { settings, remarks } = proposalFrom(readWsdl(text), null, undefined);
    expect(settings).toMatchObject({ baseUrl: 'https://a.example', mainPath: '/main.asmx' });
    expect(settings.easySignPath).toBeUndefined();
    expect(kinds(remarks)).toContain('other-host');
  });

  it('with several addresses takes the one where it was read, and names the others', async () => {
    const text = await wsdl('main', 'https://a.example/old.asmx');
    const second = text.replace(
      '</wsdl:service>',
      /<wsdl:port [\s\S]*?<\/wsdl:port>/.exec(text)?.[0].replace('old.asmx', 'new.asmx').concat('</wsdl:service>') ??
        '',
    );
    const url = new URL('https://a.example/new.asmx?wsdl');
    const { settings, remarks } = proposalFrom(readWsdl(second), { asked: url, reached: url }, undefined);
    expect(settings.mainPath).toBe('/new.asmx');
    expect(remarks).toContainEqual(
      expect.objectContaining({ kind: 'several-addresses', was: 'https://a.example/old.asmx' }),
    );
  });

  it('in UTF-16 or UTF-8 with a mark, or compressed unasked, is read', async () => {
    const text = await wsdl('main', 'https://a.example/x.asmx');
    const big = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
    const bodies: [Buffer, Record<string, string>][] = [
      [big, { 'content-type': 'text/xml' }],
      [big, { 'content-type': 'text/xml; charset=utf-8' }],
      [Buffer.from(`\ufeff${text}`), { 'content-type': 'text/xml' }],
      [gzipSync(text), { 'content-type': 'text/xml', 'content-encoding': 'gzip' }],
    ];
    for (const [body, headers] of bodies) {
      const server = createServer((_asked, out) => out.writeHead(200, headers).end(body));
      const { draft } = await readInto(newDraft, `http://127.0.0.1:${await listen(server)}/x.asmx?wsdl`);
      expect(draft.mainPath).toBe('/x.asmx');
    }
    const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
    const headers = { 'content-type': 'text/xml', 'content-encoding': 'gzip' };
    const server = createServer((_asked, out) => out.writeHead(200, headers).end(bomb));
    const answer = await core.ask('connections.readWsdl', {
      address: `http://127.0.0.1:${await listen(server)}/?wsdl`,
    });
    expect(answer).toMatchObject({ ok: false, failure: { detail: 'wsdl-unusable' } });
  });

  it('whose parts are elsewhere, or which wants another action, says so', async () => {
    const text = (await wsdl('main', 'https://a.example/x.asmx'))
      .replace(
        /<s:schema[\s\S]*<\/s:schema>/,
        '<s:schema><s:import schemaLocation="https://a.example/x.asmx?xsd=xsd0"/></s:schema>',
      )
      .replaceAll(/soapAction="([^"]*)GetVersion"/g, 'soapAction="$1IService/GetVersion"');
    const { settings, remarks } = proposalFrom(readWsdl(text), null, undefined);
    expect(settings.elementNames).toEqual({});
    expect(kinds(remarks)).toEqual(expect.arrayContaining(['imports', 'not-described', 'other-action']));
  });
});

describe('names where the number of children differs', () => {
  /** One operation's request rewritten. */
  const changed = async (
    operation: string,
    change: (children: string[]) => string[],
    rename: Record<string, string> = {},
  ) => {
    const text = await wsdl('main', 'https://a.example/x.asmx', rename);
    return text.replace(
      new RegExp(`(<s:element name="${operation}">[\\s\\S]*?<s:sequence>)([\\s\\S]*?)(</s:sequence>)`),
      (_all, a, b, c) => {
        return a + change(b.match(/<s:element [^>]*\/>/g) ?? []).join('') + c;
      },
    );
  };
  const read = (text: string): WsdlProposal => proposalFrom(readWsdl(text), null, undefined);
  const child = (name: string, type: string, min = 0) =>
    `<s:element minOccurs="${min}" maxOccurs="1" name="${name}" type="s:${type}"/>`;

  it('an element more that differs by its type', async () => {
    const text = await changed('GetDocumentStatus', (all) => [...all, child('Version', 'int')], {
      ServiceDocumentID: 'AcmeID',
    });
    const { settings, remarks } = read(text);
    expect(settings.elementNames).toEqual({ ServiceDocumentID: 'AcmeID' });
    expect(remarks).toContainEqual({ kind: 'element-extra', about: 'GetDocumentStatus', now: 'Version' });
  });

  it('an element more of the same type: by what the service calls it elsewhere', async () => {
    const text = await changed('GetDocumentStatus', (all) => [...all, child('Language', 'string', 1)], {
      ServiceDocumentID: 'AcmeID',
    });
    const { settings, remarks } = read(text);
    expect(settings.elementNames).toEqual({ ServiceDocumentID: 'AcmeID' });
    expect(remarks).toContainEqual({ kind: 'element-required', about: 'GetDocumentStatus', now: 'Language' });
  });

  it('an element more in the middle of many', async () => {
    const text = await changed(
      'AddNewDocumentESign',
      (all) => [...all.slice(0, 3), child('Locale', 'string'), ...all.slice(3)],
      { creditType: 'Payment', Emails: 'Recipients' },
    );
    expect(read(text).settings.elementNames).toEqual({
      creditType: 'Payment',
      'AddNewDocumentESign.Emails': 'Recipients',
    });
  });

  it('an element less', async () => {
    const text = await changed('AddNewDocument', (all) => all.filter((one) => !one.includes('"Description"')), {
      ClientID: 'Reference',
      Document: 'File',
    });
    const { settings, remarks } = read(text);
    expect(settings.elementNames).toEqual({
      Document: 'File',
      ClientID: 'Reference',
      // Not described here: they stay.
      'AddNewEasySignDocument.Document': 'Document',
      'AddNewEasySignDocument.ClientID': 'ClientID',
      'AddNewEasySignTemplate.ClientID': 'ClientID',
    });
    expect(remarks).toContainEqual({ kind: 'name-unmatched', about: 'AddNewDocument.Description', was: 'Description' });
  });

  it('what could be this or that is not guessed, but named', async () => {
    const text = await changed('AddQuickNote', (all) => [
      ...all.slice(0, 2),
      child('A', 'string'),
      child('B', 'string'),
      child('C', 'string'),
    ]);
    const { settings, remarks } = read(text);
    expect(settings.elementNames).toEqual({});
    expect(remarks).toEqual(
      expect.arrayContaining([
        { kind: 'name-unmatched', about: 'AddQuickNote.QuickNoteMessage', was: 'QuickNoteMessage' },
        { kind: 'element-extra', about: 'AddQuickNote', now: 'B' },
      ]),
    );
  });

  it('two elements in another order are not taken for each other', async () => {
    const text = await changed('AddQuickNote', ([key = '', sig = '', message = '', description = '']) => [
      key,
      sig,
      description,
      message,
    ]);
    const { settings, remarks } = read(text);
    expect(settings.elementNames).toEqual({});
    expect(kinds(remarks)).toContain('order-differs');
  });
});

describe('a peer that drips', () => {
  it('is left after a total limit, whatever it drips: head or body', async () => {
    const text = await wsdl('main', 'https://a.example/x.asmx');
    const timers = new Set<NodeJS.Timeout>();
    const drip = (write: () => void) => timers.add(setInterval(write, 20));
    const body = createServer((_asked, out) => {
      out.writeHead(200, { 'content-type': 'text/xml' });
      let at = 0;
      drip(() => out.write(text[at++] ?? ' '));
    });
    const head = createTcp((socket) => {
      const start = 'HTTP/1.1 200 OK\r\nX-Slow: ';
      let at = 0;
      socket.on('error', () => undefined);
      drip(() => socket.write(start[at++] ?? 'x'));
    });
    for (const server of [body, head]) {
      const begun = performance.now();
      const timeouts = { connectMs: 5_000, idleMs: 5_000, answerMs: 5_000 };
      const options = { proxy: 'DIRECT', timeouts, totalMs: 400 };
      await expect(fetchWsdl(`http://127.0.0.1:${await listen(server)}/?wsdl`, options)).rejects.toMatchObject({
        failure: { code: 'service-timeout', detail: 'no-answer-in-time' },
      });
      expect(performance.now() - begun).toBeLessThan(4_000);
    }
    for (const timer of timers) clearInterval(timer);
  });
});
