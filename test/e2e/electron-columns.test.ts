import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessible, go, middle, registerFilesInHand, seen } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const rem = 16;

describe.skipIf(why !== '')(`column widths in real Electron${why}`, () => {
  const home = newHome();
  let desktop: Desktop;

  const grid = () => desktop.page.getByRole('grid', { name: 'Documents' });
  const heading = (title: string) => grid().getByRole('columnheader', { name: title, exact: true });
  const edge = (title: string) => grid().getByRole('separator', { name: `Column width: ${title}`, exact: true });
  const width = async (part: Locator) => Math.round((await part.boundingBox())?.width ?? 0);
  /** Of the heading, which the cells below it share. */
  const widthOf = async (title: string, cell: number) => {
    const wide = await width(heading(title));
    expect(await width(grid().getByRole('row', { name: /Lease/ }).getByRole('gridcell').nth(cell))).toBe(wide);
    expect(await edge(title).getAttribute('aria-valuenow')).toBe(String(wide));
    return wide;
  };
  async function drag(title: string, by: number) {
    const box = await edge(title).boundingBox();
    if (!box) throw new Error('no edge');
    const { mouse } = desktop.page;
    await mouse.move(box.x + box.width / 2, box.y + 10);
    await mouse.down();
    await mouse.move(box.x + box.width / 2 + by / 2, box.y + 14, { steps: 4 });
    await mouse.move(box.x + box.width / 2 + by, box.y + 40, { steps: 4 });
  }
  const open = async () => {
    desktop = await startDesktop({ home });
    desktop.page.setDefaultTimeout(20_000);
  };

  beforeAll(async () => {
    const file = join(home, 'Lease.pdf');
    writeFileSync(file, plainPdf('Lease'));
    await open();
    await dropFiles(desktop.page, [file], await middle(desktop.page));
    await registerFilesInHand(desktop.page, 1);
    await seen(desktop.page, /^Registered$/, 20_000);
    await go(desktop.page, 'Documents');
    await grid().getByRole('row', { name: /Lease/ }).waitFor();
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('keeps a dragged edge below the pointer, and where it is let go', async () => {
    const before = await widthOf('Reference', 2);
    const from = (await edge('Reference').boundingBox())?.x ?? 0;
    await drag('Reference', 60);
    expect(Math.abs(((await edge('Reference').boundingBox())?.x ?? 0) - from - 60)).toBeLessThanOrEqual(1);
    expect(Math.abs((await widthOf('Reference', 2)) - before - 60)).toBeLessThanOrEqual(1);
    await desktop.page.mouse.up();
    expect(Math.abs((await widthOf('Reference', 2)) - before - 60)).toBeLessThanOrEqual(1);
  });

  it('restores the width when Esc ends a drag', async () => {
    const before = await widthOf('Reference', 2);
    await edge('Reference').focus();
    await drag('Reference', -40);
    await expect.poll(() => width(heading('Reference'))).toBeLessThan(before - 30);
    await desktop.page.keyboard.press('Escape');
    await desktop.page.mouse.up();
    await expect.poll(() => widthOf('Reference', 2)).toBe(before);
  });

  it('moves an edge by arrow keys within its bounds, and sorts nothing', async () => {
    const before = await widthOf('Status', 3);
    await edge('Status').focus();
    await desktop.page.keyboard.press('ArrowRight');
    await desktop.page.keyboard.press('ArrowRight');
    await desktop.page.keyboard.press('ArrowLeft');
    await expect.poll(() => widthOf('Status', 3)).toBe(before + rem);
    for (let n = 0; n < 40; n += 1) await desktop.page.keyboard.press('ArrowLeft');
    await expect.poll(() => widthOf('Status', 3)).toBe(3 * rem);
    expect(await heading('Status').getAttribute('aria-sort')).toBeNull();
    await accessible(desktop.page, 'columns', ['region']);
  });

  it('keeps widths over a restart', async () => {
    await edge('Reference').press('ArrowRight');
    for (let n = 0; n < 40; n += 1) await edge('Status').press('ArrowLeft');
    await expect.poll(() => width(heading('Status'))).toBe(3 * rem);
    const before = await width(heading('Reference'));
    await desktop.quit();
    await open();
    await go(desktop.page, 'Documents');
    await expect.poll(() => width(heading('Reference'))).toBe(before);
    expect(await width(heading('Status'))).toBe(3 * rem);
  });

  it('makes a column as wide as usual by a double click or Enter', async () => {
    await edge('Reference').press('ArrowRight');
    for (let n = 0; n < 40; n += 1) await edge('Status').press('ArrowLeft');
    await expect.poll(() => width(heading('Status'))).toBe(3 * rem);
    await edge('Status').dblclick();
    await expect.poll(() => width(heading('Status'))).toBeGreaterThanOrEqual(9 * rem);
    const fixed = await width(heading('Reference'));
    await edge('Reference').press('Enter');
    await expect.poll(() => width(heading('Reference'))).not.toBe(fixed);
  });
});
