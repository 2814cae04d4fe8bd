import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seen } from '../harness/desktop-page.ts';
import {
  type Desktop,
  electronArguments,
  electronPath,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

describe.skipIf(why !== '')(`files from outside the window, in real Electron${why}`, () => {
  let desktop: Desktop;
  let folder = '';
  // One file is given at the start: what comes later is added to it.
  beforeEach(async () => {
    folder = newHome();
    for (const name of ['first.pdf', 'second.pdf', 'third.pdf']) writeFileSync(join(folder, name), plainPdf(name));
    const files = [join(folder, 'first.pdf'), join(folder, 'not there.pdf')];
    desktop = await startDesktop({ home: join(folder, 'home'), files });
  });
  afterEach(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('are in the chooser when given on the command line', async () => {
    await seen(desktop.page, 'Selected files');
    await seen(desktop.page, /^1 file,/);
    await seen(desktop.page, 'first.pdf');
  });

  it('are handed over by a second start, which ends at once', async () => {
    await seen(desktop.page, /^1 file,/);
    const words = electronArguments(desktop.home, { files: ['second.pdf'] });
    const second = spawn(electronPath(), words, { cwd: folder, stdio: 'ignore' });
    const code = await new Promise((done) => second.once('exit', done));
    expect(code).toBe(0);
    await seen(desktop.page, /^2 files,/);
    await seen(desktop.page, 'second.pdf');
    expect(desktop.app.windows()).toHaveLength(1);
  });

  it('are added by the picker of the menu', async () => {
    await seen(desktop.page, /^1 file,/);
    await desktop.app.evaluate(
      ({ dialog, Menu }, path) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] });
        const file = Menu.getApplicationMenu()?.items.find((item) => item.label === '&File');
        file?.submenu?.items.find((item) => item.label === 'Open Files…')?.click();
      },
      join(folder, 'third.pdf'),
    );
    await seen(desktop.page, /^2 files,/);
    await seen(desktop.page, 'third.pdf');
  });

  it('can still be taken by a page that was loaded again after a crash', async () => {
    const { app, page } = desktop;
    await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const back = new Promise<void>((done) => contents?.once('did-finish-load', () => done()));
      contents?.forcefullyCrashRenderer();
      return back;
    });
    const answer = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
        "bridge.call('app.info', {}).then((answer) => answer.ok)",
      ),
    );
    expect(answer).toBe(true);
    expect(page.url()).toMatch(/^app:\/\/sealdesk\//);
  });
});
