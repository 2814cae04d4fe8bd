import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTextDecoding } from '../../../electron/soap/reply/decode-text.ts';
import { createListReader } from '../../../electron/soap/reply/list-reader.ts';
import type { RawESignEntry, ReplyRemark, SoapClient } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { longestTurnMs } from '../../harness/processor-time.ts';
import { type RawServer, startXmlServer } from '../../harness/raw-server.ts';
import { credentials, enveloped, replyOf, targetFor } from '../../harness/soap-texts.ts';

/** Characters that XML 1.0 has no place for, as they are and as references; stacks such as .asmx write them. */
const forbidden = [
  ...['&#xB;', '&#11;', '&#0;', '&#x1f;', '&#xD800;', '&#56320;', '&#xFFFE;', '&#x110000;'],
  ...['\u0000', '\u0001', '\u000b', '\u001f', '\ufffe', '\uffff'],
].map((written) => [JSON.stringify(written), written] as const);

let server: RawServer;
let answer = '';
let status = 200;
let remarks: ReplyRemark[] = [];
let client: SoapClient;
beforeAll(async () => {
  server = await startXmlServer(() => ({ xml: answer, status }));
});
beforeEach(() => {
  status = 200;
  remarks = [];
  client = createSoapClient(targetFor(server.url), credentials, undefined, (remark) => remarks.push(remark));
});
afterAll(() => server.close());

describe.each(forbidden)('a reply with %s', (_name, written) => {
  it('is read as a text and as a record, with the character replaced, and said', async () => {
    answer = replyOf('GetSchedule', `a${written}b`);
    expect(await client.invoke('GetSchedule', {})).toEqual({ raw: 'a\ufffdb' });
    expect(remarks).toEqual([{ kind: 'reply-characters', operation: 'GetSchedule' }]);
    answer = replyOf('GetDocumentDetails', `<DocumentName>a${written}${written}</DocumentName><Errors>0</Errors>`);
    expect((await client.invoke('GetDocumentDetails', {})).record).toEqual({
      DocumentName: 'a\ufffd\ufffd',
      Errors: '0',
    });
  });
  it('is read as a list, in pieces of any size', async () => {
    const entry = (name: string) => `<r:ESignList><r:Name>${name}</r:Name><r:Email>x</r:Email></r:ESignList>`;
    const bytes = Buffer.from(replyOf('GetESignList', entry('plain') + entry(`a${written}b`) + entry('plain')));
    for (const size of [1, 2, 3, 7, 100_000]) {
      const found: RawESignEntry[] = [];
      const said: ReplyRemark[] = [];
      const decoding = createTextDecoding(null);
      const reader = createListReader(
        {
          target: targetFor('http://127.0.0.1'),
          operation: 'GetESignList',
          status: 200,
          redact: (text) => text,
          remark: (remark) => said.push(remark),
        },
        (one) => found.push(one),
      );
      for (let at = 0; at < bytes.length; at += size) reader.write(decoding.write(bytes.subarray(at, at + size)));
      reader.write(decoding.end());
      reader.end();
      expect(found.map((one) => one?.Name)).toEqual(['plain', 'a\ufffdb', 'plain']);
      expect(said).toEqual([{ kind: 'reply-characters', operation: 'GetESignList' }]);
    }
  });
  it('is read as a fault, also where a document was asked for', async () => {
    status = 500;
    answer = enveloped(
      `<soap-env:Fault><faultcode>soap-env:Server</faultcode><faultstring>a${written}b</faultstring></soap-env:Fault>`,
    );
    const failure = { code: 'service-refused', detail: 'soap-fault', raw: 'a\ufffdb' };
    await expect(client.invoke('GetSchedule', {})).rejects.toMatchObject({ failure });
    const sink = { buffer: Buffer.alloc(1000), at: 0, reserve: () => undefined, settle: () => undefined, sizeBytes: 0 };
    await expect(client.receive('id', sink)).rejects.toMatchObject({ failure });
  });
});

it('says nothing of characters in what is no reply and is thrown away', async () => {
  answer = 'no \u0000 XML';
  await expect(client.invoke('GetSchedule', {})).rejects.toMatchObject({ failure: { code: 'reply-unreadable' } });
  answer = '<page>a&#xB;b</page>';
  await expect(client.invoke('GetSchedule', {})).rejects.toMatchObject({ failure: { code: 'reply-unreadable' } });
  expect(remarks).toEqual([]);
});

it('the text of CDATA stays as it is, except for such a character itself', async () => {
  answer = replyOf('GetSchedule', '<![CDATA[&#xB;\u000b&amp;]]>&amp;#xB;');
  expect(await client.invoke('GetSchedule', {})).toEqual({ raw: '&#xB;\ufffd&amp;&#xB;' });
});

it('what is allowed is not replaced, and not said', async () => {
  answer = replyOf('GetSchedule', '&#x9;&#xA;&#xD;\t\u0085\u007f\ud83d\ude00&#x1F600;&#xFFFD;');
  expect(await client.invoke('GetSchedule', {})).toEqual({ raw: '\t\n\r\t\u0085\u007f😀😀\ufffd' });
  expect(remarks).toEqual([]);
});

it.each(['&#xZZ;', '&#;', '&b;', '&#x;'])('%s is no reference and stays unreadable', async (written) => {
  answer = replyOf('GetSchedule', `a${written}b`);
  await expect(client.invoke('GetSchedule', {})).rejects.toMatchObject({ failure: { detail: 'not-xml' } });
});

it.each(['&#xB;', '\u000b'])('a document with %j in its base64 stays unreadable', async (written) => {
  const text = Buffer.from(`%PDF-1.7 ${'x'.repeat(300)}`).toString('base64');
  answer = replyOf('GetDocument', `${text.slice(0, 100)}${written}${text.slice(100)}`);
  const sink = { buffer: Buffer.alloc(1000), at: 0, reserve: () => undefined, settle: () => undefined, sizeBytes: 0 };
  await expect(client.receive('id', sink)).rejects.toMatchObject({ failure: { code: 'reply-unreadable' } });
});

it('a megabyte of such characters is read without holding the process', async () => {
  for (const written of ['\u000b'.repeat(200_000), '&#xB;'.repeat(200_000)]) {
    answer = replyOf('GetSchedule', written);
    const longestMs = await longestTurnMs(async () => {
      expect((await client.invoke('GetSchedule', {})).raw).toHaveLength(200_000);
    });
    expect(longestMs).toBeLessThan(500);
  }
});
