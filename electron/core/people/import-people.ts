import { setImmediate as nextTurn } from 'node:timers/promises';
import { emailKey, isEmail } from '../../../contract/email.ts';
import { type PeopleImport, peopleLimits } from '../../../contract/people.ts';
import type { NewPerson, PeopleTable } from '../../store/people/people.ts';
import { decodeText } from '../output/tables/read-csv.ts';
import { readTableFile, tableOf } from '../output/tables/read-table.ts';
import { unusableTable } from '../output/tables/table.ts';
import { peopleOfTable, type ReadPeople } from './people-columns.ts';
import { readVcards } from './read-vcards.ts';

/** People that are written in one transaction: some milliseconds. */
const peoplePerTurn = 250;

/** Adds read people to the address book. Those with the same address become one person, with the first name that the file has for it. */
export async function importPeople(table: PeopleTable, read: ReadPeople): Promise<Omit<PeopleImport, 'fileName'>> {
  const problems = [...read.problems];
  const merged = new Map<string, NewPerson & { readonly line: number }>();
  let repeated = 0;
  for (const { line, name: given, email } of read.people) {
    const name = oneLine(given);
    const key = emailKey(email);
    const earlier = merged.get(key);
    if (!isEmail(email)) problems.push({ line, reason: 'email-invalid' });
    else if (name.length > peopleLimits.nameCharacters) problems.push({ line, reason: 'name-too-long' });
    else {
      if (earlier) repeated += 1;
      merged.set(key, { line: earlier?.line ?? line, email: earlier?.email ?? email, name: earlier?.name || name });
    }
  }
  const counts = { added: 0, changed: 0, known: repeated };
  const people = [...merged.values()];
  for (let at = 0; at < people.length; at += peoplePerTurn) {
    const some = people.slice(at, at + peoplePerTurn);
    for (const [index, outcome] of table.keep(some).entries()) {
      if (outcome === 'full') problems.push({ line: some[index]?.line ?? 0, reason: 'full' });
      else counts[outcome] += 1;
    }
    await nextTurn();
  }
  problems.sort((a, b) => a.line - b.line);
  return { ...counts, problems: problems.slice(0, peopleLimits.problems), problemCount: problems.length };
}

/** Without control characters and lone surrogates, which a request could not carry. */
function oneLine(name: string): string {
  return name.replaceAll(/[\s\p{Cc}\p{Cs}\uFFFE\uFFFF]+/gu, ' ').trim();
}

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
