import { gzipSync } from 'node:zlib';
import {
  after,
  answer,
  body,
  chunk,
  chunked,
  goodResults,
  headOf,
  lastChunk,
  pour,
  reply,
  responseElement,
  result,
} from '../answers.ts';
import type { Asked, Row, Serve } from '../behaviour.ts';

const good = goodResults.GetDocument;
const unread = (detail: string) => ({ GetDocument: `reply-unreadable/${detail}` });
const fine = { GetDocument: 'ok' };
const parts = (asked: Asked) => reply(asked, '|').split('|') as [string, string];
const poured =
  (piece: string, times: number): Serve =>
  async (peer, asked) => {
    await peer.nextRequest();
    peer.socket.write(headOf(asked, chunked) + chunk(parts(asked)[0] + good.replaceAll('=', '')));
    await pour(peer.socket, chunk(piece.repeat(Math.ceil(32_000 / piece.length))), times);
    peer.socket.destroy();
  };

/** GetDocument; whatever happens, no half of a file stays behind. */
export const documents: readonly Row[] = [
  ['rubbish in the base64', 'body', result(`${good}*${good}`), unread('wrong-reply')],
  ['the alphabet of addresses', 'body', result(`${good.repeat(10)}-_-_`), unread('wrong-reply')],
  ['padding in the middle', 'body', result(`JVBERi0xLg==${good.repeat(5)}`), unread('wrong-reply')],
  ['one character too many', 'body', result(`${good.replaceAll('=', '')}${good.repeat(3)}A`), unread('wrong-reply')],
  [
    'cut, with the length of the whole',
    'body',
    after((asked) => answer(asked, reply(asked, good.repeat(1))).subarray(0, -150)),
    unread('truncated-reply'),
  ],
  [
    'cut, with the length of what came',
    'body',
    after((asked) => answer(asked, reply(asked).slice(0, -120))),
    unread('truncated-reply'),
  ],
  ['without end, then a reset', 'body', poured('QUJD', 2_000), unread('truncated-reply')],
  ['24 MB of references', 'body', result('&#81;'.repeat(4_800_000)), unread('reply-too-large')],
  ['a reference to a letter beyond', 'body', result('JVBE&#x1F600;'), unread('wrong-reply')],
  ['a reference without end', 'body', result(`JVBE&#${'0'.repeat(1_000_000)}65;`), unread('wrong-reply')],
  ['comments without end', 'body', poured('<!-- -->', 3_000), unread('reply-too-large')],
  ['elements in it', 'body', result(`${good}<a/>`), unread('wrong-reply')],
  [
    'nothing',
    'body',
    body((asked) => responseElement(asked.operation, '')),
    { GetDocument: 'service-refused/no-document-in-reply' },
  ],
  [
    'nil',
    'body',
    body((asked) => responseElement(asked.operation, `<${asked.operation}Result i:nil="true"/>`)),
    { GetDocument: 'service-refused/no-document-in-reply' },
  ],
  ['an empty element', 'body', result(''), { GetDocument: 'service-refused/no-document-in-reply' }],
  ['words that are base64', 'body', result('Not Found'), unread('wrong-reply')],
  ['a code', 'body', result('-151'), { GetDocument: 'service-refused/negative-code' }],
  [
    'a document and a fault',
    'body',
    body(
      (asked) =>
        `${responseElement(asked.operation, `<${asked.operation}Result>${good}</${asked.operation}Result>`)}<s:Fault/>`,
    ),
    unread('wrong-reply'),
  ],
  [
    'a document in the answer to another question',
    'body',
    body(() => responseElement('GetVersion', `<GetVersionResult>${good}</GetVersionResult>`)),
    unread('wrong-reply'),
  ],
  [
    'a document in another namespace',
    'body',
    after((asked) => answer(asked, reply(asked).replace('service.example', 'other.example'))),
    unread('wrong-reply'),
  ],
  [
    'a second document',
    'body',
    body((asked) =>
      responseElement(
        asked.operation,
        `<${asked.operation}Result>${good}</${asked.operation}Result><${asked.operation}Result>Zm9yZ2Vk</${asked.operation}Result>`,
      ),
    ),
    { GetDocument: 'reply-unreadable/wrong-reply' },
  ],
  [
    'another document than asked',
    'body',
    result(Buffer.from('%PDF-1.4\nof someone else\n%%EOF').toString('base64')),
    fine,
  ],
  [
    'a web page as document',
    'body',
    result(Buffer.from(`<!DOCTYPE html><p>${'no '.repeat(30)}`).toString('base64')),
    fine,
  ],
  [
    'single bytes as chunks',
    'body',
    after(
      (asked) =>
        headOf(asked, chunked) + [...reply(asked, good.repeat(1) + ' '.repeat(50_000))].map(chunk).join('') + lastChunk,
    ),
    fine,
  ],
  [
    'gzip that nobody asked for',
    'body',
    after((asked) => answer(asked, gzipSync(reply(asked)), 'Content-Encoding: gzip\r\n')),
    fine,
  ],
  [
    '300 kB around it',
    'body',
    after((asked) =>
      answer(asked, reply(asked).replace('<s:Body>', `<s:Header>${'x'.repeat(300_000)}</s:Header><s:Body>`)),
    ),
    unread('reply-too-large'),
  ],
  [
    'a DTD before it',
    'body',
    after((asked) => answer(asked, reply(asked).replace('?>', '?><!DOCTYPE a>'))),
    unread('not-xml'),
  ],
];
