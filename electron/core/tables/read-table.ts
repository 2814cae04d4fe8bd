import { readFile } from 'node:fs/promises';
import type { LocalFile } from '../context.ts';
import { failing } from '../failing.ts';
import { readTrouble } from '../file-trouble.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { type Table, tableLimits } from './table.ts';

/** By its first bytes: XLSX is a ZIP archive, everything else is read as CSV. Rejects with bad-input (`tableToken`), file-unreadable. */
export async function readTable({ path, sizeBytes }: LocalFile): Promise<Table> {
  if (sizeBytes > tableLimits.fileBytes)
    throw failing('bad-input', 'the table is too large', { fields: { tableToken: 'is larger than 20 MB' } });
  const bytes = await readFile(path).catch((error: unknown) => {
    throw readTrouble(error);
  });
  const isZip = bytes.length > 3 && bytes.readUInt32LE(0) === 0x04034b50;
  const isOldExcel = bytes.length > 3 && bytes.readUInt32BE(0) === 0xd0cf11e0;
  if (isOldExcel)
    throw failing('bad-input', 'an old or encrypted workbook', {
      fields: { tableToken: 'is an XLS or protected file: save it as XLSX without a password' },
    });
  return isZip ? await readXlsx(bytes) : readCsv(bytes);
}
