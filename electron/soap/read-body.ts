import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type AppError, appError, failureOf } from '../core/foundation/app-error.ts';
import type { CallOptions } from './client.ts';
import { type BodyDecoding, contentCoding, createBodyDecoding } from './reply-coding.ts';
import { announcedBytes } from './reply-head.ts';
import { divertBody, type SocketBuffer } from './socket-buffer.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

/** Takes a chunk; a promise holds the peer back until it resolves. Throwing ends the reading. */
export type OnChunk = (chunk: Buffer) => void | Promise<void>;

/** The longest time a timer can run: no limit while the consumer holds the peer back. */
const noLimitMs = 2 ** 31 - 1;

class BodyReading {
  private readonly response: IncomingMessage;
  private readonly idleMs: number;
  private readonly options: CallOptions;
  private readonly settle: (error?: unknown) => void;
  private readonly totalBytes: number | null;
  private readonly decoding: BodyDecoding | null;
  private readonly take: OnChunk;
  private readonly watchdog: Watchdog;
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
    settle: (error?: unknown) => void,
  ) {
    this.response = response;
    this.source = response;
    this.idleMs = idleMs;
    this.options = options;
    this.settle = settle;
    this.totalBytes = announcedBytes(response);
    const coding = contentCoding(response);
    this.decoding = coding && createBodyDecoding(coding, onChunk);
    this.take = this.decoding ? this.decoding.write : onChunk;
    this.watchdog = createWatchdog((error: AppError) => this.finish(error), options.signal);
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
    this.watchdog.arm(this.idleMs, 'no-progress-in-time');
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
    this.watchdog.touch();
    this.receivedBytes += chunk.length;
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
    this.watchdog.arm(noLimitMs, 'no-progress-in-time');
    until.then(
      () => {
        if (this.isOver) return;
        this.isHeld = false;
        if (this.endedWhileHeld) return this.end();
        this.watchdog.arm(this.idleMs, 'no-progress-in-time');
        this.source.resume();
      },
      (error) => this.finish(error),
    );
  }

  private ended(): void {
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
    this.watchdog.arm(noLimitMs, 'no-progress-in-time');
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
    this.watchdog.end();
    if (error !== undefined) {
      this.decoding?.destroy();
      this.response.destroy();
    }
    this.settle(error);
  }
}

/**
 * Reads a body to its end. Rejects with reply-unreadable (truncated-reply) if it ends too early, with service-timeout
 * (no-progress-in-time) or cancelled, or with what `onChunk` threw; the response is then destroyed. Time in which
 * `onChunk` holds the peer back does not count. With a `socketBuffer` a chunk is valid only until `onChunk` returns. A compressed body
 * (gzip) is decoded; `onReceived` still counts the bytes on the wire.
 */
export function readBody(
  response: IncomingMessage,
  idleMs: number,
  options: CallOptions,
  onChunk: OnChunk,
  socketBuffer: SocketBuffer | null = null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error));
    new BodyReading(response, idleMs, options, onChunk, settle).start(socketBuffer);
  });
}
