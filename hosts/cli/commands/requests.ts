import type { ESignEntry } from '../../../contract/compose.ts';
import { option } from '../arguments/options.ts';
import { numberOf, textOf } from '../arguments/values.ts';
import type { ServiceCommand } from '../command.ts';
import { type Compare, openEntrySpool } from '../output/entry-spool.ts';
import { exitCodes, UsageError } from '../output/exit-code.ts';
import { nameOnLine } from '../output/printer.ts';
import { t } from '../output/texts.ts';

const operation = 'GetESignList';

export const requestsCommand: ServiceCommand = {
  kind: 'service',
  name: 'requests',
  summary: t('commands.requests.summary'),
  arguments: [],
  options: [
    option('--list <N>', t('options.list')),
    option('--max <N>', t('options.max')),
    option('--sort <BY>', t('options.sort')),
  ],
  operation,
  needsCredentials: true,
  examples: [
    ['--list 1', t('commands.requests.out')],
    ['--list 1 --sort date-desc', t('commands.requests.newest')],
    ['--list 2 --max 20 --json', t('commands.requests.signed')],
  ],
  run: async (session, { values, printer }) => {
    const listType = numberOf(values, 'list') ?? session.connection.lists[0]?.value;
    if (listType === undefined) throw new UsageError(t('errors.noLists'));
    const maxItems = numberOf(values, 'max') ?? session.connection.maxItems;
    const order = orderOf(textOf(values, 'sort'));
    const spool = await openEntrySpool();
    try {
      const { total, nilEntries } = await session.core.readRequests(session.connection.id, listType, spool, maxItems);
      if (nilEntries > 0) printer.remark(t('results.emptyEntries', { entries: nilEntries }));
      // A service that has more sends no more, or is not read any further.
      if (maxItems > 0 && total >= maxItems) printer.remark(t('results.listIsCut', { entries: maxItems }));
      const entries = order ? await spool.sorted(order) : spool.pieces();
      await printer.list({ operation }, entries, rowOf, t('results.emptyList'));
      return exitCodes.fine;
    } finally {
      await spool.remove();
    }
  },
};

/** Null if the entry has no value: such entries come last in both directions. */
const keys: Readonly<Record<string, (entry: ESignEntry) => string | null>> = {
  // .NET's "no date" is a day of year 1, in whatever zone.
  date: ({ createdAt, createdDate }) => createdAt ?? (/^\s*000[01]-/.test(createdDate ?? '') ? null : createdDate),
  person: ({ name, email }) => name || email,
  document: ({ documentName }) => documentName,
};

/** Null without --sort: the entries keep the service's order; equal entries always do. Throws a UsageError. */
function orderOf(by: string | undefined): Compare | null {
  if (by === undefined) return null;
  const name = by.replace(/-desc$/, '');
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (!key) throw new UsageError(t('errors.sort'));
  const direction = by === name ? 1 : -1;
  const { compare } = new Intl.Collator('en', { numeric: true });
  return (one, other) => {
    const [a, b] = [key(one), key(other)];
    if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
    return direction * compare(a, b);
  };
}

function rowOf({ documentId, createdDate, documentName, name, email }: ESignEntry): string {
  const signer = [name, email && `<${email}>`].filter(Boolean).join(' ');
  return [documentId ?? '–', createdDate ?? '–', documentName ?? '–', signer || '–'].map(nameOnLine).join('  ');
}
