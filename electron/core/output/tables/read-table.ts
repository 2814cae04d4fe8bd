import type { LocalFile } from '../../files/local-file.ts';
import { readWhole } from '../../files/open-file.ts';
import { toReadError } from '../../foundation/fs-errors.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';
import { type Table, tableLimits, unusableTable } from './table.ts';

/**
 * Reads a table; the first bytes decide on the format: XLSX is a ZIP archive, everything else is read as CSV. Both are read in slices with turns of the event loop
 * between them. Rejects with bad-input (`tableToken`), file-unreadable.
 */
export async function readTable({ path }: Pick<LocalFile, 'path'>): Promise<Table> {
  const bytes = await readWhole(path, tableLimits.fileBytes).catch((error: unknown) => {
    throw toReadError(error);
  });
  if (!bytes) throw unusableTable('is larger than 20 MB');
  const isZip = bytes.length > 3 && bytes.readUInt32LE(0) === 0x04034b50;
  const isOldExcel = bytes.length > 3 && bytes.readUInt32BE(0) === 0xd0cf11e0;
  if (isOldExcel) throw unusableTable('is an XLS or protected file: save it as XLSX without a password');
  return isZip ? await readXlsx(bytes) : await readCsv(bytes);
}
