import { stat } from 'node:fs/promises';
import type { VerifyResult } from '../../../contract/verify.ts';
import { readVerdict } from '../../soap/answers.ts';
import { retryRead } from '../backoff.ts';
import type { Context, LocalFile } from '../context.ts';
import { failing, failureOf } from '../failing.ts';
import { readTrouble } from '../file-trouble.ts';
import { hashFile } from '../hash-file.ts';

/** How often a file is asked about before it counts as without answer. */
const tries = 3;

/**
 * Hashes a file, looks whether it is known here, and asks ValidateDocument. Never rejects: whatever stood in the way becomes the group
 * `no-answer` with its failure, never a verdict about the document.
 */
export async function verifyFile(
  context: Context,
  connectionId: string,
  file: LocalFile,
  signal: AbortSignal,
): Promise<Partial<VerifyResult>> {
  let found: Partial<VerifyResult> = {};
  try {
    const before = await stampOf(file.path);
    const { sha256, sizeBytes } = await hashFile(file.path, signal);
    found = { sha256, sizeBytes, knownHere: context.store.documents.knownBySha256(sha256, connectionId) };
    const client = await context.connections.client(connectionId);
    const { raw } = await retryRead(
      () => client.invoke('ValidateDocument', { ServiceDocument: { path: file.path, sizeBytes } }, { signal }),
      { tries, signal },
    );
    // Else the verdict could stand beside the hash of other bytes.
    if ((await stampOf(file.path)) !== before)
      throw failing('file-changed', 'the file changed while it was asked about');
    return { ...found, state: 'answered', answer: readVerdict(raw), raw, failure: null, askedAt: now() };
  } catch (error) {
    if (signal.aborted) return { ...found, state: 'pending', answer: null, failure: null };
    const failure = failureOf(error) ?? failing('bug', 'verifying failed in an unexpected way').failure;
    if (failure.code === 'bug')
      context.ports.log.error('verifying failed', { error: error instanceof Error ? error.name : '' });
    const answer = { kind: 'none', group: 'no-answer', meaning: '' } as const;
    return { ...found, state: 'answered', answer, raw: failure.raw ?? null, failure, askedAt: now() };
  }
}

async function stampOf(path: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(path);
    return `${size} ${mtimeMs}`;
  } catch (error) {
    throw readTrouble(error);
  }
}

function now(): string {
  return new Date().toISOString();
}
