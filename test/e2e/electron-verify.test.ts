import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ArchiveTree,
  archiveFiles,
  changedNames,
  changeSeven,
  namesOnCards,
  plantArchive,
  registerArchive,
  saveReports,
  storyTimeoutMs,
  within,
} from '../harness/archive.ts';
import { violations } from '../harness/axe.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { go, middle, seen } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { step } from '../harness/step.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const all = archiveFiles.toLocaleString('en-US');
const confirmed = `${(archiveFiles - changedNames.length).toLocaleString('en-US')} confirmed`;
const notConfirmed = `${changedNames.length} not confirmed`;

describe.skipIf(why !== '')(`verifying a folder in real Electron${why}`, () => {
  let desktop: Desktop;
  let home = '';
  let tree: ArchiveTree;

  beforeAll(async () => {
    home = newHome();
    tree = plantArchive(home);
    desktop = await startDesktop({ home: join(home, 'home') });
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  const names = async () => await namesOnCards(desktop);
  const firstNames = async () => (await names()).slice(0, changedNames.length).toSorted();

  async function accessible(name: string) {
    // The frames of other origins are looked at by nobody.
    expect(await violations(desktop.page, name, { withoutFrames: true })).toEqual([]);
  }

  it('names exactly the files that were changed, in results, details and reports, and after a restart', {
    timeout: storyTimeoutMs,
  }, async () => {
    /** A file that is confirmed. */
    let lookedAt = '';
    await step('begins with registered files, of which seven were changed since', async () => {
      await registerArchive(desktop, tree);
      changeSeven(tree);
    });

    await step('says what asking about many files takes before it begins', async () => {
      const { page } = desktop;
      await dropFiles(page, [tree.folder], await middle(page));
      await page.getByRole('button', { name: new RegExp(`^Verify ${all} files`) }).click();
      const dialog = page.getByRole('dialog', { name: `Verify ${all} files?` });
      await dialog.getByText(`${all} checks at most`).waitFor();
      expect((await ask(desktop, 'verify.runs', {})).total).toBe(0);
      await accessible('estimate');
      await dialog.getByRole('button', { name: `Verify ${all} files` }).click();
    });

    await step('names exactly the seven that were changed, first', async () => {
      const { page } = desktop;
      await page
        .getByRole('radio', { name: confirmed })
        .or(page.getByRole('button', { name: confirmed }))
        .waitFor(within);
      // Without waiting any longer than the end of the run is told: the cards say what the counters say.
      await expect.poll(firstNames, within).toEqual(changedNames);
      const headings = page.getByRole('article').getByRole('heading');
      // What is confirmed is folded behind them.
      expect(await headings.allTextContents()).toEqual(changedNames.map(() => 'Changed after registration'));
      await accessible('results');
    });

    await step('filters by a counter', async () => {
      const { page } = desktop;
      const counter = page
        .getByRole('radio', { name: notConfirmed })
        .or(page.getByRole('button', { name: notConfirmed }));
      await counter.click();
      await expect.poll(async () => (await names()).toSorted(), within).toEqual(changedNames);
      await counter.click();
      await page.getByRole('button', { name: /^Confirmed files: / }).click();
      await expect.poll(async () => (await names()).length, within).toBeGreaterThan(changedNames.length);
    });

    await step('goes from file to file beside the list by the arrows', async () => {
      const { page } = desktop;
      const [first, second] = (await names()).map((name) => name ?? '');
      const title = page.getByRole('complementary', { name: 'Details' }).getByRole('heading').first();
      await page.getByRole('article', { name: first }).getByRole('button', { name: 'Details' }).click();
      for (const [key, name] of [
        ['ArrowDown', second],
        ['ArrowUp', first],
        ['ArrowUp', first],
      ] as const) {
        await page.keyboard.press(key);
        await expect.poll(() => title.textContent(), within).toBe(name);
        expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-current'))).toBe('true');
      }
      await page.keyboard.press('Escape');
      await title.waitFor({ state: 'detached' });
    });

    await step('compares byte for byte only if asked, and never calls a difference more than that', async () => {
      const { page } = desktop;
      lookedAt = (await names())[changedNames.length] ?? '';
      await page.getByRole('article', { name: lookedAt }).getByRole('button', { name: 'Details' }).click();
      const here = page.getByRole('region', { name: 'This computer' });
      await here.getByText('Registered here', { exact: true }).waitFor();
      await page
        .getByRole('region', { name: 'The service', exact: true })
        .getByText('Confirmed: registered and unchanged')
        .waitFor();
      const copy = page.getByRole('region', { name: 'The service’s copy' });
      expect(await copy.count()).toBe(0);
      await page.getByRole('button', { name: 'Compare byte for byte' }).click();
      await copy.getByText('Not compared yet').waitFor();
      await copy.getByRole('button', { name: 'Compare with the service’s copy' }).click();
      await copy.getByText(/^(Same|Different) bytes$/).waitFor();
      expect(await page.getByText(/tamper|forg|fake/i).count()).toBe(0);
      await accessible('story');
    });

    await step('shows the file in a process of its own', async () => {
      const { app, page } = desktop;
      await page.getByRole('button', { name: 'Show preview' }).click();
      const shown = page.frameLocator('iframe');
      await shown.locator('canvas').first().waitFor(within);
      await shown.getByText(lookedAt).waitFor({ state: 'attached' });
      await page.getByText('of 1', { exact: true }).waitFor();
      const processes = await app.evaluate(({ BrowserWindow }) => {
        const top = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame;
        return { page: top?.osProcessId, viewer: top?.frames[0]?.osProcessId, url: top?.frames[0]?.url ?? '' };
      });
      expect(processes.url).toMatch(/^app:\/\/viewer\/index\.html#/);
      expect(processes.viewer).toBeGreaterThan(0);
      expect(processes.viewer).not.toBe(processes.page);
      await accessible('preview');
      await page.keyboard.press('Escape');
      await seen(page, `${all} files verified with`);
    });

    await step('saves reports that other programs read and that name the seven', async () => {
      const read = await saveReports(desktop, home, 'report');
      expect(read.notConfirmed).toEqual({ json: changedNames, csv: changedNames, pdf: changedNames });
      expect(read.fileCount).toEqual({ json: archiveFiles, csv: archiveFiles });
      for (const name of [lookedAt, `Contract ${archiveFiles}.pdf`]) expect(read.words).toContain(name);
      await accessible('reports');
    });

    await step('keeps the run over a restart, and opens nothing by itself', async () => {
      const { page } = desktop;
      await page
        .getByRole('article', { name: changedNames[0] ?? '' })
        .getByRole('button', { name: 'Details' })
        .click();
      await page.getByRole('button', { name: 'Show preview' }).click();
      await page.frameLocator('iframe').locator('canvas').first().waitFor(within);
      await desktop.quit();
      desktop = await startDesktop({ home: join(home, 'home') });
      await go(desktop.page, 'Verify');
      const kept = desktop.page.getByRole('article', { name: 'contracts' });
      await kept.getByText(notConfirmed).waitFor(within);
      expect(await desktop.page.locator('iframe').count()).toBe(0);
      await accessible('kept runs');
      await kept.getByRole('button', { name: 'Open' }).click();
      await expect.poll(firstNames, within).toEqual(changedNames);
    });
  });
});
