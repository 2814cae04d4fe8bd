import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../contract/failure.ts';
import { hashFile } from '../../../electron/core/files/hash-file.ts';
import type { Arguments, ServiceTarget, SoapClient } from '../../../electron/soap/service/client.ts';
import { operations } from '../../../electron/soap/service/operations.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { httpAnswer, type RawPeer, type RawServer, startRawServer } from '../../harness/raw-server.ts';
import { credentials, envelope12, enveloped, namespaceUri, replyOf, targetFor } from '../../harness/soap-texts.ts';
import { atLength } from '../../harness/test-length.ts';

/** What servers do that are not the practice service. */
const xml = 'text/xml; charset=utf-8';
const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const added = httpAnswer(200, xml, replyOf('AddNewDocument', guid));
const refused417 = httpAnswer(417, 'text/html', '<p>no</p>');

let folder = '';
let server: RawServer | undefined;
let client: SoapClient | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'other-servers-'));
});
afterEach(async () => {
  client?.close();
  await server?.close();
  await rm(folder, { recursive: true });
});

async function connect(serve: (peer: RawPeer, index: number) => Promise<void>, more: Partial<ServiceTarget> = {}) {
  server = await startRawServer(serve);
  client = createSoapClient(targetFor(server.url, more), credentials);
  return client;
}

async function large() {
  const path = join(folder, 'document');
  await writeFile(path, Buffer.alloc(1_500_000, 'x'));
  return { path, ...(await hashFile(path)) };
}

const settled = (work: Promise<unknown>) =>
  work.then(
    (value) => ({ value, failure: undefined as Failure | undefined }),
    (error: { failure: Failure }) => ({ value: undefined, failure: error.failure }),
  );

async function addLarge(callbacks: string[] = []) {
  const args = { creditType: 1, Document: await large() };
  const options = { onDeparture: () => void callbacks.push('departure'), onAnswer: () => callbacks.push('answer') };
  return settled((client as SoapClient).invoke('AddNewDocument', args, options));
}

it('an answer with two results leaves an add in doubt', async () => {
  const one = replyOf('AddNewDocument', guid);
  const result = /<[^<]*AddNewDocumentResult>.*AddNewDocumentResult>/.exec(one)?.[0] ?? '';
  const both = one.replace(result, `${result}${result.replace(guid, 'Error')}`);
  const service = await connect(async (peer) => {
    await peer.nextRequest();
    peer.socket.end(
      `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: ${Buffer.byteLength(both)}\r\n\r\n${both}`,
    );
  });
  const { failure } = await settled(service.invoke('AddNewDocument', { creditType: 1 }));
  expect(failure).toMatchObject({ code: 'outcome-unknown', detail: 'wrong-reply' });
});

describe('an answer before the request has left', () => {
  const before = ['instead of being asked for the body', 'in the middle of the body'] as const;
  it.each(before)('%s: a success leaves the add in doubt, a code still refuses it', async (when) => {
    for (const answer of [added, httpAnswer(200, xml, replyOf('AddNewDocument', '-143'))]) {
      await connect(async (peer) => {
        await peer.arrived(1);
        if (when === before[1]) {
          peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
          await peer.arrived(300_000);
        }
        peer.socket.write(answer);
      });
      const { value, failure } = await addLarge();
      if (answer === added) expect(failure).toMatchObject({ code: 'outcome-unknown', detail: 'early-reply' });
      else expect(value).toEqual({ raw: '-143' });
      client?.close();
      await server?.close();
    }
  });

  it('is not accepted as a verdict about a file', async () => {
    const valid = httpAnswer(200, xml, replyOf('ValidateDocument', 'Valid'));
    const service = await connect(async (peer) => {
      await peer.arrived(1);
      peer.socket.write(valid);
    });
    const { failure } = await settled(service.invoke('ValidateDocument', { ServiceDocument: await large() }));
    expect(failure).toMatchObject({ code: 'reply-unreadable', detail: 'early-reply' });
  });
});

describe('a switch to another protocol, or a close without an answer', () => {
  it.each([
    ['HTTP 101', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n', 'http-status'],
    ['nothing', '', 'connection-lost'],
  ])('%s ends an add in doubt and a read with a failure, at once', async (_what, answer, detail) => {
    await connect(async (peer) => {
      await peer.arrived(1);
      peer.socket.end(answer);
    });
    const begun = performance.now();
    const add = await settled((client as SoapClient).invoke('AddNewDocument', { creditType: 1 }));
    expect(add.failure).toMatchObject({ code: 'outcome-unknown', detail });
    const read = await settled((client as SoapClient).invoke('GetVersion', {}));
    expect(read.failure).toMatchObject({ detail });
    expect(performance.now() - begun).toBeLessThan(3_000);
  });
});

describe('417 to Expect', () => {
  it('is followed by the request without Expect, also for an add, and remembered', async () => {
    const heads: string[] = [];
    let firstBytes: Buffer = Buffer.alloc(0);
    await connect(async (peer, index) => {
      if (index > 0) {
        heads.push(await peer.nextRequest({ discardBody: true }));
        return void peer.socket.end(added);
      }
      await peer.arrived(1);
      peer.socket.on('close', () => {
        firstBytes = peer.received();
      });
      peer.socket.end(refused417);
    });
    const callbacks: string[] = [];
    expect((await addLarge(callbacks)).value).toEqual({ raw: guid });
    expect(callbacks).toEqual(['departure', 'departure', 'answer']);
    expect(firstBytes.indexOf('\r\n\r\n')).toBe(firstBytes.length - 4);
    expect((await addLarge(callbacks)).value).toEqual({ raw: guid });
    expect(callbacks.slice(3)).toEqual(['departure', 'answer']);
    expect(server?.connections()).toBe(3);
    for (const head of heads) expect(head).not.toMatch(/^expect:/im);
  });

  it('is the answer once a byte of the body has left', async () => {
    const timeouts = { connectMs: 2_000, idleMs: 500, answerMs: 2_000 };
    const serve = async (peer: RawPeer, index: number) => {
      if (index > 0) {
        expect(await peer.nextRequest({ discardBody: true })).not.toMatch(/^expect:/im);
        return void peer.socket.end(added);
      }
      await peer.arrived(1_000_000);
      peer.socket.end(refused417);
    };
    await connect(serve, { timeouts });
    expect((await addLarge()).failure).toMatchObject({ detail: 'http-status', serviceCode: '417' });
    expect(server?.connections()).toBe(1);
    expect((await addLarge()).value).toEqual({ raw: guid });
  });

  it('is the result if the request cannot be sent again', async () => {
    await connect(async (peer) => {
      await peer.arrived(1);
      peer.socket.write(refused417, () => void server?.close());
    });
    const callbacks: string[] = [];
    expect((await addLarge(callbacks)).failure).toMatchObject({ code: 'reply-unreadable', serviceCode: '417' });
    expect(callbacks).toEqual(['departure']);
  });
});

const codings = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  GZIP: gzipSync,
  deflate: deflateSync,
  'deflate ': deflateRawSync,
  br: brotliCompressSync,
} as const;

function coded(coding: string, body: Buffer): Buffer {
  return httpAnswer(200, xml, body, `Content-Encoding: ${coding}\r\n`);
}

describe('an answer compressed without request', () => {
  it.each(Object.entries(codings))('%s: an add, a list and a document are read', async (coding, encode) => {
    const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(700_000, 'abc defg'), Buffer.from('%%EOF')]);
    const entry = `<r:ESignList><r:DocumentName>A</r:DocumentName><r:ServiceDocumentID>${guid}</r:ServiceDocumentID></r:ESignList>`;
    const list = replyOf('GetESignList', Array.from({ length: 3_000 }, () => entry).join(''));
    const replies = [replyOf('AddNewDocument', guid), list, replyOf('GetDocument', pdf.toString('base64'))];
    const heads: string[] = [];
    const service = await connect(async (peer, index) => {
      heads.push(await peer.nextRequest());
      peer.socket.end(coded(coding, encode(Buffer.from(replies[index] ?? ''))));
    });
    expect(await service.invoke('AddNewDocument', { creditType: 1 })).toEqual({ raw: guid });
    expect(await service.listESign(1, 0, () => undefined)).toBe(3_000);
    const target = join(folder, 'back.pdf');
    const { sha256 } = await service.download(guid, { path: target });
    expect(sha256).toBe(createHash('sha256').update(pdf).digest('hex'));
    expect((await readFile(target)).equals(pdf)).toBe(true);
    for (const head of heads) expect(head).toMatch(/^accept-encoding: identity\r$/im);
  });

  it('is read when it arrives byte by byte, also with a fault in it', async () => {
    const fault = enveloped(
      '<soap-env:Fault><faultcode>soap-env:Client</faultcode><faultstring>no</faultstring></soap-env:Fault>',
    );
    const service = await connect(async (peer, index) => {
      await peer.nextRequest();
      const bytes = coded('gzip', gzipSync(index === 0 ? replyOf('AddNewDocument', guid) : fault));
      for (const byte of bytes) {
        peer.socket.write(Buffer.from([byte]));
        if (byte % 16 === 0) await wait(1);
      }
      peer.socket.end();
    });
    expect(await service.invoke('AddNewDocument', { creditType: 1 })).toEqual({ raw: guid });
    const { failure } = await settled(service.invoke('AddNewDocument', { creditType: 1 }));
    expect(failure).toMatchObject({ code: 'service-refused', detail: 'soap-fault', raw: 'no' });
  });

  /** Unpacking takes its time on a busy machine; no limit of time is tried here. */
  const patient = { timeouts: { connectMs: 5_000, idleMs: 30_000, answerMs: 30_000 } };
  const whole = gzipSync(replyOf('AddNewDocument', guid));
  const bomb = gzipSync(replyOf('AddNewDocument', '<r:x/>'.repeat(atLength({ short: 1_500_000, all: 4_000_000 }))));
  it.each([
    ['a coding that is not read is named', coded('compress', whole), 'not-xml', '"compress"'],
    ['two codings', coded('gzip, br', whole), 'not-xml', '"gzip, br"'],
    ['cut off', coded('gzip', whole.subarray(0, whole.length - 20)), 'truncated-reply', 'broke off'],
    ['no gzip at all', coded('gzip', Buffer.from(replyOf('AddNewDocument', guid))), 'not-xml', 'damaged'],
    ['a few bytes that grow for ever', coded('gzip', bomb), 'reply-too-large', 'grow'],
    ['empty', coded('gzip', gzipSync('')), 'empty-reply', ''],
  ] as const)('%s', async (_name, answer, detail, note) => {
    const service = await connect(async (peer) => {
      await peer.nextRequest();
      peer.socket.end(answer);
    }, patient);
    const memory = process.memoryUsage().rss;
    const { failure } = await settled(service.invoke('AddNewDocument', { creditType: 1 }));
    expect(failure).toMatchObject({ code: 'outcome-unknown', detail });
    expect(failure?.note).toContain(note);
    expect(process.memoryUsage().rss - memory).toBeLessThan(60 * 1024 * 1024);
    const read = await settled(service.download(guid, { path: join(folder, 'never.pdf') }));
    expect(read.failure?.code).toBe('reply-unreadable');
    expect(await readdir(folder)).toEqual([]);
  });
});

const soap12 = 'application/soap+xml; charset=utf-8';

describe('request variants', () => {
  async function headsOf(more: Partial<ServiceTarget>) {
    const heads: Record<string, string> = {};
    const service = await connect(async (peer) => {
      const request = await peer.nextRequest();
      const operation = /AddNewEasySignTemplate|GetVersion/.exec(request)?.[0] ?? '';
      heads[operation] = request;
      peer.socket.end(httpAnswer(200, xml, replyOf(operation, 'x')));
    }, more);
    await service.invoke('GetVersion', {});
    await service.invoke('AddNewEasySignTemplate', { TemplateID: 't', ReqOwnerESign: false });
    const typeOf = (name: string) => /^content-type: (.*)\r$/im.exec(heads[name] ?? '')?.[1];
    return { main: typeOf('GetVersion'), easySign: typeOf('AddNewEasySignTemplate'), heads };
  }

  it('SOAP 1.2 has no action unless the connection asks for one', async () => {
    expect(await headsOf({ soapVersion: '1.2' })).toMatchObject({ main: soap12, easySign: soap12 });
    expect(await headsOf({ soapVersion: '1.2', soapAction12: true })).toMatchObject({
      main: `${soap12}; action="${namespaceUri}GetVersion"`,
      easySign: `${soap12}; action="${namespaceUri}AddNewEasySignTemplate"`,
    });
    expect(await headsOf({ soapAction12: true })).toMatchObject({ main: xml, easySign: xml });
  });

  it('the two paths may use two SOAP versions', async () => {
    const { main, easySign, heads } = await headsOf({ soapVersion: '1.1', easySignSoapVersion: '1.2' });
    expect({ main, easySign }).toEqual({ main: xml, easySign: soap12 });
    expect(heads.GetVersion).not.toContain(envelope12);
    expect(heads.AddNewEasySignTemplate).toContain(envelope12);
    expect(await headsOf({ soapVersion: '1.2', easySignSoapVersion: '1.1' })).toMatchObject({
      main: soap12,
      easySign: xml,
    });
  });

  it('unset optional booleans are sent as false if the connection asks for it', async () => {
    const flags = (request = '') => request.match(/<(\w+)>(true|false)</g);
    expect(flags((await headsOf({})).heads.AddNewEasySignTemplate)).toEqual(['<ReqOwnerESign>false<']);
    expect(flags((await headsOf({ sendFalse: true })).heads.AddNewEasySignTemplate)).toEqual([
      '<ReqOwnerESign>false<',
      '<AllowSignerElementAdd>false<',
      '<EnforceSigClick>false<',
      '<IDVerify>false<',
    ]);
  });

  const wcf =
    '<soap-env:Fault><soap-env:Code><soap-env:Value>soap-env:Sender</soap-env:Value><soap-env:Subcode><soap-env:Value xmlns:a="http://www.w3.org/2005/08/addressing">a:ActionNotSupported</soap-env:Value></soap-env:Subcode></soap-env:Code><soap-env:Reason><soap-env:Text xml:lang="de">Die Nachricht</soap-env:Text></soap-env:Reason></soap-env:Fault>';
  const asmx =
    '<soap-env:Fault><soap-env:Code><soap-env:Value>soap-env:Sender</soap-env:Value></soap-env:Code><soap-env:Reason><soap-env:Text xml:lang="en">Unable to handle request without a valid action parameter. Please supply a valid soap action.</soap-env:Text></soap-env:Reason></soap-env:Fault>';
  it.each([
    ['WCF', wcf],
    ['asmx', asmx],
  ])('%s that insists on the action is recognised', async (_name, fault) => {
    const refuse = async (peer: RawPeer) => {
      await peer.nextRequest();
      peer.socket.end(httpAnswer(500, soap12, enveloped(fault, envelope12)));
    };
    const failureWith = async (more: Partial<ServiceTarget>) =>
      (await settled((await connect(refuse, more)).invoke('GetVersion', {}))).failure;
    expect(await failureWith({ soapVersion: '1.2' })).toMatchObject({
      code: 'service-refused',
      detail: 'soap-action-missing',
      note: expect.stringMatching(/action.*namespace/),
    });
    expect(await failureWith({ soapVersion: '1.2', soapAction12: true })).toMatchObject({ detail: 'soap-fault' });
    expect(await failureWith({ soapVersion: '1.1' })).toMatchObject({ detail: 'soap-fault' });
  });
});

describe('an add with an empty answer is in doubt', () => {
  const required: Readonly<Record<string, Arguments>> = {
    AddNewDocument: { creditType: 1 },
    AddNewDocumentESign: { creditType: 1, ReqOwnerESign: false, OwnerESignFirst: false },
    AddQuickNote: {},
    AddNewEasySignDocument: {},
    AddNewEasySignTemplate: {},
  };
  const adds = Object.entries(operations)
    .filter(([, { effect }]) => effect === 'add')
    .map(([name]) => name as 'AddNewDocument');
  it.each(adds)('%s', async (operation) => {
    const nil = enveloped(
      `<r:${operation}Response xmlns:r="${namespaceUri}"><r:${operation}Result i:nil="true"/></r:${operation}Response>`,
    );
    const empties = [null, '', ' \r\n\t ', '&#160;', '<r:Inner/>', '<![CDATA[  ]]>'];
    const answers = [...empties.map((inner) => replyOf(operation, inner)), nil];
    const service = await connect(async (peer, index) => {
      await peer.nextRequest();
      peer.socket.end(httpAnswer(200, xml, answers[index] ?? replyOf(operation, '-140')));
    });
    for (const _answer of answers) {
      const { failure, value } = await settled(service.invoke(operation, required[operation] ?? {}));
      expect(value).toBeUndefined();
      expect(failure).toMatchObject({ code: 'outcome-unknown', detail: 'empty-reply', retryable: false });
    }
    expect(await service.invoke(operation, required[operation] ?? {})).toEqual({ raw: '-140' });
  });
});
