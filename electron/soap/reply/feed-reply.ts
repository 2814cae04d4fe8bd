import type { IncomingMessage } from 'node:http';
import type { OperationName } from '../../../contract/operation.ts';
import { failureOf } from '../../core/foundation/app-error.ts';
import type { Redact } from '../../core/foundation/redactor.ts';
import { createTurns } from '../../core/foundation/throttled.ts';
import type { CallOptions, ReplyRemark, ServiceTarget } from '../service/client.ts';
import { operations } from '../service/operations.ts';
import { statusFailure } from '../wire/reply-head.ts';
import type { SocketBuffer } from '../wire/socket-buffer.ts';
import { createTextDecoding } from './decode-text.ts';
import { readBody } from './read-body.ts';

/** Reads the reply to an operation after its head. */
export type Consume<T> = (response: IncomingMessage, reading: Reading) => Promise<T>;

export interface Reading {
  readonly target: ServiceTarget;
  readonly operation: OperationName;
  readonly status: number;
  readonly charset: string | null;
  readonly options: CallOptions;
  readonly redact: Redact;
  /** Removes also what a text calls a secret word, where an answer is shown as it came: it may be a list of signers. */
  readonly quote: (text: string) => string;
  readonly remark?: ((remark: ReplyRemark) => void) | undefined;
  /** Set if a large body may bypass node:http. */
  readonly socketBuffer: SocketBuffer | null;
  /** False if the answer began before the whole request had left. */
  readonly answeredWhole: boolean;
  /** The operation's own response begins. */
  readonly onResponse?: () => void;
}

/**
 * Passes an XML body on as text. With a status of 400 and above, a body that is no fault rejects with that status. All but a list must arrive within the
 * connection's limit for an answer, and no sooner than silence or a slow pace is noticed.
 */
export async function feedReply(
  response: IncomingMessage,
  {
    status,
    charset,
    target,
    operation,
    options,
  }: Pick<Reading, 'status' | 'charset' | 'target' | 'operation' | 'options'>,
  write: (text: string) => void | Promise<void>,
): Promise<void> {
  const decoding = createTextDecoding(charset);
  try {
    const { idleMs, answerMs } = target.timeouts;
    const wholeMs = operations[operation].result === 'esign-list' ? null : Math.max(answerMs, idleMs * 2);
    const otherWork = createTurns();
    // node hands out up to two megabytes of a body in one turn.
    const onChunk = (chunk: Buffer) => write(decoding.write(chunk)) ?? otherWork();
    await readBody(response, idleMs, options, onChunk, { wholeMs });
    await write(decoding.end());
  } catch (error) {
    const unreadable = failureOf(error)?.code === 'reply-unreadable' && status >= 400;
    throw unreadable ? statusFailure(status) : error;
  }
}
