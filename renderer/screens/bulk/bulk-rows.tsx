import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk, BulkProblem, BulkRow } from '../../../contract/bulk.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useColumnWidths } from '../../features/column-widths.ts';
import { CorrectAction } from '../../features/correct.tsx';
import { useWindowed } from '../../features/use-pages.ts';
import { Chip, type ChipIcon, type Tone } from '../../parts/chip.tsx';
import { DataGrid } from '../../parts/data-grid.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Segments } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import type { GridColumn } from '../../parts/grid-column.ts';
import { jobTones } from '../../parts/job-tones.ts';
import css from './bulk.module.css';

const kinds = ['all', 'errors', 'warnings', 'ready', 'queued', 'not-done'] as const;

const stateTones: Record<BulkRow['state'], { readonly tone: Tone; readonly icon?: ChipIcon }> = {
  ...jobTones,
  ready: { tone: 'info', icon: 'clock' },
  skipped: { tone: 'silent', icon: 'dashed' },
};

/** The rows of a bulk, with a filter for those that have errors. */
export function BulkRows(props: { readonly bulk: Bulk }) {
  const { bulk } = props;
  const { t } = useTranslation();
  const sizing = useColumnWidths('bulk-columns');
  const [which, setWhich] = useState<(typeof kinds)[number]>('all');
  const [chosen, setChosen] = useState<BulkRow | null>(null);
  const rows = useWindowed<BulkRow>(['bulk-rows', bulk.id, which], async (offset, limit) => {
    const page = await askValue('bulk.rows', { id: bulk.id, which, offset, limit });
    return { rows: page.rows, total: page.total };
  });
  const columns = useColumns();
  return (
    <section className={css.rows} aria-label={t('bulk.row')}>
      <Segments
        hideLabel
        label={t('bulk.state')}
        value={which}
        onChange={setWhich}
        choices={kinds.map((kind) => ({ key: kind, text: t(`bulk.which.${kind}`) }))}
      />
      {rows.failure ? <FailureView failure={rows.failure} /> : null}
      {rows.total === 0 ? <Empty kind="filtered" heading={t('bulk.nothing')} text={t('bulk.nothingText')} /> : null}
      {rows.total ? (
        <div className={css.grid}>
          <DataGrid
            label={t('bulk.row')}
            columns={columns}
            total={rows.total}
            rowAt={rows.rowAt}
            keyOf={(row) => String(row.row)}
            chosen={chosen === null ? null : String(chosen.row)}
            onChoose={setChosen}
            onRange={rows.onRange}
            sizing={sizing}
          />
        </div>
      ) : null}
      {chosen?.jobId && chosen.canCorrect ? (
        <div className={css.row}>
          <span>{t('bulk.chosenRow', { row: chosen.row, people: peopleOf(chosen) })}</span>
          <CorrectAction jobId={chosen.jobId} />
        </div>
      ) : null}
    </section>
  );
}

function useColumns(): readonly GridColumn<BulkRow>[] {
  const { t } = useTranslation();
  return [
    { id: 'row', title: t('bulk.row'), width: '3.75rem', cell: (row) => row.row },
    {
      id: 'people',
      title: t('bulk.people'),
      width: 'minmax(9rem, 1.2fr)',
      cell: (row) => (
        <span className={css.cut} title={row.people.map((person) => person.email).join(', ')}>
          {peopleOf(row)}
        </span>
      ),
    },
    {
      id: 'document',
      title: t('bulk.documentColumn'),
      width: 'minmax(6.5rem, 1fr)',
      cell: (row) => (
        <span className={css.cut} title={row.document}>
          {row.documentName || row.document || '—'}
        </span>
      ),
    },
    {
      id: 'state',
      title: t('bulk.state'),
      width: 'minmax(7rem, 0.6fr)',
      cell: (row) => <Chip {...stateTones[row.state]}>{t(`bulk.states.${row.state}`)}</Chip>,
    },
    { id: 'story', title: t('bulk.story'), width: 'minmax(11rem, 2.2fr)', cell: (row) => <RowOutcome row={row} /> },
  ];
}

const peopleOf = (row: BulkRow) => row.people.map((person) => person.name || person.email).join(', ') || '—';

/** The problems of a row, or the service's answer. */
function RowOutcome(props: { readonly row: BulkRow }) {
  const { row } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const text = (problem: BulkProblem) => {
    const what = [
      t(`bulk.problem.${problem.kind}`),
      problem.otherRow ? t('bulk.sameAsRow', { row: problem.otherRow }) : null,
      problem.sentAt ? t('bulk.sentBefore', { time: format.moment(problem.sentAt) }) : null,
    ]
      .filter(Boolean)
      .join(', ');
    return problem.column ? t('bulk.problemAt', { column: t(`bulk.column.${problem.column}`), problem: what }) : what;
  };
  const said = row.raw ? t('common.quote', { text: row.raw }) : null;
  const parts = [said, row.failure && !said ? row.failure.note : null, ...row.problems.map(text)].filter(Boolean);
  const isError = row.problems.some((problem) => problem.severity === 'error');
  return (
    <span className={`${css.cut} ${isError ? css.error : ''}`} title={parts.join('\n')}>
      {parts.join(' · ') || '—'}
    </span>
  );
}
