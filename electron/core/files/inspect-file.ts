import type { FileHandle } from 'node:fs/promises';
import type { FailureDetail } from '../../../contract/failure.ts';
import type { FileSelection } from '../../../contract/files.ts';
import { failureOf } from '../foundation/app-error.ts';
import { headBytes, kindOf, looksLikePdf } from './file-type.ts';
import { openFile } from './open-file.ts';

/** Register takes PDF only; verify any file with something in it. */
export type Purpose = 'register' | 'verify';

export type Finding =
  | { readonly usable: true; readonly sizeBytes: number }
  | {
      readonly usable: false;
      readonly reason: FailureDetail;
      readonly kind?: FileSelection['skipped'][number]['kind'];
    };

const unusable = (reason: FailureDetail, kind?: string | null): Finding =>
  kind ? { usable: false, reason, kind } : { usable: false, reason };

/** Looks at a file's size, its first bytes and, for a PDF, its trailer. Never rejects; follows links. */
export async function inspectFile(path: string, purpose: Purpose): Promise<Finding> {
  try {
    return await inspectContent(path, purpose);
  } catch (error) {
    return unusable(whyUnreadable(error));
  }
}

async function inspectContent(path: string, purpose: Purpose): Promise<Finding> {
  const file = await openFile(path);
  try {
    const sizeBytes = (await file.stat()).size;
    if (sizeBytes === 0) return unusable('file-empty');
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await file.read(head, 0, headBytes, 0);
    if (purpose === 'verify') return { usable: true, sizeBytes };
    const beginning = head.subarray(0, bytesRead);
    if (!looksLikePdf(beginning)) return unusable('file-not-pdf', kindOf(beginning));
    if (await isSurelyEncrypted(file, sizeBytes)) return unusable('file-encrypted', 'PDF document');
    return { usable: true, sizeBytes };
  } finally {
    await file.close();
  }
}

/** What a file system's refusal means for a person. */
export function whyUnreadable(error: unknown): FailureDetail {
  const detail = failureOf(error)?.detail;
  if (detail) return detail;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
    // A link that leads back to itself leads nowhere.
    case 'ELOOP':
      return 'file-missing';
    case 'ENAMETOOLONG':
      return 'path-too-long';
    case 'EBUSY':
    case 'ETXTBSY':
    case 'EAGAIN':
      return 'file-locked';
    case 'EISDIR':
      return 'file-is-folder';
    // Nothing is said about the file itself.
    case 'EMFILE':
    case 'ENFILE':
      return 'too-many-open-files';
    case 'EIO':
      return 'drive-error';
    default:
      return 'file-denied';
  }
}

/** Enough for the end of any ordinary PDF: trailer, startxref and %%EOF. */
const tailBytes = 4096;
const dictionaryBytes = 8192;

/** A reference to an encryption dictionary, or one in place. */
const encryptEntry = /\/Encrypt(?:\s*<<|\s+\d+\s+\d+\s+R\b)/;

/**
 * True only where the PDF's last trailer says that it is encrypted. Reads two small pieces, never the whole file; in
 * every doubt (no trailer found, an odd structure) the answer is false and the service decides.
 */
async function isSurelyEncrypted(file: FileHandle, sizeBytes: number): Promise<boolean> {
  const tailAt = Math.max(0, sizeBytes - tailBytes);
  const tail = await piece(file, tailAt, tailBytes);
  const pointer = [...tail.matchAll(/startxref\s+(\d{1,15})\s/g)].at(-1);
  if (!pointer) return false;
  const trailerAt = tail.lastIndexOf('trailer', pointer.index);
  if (trailerAt >= 0) return encryptEntry.test(tail.slice(trailerAt, pointer.index));
  const tableAt = Number(pointer[1]);
  return tableAt < sizeBytes && encryptEntry.test(dictionaryOfStream(await piece(file, tableAt, dictionaryBytes)));
}

/** Since PDF 1.5 the trailer may be the dictionary of a cross-reference stream. */
function dictionaryOfStream(text: string): string {
  const dictionary = /^\s*\d+\s+\d+\s+obj\s*(<<[\s\S]*?)\bstream\r?\n/.exec(text)?.[1] ?? '';
  return /\/Type\s*\/XRef\b/.test(dictionary) ? dictionary : '';
}

async function piece(file: FileHandle, at: number, bytes: number): Promise<string> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, at);
  return buffer.toString('latin1', 0, bytesRead);
}
