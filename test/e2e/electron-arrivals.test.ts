import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  beforeAll(async () => {
    folder = newHome();
    for (const name of ['first.pdf', 'second.pdf']) writeFileSync(join(folder, name), plainPdf(name));
    const files = [join(folder, 'first.pdf'), join(folder, 'not there.pdf')];
    desktop = await startDesktop({ home: join(folder, 'home'), files });
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('lie in the chooser when given on the command line', async () => {
    await seen(desktop.page, 'Files in hand');
    await seen(desktop.page, /^1 file,/);
    await seen(desktop.page, 'first.pdf');
  });

  it('come from a second start, which ends at once', async () => {
    const words = electronArguments(desktop.home, { files: ['second.pdf'] });
    const second = spawn(electronPath(), words, { cwd: folder, stdio: 'ignore' });
    const code = await new Promise((done) => second.once('exit', done));
    expect(code).toBe(0);
    await seen(desktop.page, /^2 files,/);
    await seen(desktop.page, 'second.pdf');
    expect(desktop.app.windows()).toHaveLength(1);
  });
});
