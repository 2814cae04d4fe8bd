import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Answer, VerdictGroup } from '../../../contract/answers.ts';
import type { VerifyResult } from '../../../contract/verify-result.ts';
import { canTryAgain } from '../../../locales/answer-meaning.ts';
import type { DocumentSource } from '../../soap/service/client.ts';
import type { OwnVerdict, StoredFile } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { showsChanges, stampOf } from '../files/file-stamp.ts';
import { hashFile } from '../files/hash-file.ts';
import type { ReceivedFiles } from '../files/received-files.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';
import { asRead } from '../foundation/fs-errors.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';
import type { PdfSignatureReader } from './pdf-signatures/pdf-signatures-client.ts';
import { toOwnVerdict } from './stored-signatures.ts';

/** The services that verification uses. */
export interface VerifyContext extends Context {
  readonly signatures: PdfSignatureReader;
  /** For a file of the program's own that is needed for one call. */
  readonly arrivals: Pick<ReceivedFiles, 'take'>;
}

/** Number of tries before a file counts as without answer, while the service cannot have all of it: a call may cost something. */
const tries = 3;

/** Result of verifying a file. Values that could not be determined are null, as is the answer of a file that was only looked at. */
export interface Asked extends Pick<VerifyResult, 'sizeBytes' | 'sha256' | 'answer' | 'raw' | 'failure' | 'askedAt'> {
  /** Null if it does not show every change (file-stamp.ts). */
  readonly stamp: string | null;
  /** What the file itself proves; null if it was not looked at. */
  readonly own: OwnVerdict | null;
  /** Whether an answer came, whatever was made of it. */
  readonly isAnswered: boolean;
}

export interface Question {
  readonly connectionId: string;
  readonly path: string;
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
  /** Awaited before each call, which counts from then on, until what it answers is called; null if the service is not to be asked. */
  readonly mayCall: (() => Promise<() => Promise<void>>) | null;
}

/**
 * Hashes a file, reads what its own signatures prove, and, if it may, calls ValidateDocument. Never rejects: any failure becomes the group `no-answer` with its failure, never a verdict
 * about the document; what the file itself proves stays. Null if it was aborted before all of it had left.
 */
export async function verifyFile(context: VerifyContext, question: Question): Promise<Asked | null> {
  const { connectionId, path, signal, mayCall } = question;
  let found = {
    sizeBytes: question.sizeBytes,
    stamp: null as string | null,
    sha256: null as string | null,
    own: null as OwnVerdict | null,
  };
  const sent = { isWhole: false, isAnswered: false };
  try {
    const before = await statOf(path);
    const stamp = showsChanges(before) ? stampOf(before) : null;
    const { sha256, sizeBytes } = await hashFile(path, signal);
    if (sizeBytes === 0) throw appError('file-unreadable', 'the file is empty', { detail: 'file-empty' });
    found = { ...found, sizeBytes, stamp, sha256 };
    const [own, reply] = await Promise.allSettled([
      context.signatures.describe(path, { signal }),
      mayCall && askService(context, { ...question, mayCall, sent }, { path, sizeBytes, sha256 }),
    ]);
    // Otherwise the verdict could be stored with the hash of other bytes.
    const isChanged = stampOf(await statOf(path)) !== stampOf(before);
    if (isChanged || (stamp === null && (await hashFile(path, signal)).sha256 !== sha256))
      throw appError('file-changed', 'the file changed while it was asked about');
    if (own.status === 'rejected') throw own.reason;
    found = { ...found, own: toOwnVerdict(own.value) };
    if (reply.status === 'rejected') throw reply.reason;
    const { isAnswered } = sent;
    if (!mayCall) return { ...found, isAnswered, answer: null, raw: null, failure: null, askedAt: null };
    const raw = reply.value;
    const read = context.answers.verdict(raw, connectionId);
    const answer = own.value === null ? aboutNoPdf(read) : read;
    return { ...found, isAnswered, answer, raw, failure: null, askedAt: now() };
  } catch (error) {
    if (signal.aborted && !sent.isWhole) return null;
    const reason = signal.aborted ? appError('cancelled', 'it was stopped') : error;
    const failure = failureOf(reason) ?? unexpectedFailure(reason, { task: 'verification' }, context.ports.log);
    // Without a stamp, the next run of an audit verifies the file again.
    const answer = signal.aborted ? null : noAnswer;
    const { isWhole, isAnswered } = sent;
    const askedAt = isWhole ? now() : null;
    return { ...found, stamp: null, isAnswered, answer, raw: failure.raw ?? null, failure, askedAt };
  }
}

/** The answer about a file that is no PDF: in a group of its own where the service refuses the file itself. What else the service says stays as it is. */
export function aboutNoPdf(answer: Answer<VerdictGroup>): Answer<VerdictGroup> {
  return answer.group === 'no-answer' && !canTryAgain(answer) ? { ...answer, group: 'not-pdf' } : answer;
}

const noAnswer = { kind: 'none', group: 'no-answer', meaning: '' } as const;

interface Calling {
  readonly mayCall: NonNullable<Question['mayCall']>;
  readonly sent: { isWhole: boolean; isAnswered: boolean };
}

/** The service's own words. */
async function askService(
  context: VerifyContext,
  { connectionId, signal, mayCall, sent }: Question & Calling,
  ServiceDocument: DocumentSource,
): Promise<string | null> {
  const client = await context.connections.client(connectionId);
  const onSent = (sentBytes: number, totalBytes: number) => {
    sent.isWhole ||= sentBytes >= totalBytes;
  };
  const ask = async () => {
    const uncount = await mayCall();
    try {
      return await client.invoke('ValidateDocument', { ServiceDocument }, { signal, onSent });
    } catch (error) {
      if (!sent.isWhole) await uncount();
      throw error;
    }
  };
  const { raw } = await retryRead(ask, { tries, signal, mayRepeat: () => !sent.isWhole });
  sent.isAnswered = true;
  return raw;
}

/** Rejects with file-unreadable. */
export const statOf = (path: string): Promise<BigIntStats> => asRead(stat(path, { bigint: true }));

function now(): string {
  return new Date().toISOString();
}

type Verified = Pick<StoredFile, 'path' | 'stamp' | 'sha256'>;

/** The state of a file that is still what was verified; it is hashed only where its stamp does not say so. Rejects as `assertSame` does. */
export async function statVerified(row: Verified, signal?: AbortSignal): Promise<BigIntStats> {
  const now = await statOf(row.path);
  if (stampOf(now) !== row.stamp) await assertSame(row, signal);
  return now;
}

/** Hashes a file. Rejects with file-changed if it is not any more what was verified, and with file-unreadable. */
export async function assertSame({ path, sha256 }: Verified, signal?: AbortSignal): Promise<void> {
  if ((await hashFile(path, signal)).sha256 !== sha256)
    throw appError('file-changed', 'the file is not any more what was verified');
}
