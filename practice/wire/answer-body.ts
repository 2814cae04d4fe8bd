import { open } from 'node:fs/promises';
import type { Operation } from '../interface.ts';
import type { Answer } from '../operation-call.ts';
import type { SignEntry } from '../records.ts';
import { dateTimeText } from '../sign-list.ts';
import { envelope, escapeXml, type SoapVersion } from './faults.ts';

/** A message body of known length, produced piece by piece. A piece is valid only until the next one is requested. */
export interface Body {
  readonly sizeBytes: number;
  pieces(): AsyncIterable<Buffer>;
}

export interface AnswerContext {
  readonly version: SoapVersion;
  readonly namespaceUri: string;
  readonly wireName: (name: string) => string;
  /** The ID for an entry's ServiceDocumentID: the signed copy if there is one. */
  readonly currentId: (entry: SignEntry) => string;
}

/** A multiple of 3, so that padding appears only at the end. */
const readBytes = 16 * 48 * 1024;
const stepBytes = 48 * 1024;
const entriesAtOnce = 500;

export function textBody(text: string): Body {
  const bytes = Buffer.from(text, 'utf8');
  return {
    sizeBytes: bytes.length,
    async *pieces() {
      yield bytes;
    },
  };
}

/** The whole envelope of an answer. */
export async function answerBody(operation: Operation, answer: Answer, context: AnswerContext): Promise<Body> {
  const { version, namespaceUri } = context;
  const response = `${operation.name}Response`;
  const result = `${operation.name}Result`;
  const placeholder = '<!--here-->';
  const start = `<${response} xmlns="${escapeXml(namespaceUri)}">`;
  const around = (inner: string) => envelope(version, `${start}${inner}</${response}>`);
  if (answer.kind === 'nothing' || (answer.kind === 'text' && answer.text === null) || isNoList(answer))
    return textBody(envelope(version, `<${response} xmlns="${escapeXml(namespaceUri)}" />`));
  if (answer.kind === 'text') return textBody(around(element(result, answer.text ?? '')));
  if (answer.kind === 'record') {
    const fields = Object.entries(answer.fields).map(([name, text]) => element(context.wireName(name), text));
    return textBody(around(`<${result}>${fields.join('')}</${result}>`));
  }
  if (answer.kind === 'list' && answer.entries?.length === 0) return textBody(around(`<${result} />`));
  const [head = '', tail = ''] = around(`<${result}>${placeholder}</${result}>`).split(placeholder);
  if (answer.kind === 'file') return between(head, fileBody(answer.path, answer.sizeBytes), tail);
  return between(head, await listBody(answer.entries ?? [], context), tail);
}

function isNoList(answer: Answer): boolean {
  return answer.kind === 'list' && answer.entries === null;
}

function element(name: string, text: string): string {
  return text === '' ? `<${name} />` : `<${name}>${escapeXml(text)}</${name}>`;
}

function between(head: string, body: Body, tail: string): Body {
  const [first, last] = [Buffer.from(head, 'utf8'), Buffer.from(tail, 'utf8')];
  return {
    sizeBytes: first.length + body.sizeBytes + last.length,
    async *pieces() {
      yield first;
      yield* body.pieces();
      yield last;
    },
  };
}

/** A file as base64. Three blocks rotate: one is filled while another is written to the socket. */
function fileBody(path: string, sizeBytes: number): Body {
  return {
    sizeBytes: Math.ceil(sizeBytes / 3) * 4,
    async *pieces() {
      const file = await open(path, 'r');
      const read = Buffer.allocUnsafeSlow(readBytes);
      const blocks = [0, 1, 2].map(() => Buffer.allocUnsafeSlow((readBytes / 3) * 4));
      try {
        for (let at = 0, turn = 0; at < sizeBytes; turn++) {
          const length = await fill(file, read, at, Math.min(readBytes, sizeBytes - at));
          const block = blocks[turn % blocks.length] as Buffer;
          let filled = 0;
          for (let step = 0; step < length; step += stepBytes)
            filled += block.write(read.toString('base64', step, Math.min(step + stepBytes, length)), filled, 'latin1');
          at += length;
          yield block.subarray(0, filled);
        }
      } finally {
        await file.close();
      }
    },
  };
}

async function fill(file: Awaited<ReturnType<typeof open>>, into: Buffer, at: number, length: number): Promise<number> {
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(into, filled, length - filled, at + filled);
    if (bytesRead === 0) throw new Error('a registered document is shorter than it was');
    filled += bytesRead;
  }
  return length;
}

/** Produces the entries twice, first to measure them: 100,000 entries never exist as one text. */
async function listBody(entries: readonly (SignEntry | null)[], context: AnswerContext): Promise<Body> {
  function* slices(): Generator<Buffer> {
    for (let at = 0; at < entries.length; at += entriesAtOnce)
      yield Buffer.from(
        entries
          .slice(at, at + entriesAtOnce)
          .map((entry) => entryText(entry, context))
          .join(''),
        'utf8',
      );
  }
  let sizeBytes = 0;
  for (const slice of slices()) {
    sizeBytes += slice.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    sizeBytes,
    async *pieces() {
      for (const slice of slices()) yield slice;
    },
  };
}

function entryText(entry: SignEntry | null, context: AnswerContext): string {
  if (!entry) return '<ESignList xsi:nil="true" />';
  const { wireName } = context;
  const fields = [
    entry.documentName === null ? '' : element('DocumentName', entry.documentName),
    element('CreatedDate', dateTimeText(entry.createdMs)),
    element(wireName('ServiceDocumentID'), context.currentId(entry).toLowerCase()),
    element(wireName('OrigServiceDocumentID'), entry.documentId.toLowerCase()),
    element('Email', entry.signer.email),
    entry.secretWord === '' ? '' : element('SecretWord', entry.secretWord),
    entry.signer.name === '' ? '' : element('Name', entry.signer.name),
  ];
  return `<ESignList>${fields.join('')}</ESignList>`;
}
