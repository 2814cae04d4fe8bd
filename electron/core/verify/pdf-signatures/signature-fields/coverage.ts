import type { FileReason } from '../../../../../locales/en/shared/file-reasons.ts';
import { isWhiteSpace } from '../structure/lexer.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { isKind, isWhole, type PdfDictionary, type PdfString } from '../structure/pdf-values.ts';

export interface Coverage {
  readonly covers: 'whole' | 'revision' | 'unclear' | null;
  /** Of the revision whose end it covers; null where that is unclear. */
  readonly revision: number | null;
  readonly ranges: readonly [readonly [start: number, length: number], readonly [start: number, length: number]] | null;
  readonly contents: PdfString | null;
  readonly reason: FileReason | null;
}

/** What the byte range of a signature dictionary covers, which must be all but its own contents. */
export function readCoverage(document: PdfDocument, dictionary: PdfDictionary): Coverage {
  const contents = dictionary.entries.get('Contents');
  const found = isKind(contents, 'string') && contents.isHex ? contents : null;
  const numbers = numbersOf(dictionary);
  const unclear = (reason: FileReason, ranges: Coverage['ranges'] = null): Coverage => ({
    covers: 'unclear',
    revision: null,
    ranges,
    contents: found,
    reason,
  });
  if (!found || found.bytes.every((byte) => byte === 0)) return { ...unclear('empty-signature'), covers: null };
  if (!numbers) return unclear('no-range');
  const [first, gap, rest, length] = numbers;
  const end = rest + length;
  if (first !== 0 || gap >= rest || end > document.bytes.length) return unclear('impossible-range');
  const ranges = [
    [0, gap],
    [rest, length],
  ] as const;
  if (found.start !== gap || found.end !== rest) return unclear('gap', ranges);
  const { revisions, bytes } = document;
  const index = revisions.findIndex((one) => one.start <= gap && rest <= one.end);
  const revision = revisions[index];
  if (!revision || end < revision.end || !isSpace(bytes, revision.end, end)) return unclear('open-range', ranges);
  const covers = index === revisions.length - 1 ? 'whole' : 'revision';
  return { covers, revision: index, ranges, contents: found, reason: null };
}

function numbersOf(dictionary: PdfDictionary): readonly [number, number, number, number] | null {
  const value = dictionary.entries.get('ByteRange');
  if (!isKind(value, 'array') || value.items.length !== 4 || !value.items.every(isWhole)) return null;
  const [first, gap, rest, length] = value.items;
  return isWhole(first) && isWhole(gap) && isWhole(rest) && isWhole(length) ? [first, gap, rest, length] : null;
}

function isSpace(bytes: PdfDocument['bytes'], start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (!isWhiteSpace(bytes.at(at))) return false;
  return true;
}
