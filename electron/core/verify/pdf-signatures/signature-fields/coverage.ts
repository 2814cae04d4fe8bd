import type { FileReason } from '../../../../../locales/en/shared/file-reasons.ts';
import { behindSpace } from '../structure/lexer.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { isKind, isWhole, type PdfDictionary, type PdfString } from '../structure/pdf-values.ts';

export interface Coverage {
  readonly covers: 'whole' | 'revision' | 'unclear' | null;
  /** Of the revision whose end it covers; null where that is unclear. */
  readonly revision: number | null;
  /** All but what is between `gap` and `rest`. */
  readonly range: { readonly gap: number; readonly rest: number; readonly end: number } | null;
  readonly contents: PdfString | null;
  readonly reason: FileReason | null;
}

/** What the byte range of a signature dictionary covers, which must be all but its own contents. */
export function readCoverage(document: PdfDocument, dictionary: PdfDictionary): Coverage {
  const contents = dictionary.entries.get('Contents');
  const found = isKind(contents, 'string') && contents.isHex ? contents : null;
  const unclear = (reason: FileReason, range: Coverage['range'] = null): Coverage => ({
    ...{ covers: 'unclear', revision: null, range, contents: found, reason },
  });
  if (!found || found.bytes.every((byte) => byte === 0)) return { ...unclear('empty-signature'), covers: null };
  const numbers = dictionary.entries.get('ByteRange');
  const [first, gap, rest, length, more] = isKind(numbers, 'array') ? numbers.items : [];
  if (!isWhole(first) || !isWhole(gap) || !isWhole(rest) || !isWhole(length) || more !== undefined)
    return unclear('no-range');
  const end = rest + length;
  if (first !== 0 || gap >= rest || end > document.bytes.length) return unclear('impossible-range');
  const range = { gap, rest, end };
  if (found.start !== gap || found.end !== rest) return unclear('gap', range);
  const { revisions, bytes } = document;
  const index = revisions.findIndex((one) => one.start <= gap && rest <= one.end);
  const revision = revisions[index];
  if (!revision || end < revision.end || behindSpace(bytes, revision.end) < end) return unclear('open-range', range);
  const covers = index === revisions.length - 1 ? 'whole' : 'revision';
  return { covers, revision: index, range, contents: found, reason: null };
}
