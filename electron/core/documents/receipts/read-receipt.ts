import { inflateSync } from 'node:zlib';
import type { Receipt } from '../../../../contract/receipts.ts';
import { readWhole } from '../../files/open-file.ts';
import { appError } from '../../foundation/app-error.ts';
import { toReadError } from '../../foundation/fs-errors.ts';
import { parseReceipt } from './receipt-format.ts';

/** Receipts are small; larger files are not read. In bytes. */
const maxBytes = 32 * 1024 * 1024;
/** Limit for one unpacked file inside a PDF, in bytes. */
const maxAttachedBytes = 16 * 1024 * 1024;

/** Reads a receipt from a JSON or PDF file. Rejects with bad-input (field receiptToken) if the file holds no receipt, and with file-unreadable. */
export async function readReceipt(path: string): Promise<Receipt> {
  const bytes = await readBounded(path);
  const isPdf = bytes.subarray(0, 1024).includes('%PDF-');
  const found = isPdf ? receiptInPdf(bytes) : parseReceipt(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (found) return found;
  throw appError('bad-input', 'there is no receipt in this file', { fields: { receiptToken: 'is no receipt' } });
}

async function readBounded(path: string): Promise<Buffer> {
  const bytes = await readWhole(path, maxBytes).catch((error: unknown) => {
    throw toReadError(error);
  });
  if (bytes) return bytes;
  throw appError('bad-input', 'too large for a receipt', { fields: { receiptToken: 'is no receipt' } });
}

/**
 * Searches the embedded files of a PDF that this program wrote (or another program saved again). This is no complete PDF reader: embedded files in
 * compressed object streams are not found.
 */
function receiptInPdf(bytes: Buffer): Receipt | null {
  const text = bytes.toString('latin1');
  for (const { index, 0: mark } of text.matchAll(/\/Type\s*\/EmbeddedFile\b/g)) {
    const begin = text.lastIndexOf(' obj', index);
    const stream = /stream\r?\n/g;
    stream.lastIndex = index + mark.length;
    const start = stream.exec(text);
    if (begin < 0 || !start) continue;
    const head = text.slice(begin, start.index);
    const length = Number(/\/Length\s+(\d{1,9})\b(?!\s+\d+\s+R)/.exec(head)?.[1] ?? Number.NaN);
    const from = start.index + start[0].length;
    const to = Number.isNaN(length) ? text.indexOf('endstream', from) : from + length;
    const found = parseReceipt(unpacked(bytes.subarray(from, to), head) ?? '');
    if (found) return found;
  }
  return null;
}

function unpacked(bytes: Buffer, head: string): string | null {
  if (!/\/Filter/.test(head)) return bytes.toString('utf8');
  if (!/\/Filter\s*\[?\s*\/FlateDecode\s*\]?/.test(head)) return null;
  try {
    return inflateSync(bytes, { maxOutputLength: maxAttachedBytes }).toString('utf8');
  } catch {
    return null;
  }
}
