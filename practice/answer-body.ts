import { open } from 'node:fs/promises';
import { envelope, escapeXml, type SoapVersion } from './faults.ts';
import type { Operation } from './interface.ts';
import type { Answer } from './operation-call.ts';
import type { SignEntry } from './records.ts';
import { dateTimeText } from './sign-list.ts';

/** A message's body of known length, made piece by piece. A piece is only good until the next one is asked for. */
export interface Body {
  readonly sizeBytes: number;
  pieces(): AsyncIterable<Buffer>;
}

export interface Wording {
  readonly version: SoapVersion;
  readonly namespaceUri: string;
  readonly wireName: (name: string) => string;
  /** The document an entry's ServiceDocumentID names: the signed copy where there is one. */
  readonly currentId: (entry: SignEntry) => string;
}

/** A multiple of 3, so that no padding comes before the end. */
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
export async function answerBody(operation: Operation, answer: Answer, wording: Wording): Promise<Body> {
  const { version, namespaceUri } = wording;
  const response = `${operation.name}Response`;
  const result = `${operation.name}Result`;
  const mark = '<!--here-->';
  const start = `<${response} xmlns="${escapeXml(namespaceUri)}">`;
  const around = (inner: string) => envelope(version, `${start}${inner}</${response}>`);
  if (answer.kind === 'nothing' || (answer.kind === 'text' && answer.text === null) || isNoList(answer))
    return textBody(envelope(version, `<${response} xmlns="${escapeXml(namespaceUri)}" />`));
  if (answer.kind === 'text') return textBody(around(element(result, answer.text ?? '')));
  if (answer.kind === 'record') {
    const fields = Object.entries(answer.fields).map(([name, text]) => element(wording.wireName(name), text));
    return textBody(around(`<${result}>${fields.join('')}</${result}>`));
  }
  if (answer.kind === 'list' && answer.entries?.length === 0) return textBody(around(`<${result} />`));
  const [head = '', tail = ''] = around(`<${result}>${mark}</${result}>`).split(mark);
  if (answer.kind === 'file') return between(head, fileBody(answer.path, answer.sizeBytes), tail);
  return between(head, await listBody(answer.entries ?? [], wording), tail);
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

/** A file as base64. Three blocks take turns: one is filled while another is on its way to the socket. */
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

/** Measured first, then made again: 100,000 entries never exist as one text. */
async function listBody(entries: readonly (SignEntry | null)[], wording: Wording): Promise<Body> {
  function* slices(): Generator<Buffer> {
    for (let at = 0; at < entries.length; at += entriesAtOnce)
      yield Buffer.from(
        entries
          .slice(at, at + entriesAtOnce)
          .map((entry) => entryText(entry, wording))
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

function entryText(entry: SignEntry | null, wording: Wording): string {
  if (!entry) return '<ESignList xsi:nil="true" />';
  const { wireName } = wording;
  const fields = [
    entry.documentName === null ? '' : element('DocumentName', entry.documentName),
    element('CreatedDate', dateTimeText(entry.createdMs)),
    element(wireName('ServiceDocumentID'), wording.currentId(entry).toLowerCase()),
    element(wireName('OrigServiceDocumentID'), entry.documentId.toLowerCase()),
    element('Email', entry.signer.email),
    entry.secretWord === '' ? '' : element('SecretWord', entry.secretWord),
    entry.signer.name === '' ? '' : element('Name', entry.signer.name),
  ];
  return `<ESignList>${fields.join('')}</ESignList>`;
}
