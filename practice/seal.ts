import { createHmac, type Hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { appendFile, open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commentRevision, type PdfFacts } from './pdf-file.ts';

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
