import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { useLive } from '../../bridge/live.tsx';
import { useFormat } from '../../parts/format.ts';
import type { GridColumn } from '../../parts/grid-column.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';
import css from './documents.module.css';
import type { ColumnId } from './documents-view.ts';

type Column = GridColumn<DocumentRow, ColumnId>;

/** The name of a document for people. */
export function titleOf(row: DocumentRow): string {
  return row.name || row.fileName || row.documentId;
}

/** The chosen columns of the register, in their fixed order. */
export function useDocumentColumns(chosen: readonly ColumnId[]): readonly Column[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { connections } = useLive().connections;
  return useMemo(() => {
    const nameOf = new Map(connections.map((connection) => [connection.id, connection.name]));
    const definitions: Readonly<Record<ColumnId, Omit<Column, 'id' | 'title'>>> = {
      name: { width: 'minmax(10rem, 2.4fr)', sortable: true, cell: (row) => <MiddleCut text={titleOf(row)} /> },
      reference: { width: 'minmax(5.5rem, 1.2fr)', cell: (row) => <Cut text={row.clientId} /> },
      description: { width: 'minmax(8rem, 1.6fr)', cell: (row) => <Cut text={row.description} /> },
      status: { width: 'minmax(9rem, 1.3fr)', sortable: true, cell: (row) => <StatusChip status={row.status} /> },
      sizeBytes: {
        width: 'minmax(6.5rem, 0.7fr)',
        sortable: true,
        isNumber: true,
        cell: (row) => (row.sizeBytes === null ? '—' : format.bytes(row.sizeBytes)),
      },
      registeredAt: {
        width: 'minmax(8.5rem, 1.1fr)',
        sortable: true,
        cell: (row) => (
          <time dateTime={row.registeredAt} title={row.registeredAt}>
            {format.moment(row.registeredAt)}
          </time>
        ),
      },
      documentId: { width: 'minmax(19rem, 1fr)', cell: (row) => <code className={css.code}>{row.documentId}</code> },
      fileName: { width: 'minmax(9rem, 1.4fr)', cell: (row) => <MiddleCut text={row.fileName ?? '—'} /> },
      sha256: {
        width: 'minmax(11rem, 1fr)',
        cell: (row) => (
          <code className={css.code} title={row.sha256 ?? undefined}>
            {row.sha256 ?? '—'}
          </code>
        ),
      },
      connection: {
        width: 'minmax(8rem, 1fr)',
        cell: (row) => <Cut text={nameOf.get(row.connectionId) ?? t('documents.gone')} />,
      },
    };
    return chosen.map((id) => ({ id, title: t(`documents.columnTitle.${id}`), ...definitions[id] }));
  }, [chosen, connections, format, t]);
}

function Cut(props: { readonly text: string }) {
  return (
    <span className={css.cut} title={props.text}>
      {props.text || '—'}
    </span>
  );
}
