import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { RawPeer } from '../../harness/raw-server.ts';
import { after, afterAndStay, answer, chunk, chunked, headOf, lastChunk, pour, reply } from '../answers.ts';
import type { Asked, Question, Row, Serve } from '../behaviour.ts';

/** The failure of a read and, with the same detail, the doubt about an add. */
function unread(detail: string, read: Question = 'GetVersion', add: Question = 'AddNewDocument') {
  return { [read]: `reply-unreadable/${detail}`, [add]: `outcome-unknown/${detail}` };
}
const broken = {
  GetVersion: 'service-unreachable/connection-lost',
  AddNewDocument: 'outcome-unknown/connection-lost',
};
const fine = { GetVersion: 'ok', AddQuickNote: 'ok' };

const status = (line: string, more = '', type = ''): Serve =>
  after((asked) =>
    answer(asked, type ? '<p>no</p>' : reply(asked), `${type && `Content-Type: ${type}\r\n`}${more}`, line),
  );
const html = (line: string, more = '') => status(line, more, 'text/html');
const raw = (text: string): Serve => after(() => text);
const redirect = (line: string, to: (asked: Asked) => string): Serve =>
  after((asked) => answer(asked, '', `Location: ${to(asked)}\r\n`, line));
const withHeader = (more: string): Serve => after((asked) => answer(asked, reply(asked), more));
/** An answer whose head is written by hand. */
const headed = (more: string): Serve => after((asked) => headOf(asked, more) + reply(asked));
const flood =
  (piece: string, start = ''): Serve =>
  async (peer: RawPeer) => {
    await peer.nextRequest();
    peer.socket.write(start);
    await pour(peer.socket, piece.repeat(200));
  };

const statuses: readonly Row[] = [
  [
    '101',
    'head',
    afterAndStay(() => 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
    unread('http-status'),
  ],
  ['101 without Upgrade', 'head', afterAndStay(() => 'HTTP/1.1 101 X\r\n\r\n'), unread('http-status')],
  ['100 without end', 'head', flood('HTTP/1.1 100 Continue\r\n\r\n'), unread('http-status')],
  ['103 without end', 'head', flood('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'), unread('http-status')],
  [
    '102, then the answer',
    'head',
    after((asked) => Buffer.concat([Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'), answer(asked)])),
    fine,
  ],
  ['201 with an answer', 'head', status('201 Created'), fine],
  ['202 with an answer', 'head', status('202 Accepted'), fine],
  ['206 with an answer', 'head', status('206 Partial Content'), unread('http-status')],
  [
    '202 without a body',
    'head',
    after((asked) => headOf(asked, 'Content-Length: 0\r\n', '202 Accepted')),
    unread('empty-reply'),
  ],
  ['204', 'head', after((asked) => headOf(asked, '', '204 No Content')), unread('empty-reply')],
  ['205', 'head', after((asked) => headOf(asked, '', '205 Reset Content')), unread('empty-reply')],
  ['304', 'head', after((asked) => headOf(asked, '', '304 Not Modified')), unread('redirected')],
  ['301 to another host', 'head', redirect('301 Moved', ({ elsewhere }) => elsewhere), unread('redirected')],
  [
    '302 to another host',
    'head',
    redirect('302 Found', ({ elsewhere }) => elsewhere),
    unread('redirected', 'GetAuthToken', 'AddNewDocumentESign'),
  ],
  [
    '303 to another host',
    'head',
    redirect('303 See Other', ({ elsewhere }) => elsewhere),
    unread('redirected', 'GetDocumentStatus', 'AddQuickNote'),
  ],
  [
    '307 to another host',
    'head',
    redirect('307 Temporary', ({ elsewhere }) => elsewhere),
    unread('redirected', 'GetESignList', 'AddNewEasySignTemplate'),
  ],
  [
    '308 to another host',
    'head',
    redirect('308 Permanent', ({ elsewhere }) => elsewhere),
    unread('redirected', 'GetDocument', 'AddNewEasySignDocument'),
  ],
  [
    '302 to a file',
    'head',
    redirect('302 Found', () => 'file:///etc/passwd'),
    unread('redirected', 'GetDocumentDetails'),
  ],
  ['302 to itself', 'head', redirect('302 Found', () => '/V2/service.asmx'), unread('redirected', 'ValidateDocument')],
  ['300 with a success', 'head', status('300 Choices'), unread('redirected')],
  ['401', 'head', html('401 Unauthorized', 'WWW-Authenticate: Basic realm="x"\r\n'), unread('http-status')],
  [
    '401 with NTLM',
    'head',
    html('401 Unauthorized', 'WWW-Authenticate: NTLM\r\n'),
    unread('http-status', 'GetAuthToken', 'AddQuickNote'),
  ],
  ['403', 'head', html('403 Forbidden'), unread('http-status')],
  ['404', 'head', html('404 Not Found'), unread('http-status')],
  ['407', 'head', html('407 Proxy', 'Proxy-Authenticate: Basic\r\n'), unread('http-status')],
  ['429', 'head', html('429 Too Many', 'Retry-After: 99999999\r\n'), unread('http-status')],
  ['500 with a success', 'head', status('500 Error'), unread('http-status')],
  ['503 that asks for another try', 'head', html('503 Unavailable', 'Retry-After: 0\r\n'), unread('http-status')],
  ['999 with a success', 'head', status('999 What'), unread('http-status')],
  ['status 99999', 'head', raw('HTTP/1.1 99999 X\r\n\r\n'), broken],
];

const fields: readonly Row[] = [
  ['headers without end', 'head', flood(`X-More: ${'a'.repeat(100)}\r\n`, 'HTTP/1.1 200 OK\r\n'), broken],
  ['one header without end', 'head', flood('a'.repeat(1000), 'HTTP/1.1 200 OK\r\nX: '), broken],
  ['a header of one megabyte', 'head', withHeader(`X: ${'a'.repeat(1_000_000)}\r\n`), broken],
  ['a status line of one megabyte', 'head', raw(`HTTP/1.1 200 ${'a'.repeat(1_000_000)}\r\n\r\n`), broken],
  ['a header without a colon', 'head', withHeader('nonsense\r\n'), broken],
  ['a header with NUL', 'head', withHeader('X: a\0b\r\n'), broken],
  ['no status line', 'head', after((asked) => reply(asked)), broken],
  ['HTTP/2', 'head', raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), broken],
  ['ICY 200', 'head', raw('ICY 200 OK\r\n\r\n'), broken],
  [
    'HTTP/1.0 until the close',
    'head',
    after((asked) => headOf(asked).replace('HTTP/1.1', 'HTTP/1.0') + reply(asked)),
    fine,
  ],
  [
    'two lengths',
    'head',
    after((asked) => headOf(asked, 'Content-Length: 5\r\nContent-Length: 500\r\n') + reply(asked)),
    broken,
  ],
  ['a negative length', 'head', headed('Content-Length: -5\r\n'), broken],
  ['a length with letters', 'head', headed('Content-Length: 5e9\r\n'), broken],
  ['a length of 30 digits', 'head', headed(`Content-Length: ${'9'.repeat(30)}\r\n`), broken],
  ['a length beyond the body', 'head', headed('Content-Length: 999999\r\n'), unread('truncated-reply')],
  [
    'a length beyond the body, and no close',
    'head',
    afterAndStay((asked) => headOf(asked, 'Content-Length: 999999\r\n') + reply(asked)),
    { GetVersion: 'service-timeout/no-progress-in-time', AddNewDocument: 'outcome-unknown/no-progress-in-time' },
  ],
  ['a length within the body', 'head', headed('Content-Length: 300\r\n'), unread('truncated-reply')],
  ['a length of 0 before a success', 'head', headed('Content-Length: 0\r\n'), unread('empty-reply')],
  [
    'chunked and a length',
    'head',
    after((asked) => headOf(asked, `${chunked}Content-Length: 10\r\n`) + chunk(reply(asked)) + lastChunk),
    broken,
  ],
  [
    'a chunk size of letters',
    'body',
    after((asked) => `${headOf(asked, chunked)}zz\r\n${reply(asked)}`),
    unread('truncated-reply'),
  ],
  [
    'a chunk size of 20 digits',
    'body',
    after((asked) => `${headOf(asked, chunked)}${'f'.repeat(20)}\r\n${reply(asked)}`),
    unread('truncated-reply'),
  ],
  [
    'a chunk extension of one megabyte',
    'body',
    after((asked) => `${headOf(asked, chunked)}5;x=${'a'.repeat(1_000_000)}\r\n`),
    unread('truncated-reply'),
  ],
  [
    'a chunk shorter than it says',
    'body',
    after((asked) => `${headOf(asked, chunked)}fff\r\n${reply(asked)}\r\n0\r\n\r\n`),
    unread('not-xml'),
  ],
  ['no last chunk', 'body', after((asked) => headOf(asked, chunked) + chunk(reply(asked))), unread('truncated-reply')],
  [
    'trailers',
    'body',
    after((asked) => `${headOf(asked, chunked)}${chunk(reply(asked))}0\r\nContent-Type: text/html\r\nX: y\r\n\r\n`),
    fine,
  ],
  [
    'trailers without end',
    'body',
    async (peer, asked) => {
      await peer.nextRequest();
      peer.socket.write(`${headOf(asked, chunked)}${chunk(reply(asked))}0\r\n`);
      await pour(peer.socket, `X: ${'a'.repeat(1000)}\r\n`);
    },
    unread('truncated-reply'),
  ],
  [
    'no Content-Type',
    'head',
    after((asked) => `HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${reply(asked)}`),
    unread('not-xml'),
  ],
  [
    'a Content-Type of 10 kB',
    'head',
    after((asked) => answer(asked, reply(asked), `Content-Type: ${'x'.repeat(10_000)}\r\n`)),
    unread('not-xml'),
  ],
  [
    'JSON',
    'head',
    after((asked) => answer(asked, '{"ok":true}', 'Content-Type: application/json\r\n')),
    unread('not-xml'),
  ],
  ['a web page', 'head', html('200 OK'), unread('html-page')],
  [
    'an encoding of nobody',
    'head',
    after((asked) => answer(asked, reply(asked), 'Content-Type: text/xml; charset=klingon\r\n')),
    unread('not-xml'),
  ],
  [
    'UTF-16 that is UTF-8',
    'head',
    after((asked) => answer(asked, reply(asked), 'Content-Type: text/xml; charset=utf-16\r\n')),
    unread('not-xml'),
  ],
  [
    'UTF-7',
    'head',
    after((asked) => answer(asked, reply(asked), 'Content-Type: text/xml; charset=utf-7\r\n')),
    unread('not-xml'),
  ],
];

const bomb = (text: string) => text.replace('Result>', `Result>${' '.repeat(30_000_000)}`);
/** The server serves others meanwhile. */
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const coded = (coding: string, make: (text: string) => Buffer): Serve =>
  after((asked) => answer(asked, make(reply(asked)), `Content-Encoding: ${coding}\r\n`));
const codings: readonly Row[] = [
  ['gzip that nobody asked for', 'body', coded('gzip', (text) => gzipSync(text)), fine],
  ['a gzip bomb', 'body', coded('gzip', (text) => gzipSync(bomb(text))), unread('reply-too-large')],
  [
    'a deflate bomb',
    'body',
    coded('deflate', (text) => deflateSync(bomb(text))),
    unread('reply-too-large', 'GetSchedule'),
  ],
  [
    'a brotli bomb',
    'body',
    coded('br', (text) => brotliCompressSync(bomb(text), quickly)),
    unread('reply-too-large', 'GetESignList'),
  ],
  ['gzip that is none', 'body', coded('gzip', (text) => Buffer.from(text)), unread('not-xml')],
  [
    'gzip cut in the middle',
    'body',
    coded('gzip', (text) => gzipSync(text).subarray(0, 60)),
    unread('truncated-reply'),
  ],
  ['gzip twice', 'head', coded('gzip, gzip', (text) => gzipSync(gzipSync(text))), unread('not-xml')],
  ['a coding of nobody', 'head', coded('zstd', (text) => Buffer.from(text)), unread('not-xml')],
];

export const heads: readonly Row[] = [...statuses, ...fields, ...codings];
