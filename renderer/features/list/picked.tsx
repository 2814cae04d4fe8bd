import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import type { GridPicking } from '../../parts/grid/grid-column.ts';
import { useKeptState } from '../../parts/navigation.tsx';
import css from './list.module.css';
import type { Windowed } from './pages.ts';

/** Ticked rows, anywhere in a list. */
export interface Picked<T> {
  readonly rows: readonly T[];
  /** How many of them the list does not have now; 0 while that is not known. */
  readonly goneCount: number;
  /** There are more than can be ticked. */
  readonly isFull: boolean;
  readonly clear: () => void;
  readonly picking: Omit<GridPicking<T>, 'label' | 'allLabel'>;
}

/** As many as the core counts by their keys. */
const mostPicked = 10_000;

/** Rows stay ticked while the search changes, as they were when last seen; at most `most` are. */
export function usePicked<T>(list: Windowed<T>, keyOf: (row: T) => string, most = mostPicked): Picked<T> {
  const [picked, setPicked] = useKeptState<ReadonlyMap<string, T>>('picked', new Map());
  const [last, setLast] = useState(0);
  const total = list.total ?? 0;
  const goneCount = useGoneCount(list, keyOf, picked);
  const add = (rows: readonly T[]) =>
    setPicked((before) => {
      const next = new Map(before);
      for (const row of rows) if (next.size < most) next.set(keyOf(row), row);
      return next;
    });
  const addRange = async (first: number, end: number) =>
    add(await list.readRows(first, Math.min(end, first + most - 1, total - 1)));
  const clear = () => setPicked(new Map());
  const isAll = total > 0 && picked.size - goneCount >= Math.min(total, most);
  return {
    rows: [...picked.values()],
    goneCount,
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

const numbers = new WeakMap<object, number>();
let lastNumber = 0;
/** A number of its own for each set of ticks, in place of thousands of keys that would be compared each time. */
function numberOf(ticks: object): number {
  const number = numbers.get(ticks) ?? ++lastNumber;
  numbers.set(ticks, number);
  return number;
}

/** Filters, searches and refreshes take rows out of a list whose ticks stay. Those that are shown are there; of the others the core says how many are. */
function useGoneCount<T>(list: Windowed<T>, keyOf: (row: T) => string, picked: ReadonlyMap<string, T>): number {
  const shown = new Set<string>();
  // While nothing is ticked no row is looked at: this runs at each frame of a scroll.
  if (picked.size > 0) list.find((row) => !shown.add(keyOf(row)));
  const keys = [...picked.keys()].filter((key) => !shown.has(key));
  // How many are gone does not depend on which of the others are shown.
  const { data } = useQuery({
    queryKey: [...list.name, list.asked, 'among', list.total, numberOf(picked)],
    queryFn: async () => keys.length - (await list.countAmong(keys)),
    enabled: keys.length > 0 && list.total !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return keys.length === 0 ? 0 : Math.min(data ?? 0, keys.length);
}

/** What can be done with all selected rows; below the list, so that no row moves when the first is selected. */
export function SelectionBar(props: {
  readonly picked: Omit<Picked<unknown>, 'picking'>;
  /** What is said of `goneCount`, where that is not that the list does not have them. */
  readonly goneText?: string;
  readonly children: ReactNode;
}) {
  const { rows, isFull, goneCount, clear } = props.picked;
  const { t } = useTranslation();
  const format = useFormat();
  if (rows.length + goneCount === 0) return null;
  const selected = t(isFull ? 'list.selectedFirst' : 'list.selected', { shown: format.number(rows.length) });
  const gone = goneCount > 0 ? (props.goneText ?? t('list.selectedGone', { shown: format.number(goneCount) })) : null;
  return (
    <section className={css.selection} aria-label={t('list.selection')}>
      <strong aria-live="polite">{gone === null ? selected : `${selected} · ${gone}`}</strong>
      {props.children}
      <Button kind="quiet" onPress={clear}>
        {t('list.clearSelection')}
      </Button>
    </section>
  );
}
