import type { Agent as KeepAlive, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { OperationName } from '../../../contract/operation.ts';
import { failureOf } from '../../core/foundation/app-error.ts';
import { startDeadline } from '../../core/foundation/deadline.ts';
import type { ServiceTarget } from '../service/client.ts';
import { operations } from '../service/operations.ts';
import { openLink } from '../wire/connect.ts';
import type { NetworkRoute, ThroughProxy } from '../wire/network-route.ts';
import { Agent } from '../wire/open-socket.ts';
import { statusFailure } from '../wire/reply-head.ts';
import type { SocketBuffer } from '../wire/socket-buffer.ts';
import type { Message } from './envelope.ts';
import { type Exchange, exchange, type Outgoing, type Stage } from './exchange.ts';

/** An idle keep-alive connection is closed after this time. */
const idleMs = 20_000;

/**
 * Larger requests get a connection of their own: if a keep-alive connection breaks in the middle of a large document, the document
 * must not be sent a second time automatically.
 */
const smallMessageBytes = 256 * 1024;

/** What all requests to one service share. */
export interface Wire {
  readonly target: ServiceTarget;
  readonly route: NetworkRoute;
  readonly keepAlive: KeepAlive;
  /** Set once the service has answered 417 to `Expect`. */
  refusesExpect: boolean;
}

interface Answered extends ThroughProxy {
  readonly answered: Exchange;
  readonly socketBuffer: SocketBuffer | null;
  /** Closes a connection that was opened for this request. */
  readonly end: () => void;
}

/** Keep-alive connections for reads without a large document; each add gets a new connection. */
export function keepAliveAgent(connect: (signal?: AbortSignal) => ReturnType<typeof openLink>): KeepAlive {
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  agent.createConnection = (options, callback) => {
    connect((options as { signal?: AbortSignal }).signal).then(
      ({ socket }) => callback?.(null, socket),
      (error: Error) => callback?.(error, undefined as never),
    );
    return undefined as never;
  };
  return agent;
}

/** Small reads use keep-alive connections: a new connection for each of 10,000 small files would cost more than the files. */
function mayKeepAlive({ operation, message }: Outgoing): boolean {
  const isSmall = message.sizeBytes <= smallMessageBytes;
  return operations[operation].effect !== 'add' && isSmall && !isBulk(operation, message);
}

/** A document is received over a connection of its own; with TLS that would gain nothing and cost a handshake. */
function isBulk(operation: OperationName, { url }: Message): boolean {
  return operation === 'GetDocument' && url.protocol === 'http:';
}

async function connectionFor(wire: Wire, { operation, message, options }: Outgoing, keepAlive: boolean) {
  // Through a proxy http needs another request line, and which of several proxies was used is known only after connecting.
  const isDirect = message.url.protocol !== 'http:' || /^\s*(DIRECT\s*)?$/i.test(wire.target.proxy);
  if (keepAlive && isDirect) {
    const connection: RequestOptions = { agent: wire.keepAlive };
    return { connection, absoluteForm: false, proxyAuthorization: null, socketBuffer: null, end: () => undefined };
  }
  const link = await openLink(message.url, wire.route, options.signal, isBulk(operation, message));
  const { socket, absoluteForm, proxyAuthorization, socketBuffer } = link;
  holdWriteErrors(socket);
  const connection: RequestOptions = { createConnection: () => socket };
  return { connection, absoluteForm, proxyAuthorization, socketBuffer, end: () => void socket.destroy() };
}

/**
 * Sends a request and resolves with the head of its answer. Sends it a second time in two cases only: without `Expect` after a 417, and
 * over a new connection if a keep-alive connection had been closed (a paid read only while it had not left as a whole). Rejects as `exchange` and `openLink` do.
 */
export async function sendRequest(wire: Wire, outgoing: Outgoing, fresh = false): Promise<Answered> {
  const { operation, stage, options } = outgoing;
  const { end, socketBuffer, ...way } = await connectionFor(wire, outgoing, mayKeepAlive(outgoing) && !fresh);
  try {
    const { timeouts } = wire.target;
    const mayExpect = !wire.refusesExpect;
    const { presentsCertificate } = wire.route.trust;
    const answered = await exchange({ ...outgoing, ...way, presentsCertificate, timeouts, mayExpect });
    wire.refusesExpect ||= answered.refusedExpect;
    if (!answered.refusedExpect || stage.bodyBegan) {
      const { absoluteForm, proxyAuthorization } = way;
      return { answered, absoluteForm, proxyAuthorization, socketBuffer, end };
    }
    answered.response.on('error', () => undefined);
    answered.request.destroy();
  } catch (error) {
    end();
    // The service may have closed a keep-alive connection at the moment it was used again: that says nothing about the service.
    const mayRepeat = operations[operation].effect === 'read' || !stage.complete;
    const isLost = !stage.answered && failureOf(error)?.detail === 'connection-lost';
    if (stage.reused && mayRepeat && isLost && !options.signal?.aborted) {
      return sendRequest(wire, outgoing, true);
    }
    throw error;
  }
  end();
  return sendWithoutExpect(wire, outgoing);
}

/**
 * Sends a request again after its head alone was refused (RFC 9110, 10.1.1): no byte of its body has left, so the service cannot have
 * taken it. If it cannot be sent again, the 417 is the result.
 */
async function sendWithoutExpect(wire: Wire, outgoing: Outgoing): Promise<Answered> {
  const { stage } = outgoing;
  Object.assign(stage, { departed: false, answered: false, reused: false } satisfies Partial<Stage>);
  try {
    return await sendRequest(wire, outgoing, true);
  } catch (error) {
    if (stage.departed || stage.bodyBegan || failureOf(error)?.code === 'cancelled') throw error;
    throw statusFailure(417);
  }
}

/** How long an answer may still arrive after the peer stopped taking bytes. */
const graceMs = 2_000;

type Done = (error?: Error | null) => void;
interface Writing {
  _write(chunk: unknown, encoding: BufferEncoding, done: Done): void;
  _writev?(chunks: unknown, done: Done): void;
}

/**
 * Makes an answer readable that is already in transit when writing fails. A peer that refuses early (413, 401, a
 * fault) answers and closes; the next write then fails with EPIPE or ECONNRESET, and node destroys the socket with the unread
 * answer. This function delays such an error until the reading side has ended too, or `graceMs` have passed.
 */
function holdWriteErrors(socket: Socket): void {
  const writing = socket as unknown as Writing;
  const held = (done: Done): Done => {
    return (error) => {
      const code = (error as { code?: string } | null | undefined)?.code;
      if (socket.destroyed || socket.readableEnded || (code !== 'EPIPE' && code !== 'ECONNRESET')) return done(error);
      const release = () => {
        deadline.end();
        socket.off('end', release).off('close', release);
        done(error);
      };
      const deadline = startDeadline(graceMs, release);
      socket.once('end', release).once('close', release);
    };
  };
  const { _write, _writev } = writing;
  writing._write = (chunk, encoding, done) => _write.call(socket, chunk, encoding, held(done));
  if (_writev) writing._writev = (chunks, done) => _writev.call(socket, chunks, held(done));
}
