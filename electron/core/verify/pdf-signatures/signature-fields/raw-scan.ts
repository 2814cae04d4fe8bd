import type { OpenFile } from '../structure/file-window.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { isKind } from '../structure/pdf-values.ts';

const signatureMarks = ['/ByteRange', '/DocTimeStamp'].map((text) => Buffer.from(text));
const endMark = Buffer.from('%%EOF');
const pieceBytes = 1024 * 1024;
const overlap = 32;
const maxMarks = 10_000;
/** Of the ends, the last ones; honest files have far fewer. */
const maxEnds = 512;

export type Marks = ReturnType<typeof findMarks>;

/** Where the bytes of the file look like a signature, whatever its structure says, and where they look like an end of a revision, without and with the line end, and the end of the file; in order. */
export function findMarks(file: OpenFile) {
  const signatures: number[] = [];
  let ends: number[] = [];
  const buffer = Buffer.alloc(Math.min(file.size, pieceBytes + overlap));
  for (let start = 0; start < file.size; start += pieceBytes) {
    const piece = buffer.subarray(0, Math.min(buffer.length, file.size - start));
    file.readInto(piece, start);
    for (const mark of signatureMarks) for (const at of placesIn(piece, mark)) signatures.push(start + at);
    for (const at of placesIn(piece, endMark))
      ends.push(...endsAt(piece, at + endMark.length).map((end) => start + end));
    if (signatures.length > maxMarks) signatures.length = maxMarks;
    ends = ends.slice(-3 * maxEnds);
  }
  return { signatures, ends: [...new Set([...ends, file.size])].sort((one, other) => one - other) };
}

function placesIn(piece: Buffer, mark: Buffer): number[] {
  const found: number[] = [];
  for (let at = piece.indexOf(mark); at >= 0 && at < pieceBytes; at = piece.indexOf(mark, at + 1)) found.push(at);
  return found;
}

function endsAt(piece: Buffer, at: number): number[] {
  const [first, second] = [piece[at], piece[at + 1]];
  if (first === 0x0a) return [at, at + 1];
  if (first !== 0x0d) return [at];
  return second === 0x0a ? [at, at + 1, at + 2] : [at, at + 1];
}

/** Whether one of these places is neither in one of the objects nor in the content of a stream, as in an attached file. */
export function hasStrayMark(document: PdfDocument, places: readonly number[], known: ReadonlySet<number>): boolean {
  if (places.length === 0) return false;
  if (places.length >= maxMarks) return true;
  const starts = document.revisions
    .flatMap(({ places: all }, index) =>
      [...all.values()].flatMap((place) => (place.kind === 'file' ? [{ offset: place.offset, index }] : [])),
    )
    .sort((one, other) => one.offset - other.offset);
  let next = 0;
  return [...places]
    .sort((one, other) => one - other)
    .some((place) => {
      while ((starts[next]?.offset ?? Number.POSITIVE_INFINITY) <= place) next++;
      const owner = starts[next - 1];
      if (!owner) return true;
      const { value, end } = document.objectAt(owner.offset, owner.index);
      if (known.has(owner.offset)) return end <= place;
      return !isKind(value, 'stream') || place < value.start || place >= value.start + value.length;
    });
}
