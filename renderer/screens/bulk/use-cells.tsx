import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk, BulkColumn, BulkRow } from '../../../contract/bulk.ts';
import { useCall } from '../../bridge/use-call.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import type { GridEditing } from '../../parts/grid/grid-column.ts';
import { columnIdOf, columnToMend, useProblemText } from './bulk-columns.tsx';
import { type CellChange, CellEditor } from './cell-editor.tsx';

/** By the row's number and not by its place: rows that are mended leave the list, and the others move up. */
interface Cell {
  readonly row: number;
  readonly columnId: string;
}

const keyOf = (cell: Cell) => `${cell.row} ${cell.columnId}`;

interface CellsProps {
  readonly bulk: Bulk;
  /** True after a person asked to mend rows: the next bad cell is opened. */
  readonly isMending: boolean;
  readonly onMending: (isMending: boolean) => void;
  /** The first row of the list; undefined until it is read. */
  readonly first: BulkRow | undefined;
  readonly box: { readonly current: HTMLElement | null };
}

/** The cell of a bulk that is being edited, and what saving it does. */
export function useCells(props: CellsProps) {
  const { bulk } = props;
  const { t } = useTranslation();
  const textOf = useProblemText(bulk.kind);
  const { cell, show, isOpen, close } = useOpenCell(props);
  const { save, saving, failure } = useSave(props, { show, isOpen, close });
  const editing: GridEditing<BulkRow> = {
    cell: cell && { key: String(cell.row), columnId: cell.columnId },
    canEdit: (row, columnId) =>
      row.jobId === null &&
      row.state !== 'cancelled' &&
      bulk.state !== 'sending' &&
      columnOf(bulk, columnId).column !== null,
    onEdit: ({ row }, columnId) => show({ row, columnId }),
    editor: (row, columnId) => {
      const { at, column } = columnOf(bulk, columnId);
      if (column === null) return null;
      const key = keyOf({ row: row.row, columnId });
      const problem = row.problems.find((one) => one.column === column);
      return (
        <CellEditor
          // Without the value: what is typed while the rows are read again stays.
          key={key}
          label={t('bulk.cell', { column: bulk.columns[at]?.heading || t(`bulk.column.${column}`), row: row.row })}
          value={row.cells[at] ?? ''}
          kind={kindOf(column)}
          problem={problem ? textOf(problem) : ''}
          busy={saving === key}
          onSave={(change, isLeft) => void save(row, columnId, change, isLeft)}
          onClose={close}
        />
      );
    },
  };
  return { failure, editing };
}

function useOpenCell({ isMending, onMending, first, box }: CellsProps) {
  const [cell, setCell] = useState<Cell | null>(null);
  // What is open when the answer of saving arrives, not when it was asked for.
  const open = useRef<Cell | null>(null);
  const show = (next: Cell | null) => {
    open.current = next;
    setCell(next);
  };
  const nextRow = isMending && cell === null && first ? first.row : null;
  const nextColumn = nextRow !== null && first ? columnToMend(first) : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another cell is to be mended
  useEffect(() => {
    if (nextRow !== null && nextColumn !== null) show({ row: nextRow, columnId: nextColumn });
  }, [nextRow, nextColumn]);
  return {
    cell,
    show,
    isOpen: (one: Cell) => open.current !== null && keyOf(open.current) === keyOf(one),
    /** `isLeft`: the person went elsewhere, and the focus stays there. */
    close: (isLeft: boolean) => {
      show(null);
      onMending(false);
      if (!isLeft) focusGrid(box.current);
    },
  };
}

function focusGrid(box: HTMLElement | null): void {
  const at = document.activeElement;
  if (at === document.body || box?.contains(at)) box?.querySelector<HTMLElement>('[role="grid"]')?.focus();
}

function useSave(
  { bulk, isMending, box }: CellsProps,
  { show, isOpen, close }: Pick<ReturnType<typeof useOpenCell>, 'show' | 'isOpen' | 'close'>,
) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const announce = useAnnounce();
  const textOf = useProblemText(bulk.kind);
  const mend = useCall('bulk.mend');
  /** Key of the cell that is being saved; others can be typed in. */
  const [saving, setSaving] = useState<string | null>(null);

  /** The row is known at once; whether it is still in the list is read again. */
  function keep(saved: BulkRow): void {
    const queryKey = ['bulk-rows', bulk.id];
    client.setQueriesData<{ readonly rows: readonly BulkRow[]; readonly total: number }>({ queryKey }, (page) =>
      page ? { ...page, rows: page.rows.map((one) => (one.row === saved.row ? saved : one)) } : undefined,
    );
    void client.invalidateQueries({ queryKey });
  }

  async function save(row: BulkRow, columnId: string, change: CellChange, isLeft: boolean) {
    const { at, column } = columnOf(bulk, columnId);
    const cell = { row: row.row, columnId };
    if (column === null || saving === keyOf(cell)) return;
    if (change.fileToken === undefined && change.value === row.cells[at] && column !== 'secretWord') {
      if (columnToMend(row) !== column) close(isLeft);
      return;
    }
    setSaving(keyOf(cell));
    const saved = await mend.run({ id: bulk.id, row: row.row, column, ...change });
    setSaving((now) => (now === keyOf(cell) ? null : now));
    if (!saved.ok) return;
    const left = saved.value.problems.find((one) => one.column === column && one.severity === 'error');
    announce(left ? textOf(left) : t('bulk.mended', { row: row.row }));
    keep(saved.value);
    if (!isOpen(cell) || (left && !isLeft)) return;
    const others = bulk.counts.withErrors - (columnToMend(saved.value) === null ? 1 : 0);
    if (isLeft || !isMending || others <= 0) return close(isLeft);
    show(null);
    // Until the next bad cell is read and opened.
    focusGrid(box.current);
  }
  return { save, saving, failure: mend.failure };
}

function columnOf(bulk: Bulk, columnId: string) {
  const at = bulk.columns.findIndex((column, index) => columnIdOf(column, index) === columnId);
  return { at, column: bulk.columns[at]?.column ?? null };
}

function kindOf(column: BulkColumn): 'text' | 'name' | 'email' | 'secret' | 'file' {
  if (column === 'secretWord') return 'secret';
  if (column === 'file') return 'file';
  const [, person] = /^(name|email)\d$/.exec(column) ?? [];
  return person === 'name' || person === 'email' ? person : 'text';
}
