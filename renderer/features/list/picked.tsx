import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import type { GridPicking } from '../../parts/grid-column.ts';
import { useKeptState } from '../../parts/navigation.tsx';
import css from './list.module.css';
import type { Windowed } from './pages.ts';

/** Ticked rows, anywhere in a list. */
export interface Picked<T> {
  readonly rows: readonly T[];
  /** There are more than can be ticked. */
  readonly isFull: boolean;
  readonly clear: () => void;
  readonly picking: Omit<GridPicking<T>, 'label' | 'allLabel'>;
}

/** Rows stay ticked while the search changes, as they were when last seen; at most `most` are. */
export function usePicked<T>(list: Windowed<T>, keyOf: (row: T) => string, most: number): Picked<T> {
  const [picked, setPicked] = useKeptState<ReadonlyMap<string, T>>('picked', new Map());
  const [last, setLast] = useState(0);
  const total = list.total ?? 0;
  const add = (rows: readonly T[]) =>
    setPicked((before) => {
      const next = new Map(before);
      for (const row of rows) if (next.size < most) next.set(keyOf(row), row);
      return next;
    });
  const addRange = async (first: number, end: number) =>
    add(await list.readRows(first, Math.min(end, first + most - 1, total - 1)));
  const clear = () => setPicked(new Map());
  const isAll = picked.size > 0 && picked.size >= Math.min(total, most);
  return {
    rows: [...picked.values()],
    isFull: isAll && total > most,
    clear,
    picking: {
      isPicked: (row) => picked.has(keyOf(row)),
      onPick: (index, isRange) => {
        const row = list.rowAt(index);
        if (row === undefined) return;
        setLast(index);
        if (isRange) void addRange(Math.min(last, index), Math.max(last, index));
        else if (!picked.has(keyOf(row))) add([row]);
        else setPicked((before) => new Map([...before].filter(([key]) => key !== keyOf(row))));
      },
      all: isAll ? true : picked.size > 0 ? 'some' : false,
      onPickAll: (isPicked) => (isPicked ? void addRange(0, total - 1) : clear()),
    },
  };
}

/** What can be done with all selected rows; below the list, so that no row moves when the first is selected. */
export function SelectionBar(props: {
  readonly count: number;
  /** Only the first ones are selected: there are more than can be. */
  readonly isFull?: boolean;
  readonly onClear: () => void;
  readonly children: ReactNode;
}) {
  const { count } = props;
  const { t } = useTranslation();
  const format = useFormat();
  if (count === 0) return null;
  return (
    <section className={css.selection} aria-label={t('list.selection')}>
      <strong>{t(props.isFull ? 'list.selectedFirst' : 'list.selected', { shown: format.number(count) })}</strong>
      {props.children}
      <Button kind="quiet" onPress={props.onClear}>
        {t('list.clearSelection')}
      </Button>
    </section>
  );
}
