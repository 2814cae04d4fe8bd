import { setImmediate as nextTurn } from 'node:timers/promises';
import { emailKey, isEmail } from '../../../contract/email.ts';
import { type PeopleImport, peopleLimits } from '../../../contract/people.ts';
import type { NewPerson, PeopleTable } from '../../store/people/people.ts';
import type { ReadPeople } from './people-of-file.ts';

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
