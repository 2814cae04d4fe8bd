import type { FileHandle } from 'node:fs/promises';
import type { FailureDetail } from '../../../contract/failure.ts';
import type { FileSelection } from '../../../contract/files.ts';
import { readDetailOf } from '../foundation/fs-errors.ts';
import { chosenAs } from './file-stamp.ts';
import { headBytes, kindOf, looksLikePdf } from './file-type.ts';
import { openFile, readFully } from './open-file.ts';

/** `register` accepts only PDF files; `verify` any file that is not empty. */
export type Purpose = 'register' | 'verify';

export type Finding =
  | ({ readonly usable: true; readonly isPdf: boolean } & ReturnType<typeof chosenAs>)
  | {
      readonly usable: false;
      readonly reason: FailureDetail;
      readonly kind?: FileSelection['skipped'][number]['kind'];
    };

/** One value for each purpose. */
export function forPurposes<P extends Purpose, T>(purposes: readonly P[], valueFor: (purpose: P) => T): Record<P, T> {
  return Object.fromEntries(purposes.map((purpose) => [purpose, valueFor(purpose)])) as Record<P, T>;
}

const unusable = (reason: FailureDetail, kind?: string | null): Finding =>
  kind ? { usable: false, reason, kind } : { usable: false, reason };

/**
 * Reads a file's size and first bytes and, if one of the purposes needs a PDF, its trailer; answers one finding for each purpose. Never rejects; follows
 * links.
 */
export async function inspectFile<P extends Purpose>(
  path: string,
  purposes: readonly P[],
): Promise<Record<P, Finding>> {
  try {
    const file = await openFile(path);
    try {
      const chosen = chosenAs(await file.stat({ bigint: true }));
      if (chosen.sizeBytes === 0) return forPurposes(purposes, () => unusable('file-empty'));
      const head = Buffer.alloc(headBytes);
      const bytesRead = await readFully(file, head, headBytes, 0);
      const usable = { usable: true, isPdf: looksLikePdf(head.subarray(0, bytesRead)), ...chosen } as const;
      const isForRegister = purposes.some((purpose) => purpose === 'register');
      const register = isForRegister ? await inspectPdf(file, head.subarray(0, bytesRead), usable) : usable;
      return forPurposes(purposes, (purpose) => (purpose === 'register' ? register : usable));
    } finally {
      await file.close();
    }
  } catch (error) {
    return forPurposes(purposes, () => unusable(readDetailOf(error) ?? 'file-denied'));
  }
}

/** The finding for `register`. An unreadable trailer does not affect the other purposes. */
async function inspectPdf(file: FileHandle, head: Buffer, usable: Finding & { usable: true }): Promise<Finding> {
  if (!usable.isPdf) return unusable('file-not-pdf', kindOf(head));
  try {
    return (await isSurelyEncrypted(file, usable.sizeBytes)) ? unusable('file-encrypted', 'PDF document') : usable;
  } catch (error) {
    return unusable(readDetailOf(error) ?? 'file-denied');
  }
}

/** Enough for the end of any ordinary PDF: trailer, startxref and %%EOF. */
const tailBytes = 4096;
const dictionaryBytes = 8192;

/** A reference to an encryption dictionary, or an inline one. */
const encryptEntry = /\/Encrypt(?:\s*<<|\s+\d+\s+\d+\s+R\b)/;

/**
 * True only if the PDF's last trailer has an encryption entry. Reads two small pieces, never the whole file; if in
 * doubt (no trailer found, an odd structure) the answer is false and the service decides.
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
  return buffer.toString('latin1', 0, await readFully(file, buffer, bytes, at));
}
