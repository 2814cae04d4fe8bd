import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type DocumentRow, documentSorts } from '../../../contract/documents.ts';
import { matchRank } from '../../../contract/text.ts';
import { useLive } from '../../bridge/live.tsx';
import { DownloadButton } from '../../features/files/download-part.tsx';
import { sentToText } from '../../features/jobs/meaning-text.ts';
import { useTeamLinks } from '../../features/team/team.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import type { GridColumn } from '../../parts/grid/grid-column.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';
import css from './documents.module.css';
import type { ColumnId, DocumentsView } from './documents-view.ts';

type Column = GridColumn<DocumentRow, ColumnId | 'download'>;

/** The name of a document for people. */
export function titleOf(row: DocumentRow): string {
  return row.name || row.fileName || (row.documentId ?? '');
}

/** What is known of a document before its status is asked; nothing if it was only opened by ID. */
export function fromOf({ jobId, by, sentTo }: DocumentRow): 'registered' | 'sent' | undefined {
  if (jobId === null && by === null) return undefined;
  return sentTo === '' ? 'registered' : 'sent';
}

/** What a search has found a document by, where neither its name nor its people show it; null where they do. In a column, too: that leaves where there is no room. */
function foundBy(row: DocumentRow, search: string): string | null {
  const seen = [titleOf(row), sentToText(row.sentTo)];
  const words = search.split(/\s+/).filter((word) => matchRank(word, seen) === 0);
  const texts = [row.sentTo, row.clientId, row.description, row.fileName, row.documentId];
  return texts.find((text) => text && words.some((word) => matchRank(word, [text]) > 0)) ?? null;
}

/** The chosen columns of the register, in their fixed order. What the panel states as well leaves first where there is no room. */
export function useDocumentColumns(
  { columns: chosen, search }: Pick<DocumentsView, 'columns' | 'search'>,
  onOpen: (row: DocumentRow) => void,
): readonly Column[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { connections } = useLive().connections;
  const hasTeam = useTeamLinks().length > 0;
  return useMemo(() => {
    const nameOf = new Map(connections.map((connection) => [connection.id, connection.name]));
    const definitions = definitionsOf(t, format, nameOf, search);
    return [
      ...chosen
        .filter((id) => id !== 'by' || hasTeam)
        .map((id) => ({
          id,
          title: t(`documents.columnTitle.${id}`),
          sortable: documentSorts.some((sort) => sort === id),
          ...definitions[id],
        })),
      {
        id: 'download',
        title: t('list.actions'),
        width: '9.75rem',
        fold: 5,
        isAction: true,
        // Downloads without opening the row; what went wrong is said in its panel.
        cell: (row) =>
          row.documentId === null ? (
            <Button kind="quiet" excludeFromTabOrder onPress={() => onOpen(row)}>
              {t('documents.enterId')}
            </Button>
          ) : nameOf.has(row.connectionId) ? (
            <DownloadButton
              isInGrid
              connectionId={row.connectionId}
              documentId={row.documentId}
              suggestedName={row.fileName ?? row.name}
              onFailure={() => onOpen(row)}
            />
          ) : null,
      },
    ];
  }, [chosen, search, connections, hasTeam, format, onOpen, t]);
}

function definitionsOf(
  t: TFunction,
  format: ReturnType<typeof useFormat>,
  nameOf: ReadonlyMap<string, string>,
  search: string,
): Readonly<Record<ColumnId, Omit<Column, 'id' | 'title' | 'sortable'>>> {
  return {
    name: { width: 'minmax(14rem, 8fr)', cell: (row) => <Name row={row} search={search} /> },
    reference: { width: 'minmax(7.5rem, 1.2fr)', fold: 2, cell: (row) => <MiddleCut text={row.clientId || '—'} /> },
    description: { width: 'minmax(8rem, 1.6fr)', cell: (row) => <MiddleCut text={row.description || '—'} /> },
    status: {
      width: 'minmax(12.5rem, 1.3fr)',
      cell: (row) => (
        <>
          <DocumentState row={row} />
          <AsOf status={row.status} />
        </>
      ),
    },
    sizeBytes: {
      width: 'minmax(5.5rem, 0.7fr)',
      fold: 4,
      isNumber: true,
      cell: (row) => (row.sizeBytes === null ? '—' : format.bytes(row.sizeBytes)),
    },
    registeredAt: {
      width: 'minmax(8.5rem, 1.1fr)',
      fold: 1,
      cell: (row) => (
        <time dateTime={row.registeredAt} title={row.registeredAt}>
          {format.moment(row.registeredAt)}
        </time>
      ),
    },
    by: { width: 'minmax(6.5rem, 1fr)', fold: 3, cell: (row) => <MiddleCut text={row.by?.person ?? t('team.me')} /> },
    documentId: { width: 'minmax(19rem, 1fr)', cell: (row) => <Id id={row.documentId} /> },
    fileName: { width: 'minmax(9rem, 1.4fr)', cell: (row) => <MiddleCut text={row.fileName ?? '—'} /> },
    sha256: { width: 'minmax(11rem, 1fr)', cell: (row) => <Id id={row.sha256} /> },
    connection: {
      width: 'minmax(8rem, 1fr)',
      cell: (row) => <MiddleCut text={nameOf.get(row.connectionId) ?? t('documents.gone')} />,
    },
  };
}

/** What the service said last; of a document without an ID it cannot be asked. */
export function DocumentState({ row }: { readonly row: DocumentRow }) {
  const { t } = useTranslation();
  const from = fromOf(row);
  if (row.documentId !== null || !from) return <StatusChip status={row.status} from={from} />;
  return (
    <Chip tone="unclear" title={t('documents.noIdText')}>
      {t(`documents.withoutId.${from}`)}
    </Chip>
  );
}

/** When the service said so: a list may know since that it is completed. What is completed remains so. */
function AsOf({ status }: Pick<DocumentRow, 'status'>) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!status || status.answer.group === 'completed') return null;
  return (
    <time className={looks.inRow} dateTime={status.askedAt} title={format.fullMoment(status.askedAt)}>
      {t('documents.asOf', { time: format.momentInText(status.askedAt) })}
    </time>
  );
}

/** Requests are often for the same document: the signers tell them apart, or what else a search has found it by, which has as much room as the name. */
function Name({ row, search }: { readonly row: DocumentRow; readonly search: string }) {
  const found = foundBy(row, search);
  const people = sentToText(row.sentTo);
  const name = <MiddleCut text={titleOf(row)} />;
  if (!found && people === '') return name;
  return (
    <span className={css.nameAndSigner}>
      {name}
      <span className={css.signer} style={found ? { flexShrink: 1 } : {}} dir="auto" title={people}>
        {found ? <MiddleCut text={found} /> : people}
      </span>
    </span>
  );
}

function Id(props: { readonly id: string | null }) {
  return (
    <code className={`${looks.grow} ${looks.mono}`}>
      <MiddleCut text={props.id ?? '—'} />
    </code>
  );
}
