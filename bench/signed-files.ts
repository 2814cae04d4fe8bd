import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createPdfSignatureReader,
  type PdfSignatureReader,
} from '../electron/core/verify/pdf-signatures/pdf-signatures-client.ts';
import { nobody } from '../electron/core/verify/pdf-signatures/trust/known-signers.ts';
import { unsignedPdf } from '../test/harness/signed-pdf.ts';
import { makeSigner } from '../test/harness/signers.ts';
import { silentLog } from './invented-documents.ts';

const signer = makeSigner({ key: 'rsa' });

/** A signed file of a usual size. */
export async function writeSigned(folder: string): Promise<string> {
  const path = join(folder, 'signed.pdf');
  const text = 'Lease 2027. '.repeat(4_000);
  await writeFile(path, unsignedPdf({ text }).sign({ signer, signedAt: new Date() }).bytes);
  return path;
}

/** A signed file to which a part of so many bytes was added; they are a hole, so that it takes no room. */
export async function writeLarge(folder: string, bytes: number): Promise<string> {
  const path = join(folder, 'large.pdf');
  const signed = unsignedPdf().sign({ signer }).bytes;
  const last = /startxref\n(\d+)\n%%EOF\n$/.exec(signed.subarray(-64).toString('latin1'))?.[1] ?? '';
  const at = signed.length;
  const head = Buffer.from(`50 0 obj\n<< /Length ${bytes} >>\nstream\n`);
  const places = at + head.length + bytes + '\nendstream\nendobj\n'.length;
  const xref = `xref\n50 1\n${String(at).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<< /Size 51 /Root 1 0 R /Prev ${last} >>\nstartxref\n${places}\n%%EOF\n`;
  const tail = Buffer.from(`\nendstream\nendobj\n${xref}${trailer}`);
  const file = await open(path, 'w');
  try {
    await file.write(Buffer.concat([signed, head]), 0, undefined, 0);
    await file.write(tail, 0, undefined, at + head.length + bytes);
  } finally {
    await file.close();
  }
  return path;
}

/** Works with the worker, which starts before. */
export async function withReader<T>(path: string, work: (reader: PdfSignatureReader) => Promise<T>): Promise<T> {
  const reader = createPdfSignatureReader(silentLog, () => Promise.resolve(nobody));
  try {
    const answer = await reader.describe(path);
    if (answer?.signatures[0]?.integrity !== 'intact') throw new Error(`the signature was not read: ${answer?.reason}`);
    return await work(reader);
  } finally {
    await reader.close();
  }
}

/** The most memory of this process while something works, above what it had before, in MB. */
export async function peakAbove(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return (Math.max(most, process.memoryUsage().rss) - before) / 1e6;
}
