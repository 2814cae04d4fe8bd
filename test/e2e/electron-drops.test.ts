import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { go, middle, seen } from '../harness/desktop-page.ts';
import {
  answerOpenDialogs,
  type Desktop,
  dropFiles,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

describe.skipIf(why !== '')(`what is dropped once more in real Electron${why}`, () => {
  let desktop: Desktop;
  let folder = '';
  const file = () => join(folder, 'Lease 2027.pdf');
  const annexes = () => join(folder, 'annexes');

  beforeEach(async () => {
    folder = newHome();
    mkdirSync(annexes());
    writeFileSync(join(annexes(), 'Annex A.pdf'), plainPdf('Annex A'));
    writeFileSync(file(), '');
    desktop = await startDesktop({ home: join(folder, 'home') });
  });
  afterEach(async () => {
    await desktop?.quit();
    removeHomes();
  });

  const drop = async (...paths: string[]) => dropFiles(desktop.page, paths, await middle(desktop.page));

  it('is read again after the list was cleared: a repaired file, a new file in a folder', async () => {
    await drop(file(), annexes());
    await seen(desktop.page, /^2 files, 1 folder, \d/);
    await seen(desktop.page, /^1 cannot be registered/);
    await desktop.page.getByRole('button', { name: 'Clear list' }).click();
    writeFileSync(file(), plainPdf('repaired'));
    writeFileSync(join(annexes(), 'Annex B.pdf'), plainPdf('Annex B'));
    await drop(file(), annexes());
    await seen(desktop.page, /^3 files, 1 folder, \d/);
    await seen(desktop.page, /^Register 3 documents/);
  });

  it('is read again while it is shown, and stands there once', async () => {
    writeFileSync(file(), plainPdf('Lease'));
    await drop(file(), annexes());
    await seen(desktop.page, /^2 files, 1 folder, \d/);
    writeFileSync(join(annexes(), 'Annex B.pdf'), plainPdf('Annex B'));
    await drop(file(), annexes());
    await seen(desktop.page, /^3 files, 1 folder, \d/);
    const list = desktop.page.getByRole('list', { name: 'Selected files' });
    expect(await list.getByText('Lease 2027.pdf').count()).toBe(1);
    expect(await list.getByText('annexes').count()).toBe(1);
    writeFileSync(join(annexes(), 'Annex C.pdf'), plainPdf('Annex C'));
    await answerOpenDialogs(desktop.app, [[file()]]);
    await desktop.page.getByRole('button', { name: 'Add files…' }).click();
    await seen(desktop.page, /^4 files, 1 folder, \d/);
    expect(await list.getByText('Lease 2027.pdf').count()).toBe(1);
  });

  it('is read again when a screen begins to show it', async () => {
    writeFileSync(file(), plainPdf('Lease'));
    await drop(file(), annexes());
    await seen(desktop.page, /^Register 2 documents/);
    writeFileSync(file(), '');
    await desktop.page.getByRole('button', { name: /^Register 2 documents/ }).click();
    await seen(desktop.page, /^1 file\b/);
    writeFileSync(file(), plainPdf('repaired once more'));
    await go(desktop.page, 'Start');
    await seen(desktop.page, /^Register 2 documents/);
  });
});
