import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import css from './data-grid.module.css';
import { type GridWidths, narrowestRem, widestRem } from './grid-column.ts';

const stepRem = 1;

/** The functions by which separators change the columns of a grid. */
export interface Resizing {
  /** The rendered widths of this column and those before it, fixed so that the edge stays below the pointer. */
  drawnUpTo(columnId: string): GridWidths;
  /** Shows the columns with these widths without saving them. Without widths: with the saved ones. */
  show(widths?: GridWidths): void;
  keep(widths: GridWidths): void;
  /** Resets the column to its default width. */
  reset(columnId: string): void;
}

/** The edge of a column: drag it, or move it by the arrow keys; a double click or Enter resets the width, Esc cancels a drag. */
export function ColumnSeparator(props: {
  readonly columnId: string;
  readonly title: string;
  readonly resizing: Resizing;
}) {
  const { columnId, resizing } = props;
  const { t } = useTranslation();
  const bar = useRef<HTMLDivElement>(null);
  const now = useWidthOf(bar);
  const handlers = useColumnDrag(bar, columnId, resizing);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that can be moved is no line between paragraphs
    <div
      ref={bar}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('common.columnWidth', { title: props.title })}
      aria-valuenow={now}
      aria-valuemin={Math.round(narrowestRem * remPx())}
      aria-valuemax={Math.round(widestRem * remPx())}
      title={t('common.columnWidthTip')}
      tabIndex={0}
      className={css.separator}
      {...handlers}
    />
  );
}

/** Moves the edge of a column by pointer and by keys. */
function useColumnDrag(bar: { readonly current: HTMLElement | null }, columnId: string, resizing: Resizing) {
  const drag = useRef<{ readonly fromX: number; readonly from: GridWidths; to: GridWidths } | null>(null);
  const moved = (from: GridWidths, byRem: number): GridWidths => {
    const width = Math.max(narrowestRem, Math.min(widestRem, (from[columnId] ?? 0) + byRem));
    return { ...from, [columnId]: Math.round(width * 100) / 100 };
  };
  const toTheEnd = () => (bar.current && getComputedStyle(bar.current).direction === 'rtl' ? -1 : 1);

  function onPointerDown(event: PointerEvent) {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const from = resizing.drawnUpTo(columnId);
    drag.current = { fromX: event.clientX, from, to: from };
  }
  function onPointerMove(event: PointerEvent) {
    const { current } = drag;
    if (!current) return;
    current.to = moved(current.from, ((event.clientX - current.fromX) * toTheEnd()) / remPx());
    resizing.show(current.to);
  }
  function end(isKept: boolean) {
    const { current } = drag;
    drag.current = null;
    // A click without movement does not fix the width.
    if (current && isKept && current.to !== current.from) resizing.keep(current.to);
    else if (current) resizing.show();
  }
  function onKeyDown(event: KeyboardEvent) {
    const by: Record<string, number> = { ArrowLeft: -stepRem, ArrowRight: stepRem };
    const step = by[event.key];
    if (step !== undefined) resizing.keep(moved(resizing.drawnUpTo(columnId), step * toTheEnd()));
    else if (event.key === 'Enter') resizing.reset(columnId);
    else if (event.key === 'Escape' && drag.current) end(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return {
    onPointerDown,
    onPointerMove,
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
    onDoubleClick: () => resizing.reset(columnId),
    onKeyDown,
  };
}

/** The width of the heading that contains the bar, in px. */
function useWidthOf(bar: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const heading = bar.current?.parentElement;
    if (!heading) return;
    const observer = new ResizeObserver(() => setWidth(Math.round(heading.getBoundingClientRect().width)));
    observer.observe(heading);
    return () => observer.disconnect();
  }, [bar]);
  return width;
}

/** Pixels of one rem, which depends on the person's text size. */
export function remPx(): number {
  known ??= Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return known;
}

/** Kept, because asking computes all styles that changed. A larger text size leaves fewer of them in the window. */
let known: number | null = null;
addEventListener('resize', () => {
  known = null;
});
