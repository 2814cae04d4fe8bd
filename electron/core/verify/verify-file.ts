import { stat } from 'node:fs/promises';
import type { Answer, VerdictGroup } from '../../../contract/answer.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { Context } from '../context.ts';
import { hashFile } from '../files/hash-file.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';
import { toReadError } from '../foundation/fs-errors.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';

/** Number of tries before a file counts as without answer. */
const tries = 3;

/** Result of verifying a file. Values that could not be determined are null. */
export interface Asked {
  readonly sizeBytes: number;
  readonly stamp: string | null;
  readonly sha256: string | null;
  readonly answer: Answer<VerdictGroup>;
  /** The service's own words. */
  readonly raw: string | null;
  readonly failure: Failure | null;
  readonly askedAt: string;
}

export interface Question {
  readonly connectionId: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
  /** Awaited before each call. */
  readonly mayCall: () => Promise<void>;
}

/**
 * Hashes a file and calls ValidateDocument. Never rejects: any failure becomes the group `no-answer` with its failure, never a verdict about the
 * document. Null if it was aborted.
 */
export async function verifyFile(context: Context, question: Question): Promise<Asked | null> {
  const { connectionId, path, signal, mayCall } = question;
  let found = { sizeBytes: question.sizeBytes, stamp: null as string | null, sha256: null as string | null };
  try {
    const stamp = await stampOf(path);
    const { sha256, sizeBytes } = await hashFile(path, signal);
    if (sizeBytes === 0) throw appError('file-unreadable', 'the file is empty', { detail: 'file-empty' });
    found = { sizeBytes, stamp, sha256 };
    const client = await context.connections.client(connectionId);
    const ask = async () => {
      await mayCall();
      return client.invoke('ValidateDocument', { ServiceDocument: { path, sizeBytes } }, { signal });
    };
    const { raw } = await retryRead(ask, { tries, signal });
    // Otherwise the verdict could be stored with the hash of other bytes.
    if ((await stampOf(path)) !== stamp) throw appError('file-changed', 'the file changed while it was asked about');
    return { ...found, answer: context.answers.verdict(raw, connectionId), raw, failure: null, askedAt: now() };
  } catch (error) {
    if (signal.aborted) return null;
    const failure = failureOf(error) ?? unexpectedFailure(error, { task: 'verification' }, context.ports.log);
    const answer = { kind: 'none', group: 'no-answer', meaning: '' } as const;
    // Without a stamp, the next run of an audit verifies the file again.
    return { ...found, stamp: null, answer, raw: failure.raw ?? null, failure, askedAt: now() };
  }
}

/**
 * Size and times of a file. While they are unchanged, the bytes count as unchanged. The stamp includes ctime because a program that resets mtime
 * cannot reset ctime. Rejects with file-unreadable.
 */
export async function stampOf(path: string): Promise<string> {
  try {
    const { size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${size} ${mtimeNs} ${ctimeNs}`;
  } catch (error) {
    throw toReadError(error);
  }
}

/** The size in a stamp, in bytes. */
export function sizeIn(stamp: string): number {
  return Number(stamp.split(' ', 1)[0]);
}

function now(): string {
  return new Date().toISOString();
}
