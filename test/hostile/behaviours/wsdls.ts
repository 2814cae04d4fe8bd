import { gzipSync } from 'node:zlib';
import { after, afterAndStay, chunk, chunked, drip, headOf, pour } from '../answers.ts';
import type { Asked, Row, Serve } from '../behaviour.ts';

const plain = { operation: 'WSDL', soap: '1.1', elsewhere: '' } as const;
const sent = (text: string | Buffer, more = '', status = '200 OK'): Buffer => {
  const bytes = Buffer.from(text as string);
  return Buffer.concat([Buffer.from(headOf(plain, `Content-Length: ${bytes.length}\r\n${more}`, status)), bytes]);
};
const page = (make: (asked: Asked) => string | Buffer, more = '', status?: string): Serve =>
  after((asked) => sent(make(asked), more, status));
const open =
  '<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:s="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:x">';
const unusable = { WSDL: 'bad-input/wsdl-unusable#4' };
const redirected = { WSDL: 'reply-unreadable/redirected' };
const endless =
  (start: string, piece: string): Serve =>
  async (peer) => {
    await peer.nextRequest();
    peer.socket.write(headOf(plain, chunked) + chunk(start));
    await pour(peer.socket, chunk(piece.repeat(Math.ceil(16_000 / piece.length))));
  };

/** Reading a WSDL. The command line meets it in `doctor`, whose other steps fail too. */
export const wsdls: readonly Row[] = [
  ['without end', 'body', endless(open, '<types/>'), unusable],
  [
    'in drips',
    'body',
    async (peer) => {
      await peer.nextRequest();
      peer.socket.write(headOf(plain, chunked) + chunk('<a'));
      drip(peer.socket, chunk(' '), 100);
    },
    { WSDL: 'service-timeout/reply-too-slow|service-timeout/no-answer-in-time' },
    { seconds: 120 },
  ],
  [
    'only imports, of itself',
    'body',
    page(() => `${open}<import namespace="urn:x" location="?wsdl"/></definitions>`),
    unusable,
  ],
  [
    'imports of a file',
    'body',
    page(() => `${open}<import namespace="urn:x" location="file:///etc/passwd"/></definitions>`),
    unusable,
  ],
  [
    'imports of another host',
    'body',
    page(
      ({ elsewhere }) =>
        `${open}<types><s:schema><s:import schemaLocation="${elsewhere}"/></s:schema></types></definitions>`,
    ),
    unusable,
  ],
  ['a redirect to another host', 'head', page(() => '', 'Location: http://localhost:9/x\r\n', '302 Found'), redirected],
  ['a redirect to a file', 'head', page(() => '', 'Location: file:///etc/passwd\r\n', '302 Found'), redirected],
  ['a redirect to itself', 'head', page(() => '', 'Location: ?wsdl\r\n', '302 Found'), redirected],
  [
    'a redirect with a user name',
    'head',
    page(() => '', 'Location: http://a:b@127.0.0.1:9/\r\n', '302 Found'),
    redirected,
  ],
  [
    'a billion laughs',
    'body',
    page(() => `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(1000)}">]>${open}&a;</definitions>`),
    unusable,
  ],
  [
    'a DTD of another host',
    'body',
    page(({ elsewhere }) => `<!DOCTYPE a SYSTEM "${elsewhere}">${open}</definitions>`),
    unusable,
  ],
  ['6 MB', 'body', page(() => `${open}${'<types/>'.repeat(800_000)}</definitions>`), unusable],
  [
    'a gzip bomb',
    'body',
    page(() => gzipSync(' '.repeat(60_000_000)), 'Content-Encoding: gzip\r\n'),
    { WSDL: 'bad-input/wsdl-unusable#4|reply-unreadable/reply-too-large' },
  ],
  ['a gzip bomb without its header', 'body', page(() => gzipSync(' '.repeat(60_000_000))), unusable],
  [
    '101',
    'head',
    afterAndStay(() => 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    { WSDL: 'reply-unreadable/http-status' },
  ],
  ['a web page', 'head', page(() => '<html/>', 'Content-Type: text/html\r\n'), unusable],
  ['nothing', 'body', page(() => ''), unusable],
  ['another root', 'body', page(() => '<a/>'), unusable],
  ['a million elements deep', 'body', page(() => open + '<types>'.repeat(600_000)), unusable],
  ['closed', 'whole request', ({ socket }) => void socket.end(), { WSDL: 'service-unreachable/connection-lost' }],
  ['silence', 'whole request', () => undefined, { WSDL: 'service-timeout/no-answer-in-time' }, { seconds: 120 }],
  ['404', 'head', page(() => '', 'Content-Type: text/html\r\n', '404 No'), { WSDL: 'reply-unreadable/http-status' }],
];
