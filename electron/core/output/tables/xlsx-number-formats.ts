import { format, getFormatFromId, getLocale, isDateFormat } from 'numfmt';
import type { ZipParts } from './read-zip.ts';
import { parsePart } from './xlsx-part.ts';

/** The text that a spreadsheet program shows for a saved number, by the index of its cell's style. */
export type NumberTexts = (saved: string, style: number) => string;

const stylesPart = 'xl/styles.xml';
/** Far more than a spreadsheet program writes; styles above it show their numbers as they are saved. */
const mostStyles = 65_000;
/** Spreadsheet programs take no longer number format; one of megabytes would be parsed for half a minute. */
const longestPattern = 255;
/** From the first day of 1900 to that of 1904. */
const daysTo1904 = 1462;

/** Reads the number formats of a workbook's styles (ECMA-376, 18.8). `locale`: BCP 47; it decides on separators, and on dates in the short form of the region. */
export async function readNumberFormats(
  parts: ZipParts,
  { locale, isFrom1904 }: { readonly locale: string; readonly isFrom1904: boolean },
): Promise<NumberTexts> {
  const own = new Map<number, string>();
  const styles: number[] = [];
  let isCellStyle = false;
  if (parts.has(stylesPart))
    await parsePart(parts, stylesPart, {
      what: 'styles',
      onOpen: (name, { numFmtId, formatCode }) => {
        if (name === 'numFmt' && own.size < mostStyles)
          own.set(Number(numFmtId), (formatCode ?? '').length > longestPattern ? 'General' : (formatCode ?? ''));
        if (name === 'cellXfs') isCellStyle = true;
        if (name === 'xf' && isCellStyle && styles.length < mostStyles) styles.push(Number(numFmtId ?? 0));
      },
      onClose: (name) => {
        if (name === 'cellXfs') isCellStyle = false;
      },
    });
  const region = regionOf(locale);
  const patterns = styles.map((id) => own.get(id) ?? getFormatFromId(id, region));
  return (saved, style) => {
    const number = Number(saved);
    const pattern = patterns[style] ?? 'General';
    if (saved === '' || !Number.isFinite(number)) return saved;
    if (/^general$/i.test(pattern) || pattern === '@') return asSaved(saved, number);
    try {
      const shown = isFrom1904 && isDateFormat(pattern) ? number + daysTo1904 : number;
      return format(pattern, shown, { locale: region, dateErrorThrows: true, dateSpanLarge: false }).trim();
    } catch {
      // A pattern of another program, or a day that no calendar has.
      return asSaved(saved, number);
    }
  };
}

/** The nearest locale that the library knows: `de-AT` is shown as `de`. */
function regionOf(locale: string): string {
  const language = locale.split('-')[0] ?? '';
  return [locale, language].find((one) => getLocale(one.replace('-', '_')) !== undefined) ?? 'en';
}

/** Without the noise of binary fractions (0.1 + 0.2), which no spreadsheet program shows; digits of a long number stay, unlike in Excel’s narrow columns. */
function asSaved(saved: string, number: number): string {
  return /[.eE]/.test(saved) ? String(Number(number.toPrecision(15))) : saved;
}
