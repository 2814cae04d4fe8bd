import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../harness/axe.ts';
import { type BrowserPreview, dropOnPage, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { examinedThemes } from '../harness/looks.ts';
import { plainPdf } from '../harness/pdf.ts';
import { settled } from '../harness/settled.ts';
import { step } from '../harness/step.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

/** Waits for a state by its own word, asking anew where the page does not ask by itself. */
const eventually = { timeout: 20_000, interval: 250 };

describe.skipIf(why !== '')(`the main job in a browser${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let folder: string;
  let documentId = '';
  const downloads = () => join(preview.dataDir, 'Downloads');

  beforeAll(async () => {
    if ('missing' in browser) return;
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-files-'));
    writeFileSync(join(folder, 'engagement letter.pdf'), plainPdf('engagement letter'));
    preview = await openPreview(browser.path);
    page = preview.page;
  });
  afterAll(async () => {
    await preview?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const go = (screen: string) =>
    page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('button', { name: new RegExp(`^${screen}`) })
      .click();

  async function choose(button: string, path: string) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).first().click();
    await (await chooser).setFiles([path]);
  }

  const violated: string[] = [];
  const examined: string[] = [];

  /** Looks at the screen as it is. What is found is told at the end: it must not keep the main job from going on. */
  async function examine(name: string) {
    for (const colorScheme of examinedThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page);
      violated.push(...(await violations(page, `${name}, ${colorScheme}`)));
      await preview.picture(`${name}-${colorScheme}`);
    }
    examined.push(name);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  it('registers a chosen PDF, downloads it and verifies the copy, on screens that are accessible', {
    timeout: 240_000,
  }, async () => {
    await step('says that nothing leaves this computer', async () => {
      await page.getByText('Practice: nothing leaves this computer').waitFor();
      expect(new URL(page.url()).search).toBe('');
      await examine('start');
    });

    await step('takes a chosen PDF and shows what registering costs before it is sent', async () => {
      await choose('Choose files…', join(folder, 'engagement letter.pdf'));
      await page.getByRole('list', { name: 'Selected files' }).getByText('engagement letter.pdf').waitFor();
      await examine('start-with-files');
      await page.getByRole('button', { name: /^Register 1 document/ }).click();
      await page.getByRole('textbox', { name: 'Client reference' }).fill('4711');
      await page.getByText('Uses up to 1 credit.', { exact: true }).waitFor();
      await examine('register');
      await page.getByRole('button', { name: /^Register .+…$/ }).click();
      await examine('register-confirm');
    });

    await step('registers it and shows its ID', async () => {
      const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
      await dialog.getByRole('button', { name: /^Register/ }).click();
      const job = page.getByRole('article', { name: 'engagement letter.pdf' });
      await job.getByText('Registered', { exact: true }).waitFor();
      documentId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(await job.innerText())?.[0] ?? '';
      expect(documentId).not.toBe('');
      await examine('jobs');
    });

    await step('shows its status and details', async () => {
      await go('Documents');
      await page.getByRole('row', { name: 'engagement letter' }).click();
      const panel = page.getByRole('complementary', { name: 'Document' });
      await panel.getByText(documentId).waitFor();
      await expect
        .poll(async () => {
          await panel.getByRole('button', { name: 'Check status' }).click();
          return panel.getByRole('status').first().innerText();
        }, eventually)
        .toContain('Completed');
      await panel.getByText('4711').first().waitFor();
      await examine('documents');
    });

    await step('downloads it', async () => {
      await page.getByRole('complementary').getByRole('button', { name: 'Download…' }).click();
      await page
        .getByRole('complementary', { name: 'Document' })
        .getByText(/Saved as/)
        .waitFor();
      expect(readdirSync(downloads())).toHaveLength(1);
    });

    await step('confirms what was downloaded, and not what was changed by one byte', async () => {
      const [name = ''] = readdirSync(downloads());
      const bytes = readFileSync(join(downloads(), name));
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
      bytes[30] = (bytes[30] ?? 0) ^ 1;
      writeFileSync(join(folder, 'changed.pdf'), bytes);
      writeFileSync(join(folder, 'as downloaded.pdf'), readFileSync(join(downloads(), name)));

      await go('Verify');
      await examine('verify-empty');
      // A browser gives files, not folders that can be looked at again.
      expect(await page.getByRole('button', { name: 'Watch folder…' }).count()).toBe(0);
      await choose('Add files…', join(folder, 'as downloaded.pdf'));
      const confirmed = page.getByRole('article', { name: 'as downloaded.pdf' });
      await confirmed.getByRole('heading', { name: 'Confirmed: registered and unchanged' }).waitFor();
      await confirmed.getByText(/^Downloaded here today .* from engagement letter$/).waitFor();
      await examine('verify-confirmed');
      // Looking at a PDF takes a process of its own, which only the desktop has: it is not offered here.
      await confirmed.getByRole('button', { name: 'Details' }).click();
      await page.getByRole('region', { name: 'This computer' }).waitFor();
      expect(await page.getByRole('button', { name: 'Show preview' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Close side panel' }).click();
      // The way back of the next page is at the same place: its tooltip is not part of the page.
      await page.mouse.move(640, 400);

      await dropOnPage(page, [join(folder, 'changed.pdf')]);
      const changed = page.getByRole('article', { name: 'changed.pdf' });
      await changed.getByRole('heading', { name: 'Changed after registration' }).waitFor();
      await examine('verify-not-confirmed');
    });

    await step('leads back to the first page of its own section', async () => {
      await page.getByRole('article', { name: 'changed.pdf' }).getByRole('button', { name: 'Details' }).click();
      await page.getByRole('button', { name: 'Close side panel' }).waitFor();
      await go('Verify');
      await page.getByRole('heading', { level: 2, name: 'Recent verifications' }).waitFor();
    });

    await step(
      'downloads all that is ticked into its own folder, and what is there already not a second time',
      async () => {
        await go('Documents');
        await page.getByRole('checkbox', { name: 'Select engagement letter' }).click();
        await page.getByRole('button', { name: 'Download 1…' }).click();
        await page.getByRole('main').getByText('1 document downloaded into Downloads').waitFor();
        expect(readdirSync(downloads())).toEqual(['engagement letter.pdf']);
      },
    );

    await step('opens the other screens', async () => {
      for (const screen of ['Connections', 'Settings']) {
        await go(screen);
        await page.getByRole('heading', { level: 1, name: screen }).waitFor();
        await examine(screen.toLowerCase());
      }
    });

    await step('is still there after the page was loaded again', async () => {
      await page.reload();
      await go('Documents');
      await page.getByRole('row', { name: 'engagement letter' }).waitFor();
    });

    await step('what was found on all screens', async () => {
      expect(examined).toHaveLength(11);
      expect(violated).toEqual([]);
      expect(preview.complaints).toEqual([]);
    });
  });

  it('lets nobody in without the token', async () => {
    const stranger = await page.context().browser()?.newContext();
    const other = await stranger?.newPage();
    const refused = other?.waitForResponse((response) => response.url().endsWith('/events'));
    await other?.goto(new URL(preview.address).origin);
    expect((await refused)?.status()).toBe(401);
    const info = await other?.evaluate(() =>
      (window as unknown as { bridge: { call(name: string, input: object): Promise<unknown> } }).bridge.call(
        'app.info',
        {},
      ),
    );
    expect(info).toMatchObject({ ok: false, failure: { note: 'the preview answered 401' } });
    await stranger?.close();
  });
});
