import { open } from 'node:fs/promises';

const edgeBytes = 64 * 1024;
/** Pages of larger documents are not counted. */
const countedBytes = 16 * 1024 * 1024;

export interface PdfFacts {
  readonly kind: 'fine' | 'not-pdf' | 'encrypted' | 'damaged';
  readonly pages: number | null;
  /** Offset of the cross-reference table as the file's end names it. */
  readonly startXref: number | null;
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
    if (!head.slice(0, 1024).includes('%PDF-')) return { kind: 'not-pdf', pages: null, startXref: null };
    const tail = await read(Math.max(0, sizeBytes - edgeBytes), edgeBytes);
    if (!tail.slice(-2048).includes('%%EOF')) return { kind: 'damaged', pages: null, startXref: null };
    const startXref = lastStartXref(tail, sizeBytes);
    const trailer = startXref === null ? '' : await read(startXref, edgeBytes);
    const encrypted = [head, tail, trailer].some((text) => /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(text));
    if (encrypted) return { kind: 'encrypted', pages: null, startXref };
    return { kind: 'fine', pages: sizeBytes > countedBytes ? null : pagesOf(await read(0, countedBytes)), startXref };
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
