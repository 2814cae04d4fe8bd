import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../contract/failure.ts';
import { createTextDecoding } from '../../../electron/soap/reply/decode-text.ts';
import { createListReader } from '../../../electron/soap/reply/list-reader.ts';
import type { Reply, SoapClient } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { httpAnswer, type RawServer, startRawServer } from '../../harness/raw-server.ts';
import { credentials, envelope12, enveloped, namespaceUri, replyOf, targetFor } from '../../harness/soap-texts.ts';

let server: RawServer;
let client: SoapClient;
let answer: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  server = await startRawServer(async (peer) => {
    await peer.nextRequest();
    peer.socket.end(answer);
  });
});
beforeEach(() => {
  client = createSoapClient(targetFor(server.url), credentials);
});
afterAll(() => server.close());

const xml = 'text/xml; charset=utf-8';

async function ask(bytes: Buffer, operation: 'GetSchedule' | 'GetDocumentDetails' = 'GetSchedule'): Promise<Reply> {
  answer = bytes;
  return client.invoke(operation, {});
}
const replied = (inner: string | null) => ask(httpAnswer(200, xml, replyOf('GetSchedule', inner)));
const failed = async (bytes: Buffer): Promise<Failure> => {
  const error = await ask(bytes).then(
    (reply) => Promise.reject(new Error(`answered ${reply.raw}`)),
    (thrown: { failure: Failure }) => thrown,
  );
  return error.failure;
};

describe('texts', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    [' \n kept \t', ' \n kept \t'],
    ['&lt;a&gt; &#233;&#x1F600;', '<a> é😀'],
    ['<![CDATA[<?xml version="1.0"?><a/>]]> and more', '<?xml version="1.0"?><a/> and more'],
    ['a<!-- no -->b<?pi x?>c', 'abc'],
    ['__proto__', '__proto__'],
    ['<x>1</x><y>2</y>', 'x: 1\ny: 2'],
  ])('%j', async (inner, raw) => {
    expect(await replied(inner)).toEqual({ raw });
  });

  it('reads an absent and a nil result as null', async () => {
    expect(await replied(null)).toEqual({ raw: null });
    const nil = `<GetScheduleResponse xmlns="${namespaceUri}"><GetScheduleResult i:nil="1"/></GetScheduleResponse>`;
    expect(await ask(httpAnswer(200, xml, enveloped(nil)))).toEqual({ raw: null });
  });

  it.each([
    ['utf-16le', 'text/xml; charset=utf-16', Buffer.from(`\ufeff${replyOf('GetSchedule', 'Ü')}`, 'utf16le')],
    ['utf-8 with a mark', 'text/xml', Buffer.from(`\ufeff${replyOf('GetSchedule', 'Ü')}`)],
    ['declared latin1', 'text/xml', Buffer.from(replyOf('GetSchedule', 'Ü').replace('utf-8', 'ISO-8859-1'), 'latin1')],
  ])('%s', async (_name, type, body) => {
    expect(await ask(httpAnswer(200, type, body))).toEqual({ raw: 'Ü' });
  });

  it('reads the same in pieces of one byte', async () => {
    const bytes = httpAnswer(200, xml, replyOf('GetSchedule', 'Ü&amp;<![CDATA[x]]>'));
    const slow = await startRawServer(async (peer) => {
      await peer.nextRequest();
      peer.socket.setNoDelay(true);
      for (const byte of bytes) {
        peer.socket.write(Buffer.from([byte]));
        await new Promise((resolve) => setImmediate(resolve));
      }
      peer.socket.end();
    });
    const own = createSoapClient(targetFor(slow.url), credentials);
    expect(await own.invoke('GetSchedule', {})).toEqual({ raw: 'Ü&x' });
    own.close();
    await slow.close();
  });
});

describe('the details record', () => {
  it('has the interface’s names, and everything in the raw text', async () => {
    const inner = `<n:DocumentName>a &amp; b</n:DocumentName><n:Pages xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/><n:Ref>7</n:Ref><n:Errors>0</n:Errors><n:__proto__>x</n:__proto__>`;
    const body = `<n:GetDocumentDetailsResponse xmlns:n="${namespaceUri}"><n:GetDocumentDetailsResult>${inner}</n:GetDocumentDetailsResult></n:GetDocumentDetailsResponse>`;
    const own = createSoapClient(targetFor(server.url, { elementNames: { ClientID: 'Ref' } }), credentials);
    answer = httpAnswer(200, xml, enveloped(body));
    expect(await own.invoke('GetDocumentDetails', {})).toEqual({
      raw: 'DocumentName: a & b\nClientID: 7\nErrors: 0\n__proto__: x',
      record: { DocumentName: 'a & b', ClientID: '7', Errors: '0' },
    });
    expect(({} as { x?: unknown }).x).toBeUndefined();
    answer = httpAnswer(200, xml, replyOf('GetDocumentDetails', null));
    expect(await own.invoke('GetDocumentDetails', {})).toEqual({ raw: null });
  });
});

describe('faults', () => {
  const fault11 =
    '<soap-env:Fault><faultcode>soap-env:Server</faultcode><faultstring>No &amp; no key-for-tests</faultstring><detail><faultstring>x</faultstring></detail></soap-env:Fault>';
  const fault12 =
    '<soap-env:Fault><soap-env:Code><soap-env:Value>soap-env:Receiver</soap-env:Value><soap-env:Subcode><soap-env:Value>x:y</soap-env:Value></soap-env:Subcode></soap-env:Code><soap-env:Reason><soap-env:Text xml:lang="en">Broken</soap-env:Text></soap-env:Reason></soap-env:Fault>';
  it.each([200, 500, 400])('of 1.1 with HTTP %i, with credentials removed from its text', async (status) => {
    expect(await failed(httpAnswer(status, xml, enveloped(fault11)))).toMatchObject({
      code: 'service-refused',
      detail: 'soap-fault',
      serviceCode: 'soap-env:Server',
      raw: 'No & no •••',
    });
  });
  it('of 1.2', async () => {
    expect(await failed(httpAnswer(500, 'application/soap+xml', enveloped(fault12, envelope12)))).toMatchObject({
      code: 'service-refused',
      serviceCode: 'soap-env:Receiver / x:y',
      raw: 'Broken',
    });
  });
  it.each([
    ['de', 'Kaputt'],
    ['es', 'Broken'],
    [undefined, 'Broken'],
  ])('of 1.2 in several languages has one reason, for %s %s, and all its subcodes', async (language, raw) => {
    const text = (lang: string, words: string) => `<soap-env:Text xml:lang="${lang}">${words}</soap-env:Text>`;
    const several = fault12
      .replace(text('en', 'Broken'), text('fr', 'Cassé') + text('de-AT', 'Kaputt') + text('en-GB', 'Broken'))
      .replace(
        'x:y</soap-env:Value>',
        'x:y</soap-env:Value><soap-env:Subcode><soap-env:Value>x:z</soap-env:Value></soap-env:Subcode>',
      );
    answer = httpAnswer(500, 'application/soap+xml', enveloped(several, envelope12));
    const own = createSoapClient(targetFor(server.url, language ? { language } : {}), credentials);
    await expect(own.invoke('GetSchedule', {})).rejects.toMatchObject({
      failure: { serviceCode: 'soap-env:Receiver / x:y / x:z', raw },
    });
  });
  it('of 1.2 in languages that nobody asked for has the first reason', async () => {
    const other = fault12.replace(
      'xml:lang="en">Broken<',
      'xml:lang="fr">Cassé</soap-env:Text><soap-env:Text xml:lang="nl">Kapot<',
    );
    expect((await failed(httpAnswer(500, 'application/soap+xml', enveloped(other, envelope12)))).raw).toBe('Cassé');
  });
  it('bounds a long text', async () => {
    const long = fault11.replace('No &amp;', 'n'.repeat(50_000));
    expect((await failed(httpAnswer(500, xml, enveloped(long)))).raw).toHaveLength(2_000);
  });
});

describe('answers that are no reply of the operation', () => {
  const good = replyOf('GetSchedule', 'x');
  it.each([
    ['html-page', httpAnswer(200, 'text/html', '<html><body>Sign in</body></html>')],
    ['html-page', httpAnswer(200, xml, '<!DOCTYPE html><html></html>')],
    ['html-page', httpAnswer(200, xml, '<html xmlns="http://www.w3.org/1999/xhtml"></html>')],
    ['not-xml', httpAnswer(200, 'application/json', '{}')],
    ['not-xml', httpAnswer(200, '', good)],
    ['not-xml', httpAnswer(200, xml, '{"a":1}')],
    ['not-xml', httpAnswer(200, xml, `<!DOCTYPE a [<!ENTITY b "c">]>${good}`)],
    ['not-xml', httpAnswer(200, xml, good.replace('x</r', '&b;</r'))],
    ['not-xml', httpAnswer(200, xml, Buffer.from(good.replace('>x<', '>\xff<'), 'latin1'))],
    ['not-xml', httpAnswer(200, 'text/xml; charset=x-unknown', good)],
    ['not-xml', httpAnswer(200, xml, good, 'Content-Encoding: gzip\r\n')],
    ['redirected', httpAnswer(302, 'text/html', '', 'Location: http://127.0.0.1:1/\r\n')],
    ['redirected', httpAnswer(307, xml, good, 'Location: http://127.0.0.1:1/\r\n')],
    ['http-status', httpAnswer(206, xml, good)],
    ['http-status', httpAnswer(404, 'text/html', '<html>')],
    ['http-status', httpAnswer(503, '', '')],
    ['http-status', httpAnswer(500, xml, good)],
    ['http-status', httpAnswer(500, xml, '<broken')],
    ['http-status', httpAnswer(400, xml, '')],
    ['empty-reply', httpAnswer(200, xml, '')],
    ['empty-reply', httpAnswer(200, xml, ' \n ')],
    ['truncated-reply', httpAnswer(200, xml, good.slice(0, -20))],
    ['truncated-reply', httpAnswer(200, xml, good).subarray(0, -20)],
    [
      'truncated-reply',
      Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<?xml`),
    ],
    ['wrong-reply', httpAnswer(200, xml, replyOf('GetVersion', 'x'))],
    ['wrong-reply', httpAnswer(200, xml, good.replaceAll(namespaceUri, 'urn:other/'))],
    ['wrong-reply', httpAnswer(200, xml, enveloped(''))],
    ['wrong-reply', httpAnswer(200, xml, '<a/>')],
  ])('%s', async (detail, bytes) => {
    expect(await failed(bytes)).toMatchObject({ code: 'reply-unreadable', detail });
  });

  it('a connection that closes without an answer is connection-lost', async () => {
    expect(await failed(Buffer.alloc(0))).toMatchObject({ code: 'service-unreachable', detail: 'connection-lost' });
  });
});

describe('the e-sign list', () => {
  const list = async (inner: string | null, elementNames: Record<string, string> = {}) => {
    answer = httpAnswer(200, xml, replyOf('GetESignList', inner));
    const own = createSoapClient(targetFor(server.url, { elementNames }), credentials);
    const slices: unknown[] = [];
    const count = await own.listESign(1, 10, async (entries) => void slices.push(...entries));
    return { count, slices };
  };
  it.each([
    [null, []],
    ['', []],
    ['<r:ESignList i:nil="true"/>', [null]],
    [
      '<r:ESignList><r:DocumentName>a&amp;b</r:DocumentName><r:AcmeID>1</r:AcmeID><r:Email i:nil="true"/><r:Other>x</r:Other><r:SecretWord/></r:ESignList><r:ESignList/>',
      [{ DocumentName: 'a&b', ServiceDocumentID: '1', SecretWord: '' }, {}],
    ],
  ])('%j', async (inner, entries) => {
    expect(await list(inner, { ServiceDocumentID: 'AcmeID' })).toEqual({ count: entries.length, slices: entries });
  });
  it('reads plain and unusual entries alike, in pieces of any size', async () => {
    const plain = '<r:ESignList><r:Name>a</r:Name><r:Email>&lt;b&gt; &amp;&apos;&quot;</r:Email></r:ESignList>';
    const unusual =
      '<r:ESignList a="&gt;"><r:Name><![CDATA[<a>]]></r:Name><!-- > --><r:Email>&#98;\r\n</r:Email></r:ESignList>\n<x:ESignList xmlns:x="urn:x"><x:Name>é😀</x:Name></x:ESignList><r:ESignList i:nil="true"></r:ESignList>';
    const turn = [{ Name: 'a', Email: '<b> &\'"' }, { Name: '<a>', Email: 'b\n' }, { Name: 'é😀' }, null];
    const expected = Array.from({ length: 30 }, () => turn).flat();
    const whole = Buffer.from(replyOf('GetESignList', (plain + unusual).repeat(30)));
    for (const size of [1, 2, 3, 5, 17, 1_000, 100_000]) {
      const found: unknown[] = [];
      const decoding = createTextDecoding(null);
      const target = targetFor('http://127.0.0.1');
      const reader = createListReader(
        { target, operation: 'GetESignList', status: 200, redact: (text) => text },
        (entry) => found.push(entry),
      );
      for (let at = 0; at < whole.length; at += size) reader.write(decoding.write(whole.subarray(at, at + size)));
      reader.write(decoding.end());
      reader.end();
      expect(found).toEqual(expected);
    }
  });
  it('looks into no value of a first piece that holds no secret', () => {
    let looks = 0;
    const look = (text: string) => {
      looks += 1;
      return text;
    };
    const redact = Object.assign(look, { isNeeded: () => false });
    const target = targetFor('http://127.0.0.1');
    const reading = { target, operation: 'GetESignList', status: 200, redact } as const;
    const reader = createListReader(reading, () => undefined);
    reader.write(replyOf('GetESignList', '<r:ESignList><r:Name>a</r:Name></r:ESignList>'.repeat(100)));
    expect(looks).toBeLessThan(10);
  });
  it('reads entries with other elements, in another order, with one twice, and with space between', async () => {
    const field = (name: string, value: string) => `<r:${name}>${value}</r:${name}>`;
    const entries = [
      [field('Name', 'a') + field('Email', 'e'), { Name: 'a', Email: 'e' }],
      [field('Email', 'e'), { Email: 'e' }],
      [field('Name', 'a') + field('X.Y', '1') + field('SecretWord', ''), { Name: 'a', SecretWord: '' }],
      [field('Name', 'a') + field('XaY', '1') + field('Email', '&lt;'), { Name: 'a', Email: '<' }],
      [field('Email', 'e') + field('Name', 'Ω &amp; b'), { Email: 'e', Name: 'Ω & b' }],
      [`\n  ${field('Name', 'a')}\n\t${field('Email', ' = ')}\n`, { Name: 'a', Email: ' = ' }],
      [field('Name', 'a') + field('Name', 'b'), { Name: 'b' }],
      [`${field('Name', 'a')}<r:Email>e]]&gt;</r:Email>`, { Name: 'a', Email: 'e]]>' }],
    ] as const;
    const orders = entries.map((_, first) => [...entries.slice(first), ...entries.slice(0, first), ...entries]);
    for (const some of orders) {
      const inner = some.map(([written]) => `<r:ESignList>${written}</r:ESignList>`).join('');
      answer = httpAnswer(200, xml, replyOf('GetESignList', inner));
      const found: unknown[] = [];
      await createSoapClient(targetFor(server.url), credentials).listESign(1, 0, (read) => void found.push(...read));
      expect(found).toEqual(some.map(([, read]) => read));
    }
  });
  it.each([
    ['an element twice', '<r:Email>e</r:Email><r:Email>f</r:Email>', 1],
    ['a text beside elements', 'text<r:Email>f</r:Email>', 1],
    ['a text behind an element that is not known', '<r:Other>x</r:Other> text <r:Email>f</r:Email>', 1],
    ['only elements that are known, and others', '<r:Email>f</r:Email><r:Other>x</r:Other><r:Other>y</r:Other>\n', 0],
  ])('says of an entry what is not shown of it: %s', async (_what, inner, times) => {
    const said: unknown[] = [];
    const own = createSoapClient(targetFor(server.url), credentials, undefined, (remark) => said.push(remark));
    const remark = { kind: 'reply-surplus', operation: 'GetESignList' };
    answer = httpAnswer(200, xml, replyOf('GetESignList', `<r:ESignList>${inner}</r:ESignList>`.repeat(3)));
    const found: unknown[] = [];
    await own.listESign(1, 0, (read) => void found.push(...read));
    expect(found).toEqual(Array.from({ length: 3 }, () => ({ Email: 'f' })));
    expect(said).toEqual(Array.from({ length: times }, () => remark));
  });
  it('says of a list that it had a text beside its entries', async () => {
    const said: unknown[] = [];
    const own = createSoapClient(targetFor(server.url), credentials, undefined, (remark) => said.push(remark));
    answer = httpAnswer(200, xml, replyOf('GetESignList', '<r:ESignList><r:Email>f</r:Email></r:ESignList> -3 '));
    expect(await own.listESign(1, 0, () => undefined)).toBe(1);
    expect(said).toEqual([{ kind: 'reply-surplus', operation: 'GetESignList' }]);
  });
  it('looks once for the form of an entry whose elements are many and alike', async () => {
    const alike = Array.from({ length: 29 }, () => '<r:Name>a</r:Name>').join('');
    const since = performance.now();
    const { count } = await list(
      `<r:ESignList>${alike}</r:ESignList><r:ESignList>${alike}<r:Name a="b">c</r:Name></r:ESignList>`,
    );
    expect(count).toBe(2);
    expect(performance.now() - since).toBeLessThan(5_000);
  });
  it.each([
    ['<r:ESignList><r:Name>a</r:Email></r:ESignList>', 'not-xml'],
    ['<q:ESignList><q:Name>a</q:Name></q:ESignList>', 'not-xml'],
    ['<r:ESignList><r:Name>&b;</r:Name></r:ESignList>', 'not-xml'],
    ['<r:ESignList><r:Name>&amp</r:Name></r:ESignList>', 'truncated-reply'],
    ['<r:ESignList><r:Name>a</r:Name>', 'not-xml'],
  ])('%j is %s', async (inner, detail) => {
    await expect(list(inner)).rejects.toMatchObject({ failure: { code: 'reply-unreadable', detail } });
  });
  it('bounds a long field', async () => {
    const failure = { code: 'reply-unreadable', detail: 'reply-too-large' };
    await expect(list(`<r:ESignList><r:Name>${'a'.repeat(5_000_000)}`)).rejects.toMatchObject({ failure });
  });
  it.each([
    ['-121', 'credentials-rejected'],
    ['-100', 'service-refused'],
  ])('the code %s instead of entries is %s', async (serviceCode, code) => {
    await expect(list(serviceCode)).rejects.toMatchObject({ failure: { code, serviceCode, raw: serviceCode } });
  });
  it('another text instead of entries is an error with that text, not an empty list', async () => {
    const failure = { code: 'reply-unreadable', detail: 'wrong-reply', raw: 'Closed on Sundays' };
    await expect(list('Closed on Sundays')).rejects.toMatchObject({ failure });
  });
  it('waits for the consumer of the entries, and stops when it fails', async () => {
    answer = httpAnswer(200, xml, replyOf('GetESignList', '<r:ESignList/>'.repeat(20_000)));
    let atOnce = 0;
    let most = 0;
    const count = await client.listESign(1, 0, async () => {
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve, 2));
      atOnce -= 1;
    });
    expect({ count, most }).toEqual({ count: 20_000, most: 1 });
    const full = client.listESign(1, 0, () => Promise.reject(new Error('no room')));
    await expect(full).rejects.toMatchObject({ failure: { code: 'bug' } });
  });
});
