import type { IncomingMessage } from 'node:http';
import type { OperationName } from '../../contract/operation.ts';
import { failureOf } from '../core/foundation/app-error.ts';
import type { CallOptions, ServiceTarget } from './client.ts';
import { createTextDecoding } from './decode-text.ts';
import { readBody } from './read-body.ts';
import { statusFailure } from './reply-head.ts';
import type { SocketBuffer } from './socket-buffer.ts';

/** Reads the reply to an operation after its head. */
export type Consume<T> = (response: IncomingMessage, reading: Reading) => Promise<T>;

export interface Reading {
  readonly target: ServiceTarget;
  readonly operation: OperationName;
  readonly status: number;
  readonly charset: string | null;
  readonly options: CallOptions;
  readonly redact: (text: string) => string;
  /** Set if a large body may bypass node:http. */
  readonly socketBuffer: SocketBuffer | null;
  /** False if the answer began before the whole request had left. */
  readonly answeredWhole: boolean;
}

/** Passes an XML body on as text. With a status of 400 and above, a body that is no fault rejects with that status. */
export async function feedReply(
  response: IncomingMessage,
  { status, charset, target, options }: Reading,
  write: (text: string) => void | Promise<void>,
): Promise<void> {
  const decoding = createTextDecoding(charset);
  try {
    await readBody(response, target.timeouts.idleMs, options, (chunk) => write(decoding.write(chunk)));
    await write(decoding.end());
  } catch (error) {
    const unreadable = failureOf(error)?.code === 'reply-unreadable' && status >= 400;
    throw unreadable ? statusFailure(status) : error;
  }
}
