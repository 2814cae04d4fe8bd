import type { FileHandle } from 'node:fs/promises';

/** Enough for the end of any ordinary PDF: trailer, startxref and %%EOF. */
const tailBytes = 4096;
const dictionaryBytes = 8192;

/** A reference to an encryption dictionary, or one in place. */
const encrypt = /\/Encrypt(?:\s*<<|\s+\d+\s+\d+\s+R\b)/;

/**
 * True only where the PDF's last trailer says that it is encrypted. Reads two small pieces, never the whole file; in
 * every doubt (no trailer found, an odd structure) the answer is false and the service decides.
 */
export async function isSurelyEncrypted(file: FileHandle, sizeBytes: number): Promise<boolean> {
  const tailAt = Math.max(0, sizeBytes - tailBytes);
  const tail = await piece(file, tailAt, tailBytes);
  const pointer = [...tail.matchAll(/startxref\s+(\d{1,15})\s/g)].at(-1);
  if (!pointer) return false;
  const trailerAt = tail.lastIndexOf('trailer', pointer.index);
  if (trailerAt >= 0) return encrypt.test(tail.slice(trailerAt, pointer.index));
  const tableAt = Number(pointer[1]);
  return tableAt < sizeBytes && encrypt.test(dictionaryOfStream(await piece(file, tableAt, dictionaryBytes)));
}

/** Since PDF 1.5 the trailer may be the dictionary of a cross-reference stream. */
function dictionaryOfStream(text: string): string {
  const dictionary = /^\s*\d+\s+\d+\s+obj\s*(<<[\s\S]*?)\bstream\r?\n/.exec(text)?.[1] ?? '';
  return /\/Type\s*\/XRef\b/.test(dictionary) ? dictionary : '';
}

async function piece(file: FileHandle, at: number, bytes: number): Promise<string> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, at);
  return buffer.toString('latin1', 0, bytesRead);
}
