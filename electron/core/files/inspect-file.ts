import type { FileHandle } from 'node:fs/promises';
import type { FailureDetail } from '../../../contract/failure.ts';
import type { FileSelection } from '../../../contract/files.ts';
import { readDetailOf } from '../foundation/fs-errors.ts';
import { chosenAs } from './file-stamp.ts';
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

/** The kind of a file by its first bytes, in English; null if they match no known kind. */
function kindOf(head: Buffer): string | null {
  for (const [kind, test] of signatures) if (test(head)) return kind;
  return isText(head) ? textKind(head) : null;
}

/** True if `%PDF-` is within the first 1,024 bytes: common readers accept other bytes before it. */
export function looksLikePdf(head: Buffer): boolean {
  return head.subarray(0, 1024).includes('%PDF-');
}

/** Number of a file's first bytes that `kindOf` needs. */
export const headBytes = 4096;

type Signature = readonly [kind: string, test: (head: Buffer) => boolean];

const starts =
  (hex: string, at = 0) =>
  (head: Buffer): boolean => {
    const wanted = Buffer.from(hex, 'hex');
    return head.subarray(at, at + wanted.length).equals(wanted);
  };

/** An office document is a ZIP whose first entries name their folder. */
const zipWith = (...names: readonly string[]) => {
  const isZip = starts('504b0304');
  return (head: Buffer): boolean => isZip(head) && names.every((name) => head.includes(name, 0, 'latin1'));
};

const signatures: readonly Signature[] = [
  ['PNG image', starts('89504e470d0a1a0a')],
  ['JPEG image', starts('ffd8ff')],
  ['GIF image', starts('47494638')],
  ['TIFF image', (head) => starts('49492a00')(head) || starts('4d4d002a')(head)],
  ['WebP image', (head) => starts('52494646')(head) && starts('57454250', 8)(head)],
  ['BMP image', (head) => starts('424d')(head) && head.length > 10 && head.readUInt32LE(6) === 0],
  ['HEIC image', (head) => starts('6674797068656963', 4)(head) || starts('667479706d696631', 4)(head)],
  ['Word document', zipWith('[Content_Types].xml', 'word/')],
  ['Excel workbook', zipWith('[Content_Types].xml', 'xl/')],
  ['PowerPoint presentation', zipWith('[Content_Types].xml', 'ppt/')],
  // The entry that tells which of the three it is may be beyond the first bytes.
  ['Office document', zipWith('[Content_Types].xml')],
  ['OpenDocument text', zipWith('application/vnd.oasis.opendocument.text')],
  ['OpenDocument spreadsheet', zipWith('application/vnd.oasis.opendocument.spreadsheet')],
  ['OpenDocument presentation', zipWith('application/vnd.oasis.opendocument.presentation')],
  ['ZIP archive', (head) => starts('504b0304')(head) || starts('504b0506')(head)],
  ['older Office document', starts('d0cf11e0a1b11ae1')],
  ['7z archive', starts('377abcaf271c')],
  ['RAR archive', starts('526172211a07')],
  ['GZIP archive', starts('1f8b')],
  ['PostScript document', starts('25215053')],
  ['RTF document', starts('7b5c727466')],
  ['Windows program', starts('4d5a')],
  ['Linux program', starts('7f454c46')],
  ['MP3 audio', starts('494433')],
  ['video', starts('66747970', 4)],
];

/** True if there are no control characters but line ends and tabs: text in any encoding that includes ASCII. UTF-16 is recognized by its byte order mark. */
function isText(head: Buffer): boolean {
  if (head.length === 0) return false;
  if (starts('fffe')(head) || starts('feff')(head)) return true;
  return !head.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d);
}

function textKind(head: Buffer): string {
  const beginning = head
    .toString('latin1', 0, 512)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .toLowerCase();
  if (beginning.startsWith('<!doctype html') || beginning.startsWith('<html')) return 'HTML page';
  if (beginning.startsWith('<?xml')) return 'XML file';
  if (beginning.startsWith('from: ') || beginning.startsWith('received: ')) return 'mail message';
  return 'text file';
}
