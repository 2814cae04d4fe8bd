import type { LocalFile } from '../../files/local-file.ts';
import { readWhole } from '../../files/open-file.ts';
import { toReadError } from '../../foundation/fs-errors.ts';
import { readCsv } from './read-csv.ts';
import { type Table, tableLimits, unusableTable } from './table.ts';

/** Reads a table from a file. `locale`: as for `tableOf`. Rejects as `readTableFile` and `tableOf` do. */
export async function readTable({ path }: Pick<LocalFile, 'path'>, locale: string): Promise<Table> {
  return await tableOf(await readTableFile(path), locale);
}

/** The bytes of a file that may hold a table. Rejects with bad-input (`tableToken`) if there are too many, with file-unreadable. */
export async function readTableFile(path: string): Promise<Buffer> {
  const bytes = await readWhole(path, tableLimits.fileBytes).catch((error: unknown) => {
    throw toReadError(error);
  });
  if (!bytes) throw unusableTable('table-too-large', 'is larger than 20 MB');
  return bytes;
}

/**
 * The table in the bytes of a file; the first ones decide on the format: XLSX is a ZIP archive, everything else is read as CSV. Both are read in slices with turns of
 * the event loop between them. `locale` (BCP 47): the region in which a spreadsheet program would show its numbers and dates, usually the system’s. Rejects with bad-input (`tableToken`).
 */
export async function tableOf(bytes: Buffer, locale: string): Promise<Table> {
  const isZip = bytes.length > 3 && bytes.readUInt32LE(0) === 0x04034b50;
  const isOldExcel = bytes.length > 3 && bytes.readUInt32BE(0) === 0xd0cf11e0;
  if (isOldExcel) throw unusableTable('table-old', 'is an XLS or protected file');
  if (!isZip) return await readCsv(bytes);
  // Loaded with the first table of its kind: most runs read none.
  const { readXlsx } = await import('./read-xlsx.ts');
  return await readXlsx(bytes, locale);
}
