import { after, answer, headOf, lastChunk, reply } from '../answers.ts';
import type { Row, Serve } from '../behaviour.ts';

const rst: Serve = ({ socket }) => void socket.resetAndDestroy();
const fin: Serve = ({ socket }) => void socket.end();

/** Waits for bytes of the request, then ends the connection. */
function afterBytes(bytes: number, end: Serve): Serve {
  return async (peer, asked, index) => {
    peer.socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    await peer.arrived(bytes);
    await end(peer, asked, index);
  };
}
const afterRequest =
  (end: Serve): Serve =>
  async (peer, asked, index) => {
    await peer.nextRequest({ discardBody: true });
    await end(peer, asked, index);
  };
const stopReading: Serve = ({ socket }) => void socket.pause();

const lost = 'service-unreachable/connection-lost';
const lostInDoubt = 'outcome-unknown/connection-lost';
/** Whether a byte had left, or even the connection stood, is decided by the network. */
const eitherLost = `${lost}|${lostInDoubt}|service-unreachable/connection-refused`;
const silent = 'service-timeout/no-answer-in-time';
const silentInDoubt = 'outcome-unknown/no-answer-in-time';

/**
 * The connection itself. A reset before a byte was read leaves open whether one had left. The last bytes of a large document stay back while it is
 * copied and hashed, so one that breaks off before them is nowhere as a whole.
 */
export const connecting: readonly Row[] = [
  [
    'nothing listens',
    'connect',
    fin,
    {
      GetVersion: 'service-unreachable/connection-refused',
      AddNewDocument: 'service-unreachable/connection-refused',
      AddNewEasySignTemplate: 'service-unreachable/connection-refused',
    },
    { absent: true },
  ],
  ['accepts and is silent', 'connect', () => undefined, { GetVersion: silent, AddNewDocument: silentInDoubt }],
  [
    'accepts and never reads',
    'connect',
    stopReading,
    { AddNewDocument: 'service-timeout/no-progress-in-time', ValidateDocument: 'service-timeout/no-progress-in-time' },
    { large: true },
  ],
  ['reset', 'connect', rst, { GetVersion: eitherLost, AddNewDocument: eitherLost, AddQuickNote: eitherLost }],
  ['reset', 'first bytes of the head', afterBytes(10, rst), { GetSchedule: lost, AddQuickNote: lostInDoubt }],
  [
    'reset',
    'middle of the body',
    afterBytes(2_000_000, rst),
    { AddNewDocument: lost, ValidateDocument: lost },
    { large: true },
  ],
  [
    'reset',
    'whole request',
    afterRequest(rst),
    { GetDocumentStatus: lost, AddNewDocumentESign: lostInDoubt, GetDocument: lost },
  ],
  ['closed', 'connect', fin, { GetVersion: eitherLost, AddNewDocument: eitherLost }],
  ['closed', 'first bytes of the head', afterBytes(10, fin), { GetDocumentDetails: lost, AddNewDocument: lostInDoubt }],
  ['closed', 'middle of the body', afterBytes(2_000_000, fin), { AddNewEasySignDocument: lost }, { large: true }],
  [
    'closed',
    'whole request',
    afterRequest(fin),
    { GetESignList: lost, AddNewEasySignTemplate: lostInDoubt, AddQuickNote: lostInDoubt },
  ],
  [
    'one byte of an answer, then silence',
    'whole request',
    async (peer) => {
      await peer.nextRequest();
      peer.socket.write('H');
    },
    { GetVersion: silent, AddNewDocument: silentInDoubt },
  ],
  [
    'the greeting of another protocol',
    'connect',
    ({ socket }) => void socket.write('SSH-2.0-OpenSSH_9.9\r\n'),
    { GetVersion: lost, AddNewDocument: lostInDoubt },
  ],
  [
    'a whole success',
    'connect',
    ({ socket }, asked) => void socket.write(answer(asked)),
    { AddNewDocument: 'outcome-unknown/early-reply', ValidateDocument: 'reply-unreadable/early-reply' },
    { large: true },
  ],
  [
    'a second answer for the next request',
    'whole request',
    after((asked) => Buffer.concat([answer(asked), answer(asked, reply(asked, 'forged'))])),
    { GetVersion: 'ok', GetDocumentStatus: 'ok' },
    { result: /^(2\.0|Completed)$/ },
  ],
  [
    'an answer without end, and no close',
    'whole request',
    async (peer, asked) => {
      await peer.nextRequest();
      peer.socket.write(headOf(asked) + reply(asked));
    },
    { GetVersion: 'service-timeout/no-progress-in-time', AddQuickNote: 'outcome-unknown/no-progress-in-time' },
  ],
  [
    'closed after the head of a chunked answer',
    'whole request',
    async (peer, asked) => {
      await peer.nextRequest();
      peer.socket.end(headOf(asked, 'Transfer-Encoding: chunked\r\n'));
    },
    { GetVersion: 'reply-unreadable/truncated-reply', AddNewDocument: 'outcome-unknown/truncated-reply' },
  ],
  [
    'only the end of a chunked answer',
    'whole request',
    async (peer, asked) => {
      await peer.nextRequest();
      peer.socket.end(headOf(asked, 'Transfer-Encoding: chunked\r\n') + lastChunk);
    },
    { GetVersion: 'reply-unreadable/empty-reply', AddNewDocument: 'outcome-unknown/empty-reply' },
  ],
];
