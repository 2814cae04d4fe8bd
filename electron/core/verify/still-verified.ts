import type { BigIntStats } from 'node:fs';
import type { StoredFile } from '../../store/verify/verify-rows.ts';
import { stampOf } from '../files/file-stamp.ts';
import { hashFile } from '../files/hash-file.ts';
import { appError } from '../foundation/app-error.ts';
import { statOf } from './verify-file.ts';

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
