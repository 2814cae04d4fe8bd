import { basename } from 'node:path';
import { emailKey } from '../../../contract/email.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import type { Language } from '../../../contract/languages.ts';
import { loadTexts } from '../../../locales/load-texts.ts';
import type { Context } from '../context.ts';
import { chooseTarget } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import { writeTable } from '../output/tables/write-table.ts';
import { importPeople, readPeople } from './import-people.ts';

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
