import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk, BulkFilter, BulkRow } from '../../../contract/bulk.ts';
import { ask, askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { CorrectAction } from '../../features/jobs/correct.tsx';
import { heldStates } from '../../features/jobs/jobs-view.ts';
import { ListGrid } from '../../features/list/list-grid.tsx';
import { useWindowed } from '../../features/list/pages.ts';
import { SelectionBar, usePicked } from '../../features/list/picked.tsx';
import { useOfferUndo } from '../../features/undo.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import css from './bulk.module.css';
import { signingLinkOf, useColumns } from './bulk-columns.tsx';
import { useCells } from './use-cells.tsx';

/** The rows of a bulk as in its spreadsheet. Cells of rows that were not sent can be changed, and such rows taken back. */
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
  const [chosenRow, setChosen] = useState<BulkRow | null>(null);
  const rows = useWindowed(['bulk-rows', bulk.id], { id: bulk.id, which }, (page) => askValue('bulk.rows', page));
  // As it is now, if it is still in the list.
  const chosen = chosenRow && (rows.find(({ row }) => row === chosenRow.row) ?? chosenRow);
  const picked = usePicked(rows, keyOf);
  const takeBack = useTakeBackRows(bulk.id, picked.clear);
  const link = chosen && signingLinkOf(chosen);
  const asked = chosen?.isAsking && chosen.jobId && { batchId: bulk.batchId ?? '', jobId: chosen.jobId };
  const doubt = asked || (chosen?.jobId === null && chosen.problems.find(({ kind }) => kind === 'maybe-sent')?.job);
  const go = useGo();
  const columns = useColumns(bulk, rows);
  const cells = useCells({ ...props, first: rows.rowAt(0), box });
  return (
    <section ref={box} className={`${looks.column} ${looks.grow}`} aria-label={t('bulk.rowsLabel')}>
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
        picked={picked}
        editing={cells.editing}
      />
      {takeBack.failure ? <FailureView failure={takeBack.failure} calm /> : null}
      <span role="status" className={looks.hint}>
        {takeBack.said}
      </span>
      <SelectionBar picked={picked}>{takeBack.buttons(picked.rows)}</SelectionBar>
      {chosen &&
      picked.rows.length === 0 &&
      (link || doubt || isWaiting(chosen) || isTakenBack(chosen) || (chosen.jobId && chosen.canCorrect)) ? (
        <div className={css.chosen}>
          <span>{t('bulk.chosenRow', { row: chosen.row, people: format.list(peopleOf(chosen)) })}</span>
          {link === null ? null : <CopyButton text={link} label={t('compose.copyLink')} />}
          {takeBack.buttons([chosen])}
          {doubt ? <Button onPress={() => go({ screen: 'jobs', ...doubt })}>{t('start.decide')}</Button> : null}
          {chosen.jobId && chosen.canCorrect ? <CorrectAction jobId={chosen.jobId} /> : null}
        </div>
      ) : null}
    </section>
  );
}

const keyOf = ({ row }: BulkRow) => String(row);

const isWaiting = ({ state }: BulkRow) => state === 'ready' || heldStates.some((held) => held === state);

const isTakenBack = ({ state }: BulkRow) => state === 'cancelled';

/** Takes back those of some rows that wait, and has those again that were taken back. */
function useTakeBackRows(id: string, onTaken: () => void) {
  const { t } = useTranslation();
  const format = useFormat();
  const offerUndo = useOfferUndo();
  const call = useCall('bulk.takeBack');
  const putBack = useCall('bulk.putBack');
  const [said, setSaid] = useState('');
  const offered = useRef<{ readonly rows: readonly number[]; readonly withdraw: () => boolean }[]>([]);
  async function takeBack(waiting: readonly BulkRow[]) {
    const taken = await call.run({ id, rows: waiting.map(({ row }) => row) });
    if (!taken.ok) return;
    onTaken();
    const { rows } = taken.value;
    const numbers = { taken: format.number(rows.length), total: format.number(waiting.length) };
    setSaid(rows.length < waiting.length ? t('bulk.takenBack', numbers) : '');
    offerAgain(rows);
  }
  function offerAgain(rows: readonly number[]) {
    if (rows.length === 0) return;
    const text = t('bulk.counts.cancelled', format.counted(rows.length));
    const withdraw = offerUndo({ text, undo: () => ask('bulk.putBack', { id, rows: [...rows] }) });
    offered.current.push({ rows, withdraw });
  }
  async function haveAgain(cancelled: readonly BulkRow[]) {
    const back = cancelled.map(({ row }) => row);
    if (!(await putBack.run({ id, rows: back })).ok) return;
    onTaken();
    for (const { rows, withdraw } of offered.current.splice(0))
      if (withdraw()) offerAgain(rows.filter((row) => !back.includes(row)));
  }
  const button = (
    key: 'takeBackRows' | 'putBackRows',
    rows: readonly BulkRow[],
    act: typeof takeBack,
    isPending: boolean,
  ) =>
    rows.length > 0 ? (
      <Button kind="quiet" isPending={isPending} onPress={() => void act(rows)}>
        {t(`bulk.${key}`, format.counted(rows.length))}
      </Button>
    ) : null;
  const buttons = (rows: readonly BulkRow[]) => (
    <>
      {button('takeBackRows', rows.filter(isWaiting), takeBack, call.busy)}
      {button('putBackRows', rows.filter(isTakenBack), haveAgain, putBack.busy)}
    </>
  );
  return { failure: call.failure ?? putBack.failure, said, buttons };
}

function peopleOf({ people }: BulkRow): readonly string[] {
  return people.length > 0 ? people.map(({ name, email }) => name || email) : ['—'];
}
