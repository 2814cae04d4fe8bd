import { isEmail } from '../../../contract/email.ts';
import type { ImportProblemReason } from '../../../contract/people.ts';
import { addressIn, plainHeading, type Table, unguarded } from '../output/tables/table.ts';

/** Headings as mail programs and directories write them, in the languages of the catalogue: lower case, without accents, spaces and signs. */
const headingWords = {
  email: /mail|courriel|correo|بريد/,
  /** Columns about an address that do not hold it. */
  notEmail: /type|typ$|label|displayname|anzeigename|nomcomplet|opt|list/,
  name: /^(name|fullname|displayname|anzeigename|vollstandigername|nomcomplet|nombrecompleto|الاسم|الاسمالكامل)$/,
  given: /^(firstname|givenname|vorname|prenom|nombre|الاسمالاول|الاسمالأول)$/,
  family: /^(lastname|surname|familyname|nachname|familienname|nom|nomdefamille|apellidos?|اسمالعائلة|اللقب)$/,
} as const;

interface Columns {
  readonly emails: readonly number[];
  readonly name: number;
  readonly given: number;
  readonly family: number;
}

/** The people of a table, one for each address of a row. A row without an address is a problem with its number. */
export function peopleOfTable({ headings, rows }: Table): ReadPeople {
  const columns = columnsOf(
    headings.map(plainHeading),
    rows.map(({ cells }) => cells),
  );
  const found: ReadPeople = { people: [], problems: [] };
  for (const { row: line, cells } of rows) {
    const name = nameOf(cells, columns);
    const emails = columns.emails.map((column) => addressIn(cells[column] ?? '')).filter((email) => email !== '');
    if (emails.length === 0) found.problems.push({ line, reason: 'no-email' });
    for (const email of emails) found.people.push({ line, name, email });
  }
  return found;
}

function columnsOf(names: readonly string[], rows: readonly (readonly string[])[]): Columns {
  const named = names.flatMap((name, at) =>
    headingWords.email.test(name) && !headingWords.notEmail.test(name) ? [at] : [],
  );
  const emails = named.length > 0 ? named : addressColumn(rows);
  const find = (heading: RegExp) => names.findIndex((name) => heading.test(name));
  const [name, given, family] = [find(headingWords.name), find(headingWords.given), find(headingWords.family)];
  if (name >= 0 || given >= 0 || family >= 0) return { emails, name, given, family };
  // Without a heading the name is beside the address.
  const [email = -1] = emails;
  const beside = [email - 1, email + 1].filter(
    (at) => at >= 0 && rows.some((cells) => /\p{L}{2}/u.test(cells[at] ?? '')),
  );
  return { emails, name: beside[0] ?? -1, given: -1, family: -1 };
}

/** The column in which most rows have an address; none if there is no such column. */
function addressColumn(rows: readonly (readonly string[])[]): number[] {
  const counts = new Map<number, number>();
  for (const cells of rows) {
    const at = cells.findIndex((cell) => isEmail(addressIn(cell)));
    if (at >= 0) counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 1)
    .map(([at]) => at);
}

function nameOf(cells: readonly string[], { name, given, family }: Columns): string {
  const at = (column: number) => unguarded(cells[column] ?? '').trim();
  return at(name) || [at(given), at(family)].filter(Boolean).join(' ');
}

/** People of a file before they are checked, and its parts that hold none. */
export interface ReadPeople {
  readonly people: { readonly line: number; readonly name: string; readonly email: string }[];
  readonly problems: { readonly line: number; readonly reason: ImportProblemReason }[];
}
