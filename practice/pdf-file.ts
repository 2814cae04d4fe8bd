import { createHmac, type Hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { appendFile, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

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

/** Content of a seal: the document's ID and the SHA-256 of everything before the seal. */
export interface SealText {
  readonly documentId: string;
  readonly sha256: string;
}

export type Seals = Awaited<ReturnType<typeof openSeals>>;

const searchedBytes = 8 * 1024;
const pattern = /%SealdeskPracticeSeal 1 ([0-9A-F-]{36}) ([0-9a-f]{64}) ([0-9a-f]{64})\n/g;

/** The key is created once per data folder, so that seals stay valid in later runs. */
export async function openSeals(dataDir: string) {
  const key = await sealKey(join(dataDir, 'seal.key'));
  const sign = (seal: SealText) => createHmac('sha256', key).update(`${seal.documentId} ${seal.sha256}`).digest();
  return {
    /** Appends the seal to the file of so many bytes. Resolves with hash of the sealed file and size of the seal. */
    async append(path: string, seal: SealText, hash: Hash, sizeBytes: number, facts: PdfFacts) {
      const comment = `%SealdeskPracticeSeal 1 ${seal.documentId} ${seal.sha256} ${sign(seal).toString('hex')}`;
      const text = commentRevision(comment, sizeBytes, facts);
      await appendFile(path, text, 'latin1');
      return { sha256: hash.copy().update(text, 'latin1').digest('hex'), bytes: text.length };
    },
    /** The last seal of this service in the file, if there is one. */
    async find(path: string, sizeBytes: number): Promise<SealText | null> {
      const tail = await tailOf(path, sizeBytes);
      for (const [, documentId = '', sha256 = '', signature = ''] of [...tail.matchAll(pattern)].reverse()) {
        const seal = { documentId, sha256 };
        if (timingSafeEqual(Buffer.from(signature, 'hex'), sign(seal))) return seal;
      }
      return null;
    },
  };
}

async function tailOf(path: string, sizeBytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(searchedBytes, sizeBytes));
    await file.read(buffer, 0, buffer.length, sizeBytes - buffer.length);
    return buffer.toString('latin1');
  } finally {
    await file.close();
  }
}

async function sealKey(path: string): Promise<Buffer> {
  await writeFile(path, randomBytes(32), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readFile(path);
}
