import { stat } from 'node:fs/promises';
import type { Answer, VerdictGroup } from '../../../contract/answer.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { Context } from '../context.ts';
import { toReadError } from '../files/fs-errors.ts';
import { hashFile } from '../files/hash-file.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';

/** How often a file is asked about before it counts as without answer. */
const tries = 3;

/** What asking about a file brought. What could not be found out of it is null. */
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
  /** Waited for before each call. */
  readonly mayCall: () => Promise<void>;
}

/**
 * Hashes a file and asks ValidateDocument about it. Never rejects: whatever stood in the way becomes the group `no-answer` with its failure,
 * never a verdict about the document. Null where it was broken off.
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
    // Else the verdict could stand beside the hash of other bytes.
    if ((await stampOf(path)) !== stamp) throw appError('file-changed', 'the file changed while it was asked about');
    return { ...found, answer: context.answers.verdict(raw, connectionId), raw, failure: null, askedAt: now() };
  } catch (error) {
    if (signal.aborted) return null;
    const failure = failureOf(error) ?? appError('bug', 'verifying failed in an unexpected way').failure;
    if (failure.code === 'bug')
      context.ports.log.error('verifying failed', { error: error instanceof Error ? error.name : '' });
    const answer = { kind: 'none', group: 'no-answer', meaning: '' } as const;
    // Without a stamp: the next run of an audit asks again.
    return { ...found, stamp: null, answer, raw: failure.raw ?? null, failure, askedAt: now() };
  }
}

/**
 * Size and times of a file: as long as they are the same, so are its bytes, for all that a file system can tell. The time of the last change of
 * the entry is in it too: who sets the other one back cannot set this. Rejects with file-unreadable.
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
