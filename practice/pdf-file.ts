import { open } from 'node:fs/promises';

const edgeBytes = 64 * 1024;
/** Pages of larger documents are not counted. */
const countedBytes = 16 * 1024 * 1024;

const nothing = { pages: null, startXref: null, trailer: null };

export interface PdfFacts {
  readonly kind: 'fine' | 'not-pdf' | 'encrypted' | 'damaged';
  readonly pages: number | null;
  /** Offset of the cross-reference table as the file's end names it. */
  readonly startXref: number | null;
  /** The entries of the trailer of that table; null if it has none, as where the table is a stream. */
  readonly trailer: string | null;
}

/**
 * The text that adds a comment to a PDF of so many bytes, as a revision of its own: a table that adds nothing and leads to the one before. Where that has no trailer, the end of
 * the file once more: a reader that starts at the end finds the same table.
 */
export function commentRevision(
  comment: string,
  sizeBytes: number,
  { startXref, trailer }: Pick<PdfFacts, 'startXref' | 'trailer'>,
): string {
  const begin = `\n${comment}\n`;
  if (startXref === null) return `${begin}%%EOF\n`;
  if (trailer === null) return `${begin}startxref\n${startXref}\n%%EOF\n`;
  const entries = trailer.replace(/\/Prev\s+\d+/, '').trim();
  const table = `xref\n0 1\n0000000000 65535 f \ntrailer\n<< ${entries} /Prev ${startXref} >>\n`;
  return `${begin}${table}startxref\n${sizeBytes + begin.length}\n%%EOF\n`;
}

/**
 * Reads only both ends of a file. A PDF has `%PDF-` in its first 1,024 bytes and `%%EOF` in its last
 * 2,048; the trailer names encryption and is at the end or where `startxref` points.
 */
export async function inspectPdf(path: string, sizeBytes: number): Promise<PdfFacts> {
  const file = await open(path, 'r');
  try {
    const read = async (from: number, length: number): Promise<string> => {
      const buffer = Buffer.alloc(Math.max(0, Math.min(length, sizeBytes - from)));
      await file.read(buffer, 0, buffer.length, from);
      return buffer.toString('latin1');
    };
    const head = await read(0, edgeBytes);
    if (!head.slice(0, 1024).includes('%PDF-')) return { ...nothing, kind: 'not-pdf' };
    const tail = await read(Math.max(0, sizeBytes - edgeBytes), edgeBytes);
    if (!tail.slice(-2048).includes('%%EOF')) return { ...nothing, kind: 'damaged' };
    const startXref = lastStartXref(tail, sizeBytes);
    const table = startXref === null ? '' : await read(startXref, edgeBytes);
    const trailer = /^xref[\s\S]*?trailer\s*<<((?:(?!\/XRefStm)[\s\S])*?)>>\s*startxref/.exec(table)?.[1] ?? null;
    const encrypted = [head, tail, table].some((text) => /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(text));
    if (encrypted) return { ...nothing, kind: 'encrypted' };
    const pages = sizeBytes > countedBytes ? null : pagesOf(await read(0, countedBytes));
    return { kind: 'fine', pages, startXref, trailer };
  } finally {
    await file.close();
  }
}

function lastStartXref(tail: string, sizeBytes: number): number | null {
  const found = [...tail.matchAll(/startxref\s+(\d{1,15})/g)].at(-1);
  const offset = Number(found?.[1] ?? Number.NaN);
  return offset < sizeBytes ? offset : null;
}

/** Null if the page objects are inside compressed streams. */
function pagesOf(text: string): number | null {
  const count = text.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
  return count > 0 ? count : null;
}
