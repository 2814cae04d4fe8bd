import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { appError, failureOf } from '../../core/foundation/app-error.ts';
import type { CallOptions } from '../service/client.ts';
import { type BodyDecoding, contentCoding, createBodyDecoding } from '../wire/reply-coding.ts';
import { announcedBytes } from '../wire/reply-head.ts';
import { divertBody, type SocketBuffer } from '../wire/socket-buffer.ts';
import { startBodyLimits } from '../wire/watchdog.ts';

/** Takes a chunk; a promise holds the peer back until it resolves. Throwing ends the reading. */
export type OnChunk = (chunk: Buffer) => void | Promise<void>;

/** Smaller chunks are gathered: a peer that sends single bytes costs a pass through decoder and parser for each of them. */
const smallChunkBytes = 1024;
const gatheredBytes = 16 * 1024;

class BodyReading {
  private readonly response: IncomingMessage;
  private readonly options: CallOptions;
  private readonly settle: (error?: unknown) => void;
  private readonly totalBytes: number | null;
  private readonly decoding: BodyDecoding | null;
  private readonly take: OnChunk;
  private readonly limits: ReturnType<typeof startBodyLimits>;
  private gathered: Buffer[] = [];
  private gatheredBytes = 0;
  private source: IncomingMessage | Socket;
  private isDiverted = false;
  private receivedBytes = 0;
  private isOver = false;
  private isHeld = false;
  private endedWhileHeld = false;

  constructor(
    response: IncomingMessage,
    idleMs: number,
    options: CallOptions,
    onChunk: OnChunk,
    wholeMs: number | null,
    settle: (error?: unknown) => void,
  ) {
    this.response = response;
    this.source = response;
    this.options = options;
    this.settle = settle;
    this.totalBytes = announcedBytes(response);
    const coding = contentCoding(response);
    this.decoding = coding && createBodyDecoding(coding, onChunk);
    this.take = this.decoding ? this.decoding.write : onChunk;
    this.limits = startBodyLimits(idleMs, wholeMs, (error) => this.finish(error), options.signal);
  }

  start(socketBuffer: SocketBuffer | null): void {
    const { response } = this;
    const diverted =
      socketBuffer &&
      !this.decoding &&
      divertBody(response, socketBuffer, (bytes) => {
        this.receive(bytes.subarray(0, (this.totalBytes ?? 0) - this.receivedBytes));
        if (this.receivedBytes === this.totalBytes) this.ended();
      });
    if (diverted) {
      this.isDiverted = true;
      this.source = diverted.socket;
      this.receive(diverted.first);
      if (!this.isHeld) this.source.resume();
    } else {
      response.on('data', (chunk: Buffer) => this.receive(chunk));
      // node schedules the end before it hands out the last chunk: a pause in there comes too late for it.
      response.on('end', () => this.ended());
    }
    response.on('error', (error) => (failureOf(error) ? this.finish(error) : this.truncated()));
    response.on('close', () => {
      if (!this.endedWhileHeld) this.truncated();
    });
    if (response.destroyed) this.truncated();
  }

  private receive(chunk: Buffer): void {
    if (this.isOver || chunk.length === 0) return;
    this.limits.received(chunk.length);
    this.receivedBytes += chunk.length;
    if (this.isDiverted || (this.gatheredBytes === 0 && chunk.length >= smallChunkBytes)) {
      this.pass(chunk);
      return;
    }
    if (this.gatheredBytes === 0) setImmediate(() => !this.isHeld && this.passGathered());
    this.gathered.push(chunk);
    this.gatheredBytes += chunk.length;
    if (this.gatheredBytes >= gatheredBytes) this.passGathered();
  }

  private passGathered(): void {
    if (this.gatheredBytes === 0) return;
    const chunk = this.gathered.length === 1 ? (this.gathered[0] as Buffer) : Buffer.concat(this.gathered);
    this.gathered = [];
    this.gatheredBytes = 0;
    this.pass(chunk);
  }

  private pass(chunk: Buffer): void {
    if (this.isOver) return;
    this.options.onReceived?.(this.receivedBytes, this.totalBytes);
    try {
      const taken = this.take(chunk);
      if (taken) this.hold(taken);
    } catch (error) {
      this.finish(error);
    }
  }

  /** Holds the peer back until the consumer is ready. */
  private hold(until: Promise<void>): void {
    this.source.pause();
    this.isHeld = true;
    this.limits.suspend();
    until.then(
      () => {
        if (this.isOver) return;
        this.isHeld = false;
        if (this.endedWhileHeld) return this.ended();
        this.limits.resume();
        this.source.resume();
      },
      (error) => this.finish(error),
    );
  }

  private ended(): void {
    if (!this.isHeld) this.passGathered();
    if (this.isHeld) this.endedWhileHeld = true;
    else this.end();
  }

  private end(): void {
    if (!this.isDiverted && !this.response.complete) {
      this.truncated();
      return;
    }
    if (!this.decoding) {
      this.finish();
      return;
    }
    this.endedWhileHeld = true;
    this.limits.suspend();
    this.decoding.end().then(
      () => this.finish(),
      (error) => this.finish(error),
    );
  }

  private truncated(): void {
    this.finish(appError('reply-unreadable', 'the reply broke off', { detail: 'truncated-reply' }));
  }

  private finish(error?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    this.limits.end();
    if (error !== undefined) {
      this.decoding?.destroy();
      this.response.destroy();
    }
    this.settle(error);
  }
}

/**
 * Reads a body to its end, within `wholeMs` if that is given. Rejects with reply-unreadable (truncated-reply) if it ends too early, with service-timeout
 * (no-progress-in-time, reply-too-slow) or cancelled, or with what `onChunk` threw; the response is then destroyed. Time in which
 * `onChunk` holds the peer back does not count. With a `socketBuffer` a chunk is valid only until `onChunk` returns. A compressed body
 * (gzip) is decoded; `onReceived` still counts the bytes on the wire.
 */
export function readBody(
  response: IncomingMessage,
  idleMs: number,
  options: CallOptions,
  onChunk: OnChunk,
  { socketBuffer = null, wholeMs = null }: { socketBuffer?: SocketBuffer | null; wholeMs?: number | null } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    new BodyReading(response, idleMs, options, onChunk, wholeMs, settle).start(socketBuffer);
  });
}
