import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TFunction } from 'i18next';
import type { CallParsed } from '../../../contract/index.ts';
import { idText, type OperationName } from '../../../contract/operation.ts';
import { loadTexts } from '../../../locales/load-texts.ts';
import type { JobFilter } from '../../store/jobs/job-lists.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { JobTable } from '../../store/jobs/jobs.ts';
import { reporterOf } from '../../store/settings/key-values.ts';
import { practiceMarks } from '../connections/connection-list.ts';
import type { Context } from '../context.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { chooseTarget } from '../files/target.ts';
import { madeBy, savePdfReport, timeOf } from '../output/pdf/pdf-report.ts';
import { writeTable } from '../output/tables/write-table.ts';

const columns = [
  'file',
  'document',
  'documentId',
  'clientId',
  'state',
  'sentAt',
  'at',
  'sentTo',
  'kind',
  'connection',
  'sha256',
] as const;

/** Columns of a printed page with their shares of it: what belongs together is stacked, so that no ID, address or word is broken. */
const printed = [
  [['file', 'document', 'sha256'], 272],
  [['documentId', 'clientId', 'sentTo'], 210],
  [['kind', 'state', 'connection'], 150],
  [['sentAt', 'at'], 110],
] as const;
/** Small enough for a checksum on one line. */
const printedPt = 6.5;

type SentOperation = Extract<OperationName, `Add${string}`>;

/** Rows read and written between two turns of the event loop. */
const rowsPerPage = 200;

/** Saves the list of a batch, or of all that fits, in a file that the person chooses; answers its path, null if the person cancelled. `onRow`: a job is in it. */
export async function saveBatch(
  context: Context,
  list: CallParsed<'documents.saveBatch'>,
  onRow: () => void,
): Promise<string | null> {
  const t = await loadTexts(list.language, 'tables');
  const title = t(list.batchId === undefined ? 'registered.activity' : 'registered.title');
  const name = `${title}.${list.format}`;
  const target = await chooseTarget(context.ports.dialogs, safeFileName(name, name));
  if (target === null) return null;
  const headings = columns.map((column) => t(`registered.${column}`));
  const markOf = await practiceMarks(list.language);
  const connections = await connectionsOf(context, list);
  const nameOf = (id: string, name = connections.get(id)?.name ?? '') => `${name}${markOf(id)}`;
  const rows = rowsOf(context, list, t, nameOf, onRow);
  const { format, language } = list;
  if (format !== 'pdf') return writeTable(target, format, { headings, rows, language });
  const { assetsDir } = context.ports;
  const pageOf = t('pageOf', { page: '{page}', total: '{total}' });
  const [mark = '', ...otherMarks] = new Set([...connections.keys()].map(markOf));
  const footer = otherMarks.length === 0 ? `${title}${mark}` : title;
  return savePdfReport(target, { title, footer, pageOf, isLandscape: true, assetsDir, language }, async (report) => {
    report.heading(footer);
    report.fields([
      [t('registered.madeBy'), madeBy(reporterOf(context.store.settings))],
      [t('registered.madeAt'), `${timeOf(new Date().toISOString())}, Sealdesk ${context.ports.version}`],
      [t('registered.connection'), [...connections.values()].flatMap((one) => one?.name ?? []).join(', ')],
    ]);
    const stacked = (cells: readonly string[]) =>
      printed.map(([parts]) => parts.map((part) => cells[columns.indexOf(part)] ?? ''));
    const table = report.table(
      stacked(headings).map((parts, at) => ({ title: parts.join('\n'), share: printed[at]?.[1] ?? 1 })),
      { sizePt: printedPt },
    );
    for await (const row of rows) {
      // What is empty has its line: each stands where its heading does.
      table.row(stacked(row).map((parts) => parts.map((part) => part || '–').join('\n')));
      await report.settle();
    }
  });
}

/** The connections of what is listed, null for one that was removed. */
async function connectionsOf({ store, connections }: Context, filter: JobFilter) {
  const entry = async (id: string) => [id, await connections.get(id).catch(() => null)] as const;
  return new Map(await Promise.all(store.jobs.connectionIds(filter).map(entry)));
}

/** Names, references and people as they were sent; `nameOf`: a connection's. */
async function* rowsOf(
  { store }: Context,
  filter: JobFilter,
  t: TFunction<'tables'>,
  nameOf: (connectionId: string, name?: string) => string,
  onRow: () => void,
) {
  for await (const page of pagesOf(store.jobs, filter)) {
    for (const { operation, state, duplicateOf, ...job } of page) {
      const isCorrected = job.dismissed && job.supersededBy !== null && job.supersededBy !== job.id;
      const isRegistered = state === 'done' && operation === 'AddNewDocument';
      const sameAs = state === 'passed-over' && (duplicateOf?.documentId ?? duplicateOf?.title);
      onRow();
      yield [
        job.record?.fileName ?? job.title,
        String(job.args.DocumentName ?? ''),
        // What left once more may have one that this sending had not.
        idText(job.documentId ?? (state === 'done' ? store.requests.documentOf(job.id) : null) ?? ''),
        String(job.args.ClientID ?? ''),
        sameAs
          ? t('registered.sameAs', { what: idText(sameAs) })
          : isRegistered
            ? t('registered.done')
            : [t(`states.${state}`), ...(isCorrected ? [t('registered.corrected')] : [])].join(' · '),
        job.departedAt ?? '',
        job.at,
        job.record?.signers ?? '',
        t(`registered.kinds.${operation as SentOperation}`),
        nameOf(job.connectionId, job.departure?.connection.name),
        job.sha256 ?? '',
      ];
    }
  }
}

async function* pagesOf(jobs: JobTable, filter: JobFilter): AsyncGenerator<readonly StoredJob[]> {
  for (let afterSeq = 0; ; await nextTurn()) {
    const found = jobs.rowsAfter(filter, { afterSeq, limit: rowsPerPage });
    const last = found.at(-1);
    if (!last) return;
    afterSeq = last.seq;
    yield found.map(({ read }) => read()).filter((job) => job !== null);
  }
}
