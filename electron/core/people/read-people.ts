import { decodeText } from '../output/tables/decode-text.ts';
import { readTableFile, tableOf } from '../output/tables/read-table.ts';
import { unusableTable } from '../output/tables/table.ts';
import { peopleOfTable } from './people-columns.ts';
import type { ReadPeople } from './people-of-file.ts';
import { readVcards } from './read-vcards.ts';

/** Reads a vCard, CSV or XLSX file; its beginning decides on the format. `locale`: as for `tableOf`. Rejects with bad-input (`tableToken`), file-unreadable. */
export async function readPeople(path: string, locale: string): Promise<ReadPeople> {
  const bytes = await readTableFile(path);
  if (!isVcard(bytes)) return peopleOfTable(await tableOf(bytes, locale));
  const text = await decodeText(bytes);
  if (!text) throw unusableTable('table-unreadable', 'is no text');
  return await readVcards(text.join(''));
}

/** True if the text begins as a vCard, in any of the encodings that are read. */
function isVcard(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 200).toString('latin1').replaceAll('\0', '');
  return /^(?:\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)?\s*BEGIN:VCARD/i.test(start);
}
