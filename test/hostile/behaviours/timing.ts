import { setTimeout as pause } from 'node:timers/promises';
import { answer, chunk, chunked, drip, fault, headOf, lastChunk, reply } from '../answers.ts';
import type { Asked, Row, Serve } from '../behaviour.ts';

const stalled = {
  GetVersion: 'service-timeout/no-progress-in-time',
  AddNewDocument: 'outcome-unknown/no-progress-in-time',
};
const noAnswer = {
  GetVersion: 'service-timeout/no-answer-in-time',
  AddNewDocument: 'outcome-unknown/no-answer-in-time',
};
const fine = { GetVersion: 'ok', AddNewDocument: 'ok' };

/** Reads the request, then writes these parts with pauses between them; `null` is silence without end. */
const inParts =
  (parts: (asked: Asked) => readonly (string | Buffer | number | null)[]): Serve =>
  async (peer, asked) => {
    await peer.nextRequest({ discardBody: true });
    for (const part of parts(asked)) {
      if (part === null) return;
      if (typeof part === 'number') await pause(part);
      else peer.socket.write(part);
    }
    peer.socket.end();
  };
const dripping =
  (start: (asked: Asked) => string, piece: string, ms: number): Serve =>
  async (peer, asked) => {
    await peer.nextRequest({ discardBody: true });
    peer.socket.write(start(asked));
    drip(peer.socket, piece, ms);
  };

const slow: readonly Row[] = [
  ['silence', 'before the answer', inParts(() => [null]), noAnswer],
  ['silence', 'middle of the head', inParts(() => ['HTTP/1.1 200 OK\r\nConte', null]), noAnswer],
  ['a head in drips', 'head', dripping(() => 'HTTP/1.1 200 OK\r\n', 'X: y\r\n', 100), noAnswer],
  ['silence', 'after the head', inParts((asked) => [headOf(asked, chunked), null]), stalled],
  [
    'silence',
    'middle of the body',
    inParts((asked) => [headOf(asked, chunked), chunk(reply(asked).slice(0, 200)), null]),
    stalled,
  ],
  ['silence', 'before the last byte', inParts((asked) => [answer(asked).subarray(0, -1), null]), stalled],
  [
    'silence',
    'before the last chunk',
    inParts((asked) => [headOf(asked, chunked), chunk(reply(asked)), null]),
    stalled,
  ],
  [
    'a text in drips',
    'body',
    dripping((asked) => headOf(asked, chunked) + chunk('<a'), chunk(' '), 100),
    { GetSchedule: 'service-timeout/reply-too-slow', AddNewDocument: 'outcome-unknown/reply-too-slow' },
  ],
  [
    'a list in drips',
    'body',
    dripping((asked) => headOf(asked, chunked) + chunk(reply(asked).slice(0, 250)), chunk(' '), 100),
    { GetESignList: 'service-timeout/reply-too-slow' },
  ],
  [
    'a document in drips',
    'body',
    dripping((asked) => headOf(asked, chunked) + chunk(reply(asked).slice(0, 250)), chunk('AAAA'), 100),
    { GetDocument: 'service-timeout/reply-too-slow' },
  ],
  [
    'a text without end, fast enough',
    'body',
    dripping((asked) => headOf(asked, chunked) + chunk(reply(asked).slice(0, 250)), chunk('a'.repeat(4000)), 50),
    { GetVersion: 'service-timeout/reply-too-slow', AddQuickNote: 'outcome-unknown/reply-too-slow' },
  ],
  [
    'a fault in drips',
    'body',
    dripping((asked) => headOf(asked, chunked, '500 Error') + chunk('<a'), chunk(' '), 100),
    { GetDocumentStatus: 'service-timeout/reply-too-slow', AddNewDocument: 'outcome-unknown/reply-too-slow' },
  ],
  [
    'single bytes as chunks',
    'body',
    inParts((asked) => [headOf(asked, chunked), [...reply(asked, 'a'.repeat(100_000))].map(chunk).join(''), lastChunk]),
    { GetSchedule: 'ok', AddQuickNote: 'ok' },
  ],
  [
    'single bytes as packets',
    'body',
    async (peer, asked) => {
      await peer.nextRequest();
      peer.socket.setNoDelay(true);
      for (const [at, byte] of answer(asked).entries()) {
        peer.socket.write(Buffer.from([byte]));
        // A pause after each byte would take seconds on a busy machine: that is the row of the drip.
        if (at % 16 === 0) await pause(0);
      }
      peer.socket.end();
    },
    fine,
  ],
  ['a late answer, within the limit', 'before the answer', inParts((asked) => [1_200, answer(asked)]), fine],
  [
    'an answer and a reset',
    'after the answer',
    async (peer, asked) => {
      await peer.nextRequest();
      peer.socket.write(answer(asked));
      await pause(300);
      peer.socket.resetAndDestroy();
    },
    fine,
  ],
];

const large = { large: true };
/** Answers in the middle of a large request. */
const early =
  (bytes: number, make: (asked: Asked) => Buffer | string, continues = true): Serve =>
  async (peer, asked) => {
    await peer.arrived(50);
    if (continues) peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    await peer.arrived(bytes);
    peer.socket.write(make(asked));
  };
const earlySuccess = {
  AddNewDocument: 'outcome-unknown/early-reply',
  ValidateDocument: 'reply-unreadable/early-reply',
};

const earlyAnswers: readonly Row[] = [
  ['a success', 'head of the request', early(50, (asked) => answer(asked), false), earlySuccess, large],
  ['a success', 'middle of the request', early(2_000_000, (asked) => answer(asked)), earlySuccess, large],
  [
    'a success and a reset',
    'middle of the request',
    async (peer, asked, index) => {
      await early(2_000_000, (one) => answer(one))(peer, asked, index);
      await pause(300);
      peer.socket.resetAndDestroy();
    },
    { AddNewDocument: 'outcome-unknown/early-reply|outcome-unknown/connection-lost' },
    large,
  ],
  [
    'a success without reading',
    'middle of the request',
    async (peer, asked) => {
      await peer.arrived(2_000);
      peer.socket.pause();
      peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      await pause(300);
      peer.socket.write(answer(asked));
    },
    earlySuccess,
    large,
  ],
  [
    '413',
    'middle of the request',
    early(2_000_000, (asked) => answer(asked, '', 'Content-Type: text/html\r\n', '413 Too Large')),
    { AddNewDocument: 'reply-unreadable/http-status', ValidateDocument: 'reply-unreadable/http-status' },
    large,
  ],
  [
    '413 instead of 100',
    'head of the request',
    early(50, (asked) => answer(asked, '', 'Content-Type: text/html\r\n', '413 Too Large'), false),
    { AddNewDocument: 'reply-unreadable/http-status' },
    large,
  ],
  [
    'a redirect instead of 100',
    'head of the request',
    early(50, (asked) => answer(asked, '', `Location: ${asked.elsewhere}\r\n`, '307 X'), false),
    { AddNewDocument: 'reply-unreadable/redirected' },
    large,
  ],
  [
    'a fault',
    'middle of the request',
    early(2_000_000, (asked) => answer(asked, fault(asked.soap, 'no'), '', '500 Error')),
    { AddNewDocument: 'service-refused/soap-fault' },
    large,
  ],
  [
    'a code',
    'middle of the request',
    early(2_000_000, (asked) => answer(asked, reply(asked, '-143'))),
    { AddNewDocument: 'service-refused/negative-code' },
    large,
  ],
  [
    'a web page',
    'middle of the request',
    early(2_000_000, (asked) => answer(asked, '<html></html>', 'Content-Type: text/html\r\n')),
    { AddNewDocument: 'reply-unreadable/html-page' },
    large,
  ],
  [
    '100, then silence',
    'whole request',
    async (peer) => {
      await peer.nextRequest({ discardBody: true });
    },
    { AddNewDocument: 'outcome-unknown/no-answer-in-time' },
    large,
  ],
  [
    '417 to Expect, then a success',
    'head of the request',
    async (peer, asked, index) => {
      if (index > 0) {
        await peer.nextRequest({ discardBody: true });
        peer.socket.end(answer(asked));
        return;
      }
      await peer.arrived(50);
      peer.socket.end(answer(asked, '', 'Content-Type: text/html\r\n', '417 No'));
    },
    { AddNewDocument: 'ok' },
    large,
  ],
  [
    '417 without end',
    'head of the request',
    async (peer, asked) => {
      await peer.arrived(50);
      peer.socket.write(answer(asked, '', 'Content-Type: text/html\r\n', '417 No'));
    },
    { AddNewDocument: 'reply-unreadable/http-status|outcome-unknown/http-status' },
    large,
  ],
  [
    '417 in the middle',
    'middle of the request',
    early(2_000_000, (asked) => answer(asked, '', 'Content-Type: text/html\r\n', '417 No')),
    { AddNewDocument: 'reply-unreadable/http-status|outcome-unknown/http-status' },
    large,
  ],
  [
    'reads slowly',
    'middle of the request',
    async (peer, asked) => {
      peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      const timer = setInterval(() => {
        if (peer.socket.isPaused()) peer.socket.resume();
        else peer.socket.pause();
      }, 150);
      peer.socket.on('close', () => clearInterval(timer));
      await peer.nextRequest({ discardBody: true });
      peer.socket.end(answer(asked));
    },
    { AddNewDocument: 'ok' },
    large,
  ],
];

export const timing: readonly Row[] = [...slow, ...earlyAnswers];
