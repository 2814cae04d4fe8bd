import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type BulkColumn, type BulkColumns, bulkColumns } from '../../../contract/bulk.ts';
import type { FileToken } from '../../../contract/files.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Choice } from '../../parts/choice.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Card } from '../../parts/page.tsx';
import css from './bulk.module.css';

export type Meant = readonly (BulkColumn | null)[];

/** What the columns of the chosen spreadsheet mean: as their headings and values say, until a person says otherwise. */
export function useMeantColumns(table: FileToken | null, columns: Meant | null, say: (next: Meant) => void) {
  const read = useQuery({
    queryKey: ['bulk-columns', table?.token, columns],
    queryFn: () =>
      askValue('bulk.columns', { tableToken: table?.token ?? '', ...(columns ? { columns: [...columns] } : {}) }),
    enabled: table !== null,
    // What was read stays until the same table is read as it is said now.
    placeholderData: (before, query) => (query?.queryKey[1] === table?.token ? before : undefined),
    gcTime: 0,
  });
  const isReady = read.data?.columns.some(({ column }) => column === 'email1') ?? false;
  return { read, say, isReady } as const;
}

/** Each column with its first values and what it means; whoever would be without a name is counted. */
export function ColumnsCard(props: {
  readonly table: FileToken;
  readonly meant: ReturnType<typeof useMeantColumns>;
  /** A plain request takes no names. */
  readonly hasNames: boolean;
}) {
  const { read, say, isReady } = props.meant;
  const { t } = useTranslation();
  const format = useFormat();
  if (read.error) return <FailureView failure={read.error.failure} subject={props.table.name} />;
  const given = read.data;
  if (!given) return null;
  const meant = given.columns.map(({ column }) => column);
  return (
    <Card title={t('bulk.columns')}>
      <p className={looks.hint}>{t('bulk.rows', { count: given.rowCount, shown: format.number(given.rowCount) })}</p>
      {given.columns.every(({ heading }) => heading === '') ? (
        <p className={looks.caution} role="status">
          {t('bulk.noHeadings')}
        </p>
      ) : null}
      <ul className={looks.stack} aria-label={t('bulk.columns')}>
        {given.columns.map((column, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: headings may be empty or equal; their place is what tells them apart
          <li key={at} className={css.column}>
            <ColumnMeaning column={column} at={at} onChange={(next) => say(withMeaning(meant, at, next))} />
          </li>
        ))}
      </ul>
      {isReady ? null : <p className={looks.caution}>{t('bulk.noEmailColumn')}</p>}
      {isReady && props.hasNames && given.unnamed > 0 ? (
        <p className={looks.caution} role="status">
          {t('bulk.unnamed', { count: given.unnamed, shown: format.number(given.unnamed) })}
        </p>
      ) : null}
    </Card>
  );
}

function ColumnMeaning(props: {
  readonly column: BulkColumns['columns'][number];
  readonly at: number;
  readonly onChange: (column: BulkColumn | null) => void;
}) {
  const { heading, column, values } = props.column;
  const { t } = useTranslation();
  const name = heading || t('bulk.columnNumber', { n: props.at + 1 });
  return (
    <>
      <span className={`${looks.lines} ${looks.small}`}>
        <strong>{name}</strong>
        <span className={`${looks.hint} ${looks.cut}`} title={values.join(' · ')}>
          {values.join(' · ')}
        </span>
      </span>
      <Choice
        hideLabel
        label={t('bulk.meaningOf', { heading: name })}
        value={column ?? 'none'}
        choices={[
          { key: 'none', text: t('bulk.meansNothing') },
          ...bulkColumns.map((key) => ({ key, text: t(`bulk.column.${key}`) })),
        ]}
        onChange={(key) => props.onChange(key === 'none' ? null : key)}
      />
    </>
  );
}

/** A name may be in several columns; anything else is taken from the column that meant it before. */
function withMeaning(meant: Meant, at: number, next: BulkColumn | null): Meant {
  const isShared = next === null || next.startsWith('name');
  return meant.map((column, index) => (index === at ? next : !isShared && column === next ? null : column));
}
