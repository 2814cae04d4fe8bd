import type { ESignEntry } from '../../../contract/signatures.ts';
import { Failing } from '../../../electron/core/failing.ts';
import type { ServiceCommand } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { requestsOptions } from '../options.ts';
import { reportFailure } from '../report.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage-error.ts';
import { numberOf } from '../values.ts';

const operation = 'GetESignList';

export const requestsCommand: ServiceCommand = {
  kind: 'service',
  name: 'requests',
  summary: 'Lists signature requests (GetESignList). Secret words are left out.',
  usage: '',
  minArgs: 0,
  maxArgs: 0,
  options: requestsOptions,
  operation,
  needsCredentials: true,
  examples: [
    ['--list 1', 'what is out for signature'],
    ['--list 2 --max 20 --json', 'what is signed, as a JSON object'],
  ],
  run: async (session, { values, printer }) => {
    const listType = numberOf(values, 'list') ?? session.connection.lists[0]?.value;
    if (listType === undefined) throw new UsageError('The connection has no lists: give --list N.');
    const maxItems = numberOf(values, 'max');
    const connectionId = session.connection.id;
    const list = await session.ask('signatures.refresh', { connectionId, listType, maxItems });
    if (!list.ok) return reportFailure(printer, { operation }, list.failure);
    const entries = await allEntries(session, listType);
    const { nilEntries } = list.value;
    if (nilEntries > 0) printer.remark(`${nilEntries} entries of the list are empty.`);
    const rows = entries.length === 0 ? 'The list is empty.' : entries.map(rowOf).join('\n');
    printer.result({ operation, ok: true, raw: null, entries }, rows);
    return exitCodes.fine;
  },
};

async function allEntries({ ask, connection }: Session, listType: number): Promise<readonly ESignEntry[]> {
  const entries: ESignEntry[] = [];
  for (;;) {
    const page = await ask('signatures.entries', {
      connectionId: connection.id,
      listType,
      offset: entries.length,
      limit: 500,
    });
    if (!page.ok) throw new Failing(page.failure);
    entries.push(...page.value.entries);
    if (page.value.entries.length === 0 || entries.length >= page.value.total) return entries;
  }
}

function rowOf({ documentId, createdDate, documentName, name, email }: ESignEntry): string {
  const signer = [name, email && `<${email}>`].filter(Boolean).join(' ');
  return [documentId ?? '–', createdDate ?? '–', documentName ?? '–', signer || '–'].join('  ');
}
