import { describeFile } from '../../electron/core/verify/pdf-signatures/answer/describe-file.ts';
import type { FileAnswer } from '../../electron/core/verify/pdf-signatures/answer/file-answer.ts';
import { indexSigners, type KnownSigners } from '../../electron/core/verify/pdf-signatures/trust/known-signers.ts';

/** What is said of a file that is in memory. */
export function describeBytes(bytes: Uint8Array, password?: string, known?: KnownSigners): Promise<FileAnswer> {
  const readInto = (target: Uint8Array, position: number) => {
    if (position + target.length > bytes.length) throw new Error('read beyond the end');
    target.set(bytes.subarray(position, position + target.length));
  };
  return describeFile({ size: bytes.length, readInto }, known && indexSigners(known), password);
}
