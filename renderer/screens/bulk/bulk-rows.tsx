import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk, BulkFilter, BulkRow } from '../../../contract/bulk.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { CorrectAction } from '../../features/correct.tsx';
import { useJobs } from '../../features/jobs.tsx';
import { heldStates } from '../../features/jobs-view.ts';
import { ListGrid } from '../../features/list/list-grid.tsx';
import { useWindowed } from '../../features/list/pages.ts';
import { TakeBackOne } from '../../features/take-back.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import css from './bulk.module.css';
import { signingLinkOf, useColumns } from './bulk-columns.tsx';
import { useCells } from './use-cells.tsx';

/** The rows of a bulk as in its spreadsheet. Cells of rows that were not sent can be changed. */
export function BulkRows(props: {
  readonly bulk: Bulk;
  readonly which: BulkFilter;
  /** True after a person asked to mend rows: the next bad cell is opened. */
  readonly isMending: boolean;
  readonly onMending: (isMending: boolean) => void;
}) {
  const { bulk, which } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const box = useRef<HTMLElement>(null);
  const [chosen, setChosen] = useState<BulkRow | null>(null);
  const rows = useWindowed(['bulk-rows', bulk.id], { id: bulk.id, which }, (page) => askValue('bulk.rows', page));
  const waits = chosen?.jobId && heldStates.some((state) => state === chosen.state) ? chosen.jobId : null;
  const link = chosen && signingLinkOf(chosen);
  const columns = useColumns(bulk);
  const cells = useCells({ ...props, first: rows.rowAt(0), box });
  return (
    <section ref={box} className={css.rows} aria-label={t('bulk.rowsLabel')}>
      {cells.failure ? <FailureView failure={cells.failure} /> : null}
      <ListGrid
        label={t('bulk.rowsLabel')}
        table="bulk-columns"
        list={rows}
        columns={columns}
        keyOf={keyOf}
        nameOf={keyOf}
        chosen={chosen && keyOf(chosen)}
        onChoose={setChosen}
        editing={cells.editing}
      />
      {chosen && (link !== null || waits !== null || (chosen.jobId && chosen.canCorrect)) ? (
        <div className={css.chosen}>
          <span>{t('bulk.chosenRow', { row: chosen.row, people: format.list(peopleOf(chosen)) })}</span>
          {link === null ? null : <CopyButton text={link} label={t('compose.copyLink')} />}
          {waits === null ? null : <TakeBackRow bulkId={bulk.id} jobId={waits} />}
          {chosen.jobId && chosen.canCorrect ? <CorrectAction jobId={chosen.jobId} /> : null}
        </div>
      ) : null}
    </section>
  );
}

const keyOf = ({ row }: BulkRow) => String(row);

/** While the rows of the bulk count down, or nobody saw them count. */
function TakeBackRow(props: { readonly bulkId: string; readonly jobId: string }) {
  const { countdowns } = useJobs().view.queue;
  return countdowns.some(({ bulkId }) => bulkId === props.bulkId) ? <TakeBackOne jobId={props.jobId} /> : null;
}

function peopleOf({ people }: BulkRow): readonly string[] {
  return people.length > 0 ? people.map(({ name, email }) => name || email) : ['—'];
}
