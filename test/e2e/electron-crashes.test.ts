import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { supportFiles } from '../../contract/diagnostics.ts';
import { cutOff } from '../harness/cut-off.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { seen } from '../harness/desktop-page.ts';
import {
  answerSaveDialog,
  type Desktop,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { showLook } from '../harness/show-look.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const offer = 'Sealdesk ended unexpectedly.';

const dumpsIn = (home: string) =>
  readdirSync(join(home, 'crashes'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.dmp'));
const logOf = (home: string) => readFileSync(join(home, 'logs', 'sealdesk.log'), 'utf8');

/** Ends the window's process by a fault of its own; the program goes on and loads the page again. */
async function crashWindow({ app }: Desktop): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((done) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        contents?.once('render-process-gone', () => contents.once('did-finish-load', () => done()));
        contents?.forcefullyCrashRenderer();
      }),
  );
}

/** The text of the page, through the main process: the test tool gives up a page that crashed. */
const textOf = ({ app }: Desktop) =>
  app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
  );

describe.skipIf(why !== '')(`unexpected ends in real Electron${why}`, () => {
  afterAll(removeHomes);

  it('keeps a memory image of a crashed window here, offers a report at once and at the next start, and never asks the network', async () => {
    const home = newHome();
    mkdirSync(join(home, 'crashes', 'completed'), { recursive: true });
    for (let n = 0; n < 9; n += 1) writeFileSync(join(home, 'crashes', 'completed', `old-${n}.dmp`), 'old');
    const first = await startDesktop({ home });
    expect(await first.page.getByText(offer).count()).toBe(0);
    expect(dumpsIn(home)).toHaveLength(5);
    const reporter = await first.app.evaluate(({ crashReporter }) => crashReporter.getUploadToServer());
    expect(reporter).toBe(false);
    await crashWindow(first);
    await expect.poll(() => textOf(first)).toContain(offer);
    await expect.poll(() => dumpsIn(home).filter((name) => !name.includes('old-')).length).toBeGreaterThan(0);
    expect(statSync(join(home, 'crashes')).mode & 0o077).toBe(0);
    await first.quit();
    const lines = logOf(home);
    expect(lines).toMatch(/"message":"started","version":"[\d.]+","platform":"linux"/);
    expect(lines).toMatch(/"message":"a process ended","part":"window","reason":"(crashed|killed)"/);

    const second = await startDesktop({ home });
    const { page } = second;
    await seen(page, offer);
    await page.getByRole('button', { name: 'Show report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Diagnostics report' });
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Program' }).inputValue()).toContain('Program: 0.1.0');
    await dialog.getByText('Crashes', { exact: true }).click();
    const ends = await dialog.getByRole('textbox', { name: 'Crashes' }).inputValue();
    expect(ends).toMatch(/^20\d\d-\S+ window (crashed|killed)$/m);
    const target = join(home, 'report.zip');
    await answerSaveDialog(second.app, target);
    await dialog.getByRole('button', { name: 'Save report…' }).click();
    await expect.poll(() => existsSync(target)).toBe(true);
    await seen(page, 'Saved as report.zip');
    const saved = unzipSync(readFileSync(target));
    expect(Object.keys(saved).map((name) => name.split('/')[1])).toEqual(supportFiles.map((name) => `${name}.txt`));
    const shown = Object.entries(saved).find(([name]) => name.endsWith('/crashes.txt'))?.[1];
    expect(shown && strFromU8(shown)).toBe(ends);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await second.quit();

    const third = await startDesktop({ home });
    expect(await third.page.getByText(offer).count()).toBe(0);
    await third.quit();
  });

  it('offers a report after the program itself was killed, until it is dismissed', async () => {
    const home = newHome();
    const first = await startDesktop({ home });
    const child = first.app.process();
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
    const second = await startDesktop({ home });
    await seen(second.page, offer);
    const report = await ask(second, 'diagnostics.report', {});
    expect(report.files.find(({ name }) => name === 'crashes')?.text).toMatch(/program not-ended/);
    for (const zoom of [1, 2])
      for (const language of ['ar', 'de']) {
        await showLook(second, { size: [720, 600], zoom, language });
        const { page } = second;
        const title = await page.locator('main h1').boundingBox();
        const status = await page.locator('footer').boundingBox();
        expect(await cutOff(page)).toEqual([]);
        expect((title?.y ?? 0) + (title?.height ?? 0)).toBeLessThanOrEqual(status?.y ?? 0);
      }
    await showLook(second, {});
    await second.quit();
    const third = await startDesktop({ home });
    await seen(third.page, offer);
    await third.page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => third.page.getByText(offer).count()).toBe(0);
    await third.quit();
  });

  it('writes more or less into the log as a person chooses, and the usual after a restart', async () => {
    const home = newHome();
    const first = await startDesktop({ home });
    await ask(first, 'diagnostics.setLogLevel', { level: 'debug' });
    await ask(first, 'views.state', { screen: 'documents' });
    expect(logOf(home)).toMatch(/"level":"debug","message":"call","call":"views.state","ms":\d+/);
    expect((await ask(first, 'app.info', {})).log).toMatchObject({ level: 'debug', until: expect.any(String) });
    await first.quit();
    const second = await startDesktop({ home });
    expect((await ask(second, 'app.info', {})).log).toEqual({ level: 'info', until: null });
    await second.quit();
  });
});
