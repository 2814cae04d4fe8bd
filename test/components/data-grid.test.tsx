import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { DataGrid } from '../../renderer/parts/grid/data-grid.tsx';
import type { GridColumn, GridSorting, GridWidths } from '../../renderer/parts/grid/grid-column.ts';
import { type Shown, showPart } from './harness/show.tsx';

interface Row {
  readonly id: string;
  readonly size: number;
}

const total = 100_000;
const columns: readonly GridColumn<Row, 'name' | 'size'>[] = [
  { id: 'name', title: 'Name', width: 'minmax(10rem, 2fr)', sortable: true, cell: ({ id }) => id },
  { id: 'size', title: 'Size', width: '8rem', fold: 1, isNumber: true, sortable: true, cell: ({ size }) => size },
];
const rowAt = (index: number): Row => ({ id: `Row ${index}`, size: index * 10 });
/** Of one row that is drawn: heading and rows count from 1. */
const ariaRow = (index: number) => document.querySelector(`[role="row"][aria-rowindex="${index + 2}"]`);
const remPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** What the grid called back with, latest last. */
const called = { ranges: [] as [number, number][], chosen: [] as string[], sorted: [] as GridSorting<string>[] };

/** A screen's use of the grid: keeps what is chosen, ticked, sorted and how wide columns are. */
function Documents(props: { readonly widthRem?: number; readonly isEnterNeeded?: boolean; readonly above?: string }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  const [anchor, setAnchor] = useState(0);
  const [sorting, setSorting] = useState<GridSorting<string> | null>(null);
  const [widths, setWidths] = useState<GridWidths>({});
  return (
    <div style={{ blockSize: 600, inlineSize: `${props.widthRem ?? 50}rem`, display: 'flex', flexDirection: 'column' }}>
      {props.above ? <p style={{ blockSize: 50, flex: 'none' }}>{props.above}</p> : null}
      <DataGrid
        label="Documents"
        columns={columns}
        total={total}
        rowAt={rowAt}
        keyOf={({ id }) => id}
        chosen={chosen}
        onChoose={({ id }) => {
          called.chosen.push(id);
          setChosen(id);
        }}
        onRange={noteRange}
        isEnterNeeded={props.isEnterNeeded ?? false}
        sorting={sorting}
        onSort={(next) => {
          called.sorted.push(next);
          setSorting(next);
        }}
        picking={{
          isPicked: ({ size }) => picked.has(size / 10),
          onPick: (index, isRange) => {
            const from = isRange ? Math.min(anchor, index) : index;
            const to = isRange ? Math.max(anchor, index) : index;
            setAnchor(index);
            setPicked(new Set([...picked, ...Array.from({ length: to - from + 1 }, (_one, at) => from + at)]));
          },
          all: picked.size === total ? true : picked.size > 0 ? 'some' : false,
          onPickAll: (isPicked) => setPicked(new Set(isPicked ? Array.from({ length: total }, (_one, at) => at) : [])),
          label: ({ id }) => `Select ${id}`,
          allLabel: 'Select all',
        }}
        sizing={{ widths, onWidths: setWidths }}
      />
      <output aria-label="Selected">{picked.size}</output>
    </div>
  );
}

function noteRange(first: number, last: number): void {
  called.ranges.push([first, last]);
}

describe('a grid of 100,000 rows', () => {
  const grid = page.getByRole('grid', { name: 'Documents' });
  const selected = page.getByRole('status', { name: 'Selected' });
  let drawn: Shown;
  beforeEach(async () => {
    called.ranges = [];
    called.chosen = [];
    called.sorted = [];
    drawn = showPart(<Documents />);
    await expect.element(page.getByText('Row 0', { exact: true })).toBeVisible();
  });

  async function focusGrid() {
    (grid.element() as HTMLElement).focus();
    await expect.element(grid).toHaveFocus();
  }

  it('draws only what is seen while each frame shows other rows, and some beyond the edges once scrolling slows down', async () => {
    const drawnRows = () => document.querySelectorAll('[role="row"]').length - 1;
    const seen = Math.ceil(grid.element().clientHeight / (2.25 * remPx())) + 1;
    await expect.poll(drawnRows).toBeGreaterThan(seen);
    let least = Number.POSITIVE_INFINITY;
    for (let frame = 1; frame <= 10; frame += 1) {
      grid.element().scrollTo({ top: frame * 5_000 });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      least = Math.min(least, drawnRows());
    }
    expect(least).toBeLessThanOrEqual(seen);
    await expect.poll(drawnRows).toBeGreaterThan(seen + 12);
  });

  it('draws the rows that come in where others left, however far it scrolls, instead of making new ones', async () => {
    const drawn = () => [...document.querySelectorAll('[role="row"]')];
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await frame();
    for (const top of [5_000, 1_000_000, 1_002_600, 20_000]) {
      const before = new Set(drawn());
      grid.element().scrollTo({ top });
      await frame();
      expect(drawn().filter((row) => !before.has(row))).toHaveLength(Math.max(0, drawn().length - before.size));
      expect(ariaRow(Math.ceil(top / (2.25 * remPx())) + 1)?.textContent).toContain(
        `Row ${Math.ceil(top / (2.25 * remPx())) + 1}`,
      );
    }
  });

  it('draws only the rows that are visible, and tells screen readers how many there are', async () => {
    expect(document.querySelectorAll('[role="row"]').length).toBeLessThan(60);
    expect(grid.element().getAttribute('aria-rowcount')).toBe(String(total + 1));
    grid.element().scrollTo({ top: 50_000 * 2.25 * remPx() });
    await expect.element(page.getByText('Row 50000', { exact: true })).toBeVisible();
    expect(document.querySelectorAll('[role="row"]').length).toBeLessThan(60);
    const [first, last] = called.ranges.at(-1) ?? [0, 0];
    expect(first).toBeLessThanOrEqual(50_000);
    expect(last).toBeGreaterThanOrEqual(50_000);
    expect(last - first).toBeLessThan(60);
  });

  it('keeps its first row below the heading when something appears above it', async () => {
    drawn.draw(<Documents above="Finished" />);
    await expect.element(page.getByText('Finished')).toBeVisible();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(grid.element().scrollTop).toBe(0);
  });

  it('is one stop for Tab, and moves by arrows, pages, Home and End', async () => {
    await focusGrid();
    await userEvent.keyboard('{ArrowDown}');
    expect(called.chosen).toEqual(['Row 0']);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(called.chosen.at(-1)).toBe('Row 1');
    await userEvent.keyboard('{End}');
    await expect.element(page.getByText(`Row ${total - 1}`, { exact: true })).toBeVisible();
    expect(called.chosen.at(-1)).toBe(`Row ${total - 1}`);
    await userEvent.keyboard('{ArrowDown}');
    expect(called.chosen.at(-1)).toBe(`Row ${total - 1}`);
    await userEvent.keyboard('{Home}');
    await expect.element(page.getByText('Row 0', { exact: true })).toBeVisible();
    await userEvent.keyboard('{PageDown}');
    const page1 = Number(called.chosen.at(-1)?.slice(4));
    expect(page1).toBeGreaterThan(8);
    await userEvent.keyboard('{PageUp}');
    expect(called.chosen.at(-1)).toBe('Row 0');
    await expect.element(grid).toHaveFocus();
  });

  it('names the row that the keys are at as the active one', async () => {
    await focusGrid();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    const active = () => grid.element().getAttribute('aria-activedescendant') ?? '';
    await expect.poll(active).toBe(ariaRow(1)?.id);
    expect(document.getElementById(active())?.textContent).toContain('Row 1');
  });

  it('ticks one row by Space, those up to another by Shift, and all by Ctrl+A', async () => {
    await focusGrid();
    await userEvent.keyboard('{ArrowDown} ');
    await expect.element(selected).toHaveTextContent('1');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Shift>} {/Shift}');
    await expect.element(selected).toHaveTextContent('4');
    expect(ariaRow(3)?.getAttribute('aria-selected')).toBe('true');
    expect(ariaRow(4)?.getAttribute('aria-selected')).toBe('false');
    await page.getByText('Row 9', { exact: true }).click({ modifiers: ['Shift'] });
    await expect.element(selected).toHaveTextContent('10');
    const all = page.getByRole('checkbox', { name: 'Select all' });
    expect((all.element() as HTMLInputElement).indeterminate).toBe(true);
    await focusGrid();
    await userEvent.keyboard('{Control>}a{/Control}');
    await expect.element(selected).toHaveTextContent(String(total));
    await expect.element(all).toBeChecked();
  });

  it('says which column is sorted and in which direction', async () => {
    const heading = page.getByRole('columnheader', { name: 'Size' });
    await expect.element(heading).not.toHaveAttribute('aria-sort');
    await page.getByRole('button', { name: 'Size' }).click();
    await expect.element(heading).toHaveAttribute('aria-sort', 'ascending');
    await page.getByRole('button', { name: 'Size' }).click();
    await expect.element(heading).toHaveAttribute('aria-sort', 'descending');
    await expect.element(page.getByRole('columnheader', { name: 'Name' })).not.toHaveAttribute('aria-sort');
    expect(called.sorted).toEqual([
      { column: 'size', descending: false },
      { column: 'size', descending: true },
    ]);
  });

  it('makes a column wider and narrower by arrow keys, within its bounds, without moving in the rows', async () => {
    const separator = page.getByRole('separator', { name: /Size/ });
    const width = () => document.querySelector('[data-column="size"]')?.getBoundingClientRect().width ?? 0;
    (separator.element() as HTMLElement).focus();
    expect(width()).toBeCloseTo(8 * remPx(), 0);
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    await expect.poll(width).toBeCloseTo(10 * remPx(), 0);
    await expect.element(separator).toHaveAttribute('aria-valuenow', String(Math.round(10 * remPx())));
    await userEvent.keyboard('{ArrowLeft>12/}');
    await expect.poll(width).toBeCloseTo(3 * remPx(), 0);
    await userEvent.keyboard('{Enter}');
    await expect.poll(width).toBeCloseTo(8 * remPx(), 0);
    expect(called.chosen).toEqual([]);
    expect(called.sorted).toEqual([]);
  });

  it('leaves out a column for which there is no room, and a person’s own width leaves out none', async () => {
    const headings = () =>
      page
        .getByRole('columnheader')
        .elements()
        .map((one) => one.getAttribute('aria-label'));
    drawn.draw(<Documents widthRem={20.5} />);
    await expect.poll(headings).toEqual([null, 'Name', 'Size']);
    drawn.draw(<Documents widthRem={20.4} />);
    await expect.poll(headings).toEqual([null, 'Name']);
    drawn.draw(<Documents widthRem={20.5} />);
    await expect.poll(headings).toEqual([null, 'Name', 'Size']);
    (page.getByRole('separator', { name: /Name/ }).element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowRight>6/}');
    await expect.poll(() => grid.element().scrollWidth).toBeGreaterThan(grid.element().clientWidth);
    expect(headings()).toEqual([null, 'Name', 'Size']);
  });

  it('only moves by arrows where what is chosen would hide it, and chooses by Enter', async () => {
    drawn.draw(<Documents isEnterNeeded />);
    await focusGrid();
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{End}{Home}{ArrowDown}');
    expect(called.chosen).toEqual([]);
    await userEvent.keyboard('{Enter}');
    expect(called.chosen).toEqual(['Row 1']);
  });
});

/** What a screen shows above its list once a row is chosen: more lines than before. */
function WithLineAbove() {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <div style={{ blockSize: 400, display: 'flex', flexDirection: 'column' }}>
      {chosen === null ? null : <p style={{ blockSize: 40, margin: 0 }}>Chosen: {chosen}</p>}
      <DataGrid
        label="Documents"
        columns={columns}
        total={26}
        rowAt={rowAt}
        keyOf={({ id }) => id}
        chosen={chosen}
        onChoose={({ id }) => setChosen(id)}
        onRange={() => undefined}
      />
    </div>
  );
}

it('has words above a slim column, too, as whoever looks hears no name of it', async () => {
  const slim = { width: '3rem', cell: () => '…' };
  const actions = { id: 'actions', title: 'Actions', width: '30rem', fold: 1, slim, cell: () => '…' } as const;
  showPart(
    <div style={{ blockSize: 200, inlineSize: '20rem', display: 'flex' }}>
      <DataGrid
        label="Requests"
        columns={[{ id: 'name', title: 'Name', width: 'minmax(10rem, 2fr)', cell: ({ id }: Row) => id }, actions]}
        total={1}
        rowAt={rowAt}
        keyOf={({ id }) => id}
        chosen={null}
        onChoose={() => undefined}
        onRange={noteRange}
        isEnterNeeded={false}
        sorting={null}
      />
    </div>,
  );
  const heading = page.getByRole('columnheader', { name: 'Actions' });
  await expect.element(heading).toHaveTextContent('Actions');
  expect(heading.element().clientWidth).toBeLessThan(60);
});

it('leaves a pressed row where it is when something appears above the list', async () => {
  showPart(<WithLineAbove />);
  const grid = page.getByRole('grid');
  await expect.element(grid).toBeVisible();
  grid.element().scrollTo({ top: 100_000 });
  await expect.poll(() => ariaRow(25)).not.toBeNull();
  const top = () => Math.round(ariaRow(25)?.getBoundingClientRect().top ?? -1);
  const before = top();
  await userEvent.click(ariaRow(25) as Element);
  await expect.element(page.getByText('Chosen: Row 25')).toBeVisible();
  await expect.poll(top).toBe(before);
});
