import { inflateSync } from 'node:zlib';
import { Unreadable } from '../doubt.ts';
import { isKind, isWhole, nameOf, type PdfDictionary, type PdfValue } from './pdf-values.ts';

/** Of one stream of objects or places; a document has many that are each far smaller. */
const maxOutput = 24 * 1024 * 1024;

/** The content of a stream that holds structure; the filters of pictures do not occur there. */
export function decode(dictionary: PdfDictionary, stored: Uint8Array): Uint8Array {
  const filters = listOf(dictionary.entries.get('Filter')).map(nameOf);
  const parameters = listOf(dictionary.entries.get('DecodeParms'));
  if (filters.length > 2) throw new Unreadable('stored-otherwise');
  return filters.reduce<Uint8Array>((bytes, filter, index) => {
    if (filter !== 'FlateDecode') throw new Unreadable('stored-otherwise');
    const inflated = inflate(bytes);
    const wanted = parameters[index];
    return isKind(wanted, 'dictionary') ? unpredict(inflated, wanted) : inflated;
  }, stored);
}

function listOf(value: PdfValue | undefined): readonly PdfValue[] {
  if (isKind(value, 'array')) return value.items;
  return value === undefined || value === null ? [] : [value];
}

function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: maxOutput });
  } catch {
    throw new Unreadable('compressed');
  }
}

/** The predictors of PNG (RFC 2083); that of TIFF is for pictures. */
function unpredict(bytes: Uint8Array, { entries }: PdfDictionary): Uint8Array {
  const keys = ['Predictor', 'Columns', 'Colors', 'BitsPerComponent'];
  const [predictor, columns, colors, bits] = keys.map((key) => entries.get(key));
  if (predictor === undefined || predictor === 1) return bytes;
  const width = columns ?? 1;
  if (!isWhole(predictor) || predictor < 10 || predictor > 15 || !isWhole(width))
    throw new Unreadable('stored-otherwise');
  if (width < 1 || width > 65_536 || (colors ?? 1) !== 1 || (bits ?? 8) !== 8 || bytes.length % (width + 1) !== 0)
    throw new Unreadable('stored-otherwise');
  const rows = bytes.length / (width + 1);
  const result = new Uint8Array(rows * width);
  for (let row = 0; row < rows; row++) {
    const filter = bytes[row * (width + 1)] ?? 0;
    const target = row * width;
    for (let column = 0; column < width; column++) {
      const left = column > 0 ? (result[target + column - 1] ?? 0) : 0;
      const up = row > 0 ? (result[target - width + column] ?? 0) : 0;
      const corner = row > 0 && column > 0 ? (result[target - width + column - 1] ?? 0) : 0;
      const raw = bytes[row * (width + 1) + 1 + column] ?? 0;
      result[target + column] = raw + predicted(filter, left, up, corner);
    }
  }
  return result;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter < 4) return [0, left, up, (left + up) >> 1][filter] ?? 0;
  if (filter !== 4) throw new Unreadable('stored-otherwise');
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
