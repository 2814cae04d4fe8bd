import type { Socket } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { type Certificate, daysFromNow, selfSigned } from '../../harness/certificate.ts';
import { answer, chunk, chunked, drip, headOf, pour, reply } from '../answers.ts';
import type { Row, Serve } from '../behaviour.ts';

/** The certificate that the connection trusts; the others are of nobody. */
export const trusted: Certificate = selfSigned({ organisation: 'Trusted' });
export const expired = selfSigned({ organisation: 'Expired', from: daysFromNow(-30), until: daysFromNow(-1) });
export const later = selfSigned({ organisation: 'Later', from: daysFromNow(5), until: daysFromNow(30) });
export const otherHost = selfSigned({ organisation: 'Other host', host: 'bank.example' });
/** Everything that the connections of this run trust. */
export const authorities = [trusted, expired, later, otherHost].map(({ cert }) => cert).join('');

const withTls = (certificate: Certificate, more: TlsOptions = {}) => ({ tls: () => ({ ...certificate, ...more }) });
const old = (version: 'TLSv1' | 'TLSv1.1') =>
  withTls(trusted, { minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' });

const good: Serve = async (peer, asked) => {
  await peer.nextRequest();
  peer.socket.end(answer(asked));
};
/** Reads the request, then misbehaves. */
const reading =
  (misbehave: (...given: Parameters<Serve>) => void | Promise<void>): Serve =>
  async (peer, asked, index) => {
    await peer.nextRequest({ discardBody: true });
    await misbehave(peer, asked, index);
  };
const late = { GetVersion: 'service-timeout/no-answer-in-time', AddNewDocument: 'outcome-unknown/no-answer-in-time' };
const untrusted = {
  GetVersion: 'service-unreachable/tls-untrusted',
  AddNewDocument: 'service-unreachable/tls-untrusted',
};
const over = { GetVersion: 'service-unreachable/tls-expired', AddNewDocument: 'service-unreachable/tls-expired' };
const failed = { GetVersion: 'service-unreachable/tls-failed', AddNewDocument: 'service-unreachable/tls-failed' };
/** Behaviours below TLS: the address is https, and the server has none. */
const noTls = { plainTls: true };

/** Nothing of a request leaves before the certificate is found good, so no add is in doubt. */
export const tls: readonly Row[] = [
  ['a good certificate', 'handshake', good, { GetVersion: 'ok', AddNewDocument: 'ok' }, withTls(trusted)],
  ['an expired certificate', 'handshake', good, over, withTls(expired)],
  ['a certificate of next week', 'handshake', good, over, withTls(later)],
  ['a certificate for another host', 'handshake', good, untrusted, withTls(otherHost)],
  ['an authority of nobody', 'handshake', good, untrusted, withTls(selfSigned({ organisation: 'Nobody' }))],
  ['TLS 1.0', 'handshake', good, failed, old('TLSv1')],
  ['TLS 1.1', 'handshake', good, { GetVersion: failed.GetVersion }, old('TLSv1.1')],
  [
    'only ciphers without encryption',
    'handshake',
    good,
    failed,
    withTls(trusted, { maxVersion: 'TLSv1.2', ciphers: 'NULL:@SECLEVEL=0' }),
  ],
  ['plain text', 'handshake', ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'), failed, noTls],
  [
    'closed',
    'handshake',
    ({ socket }) => void socket.end(),
    {
      GetVersion:
        'service-unreachable/tls-failed|service-unreachable/connection-lost|service-unreachable/connection-refused',
      AddNewDocument:
        'service-unreachable/tls-failed|service-unreachable/connection-lost|service-unreachable/connection-refused',
    },
    noTls,
  ],
  [
    'reset',
    'handshake',
    ({ socket }) => void socket.resetAndDestroy(),
    {
      GetVersion:
        'service-unreachable/tls-failed|service-unreachable/connection-lost|service-unreachable/connection-refused',
      AddNewDocument:
        'service-unreachable/tls-failed|service-unreachable/connection-lost|service-unreachable/connection-refused',
    },
    noTls,
  ],
  [
    'silence',
    'handshake',
    () => undefined,
    { GetVersion: 'service-unreachable/no-connect-in-time', AddNewDocument: 'service-unreachable/no-connect-in-time' },
    noTls,
  ],
  ['garbage', 'handshake', ({ socket }) => void socket.write(Buffer.alloc(100_000, 0x16)), failed, noTls],
  [
    'demands a certificate of the client',
    'handshake',
    good,
    {
      GetVersion: 'service-unreachable/client-certificate-needed',
      AddNewDocument: 'service-unreachable/client-certificate-needed',
    },
    withTls(trusted, { requestCert: true, rejectUnauthorized: true }),
  ],
  [
    'renegotiates before the answer',
    'whole request',
    async (peer, asked) => {
      await peer.nextRequest();
      (peer.socket as TLSSocket).renegotiate({}, () => undefined);
      peer.socket.end(answer(asked));
    },
    { GetVersion: 'ok|service-unreachable/connection-lost' },
    withTls(trusted, { maxVersion: 'TLSv1.2' }),
  ],
  [
    'cut without the end of TLS',
    'answer',
    async (peer, asked) => {
      await peer.nextRequest();
      peer.socket.write(headOf(asked) + reply(asked).slice(0, -20), () => setTimeout(() => peer.socket.destroy(), 100));
    },
    { GetVersion: 'reply-unreadable/truncated-reply', AddNewDocument: 'outcome-unknown/truncated-reply' },
    withTls(trusted),
  ],
  ['never answers', 'whole request', reading(() => undefined), late, withTls(trusted)],
  [
    'an answer in drips',
    'body',
    reading(({ socket }, asked) => {
      socket.write(headOf(asked, chunked) + chunk('<a'));
      drip(socket, chunk(' '), 100);
    }),
    { GetSchedule: 'service-timeout/reply-too-slow', AddNewDocument: 'outcome-unknown/reply-too-slow' },
    withTls(trusted),
  ],
  [
    'a head without end',
    'head',
    reading(({ socket }) => pour(socket, `X: ${'y'.repeat(8_000)}\r\n`)),
    { GetVersion: 'service-unreachable/connection-lost', AddNewDocument: 'outcome-unknown/connection-lost' },
    withTls(trusted),
  ],
  [
    'stops reading',
    'middle of the request',
    async (peer) => {
      await peer.arrived(2_000);
      peer.socket.pause();
      peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    },
    {
      AddNewDocument: 'service-timeout/no-progress-in-time',
      ValidateDocument: 'service-timeout/no-progress-in-time',
    },
    { ...withTls(trusted), large: true },
  ],
  [
    'ends its half',
    'whole request',
    reading(({ socket }) => void socket.end()),
    { GetVersion: 'service-unreachable/connection-lost', AddNewDocument: 'outcome-unknown/connection-lost' },
    withTls(trusted),
  ],
  [
    'ends its half',
    'middle of the request',
    async (peer) => {
      await peer.arrived(2_000);
      peer.socket.end('HTTP/1.1 100 Continue\r\n\r\n');
    },
    {
      AddNewDocument: 'service-unreachable/connection-lost',
      ValidateDocument: 'service-unreachable/connection-lost',
    },
    { ...withTls(trusted), large: true },
  ],
  [
    'reset',
    'middle of the request',
    async (peer) => {
      await peer.arrived(2_000);
      peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      await peer.arrived(500_000);
      peer.socket.destroy();
    },
    {
      AddNewDocument: 'service-unreachable/connection-lost',
      ValidateDocument: 'service-unreachable/connection-lost',
    },
    { ...withTls(trusted), large: true },
  ],
  [
    'renegotiates without end',
    'whole request',
    reading((peer) => {
      const again = () => (peer.socket as TLSSocket).renegotiate({}, () => setImmediate(again));
      again();
    }),
    {
      GetVersion: 'service-timeout/no-answer-in-time|service-unreachable/connection-lost',
      AddNewDocument: 'outcome-unknown/no-answer-in-time|outcome-unknown/connection-lost',
    },
    withTls(trusted, { maxVersion: 'TLSv1.2' }),
  ],
  [
    'garbage below TLS',
    'answer',
    reading(({ socket }) => {
      (socket as TLSSocket & { _parent?: Socket })._parent?.write(Buffer.alloc(1_000, 0x16));
    }),
    {
      GetVersion: 'service-unreachable/connection-lost|service-timeout/no-answer-in-time',
      AddNewDocument: 'outcome-unknown/connection-lost|outcome-unknown/no-answer-in-time',
    },
    withTls(trusted),
  ],
];
