import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  Cell,
  Collection,
  Column,
  ResizableTableContainer,
  Row,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  TableLoadMoreItem,
  Virtualizer,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import type { DocumentQuery } from '../../bridge/queries.ts';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';
import css from './documents.module.css';

type SortKey = NonNullable<DocumentQuery['sort']>;

export interface Sorting {
  readonly sort: SortKey;
  readonly descending: boolean;
}

const columns = [
  { id: 'name', sortable: true, width: '2.4fr', minWidth: 160 },
  { id: 'reference', sortable: false, width: '1.3fr', minWidth: 84 },
  { id: 'status', sortable: true, width: '1.5fr', minWidth: 158 },
  { id: 'sizeBytes', sortable: true, width: '0.8fr', minWidth: 82 },
  { id: 'registeredAt', sortable: true, width: '1.3fr', minWidth: 134 },
] as const;

const titles = {
  name: 'documents.name',
  reference: 'documents.reference',
  status: 'documents.status',
  sizeBytes: 'documents.size',
  registeredAt: 'documents.registered',
} as const;

/** Only the rows on screen exist; arrows move, Enter and click show one beside. */
export function DocumentTable(props: {
  readonly rows: readonly DocumentRow[];
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly chosen: string | null;
  readonly onChoose: (id: string | null) => void;
  readonly onEnd: () => void;
  readonly isLoadingMore: boolean;
}) {
  const { t } = useTranslation();
  const { sorting } = props;
  const scale = textScale();
  return (
    <ResizableTableContainer className={css.tableBox ?? ''}>
      <Virtualizer layout={TableLayout} layoutOptions={{ rowHeight: 40 * scale, headingHeight: 34 * scale }}>
        <Table
          aria-label={t('documents.table')}
          className={css.table ?? ''}
          selectionMode="single"
          selectionBehavior="replace"
          selectedKeys={props.chosen ? [props.chosen] : []}
          onSelectionChange={(keys) => props.onChoose(keys === 'all' ? null : String([...keys][0] ?? ''))}
          sortDescriptor={{ column: sorting.sort, direction: sorting.descending ? 'descending' : 'ascending' }}
          onSortChange={({ column, direction }) => {
            const key = columns.find((one) => one.id === column && one.sortable)?.id;
            if (key && key !== 'reference') props.onSort({ sort: key, descending: direction === 'descending' });
          }}
        >
          <TableHeader columns={[...columns]}>
            {(column) => (
              <Column
                isRowHeader={column.id === 'name'}
                allowsSorting={column.sortable}
                width={column.width as `${number}fr`}
                minWidth={column.minWidth * scale}
                className={`${css.column} ${column.id === 'sizeBytes' ? css.end : ''}`}
              >
                {({ sortDirection }) => (
                  <>
                    {t(titles[column.id])}
                    {sortDirection === 'ascending' ? <ArrowUp aria-hidden="true" /> : null}
                    {sortDirection === 'descending' ? <ArrowDown aria-hidden="true" /> : null}
                  </>
                )}
              </Column>
            )}
          </TableHeader>
          <TableBody>
            <Collection items={props.rows}>{(row) => <DocumentLine row={row} />}</Collection>
            <TableLoadMoreItem onLoadMore={props.onEnd} isLoading={props.isLoadingMore}>
              {t('common.loading')}
            </TableLoadMoreItem>
          </TableBody>
        </Table>
      </Virtualizer>
    </ResizableTableContainer>
  );
}

function DocumentLine(props: { readonly row: DocumentRow }) {
  const { row } = props;
  const format = useFormat();
  const name = row.name || row.fileName || row.documentId;
  return (
    <Row id={row.id} textValue={name} className={css.row ?? ''}>
      <Cell className={css.cell ?? ''} textValue={name}>
        <MiddleCut text={name} />
      </Cell>
      <Cell className={css.cell ?? ''}>
        <span className={css.cut} title={row.clientId}>
          {row.clientId || '—'}
        </span>
      </Cell>
      <Cell className={css.cell ?? ''}>
        <StatusChip status={row.status} />
      </Cell>
      <Cell className={`${css.cell} ${css.end}`}>{row.sizeBytes === null ? '—' : format.bytes(row.sizeBytes)}</Cell>
      <Cell className={css.cell ?? ''}>
        <time className={css.cut} dateTime={row.registeredAt} title={format.fullMoment(row.registeredAt)}>
          {format.moment(row.registeredAt)}
        </time>
      </Cell>
    </Row>
  );
}

/** Rows and columns of a virtual table are given in pixels: grow them with the person's text size. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}
