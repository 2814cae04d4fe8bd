/** The values of a PDF (ISO 32000-2, 7.3), as they stand in the file. */
export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfReference
  | PdfArray
  | PdfDictionary
  | PdfStream;

export interface PdfName {
  readonly kind: 'name';
  readonly name: string;
}

export interface PdfString {
  readonly kind: 'string';
  readonly bytes: Uint8Array;
  readonly isHex: boolean;
  /** Where it stands in the file, with its delimiters; not a number where it is packed. */
  readonly start: number;
  readonly end: number;
}

export interface PdfReference {
  readonly kind: 'reference';
  readonly number: number;
  readonly generation: number;
}

export interface PdfArray {
  readonly kind: 'array';
  readonly items: readonly PdfValue[];
}

export interface PdfDictionary {
  readonly kind: 'dictionary';
  readonly entries: ReadonlyMap<string, PdfValue>;
}

export interface PdfStream {
  readonly kind: 'stream';
  readonly dictionary: PdfDictionary;
  /** Where its bytes are in the file, as they are stored. */
  readonly start: number;
  readonly length: number;
}

export function isKind<Kind extends Exclude<PdfValue, null | boolean | number>['kind']>(
  value: PdfValue | undefined,
  kind: Kind,
): value is Extract<PdfValue, { kind: Kind }> {
  return typeof value === 'object' && value !== null && value.kind === kind;
}

export const nameOf = (value: PdfValue | undefined): string | null => (isKind(value, 'name') ? value.name : null);

export function isWhole(value: PdfValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export const emptyDictionary: PdfDictionary = { kind: 'dictionary', entries: new Map() };

/** PDFDocEncoding where it is not Latin-1 (ISO 32000-2, D.2), from 0x80 on. */
const pdfDocText = [...'•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\x9f€'];
/** A text string (ISO 32000-2, 7.9.2.2). */
export function textOf(value: PdfValue | undefined): string | null {
  if (!isKind(value, 'string')) return null;
  const bytes = Buffer.from(value.bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes);
  return bytes.toString('latin1').replace(/[\x80-\xa0]/g, (one) => pdfDocText[one.charCodeAt(0) % 0x80] ?? one);
}
