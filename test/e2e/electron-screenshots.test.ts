import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languageTags } from '../../contract/languages.ts';
import { cutOff } from '../harness/cut-off.ts';
import { go, middle, registerFilesInHand, seen } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { looks, looksOf } from '../harness/looks.ts';
import { plainPdf } from '../harness/pdf.ts';
import { asWebp } from '../harness/picture-sheet.ts';
import { showLook } from '../harness/show-look.ts';
import { drawSignatures } from '../harness/signature-pictures.ts';
import { signatureSteps } from '../harness/signature-steps.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
/** Set to keep the pictures in docs/screenshots, which the user guide shows too; else they are looked at by the program and thrown away. */
const keep = process.env.SEALDESK_SCREENSHOTS === '1';
const pictures = resolve(import.meta.dirname, '..', '..', 'docs', 'screenshots');

describe.skipIf(why !== '')(`pictures of every screen in every look, in real Electron${why}`, () => {
  let desktop: Desktop;
  /** By look, in the order of the story. */
  const shots: Record<string, Buffer[]> = {};
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

  it('draws them, and nothing is cut or covered', { timeout: 600_000 }, async () => {
    const { page } = desktop;
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await showLook(desktop, {});
    for (const [at, [name, toScreen]] of story().entries()) {
      await toScreen(page);
      problems.push(...(await draw(name, keep ? Object.entries(looks) : looksOf(at))));
    }
    if (keep) {
      for (const [look, all] of Object.entries(shots))
        if (sheets.has(look)) save(`overview-${look}.webp`, await asWebp(page, all, { columns: 4, width: 560 }));
    }
    expect(problems).toEqual([]);
  });

  it('draws what is said about signed PDFs', { timeout: 120_000 }, async () => {
    const { page } = desktop;
    // The story before ends in an open dialog.
    await page.keyboard.press('Escape');
    await showLook(desktop, { size: [960, 800] });
    for (const [name, picture] of Object.entries(await drawSignatures(desktop, folder))) {
      const width = picture.readUInt32BE(16);
      if (keep) save(`signatures/${name}.webp`, await asWebp(page, [picture], { columns: 1, width }));
    }
  });

  /** Screens in the order in which a first user fills them. */
  function story(): readonly (readonly [string, (page: Page) => Promise<void>])[] {
    const files = ['Lease 2027, Harbour St 14', 'Annex B, insurance'].map((name) => join(folder, `${name}.pdf`));
    return [
      ['start', (page) => seen(page, 'Drop documents here')],
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
          await seen(page, /^Uses up to \d/);
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
      ['connections-add', (page) => page.getByRole('button', { name: 'Add connection…' }).click()],
      ['settings', (page) => go(page, 'Settings')],
      [
        'find',
        async (page) => {
          await page.getByRole('button', { name: 'Find…' }).click();
          await page.getByRole('dialog').getByRole('combobox').fill('lease');
          await page.getByRole('option').first().waitFor();
        },
      ],
      [
        'help',
        async (page) => {
          // The first one clears the text.
          for (let times = 0; times < 2; times += 1) await page.keyboard.press('Escape');
          await go(page, 'Verify');
          await page.keyboard.press('F1');
          await page.getByRole('dialog', { name: 'Help' }).getByRole('img').first().waitFor();
        },
      ],
    ];
  }

  /** One picture of a screen in each of these looks, and those of the guide in each language. */
  async function draw(name: string, inLooks: ReturnType<typeof looksOf>): Promise<string[]> {
    const { page } = desktop;
    const problems: string[] = [];
    for (const [look, how] of inLooks) {
      await showLook(desktop, how);
      shots[look] = [...(shots[look] ?? []), await shot(desktop)];
      problems.push(...(await cutOff(page)).map((problem) => `${name}, ${look}: ${problem}`));
    }
    for (const language of keep && guidePictures.has(name) ? languageTags : []) {
      await showLook(desktop, { language });
      save(`guide/${language}/${name}.webp`, await asWebp(page, [await shot(desktop)], { columns: 1, width: 1280 }));
    }
    await showLook(desktop, {});
    return problems;
  }
});

/** Screens that the user guide shows. */
const guidePictures: ReadonlySet<string> = new Set([
  'bulk',
  'chooser',
  'compose',
  'connections',
  'documents',
  'jobs',
  'register',
  'signatures',
  'verify',
]);

/** Looks of which a sheet is kept; the others are looked at only. */
const sheets: ReadonlySet<string> = new Set([
  'light',
  'dark',
  'high-contrast',
  'forced-colours',
  'arabic',
  'small',
  '200-percent',
]);

/** The window's content as it is drawn: a picture of the page alone would cut off what zoom makes larger. */
async function shot({ app }: Desktop): Promise<Buffer> {
  const picture = await app.evaluate(async ({ BrowserWindow }) => {
    const drawn = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
    return drawn?.toPNG().toString('base64');
  });
  return Buffer.from(picture ?? '', 'base64');
}

function save(path: string, picture: Buffer): void {
  const file = join(pictures, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, picture);
}
