import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { type OperationName, operationNames } from '../../contract/operation.ts';
import { receiveDocument } from '../../electron/soap/reply/download.ts';
import { feedReply, type Reading } from '../../electron/soap/reply/feed-reply.ts';
import { listESign } from '../../electron/soap/reply/list-esign.ts';
import { createResultReader, readShape } from '../../electron/soap/reply/read-result.ts';
import { createCall } from '../../electron/soap/request/node-soap.ts';
import { operations } from '../../electron/soap/service/operations.ts';
import { readHead } from '../../electron/soap/wire/reply-head.ts';
import { credentials, targetFor } from '../harness/soap-texts.ts';
import { fault, goodResults, headOf, reply } from '../hostile/answers.ts';
import { chunksOf, encodedAs, gzipped, mutatedXml } from './mutate.ts';
import type { Random } from './random.ts';
import { downloadSink } from './sinks.ts';

const target = targetFor('http://127.0.0.1:1');
const types = [
  'text/xml',
  'text/xml; charset=utf-8',
  'application/soap+xml; charset=utf-16',
  'text/xml; charset=latin1',
  'text/html',
  '',
];

/** A body as node hands it out, without a network. */
function responseOf(
  chunks: readonly Buffer[],
  head: { status: number; type: string; coding: string },
): IncomingMessage {
  const stream = Readable.from(chunks, { objectMode: false });
  const { status: statusCode, type, coding } = head;
  const headers = { 'content-type': type, ...(coding ? { 'content-encoding': coding } : {}) };
  return Object.assign(stream, { statusCode, headers, complete: true }) as unknown as IncomingMessage;
}

async function readAs(operation: OperationName, response: IncomingMessage, random: Random): Promise<void> {
  const { status, charset } = readHead(response);
  const reading: Reading = {
    target,
    operation,
    status,
    charset,
    redact: (text: string) => text.trim(),
    quote: (text: string) => text,
    options: {},
    socketBuffer: null,
    answeredWhole: true,
  };
  const { result } = operations[operation];
  if (random.chance(6)) await readShape(response, reading);
  else if (result === 'esign-list') await listESign(response, reading, random.one([0, 1, 1000]), () => undefined);
  else if (operation === 'GetDocument') await receiveDocument(response, reading, downloadSink());
  else {
    const reader = createResultReader(reading);
    await feedReply(response, reading, reader.write);
    const { raw, record = {} } = reader.end();
    reader.isBlank();
    await readByNodeSoap(raw, record);
  }
}

const call = createCall(target, credentials);

/** What was read, as node-soap gets it, comes back as it was. */
async function readByNodeSoap(raw: string | null, record: Readonly<Record<string, string>>): Promise<void> {
  const text = await call('GetSchedule', {}, async () => ({ value: raw, aside: null }));
  if (text.value !== raw) throw new Error('node-soap read another text');
  if (Object.keys(record).length === 0) return;
  const details = await call('GetDocumentDetails', {}, async () => ({ value: record, aside: null }));
  if (!isDeepStrictEqual(details.value, record)) throw new Error('node-soap read other details');
}

/** A changed answer to any of the operations, through everything that reads answers. */
export async function fuzzReply(random: Random): Promise<void> {
  const operation = random.one(operationNames);
  const soap = random.one(['1.1', '1.2'] as const);
  const many = operation === 'GetESignList' ? goodResults.GetESignList.repeat(1 + random.below(20)) : undefined;
  const text = random.chance(10) ? fault(soap, 'no') : reply({ operation, soap }, many);
  const bytes = encodedAs(mutatedXml(text, random), random);
  const isCoded = random.chance(15);
  const head = {
    status: random.one([200, 200, 200, 200, 500, 400, 302]),
    type: random.chance(8) ? random.one(types) : (/Content-Type: (.*)\r/.exec(headOf({ soap }))?.[1] ?? ''),
    coding: isCoded ? random.one(['gzip', 'gzip', 'deflate', 'br', 'x']) : '',
  };
  await readAs(operation, responseOf(chunksOf(isCoded ? gzipped(bytes, random) : bytes, random), head), random);
}
