import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { go, middle, registerFilesInHand, seen, settled } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';
import { signatureSteps } from '../harness/signature-steps.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
/** Set to keep the pictures in docs/screenshots; else they are drawn and thrown away. */
const keep = process.env.SEALDESK_SCREENSHOTS === '1';
const pictures = resolve(import.meta.dirname, '..', '..', 'docs', 'screenshots');

describe.skipIf(why !== '')(`every screen at two widths in two themes, in real Electron${why}`, () => {
  let desktop: Desktop;
  let folder = '';
  beforeAll(async () => {
    folder = newHome();
    desktop = await startDesktop({ home: join(folder, 'home') });
    for (const name of ['Lease 2027, Harbour St 14', 'Annex B, insurance', 'Order 4471, cold storage']) {
      writeFileSync(join(folder, `${name}.pdf`), plainPdf(name));
    }
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('draws them without anything that scrolls sideways', async () => {
    const { page } = desktop;
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    for (const [name, show] of story()) {
      await show(page);
      for (const width of [1280, 720]) {
        for (const theme of ['light', 'dark'] as const) problems.push(...(await draw(name, theme, width)));
      }
    }
    expect(problems).toEqual([]);
  });

  /** Screens in the order in which a first user fills them. */
  function story(): readonly (readonly [string, (page: Page) => Promise<void>])[] {
    const files = ['Lease 2027, Harbour St 14', 'Annex B, insurance'].map((name) => join(folder, `${name}.pdf`));
    return [
      ['start', (page) => seen(page, 'What would you like to do?')],
      [
        'chooser',
        async (page) => {
          await dropFiles(page, files, await middle(page));
          await seen(page, /^2 files,/);
        },
      ],
      [
        'register',
        async (page) => {
          await page.getByRole('button', { name: /^Register 2 documents/ }).click();
          await seen(page, 'Summary');
        },
      ],
      [
        'jobs',
        async (page) => {
          await go(page, 'Start');
          await registerFilesInHand(page, 2);
          await expect.poll(() => page.getByText('Registered', { exact: true }).count(), { timeout: 20_000 }).toBe(2);
        },
      ],
      [
        'documents',
        async (page) => {
          await go(page, 'Documents');
          await page.getByRole('row', { name: /Lease 2027/ }).click();
          await page.getByRole('button', { name: 'Check status', exact: true }).click();
          await seen(page, /Completed|In progress/);
        },
      ],
      [
        'verify',
        async (page) => {
          await go(page, 'Start');
          await dropFiles(page, [...files, join(folder, 'Order 4471, cold storage.pdf')], await middle(page));
          await page.getByRole('button', { name: /^Verify 3 files/ }).click();
          // The counters come before the cards.
          await expect
            .poll(() => page.getByRole('heading', { name: 'Confirmed: registered and unchanged' }).count(), {
              timeout: 20_000,
            })
            .toBe(2);
        },
      ],
      [
        'verify-story',
        async (page) => {
          const card = page.getByRole('article', { name: 'Lease 2027, Harbour St 14.pdf' });
          await card.getByRole('button', { name: 'Details' }).click();
          await page.getByRole('button', { name: 'Compare byte for byte' }).click();
          const copy = page.getByRole('region', { name: 'The service’s copy' });
          await copy.getByRole('button', { name: 'Compare with the service’s copy' }).click();
          await copy.getByText(/^(Same|Different) bytes$/).waitFor();
        },
      ],
      [
        'verify-runs',
        async (page) => {
          await go(page, 'Start');
          await go(page, 'Verify');
          await seen(page, 'Recent verifications');
        },
      ],
      ...signatureSteps(desktop, folder),
      ['connections', (page) => go(page, 'Connections')],
      ['settings', (page) => go(page, 'Settings')],
    ];
  }

  async function draw(name: string, theme: 'light' | 'dark', width: number): Promise<string[]> {
    const { app, page } = desktop;
    // By the person's own way: what they prefer reaches the system's theme and from there the page.
    await page.evaluate(
      (chosen) =>
        (window as unknown as { bridge: { call(name: string, input: unknown): Promise<unknown> } }).bridge.call(
          'app.setPreferences',
          { theme: chosen },
        ),
      theme,
    );
    await app.evaluate(({ BrowserWindow }, wide) => BrowserWindow.getAllWindows()[0]?.setContentSize(wide, 800), width);
    await expect
      .poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches))
      .toBe(theme === 'dark');
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
    await page.mouse.move(0, 0);
    await settled(page);
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    if (keep) {
      mkdirSync(pictures, { recursive: true });
      const file = join(pictures, `${name}-${theme}-${width}.png`);
      writeFileSync(file, picture);
      // A third of the size where ImageMagick is at hand; the pictures are in the repository.
      spawnSync('convert', [file, '+dither', '-colors', '200', `PNG8:${file}`]);
    }
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    return sideways > 0 ? [`${name} at ${width} scrolls sideways by ${sideways}`] : [];
  }
});
