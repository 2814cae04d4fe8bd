import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
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

/** Length of the longest list that is read to see which ticked rows it still has: as many as most lists let tick. */
const mostRead = 10_000;

/** Rows stay ticked while the search changes, as they were when last seen; at most `most` are. */
export function usePicked<T>(list: Windowed<T>, keyOf: (row: T) => string, most: number): Picked<T> {
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

/** Filters, searches and refreshes take rows out of a list whose ticks stay. Only a list that was read whole tells. */
function useGoneCount<T>(list: Windowed<T>, keyOf: (row: T) => string, picked: ReadonlyMap<string, T>): number {
  const { total } = list;
  const { data } = useQuery({
    queryKey: [...list.name, list.asked, 'keys', total],
    queryFn: async () => (await list.readRows(0, (total ?? 0) - 1)).map(keyOf),
    enabled: picked.size > 0 && total !== null && total <= mostRead,
    gcTime: 0,
  });
  return useMemo(() => {
    if (data?.length !== total) return 0;
    const there = new Set(data);
    return [...picked.keys()].filter((key) => !there.has(key)).length;
  }, [data, total, picked]);
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
