import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { violations } from '../harness/axe.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { middle } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { hostilePdfs } from '../harness/hostile-pdf.ts';
import { plainPdf } from '../harness/pdf.ts';
import { stream } from '../harness/pdf-revisions.ts';
import { showLook } from '../harness/show-look.ts';
import { unsignedPdf } from '../harness/signed-pdf.ts';
import { makeSigner } from '../harness/signers.ts';
import { sampled } from '../harness/test-length.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const hostile = hostilePdfs();
const signed = unsignedPdf({ text: 'rent 900' }).sign({ signer: makeSigner({ key: 'p256', name: 'Jane Doe' }) });
const forged = signed.replace({ 4: stream('', 'BT /F1 18 Tf 40 700 Td (rent 1900) Tj ET') });
const changed = (home: string) => join(home, 'hostile', 'changed.pdf');
const within = { timeout: 30_000, interval: 100 };

describe.skipIf(why !== '')(`hostile PDFs in the preview in real Electron${why}`, () => {
  let desktop: Desktop;
  const messages: string[] = [];

  /** A program that has verified the hostile files, one that is harmless, and one that was changed after signing. */
  async function open(home = newHome()): Promise<Desktop> {
    const folder = join(home, 'hostile');
    mkdirSync(folder);
    for (const [name, bytes] of Object.entries(hostile)) writeFileSync(join(folder, `${name}.pdf`), bytes);
    writeFileSync(join(folder, 'harmless.pdf'), plainPdf('harmless'));
    writeFileSync(changed(home), forged.bytes);
    const opened = await startDesktop({ home: join(home, 'home') });
    opened.page.on('dialog', (dialog) => {
      messages.push(dialog.message());
      void dialog.dismiss();
    });
    const { page } = opened;
    await dropFiles(page, [folder], await middle(page));
    await page.getByRole('button', { name: /^Verify \d+ files/ }).click();
    await page.getByRole('radio', { name: `${Object.keys(hostile).length + 2} not confirmed` }).waitFor(within);
    return opened;
  }

  const home = newHome();
  beforeAll(async () => {
    desktop = await open(home);
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  afterEach(async () => {
    const button = desktop.page.getByRole('button', { name: 'Close side panel' });
    if (await button.isVisible().catch(() => false)) await button.click();
  });

  async function lookAt(name: string, { page }: Desktop = desktop) {
    await page
      .getByRole('article', { name: `${name}.pdf` })
      .getByRole('button', { name: 'Details' })
      .click();
    await page.getByRole('button', { name: 'Show preview' }).click();
  }
  const back = () => desktop.page.getByRole('button', { name: 'Close side panel' }).click();
  const ended = () =>
    desktop.page
      .getByRole('region', { name: /^Preview of/ })
      .getByText(/^of [\d,.]+$|cannot be shown|stopped responding/)
      .first();

  it.each(sampled(Object.keys(hostile), { short: 4, ci: 4 }))('survives %s', async (name) => {
    const { app, page } = desktop;
    await lookAt(name);
    await ended().waitFor({ timeout: 45_000 });
    // The window answers at once, whatever the viewer is busy with.
    const before = Date.now();
    expect((await ask(desktop, 'app.info', {})).host).toBe('desktop');
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    expect(Date.now() - before).toBeLessThan(2_000);
    expect(messages).toEqual([]);
    expect(app.windows()).toHaveLength(1);
    expect(page.url()).toBe('app://sealdesk/index.html');
    await back();
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('draws one of a hundred thousand pages, and has places for a hundred', async () => {
    const { page } = desktop;
    await lookAt('a hundred thousand pages');
    await page.getByText('of 100,000', { exact: true }).waitFor(within);
    const field = page.getByRole('textbox', { name: 'Page' });
    await field.fill('99990');
    await field.press('Enter');
    const shown = page.frameLocator('iframe');
    await shown.locator('[data-page="99990"] canvas').waitFor(within);
    expect(await shown.locator('section').count()).toBeLessThanOrEqual(100);
    expect(await shown.locator('canvas').count()).toBeLessThan(10);
    await back();
  });

  it('gives the viewer nothing but the bytes it was opened for, in parts', async () => {
    const { page } = desktop;
    await lookAt('harmless');
    const shown = page.frameLocator('iframe');
    await shown.locator('canvas').first().waitFor(within);
    const reached = await shown.locator('main').evaluate(async () => {
      const status = async (address: string, range?: string) => {
        try {
          return (await fetch(address, range ? { headers: { Range: range } } : {})).status;
        } catch {
          return 'refused';
        }
      };
      const token = (JSON.parse(decodeURIComponent(location.hash.slice(1))) as { token: string }).token;
      return {
        bridge: 'bridge' in window,
        part: await status(`bytes/${token}`, 'bytes=0-9'),
        whole: await status(`bytes/${token}`),
        beyond: await status(`bytes/${token}`, 'bytes=99999999-99999999'),
        guessed: await status(`bytes/${'A'.repeat(32)}`, 'bytes=0-9'),
        page: await status('app://sealdesk/index.html'),
        outside: await status('https://example.com/'),
        up: await status('app://viewer/../main/main.js'),
      };
    });
    expect(reached).toEqual({
      bridge: false,
      part: 206,
      whole: 416,
      beyond: 416,
      guessed: 404,
      page: 'refused',
      outside: 'refused',
      up: 404,
    });
    await back();
  });

  it('shows what was signed beside the file as it is now, each from its own bytes, and neither once the file is another', async () => {
    const { page } = desktop;
    const compare = page.getByRole('button', { name: 'Compare with signed version…' });
    await page.getByRole('article', { name: 'changed.pdf' }).getByRole('button', { name: 'Details' }).click();
    await compare.click();
    const side = (title: string) => page.frameLocator(`iframe[title="${title}"]`);
    await side('Signed version').getByText('rent 900').waitFor({ state: 'attached', timeout: within.timeout });
    await side('Current version').getByText('rent 1900').waitFor({ state: 'attached', timeout: within.timeout });
    await page.getByText('1 difference on this page, framed').waitFor(within);
    expect(await side('Current version').locator('.change').count()).toBe(1);
    await side('Current version')
      .locator('main')
      .evaluate((main) => main.scrollTo(0, 40));
    await expect
      .poll(
        () =>
          side('Signed version')
            .locator('main')
            .evaluate((main) => main.scrollTop),
        within,
      )
      .toBe(40);
    const behind = await side('Signed version')
      .locator('main')
      .evaluate(async (_, end) => {
        const { token } = JSON.parse(decodeURIComponent(location.hash.slice(1))) as { token: string };
        const status = async (range: string) => (await fetch(`bytes/${token}`, { headers: { Range: range } })).status;
        return [await status(`bytes=${end - 1}-${end - 1}`), await status(`bytes=${end}-${end}`)];
      }, signed.bytes.length);
    expect(behind).toEqual([206, 416]);
    expect(await violations(page, 'both versions', { withoutFrames: true })).toEqual([]);
    // Where there is little room, a page that is gone to leaves the buttons where they are.
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('iframe').count(), within).toBe(0);
    await showLook(desktop, { zoom: 2 });
    await compare.click();
    await page.getByText('1 difference on this page, framed').waitFor(within);
    const scrolled = await page
      .getByRole('dialog')
      .evaluate((dialog) => [...dialog.querySelectorAll('*')].reduce((sum, { scrollTop }) => sum + scrollTop, 0));
    expect(scrolled).toBe(0);
    await showLook(desktop, {});
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('iframe').count(), within).toBe(0);
    writeFileSync(changed(home), signed.bytes);
    await compare.click();
    await page.getByText('The file has changed since it was verified').waitFor(within);
    expect(await page.locator('iframe').count()).toBe(0);
    await page.keyboard.press('Escape');
    await back();
  });

  // In a program of its own: the test tool takes a frame's end for the page's own and gives both up, so the main process is asked.
  it('goes on when the viewer’s process ends, and says so', async () => {
    const own = await open();
    onTestFinished(own.quit);
    const { app, page } = own;
    await lookAt('harmless', own);
    await page.frameLocator('iframe').locator('canvas').first().waitFor(within);
    const inPage = (script: string) =>
      app.evaluate(
        ({ BrowserWindow }, asked) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(asked),
        script,
      );
    const ids = await app.evaluate(({ BrowserWindow }) => {
      const top = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame;
      const viewer = top?.frames[0]?.osProcessId ?? 0;
      process.kill(viewer, 'SIGKILL');
      return { page: top?.osProcessId, viewer };
    });
    expect(ids.viewer).not.toBe(ids.page);
    await expect
      .poll(() => inPage("document.querySelector('[role=alert]')?.textContent ?? ''"), within)
      .toContain('The preview stopped responding');
    expect(await inPage("document.querySelectorAll('iframe').length")).toBe(0);
    expect(await inPage("bridge.call('app.info', {}).then((answer) => answer.ok)")).toBe(true);
    const now = await app.evaluate(
      ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.mainFrame.osProcessId,
    );
    expect(now).toBe(ids.page);
  });
});
