import type { ESignEntry } from '../../../contract/signatures.ts';
import type { ServiceCommand } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { option } from '../options.ts';
import { nameOnLine } from '../printer.ts';
import { UsageError } from '../usage-error.ts';
import { numberOf, textOf } from '../values.ts';

const operation = 'GetESignList';

export const requestsCommand: ServiceCommand = {
  kind: 'service',
  name: 'requests',
  summary: 'Lists signature requests (GetESignList). Secret words are left out.',
  arguments: [],
  options: [
    option('--list <N>', "ListType (the first of the connection's lists)"),
    option('--max <N>', "MaxItems, any whole number of 32 bits (the connection's setting, 1000)"),
    option('--sort <BY>', "date, person or document, with -desc the other way round (the service's order)"),
  ],
  operation,
  needsCredentials: true,
  examples: [
    ['--list 1', 'what is out for signature'],
    ['--list 1 --sort date-desc', 'the newest first'],
    ['--list 2 --max 20 --json', 'what is signed, as a JSON object'],
  ],
  run: async (session, { values, printer }) => {
    const listType = numberOf(values, 'list') ?? session.connection.lists[0]?.value;
    if (listType === undefined) throw new UsageError('The connection has no lists: give --list N.');
    const maxItems = numberOf(values, 'max');
    const sorted = orderOf(textOf(values, 'sort'));
    const list = await session.core.readRequests(session.connection.id, listType, maxItems);
    const entries = sorted(list.entries);
    const { nilEntries } = list;
    if (nilEntries > 0) printer.remark(`${nilEntries} entries of the list are empty.`);
    const rows = entries.length === 0 ? 'The list is empty.' : entries.map(rowOf).join('\n');
    printer.result({ operation, ok: true, raw: null, entries }, rows);
    return exitCodes.fine;
  },
};

/** Null if the entry has no value: such entries come last in both directions. */
const keys: Readonly<Record<string, (entry: ESignEntry) => string | null>> = {
  date: ({ createdAt, createdDate }) => createdAt ?? createdDate,
  person: ({ name, email }) => name || email,
  document: ({ documentName }) => documentName,
};

/** Without --sort the entries keep the service's order; equal entries always do. Throws a UsageError. */
function orderOf(by: string | undefined): (entries: readonly ESignEntry[]) => readonly ESignEntry[] {
  if (by === undefined) return (entries) => entries;
  const name = by.replace(/-desc$/, '');
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (!key) throw new UsageError('--sort takes date, person or document, or one of these with -desc.');
  const direction = by === name ? 1 : -1;
  const compared = new Intl.Collator('en', { numeric: true }).compare;
  return (entries) =>
    entries.toSorted((one, other) => {
      const [a, b] = [key(one), key(other)];
      if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
      return direction * compared(a, b);
    });
}

function rowOf({ documentId, createdDate, documentName, name, email }: ESignEntry): string {
  const signer = [name, email && `<${email}>`].filter(Boolean).join(' ');
  return [documentId ?? '–', createdDate ?? '–', documentName ?? '–', signer || '–'].map(nameOnLine).join('  ');
}
