import { Pencil, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { type Bulk, type BulkProblem, type BulkRow, bulkProblemText } from '../../../contract/bulk.ts';
import { idText } from '../../../contract/operation.ts';
import { failureText } from '../../bridge/failure-text.ts';
import type { Windowed } from '../../features/list/pages.ts';
import { Chip, type ChipIcon, type Tone } from '../../parts/chip.tsx';
import { CopyCell } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import type { GridColumn } from '../../parts/grid/grid-column.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { heldTone, jobTones } from '../../parts/status-chip.tsx';
import css from './bulk.module.css';

export type CellColumn = Bulk['columns'][number];

/** ID of a column of the spreadsheet: by its meaning, so that its width is kept for other spreadsheets. */
export function columnIdOf({ heading, column }: CellColumn, index: number): string {
  return column ?? `${index} ${heading}`;
}

/** The address at which the signer of a row signs; null if the service answered none. */
export function signingLinkOf({ answer, raw }: BulkRow): string | null {
  return answer?.kind === 'url' ? raw : null;
}

/** Column that the row needs a person to mend first; null if there is none. */
export function columnToMend({ problems }: BulkRow): string | null {
  return problems.find(({ severity, column }) => severity === 'error' && column !== null)?.column ?? null;
}

/** As wide as its heading and the cells of the first rows: nothing is cut that a person reads; what is much longer is cut in its middle. */
function widthOf(title: string, index: number, rows: readonly BulkRow[]): string {
  const longest = Math.max(title.length, ...rows.map(({ cells }) => cells[index]?.length ?? 0));
  return `minmax(${Math.min(24, Math.max(6, 3.25 + longest * 0.48))}rem, 1fr)`;
}

/** The first rows that were read: later ones change no width. */
function useFirstRows({ total, rowAt }: Pick<Windowed<BulkRow>, 'total' | 'rowAt'>): readonly BulkRow[] {
  const [first, setFirst] = useState<readonly BulkRow[]>([]);
  if (first.length === 0 && rowAt(0))
    setFirst(Array.from({ length: Math.min(total ?? 0, 100) }, (_each, at) => rowAt(at) ?? []).flat());
  return first;
}

/**
 * The number of each row in the spreadsheet, which is always there, so that nothing moves when something happens to a row; and the spreadsheet's own columns,
 * between the state of each row and its answer. While every row is ready there are no others.
 */
export function useColumns(bulk: Bulk, rows: Windowed<BulkRow>): readonly GridColumn<BulkRow>[] {
  const { t } = useTranslation();
  const text = useProblemText(bulk.kind);
  const { columns, counts } = bulk;
  const first = useFirstRows(rows);
  const hasIds = counts.done > 0;
  const { withErrors, withWarnings, refused, failed, cancelled, inDoubt, queued, asking } = counts;
  // What a table once showed does not go away while somebody works in it.
  const [hasStates, setStates] = useState(false);
  if (!hasStates && withErrors + withWarnings + refused + failed + cancelled + inDoubt + queued > 0) setStates(true);
  return useMemo(() => {
    const state: GridColumn<BulkRow> = {
      id: 'state',
      title: t('bulk.state'),
      width: asking > 0 ? 'minmax(14.25rem, 0.5fr)' : 'minmax(12.75rem, 0.5fr)',
      cell: (row) => (
        <Chip {...toneOf(row)}>{t(row.isAsking ? 'jobs.pausedBy.duplicate' : `bulk.states.${stateOf(row)}`)}</Chip>
      ),
    };
    const story: GridColumn<BulkRow> = {
      id: 'story',
      title: t('bulk.story'),
      // An ID needs more room than a problem.
      width: hasIds ? 'minmax(12rem, 2.4fr)' : 'minmax(12rem, 1.6fr)',
      cell: (row) => <RowOutcome row={row} text={text} />,
    };
    const cells = columns.flatMap((column, index) =>
      column.partOf
        ? []
        : cellColumn(column, index, column.heading || (column.column ? t(`bulk.column.${column.column}`) : ''), first),
    );
    const number = { id: 'row', title: t('bulk.row'), width: '3.75rem', cell: ({ row }: BulkRow) => row };
    return [number, ...(hasStates ? [state, ...cells, story] : cells)];
  }, [columns, first, hasStates, hasIds, asking, t, text]);
}

function cellColumn(column: CellColumn, index: number, title: string, rows: readonly BulkRow[]): GridColumn<BulkRow> {
  return {
    id: columnIdOf(column, index),
    title,
    width: widthOf(title, index, rows),
    isHeld: column.column === 'name1',
    cell: (row) => <SheetCell row={row} column={column} value={row.cells[index] ?? ''} />,
    invalidBy: (row) =>
      row.problems.some((one) => one.severity === 'error' && one.column !== null && one.column === column.column)
        ? problemsId(row)
        : null,
  };
}

const problemsId = (row: BulkRow) => `bulk-problems-${row.row}`;

function SheetCell(props: { readonly row: BulkRow; readonly column: CellColumn; readonly value: string }) {
  const { row } = props;
  const { column } = props.column;
  const { t } = useTranslation();
  const value = column === 'secretWord' && row.hasSecretWord ? '••••' : props.value;
  const mend = row.mended.find((one) => one.column === column);
  const isBad = column !== null && row.problems.some((one) => one.column === column);
  const was = mend ? t('bulk.mendedFrom', { was: mend.was || '—' }) : undefined;
  return (
    <>
      {isBad ? <TriangleAlert aria-hidden="true" className={css.bad} /> : null}
      <MiddleCut text={value || '—'} title={[value, was].filter(Boolean).join('\n')} />
      {mend ? (
        <span title={was}>
          <Pencil aria-hidden="true" className={looks.hint} />
          <VisuallyHidden>{was}</VisuallyHidden>
        </span>
      ) : null}
    </>
  );
}

/** What is skipped is named by its reason, as the counter names it. */
function stateOf({ state, problems }: BulkRow): Exclude<BulkRow['state'], 'skipped'> | 'mend' | 'warning' | 'before' {
  if (state !== 'skipped') return state;
  if (problems.some(({ severity }) => severity === 'error')) return 'mend';
  const before = problems.find(({ sentAt }) => sentAt)?.kind;
  return before === 'maybe-sent' ? 'in-doubt' : before === 'already-sent' ? 'before' : 'warning';
}

function toneOf(row: BulkRow): { readonly tone: Tone; readonly icon?: ChipIcon } {
  const state = stateOf(row);
  if (row.isAsking) return heldTone;
  if (state === 'mend') return { tone: 'remark', icon: 'pencil' };
  if (state === 'warning' || state === 'before') return { tone: 'remark' };
  return state === 'ready' ? { tone: 'info', icon: 'clock' } : jobTones[state];
}

/** A problem in words, without its column. */
export function useProblemText(kind: Bulk['kind']): (problem: BulkProblem) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => (problem) => {
      const time = problem.sentAt === undefined ? '' : format.momentInText(problem.sentAt);
      return t(`bulk.problem.${bulkProblemText(kind, problem)}`, { row: problem.otherRow ?? 0, time });
    },
    [t, format, kind],
  );
}

/** The problems of a row, or the service's answer. */
function RowOutcome(props: { readonly row: BulkRow; readonly text: (problem: BulkProblem) => string }) {
  const { row } = props;
  const { t } = useTranslation();
  if (row.documentId) {
    const id = idText(row.documentId);
    return (
      <code id={problemsId(row)} className={`${looks.grow} ${looks.mono}`}>
        <MiddleCut text={id} />
      </code>
    );
  }
  const link = signingLinkOf(row);
  if (link !== null) {
    return (
      <span id={problemsId(row)}>
        <CopyCell text={link} name={t('bulk.signingLink')} />
      </span>
    );
  }
  const said = row.raw ? t('common.quote', { text: row.raw }) : null;
  const problems = row.jobId === null ? row.problems.map(props.text) : [];
  const parts = [said, row.failure && !said ? failureText(t, row.failure).heading : null, ...problems].filter(Boolean);
  return (
    <span id={problemsId(row)} className={looks.cut} title={parts.join('\n')}>
      {parts.join(' · ') || '—'}
    </span>
  );
}
