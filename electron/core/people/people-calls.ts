import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { emailKey, isEmail } from '../../../contract/email.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import type { Language } from '../../../contract/languages.ts';
import { type PeopleImport, peopleLimits } from '../../../contract/people.ts';
import { loadTexts } from '../../../locales/load-texts.ts';
import type { NewPerson, PeopleTable } from '../../store/people/people.ts';
import type { Context } from '../context.ts';
import { chooseTarget } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import { decodeText, readTableFile, tableOf } from '../output/tables/read-table.ts';
import { unusableTable } from '../output/tables/table.ts';
import { writeTable } from '../output/tables/write-table.ts';
import { peopleOfTable, type ReadPeople } from './people-columns.ts';
import { readVcards } from './read-vcards.ts';

/** Calls of the address book: people of earlier requests, and people who were entered or imported. */
export function peopleCalls(context: Context): HandlersOf<'people'> {
  const { store, files, emit, removals } = context;
  const { people } = store;
  const changed = () => emit('people.changed', null);
  return {
    'people.list': async (query) => people.list(query),
    'people.save': async ({ was, email, name }) => {
      const same = people.get(email);
      const isOther = was === undefined || emailKey(was) !== emailKey(email);
      if (was !== undefined && !people.get(was)) throw appError('not-found', 'no such person');
      if (same && isOther)
        throw appError('bad-input', 'another person has this address', { fields: { email: 'is kept already' } });
      if (was === undefined && people.keep([{ email, name }])[0] === 'full')
        throw appError('bad-input', 'the address book is full', { fields: { email: 'has no room' } });
      if (was !== undefined) people.change(was, { email, name });
      changed();
      return people.get(email) ?? { email, name, uses: 0, lastUsedAt: null };
    },
    'people.remove': async ({ email }) => removals.keep(people.remove(email), changed),
    'people.clear': async () => {
      const all = people.clear();
      return { ...removals.keep(all, changed), removed: all.count };
    },
    'people.import': async ({ token }) => {
      const { path, name } = await files.file(token);
      const outcome = await importPeople(people, await readPeople(path, context.ports.systemLanguages()[0] ?? 'en'));
      changed();
      return { fileName: name, ...outcome };
    },
    'people.export': ({ language }) => exportPeople(context, language),
  };
}

/** Rows that are read and written between two turns of the event loop. */
const rowsPerPage = 500;

/** Writes all people into a CSV file that the person chooses. */
async function exportPeople({ store, ports }: Context, language: Language) {
  const t = await loadTexts(language, 'tables');
  const target = await chooseTarget(ports.dialogs, `${t('fileNames.people')}.csv`);
  if (target === null) return null;
  let count = 0;
  function* rows() {
    for (;;) {
      const { people } = store.people.list({ search: '', offset: count, limit: rowsPerPage });
      for (const { name, email } of people) yield [name, email];
      count += people.length;
      if (people.length < rowsPerPage) return;
    }
  }
  const headings = [t('recipients.name1'), t('recipients.email1')];
  const path = await writeTable(target, 'csv', { headings, rows: rows(), language });
  return { fileName: basename(path), count };
}

/** People that are written in one transaction: some milliseconds. */
const peoplePerTurn = 250;

/** Adds read people to the address book. Those with the same address become one person, with the first name that the file has for it. */
async function importPeople(table: PeopleTable, read: ReadPeople): Promise<Omit<PeopleImport, 'fileName'>> {
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
