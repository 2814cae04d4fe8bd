import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionSettings } from '../../contract/connections.ts';
import { violations } from '../harness/axe.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { go } from '../harness/desktop-page.ts';
import { focusedName, press } from '../harness/keyboard.ts';
import { examinedThemes } from '../harness/looks.ts';
import { settled } from '../harness/settled.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

describe.skipIf(why !== '')(`help in a browser${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;

  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    page = preview.page;
  });
  afterAll(async () => {
    await preview?.close();
  });

  const help = () => page.getByRole('dialog', { name: 'Help' });
  const tour = () => page.getByRole('region', { name: 'First steps' });
  const shownTopic = () => help().getByRole('heading', { level: 2 }).nth(1).innerText();

  /** Nothing for axe to complain about at any size, and nothing that scrolls sideways. */
  async function examine(name: string) {
    const found: string[] = [];
    for (const colorScheme of examinedThemes) {
      for (const [width, height] of [
        [1280, 800],
        [720, 600],
        [640, 400],
      ] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width, height });
        await settled(page);
        found.push(...(await violations(page, `${name} ${colorScheme} ${width}`)));
        const over = await page.evaluate(() =>
          [...document.querySelectorAll('article, nav, section, header, main')].flatMap((box) =>
            box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 1 ? [`${box.tagName} ${box.className}`] : [],
          ),
        );
        found.push(...over.map((box) => `${name} ${width}: ${box} is wider than its place`));
        await preview.picture(`help-${name}-${colorScheme}-${width}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    expect(found).toEqual([]);
  }

  it('opens the guide at the section of the screen by F1, and returns the focus', { timeout: 240_000 }, async () => {
    await go(page, 'Documents');
    await page.getByRole('searchbox', { name: 'Search documents' }).focus();
    await press(page, 'F1');
    await expect.poll(shownTopic).toBe('Find and fetch documents');
    await expect.poll(() => focusedName(page)).toBe('Search help');
    await examine('guide');
    await press(page, 'Escape');
    await help().waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe('Search documents');
    await go(page, 'Verify');
    await page.getByRole('button', { name: 'Help', exact: true }).click();
    await expect.poll(shownTopic).toBe('Verify files');
    await press(page, 'Escape');
  });

  it('lists the shortcuts by "?", but not while a person types it', async () => {
    await go(page, 'Documents');
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('');
    await page.keyboard.type('why?');
    expect(await page.getByRole('searchbox', { name: 'Search documents' }).inputValue()).toBe('why?');
    expect(await help().count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('');
    await page.locator('main').focus();
    await page.keyboard.type('?');
    await expect.poll(shownTopic).toBe('Keyboard shortcuts');
    const row = help().locator('dl > div').filter({ hasText: 'Choose files' });
    expect(await row.locator('kbd').allInnerTexts()).toEqual(['Ctrl', 'O']);
    // The browser has no menu of ours.
    expect(await help().getByText('Full screen').count()).toBe(0);
    await examine('shortcuts');
    await press(page, 'Escape');
  });

  it('finds a place of the guide as a person types, by keyboard alone', { timeout: 240_000 }, async () => {
    await press(page, 'F1');
    await expect.poll(() => focusedName(page)).toBe('Search help');
    await page.keyboard.type('access code');
    await help()
      .getByText(/^\d+ results$/)
      .waitFor();
    const options = help().getByRole('option');
    expect(await options.first().innerText()).toContain('Access code');
    expect(await options.first().locator('mark').allInnerTexts()).toEqual(expect.arrayContaining(['Access', 'code']));
    // The first one has the keys already.
    await press(page, 'Enter');
    await expect.poll(shownTopic).toBe('Request signatures');
    const heading = help().getByRole('heading', { name: 'Access code', exact: true });
    await expect
      .poll(() => heading.evaluate((element) => element.getBoundingClientRect().top < innerHeight))
      .toBe(true);
    await expect.poll(() => focusedName(page)).toBe('Search help');
    await examine('search');
    await press(page, 'Escape');
    expect(await help().getByRole('searchbox').inputValue()).toBe('');
    await page.keyboard.type('zzz');
    await help().getByText('Nothing found for “zzz”').waitFor();
    await press(page, 'Escape', 'Escape');
    await help().waitFor({ state: 'detached' });
  });

  it('shows the pictures of the guide and follows its links', async () => {
    await go(page, 'Signatures');
    await press(page, 'F1');
    const picture = help().getByRole('img', { name: 'A request with its three signers beside the list' });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280);
    await help().getByRole('link', { name: 'Settings' }).click();
    await expect.poll(shownTopic).toBe('Settings');
    await press(page, 'Escape');
    expect(page.url()).not.toContain('#');
  });

  it('offers the tour once, and leads through it to a document that is registered and verified', {
    timeout: 240_000,
  }, async () => {
    await go(page, 'Start');
    await tour().getByRole('button', { name: 'No, thanks' }).waitFor();
    await examine('offer');
    await tour().getByRole('button', { name: 'Take the one-minute tour' }).click();
    await tour().getByText('Step 1 of 3').waitFor();
    await expect.poll(() => focusedName(page)).toBe('First steps');
    await examine('tour');
    await tour().getByRole('button', { name: 'Use sample documents' }).click();
    await tour().getByText('Step 2 of 3').waitFor();
    await page.getByRole('button', { name: 'Register 2 documents' }).click();
    await page.getByRole('button', { name: /^Register .+…$/ }).click();
    // A dialog keeps its own Esc: the tour goes on.
    await press(page, 'Escape');
    await tour().getByText('Step 2 of 3').waitFor();
    await page.getByRole('button', { name: /^Register .+…$/ }).click();
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Register 2 documents' });
    await confirm.click();
    await tour().getByText('Step 3 of 3').waitFor();
    await tour().getByRole('button', { name: 'Verify these files' }).click();
    await tour().getByText('Confirmed: you registered a document and verified it.').waitFor();
    await page.getByRole('heading', { name: 'Confirmed: registered and unchanged' }).first().waitFor();
    await examine('tour-done');
    await tour().getByRole('button', { name: 'Finish tour' }).click();
    await tour().waitFor({ state: 'detached' });
    expect(await ask(preview, 'documents.list', {})).toMatchObject({ total: 2 });
    expect(await ask(preview, 'app.offerTour', {})).toBe(false);
  });

  it('does nothing over another connection, and takes it into use again at the end', async () => {
    const settings = connectionSettings.parse({
      name: 'Head office',
      baseUrl: 'https://127.0.0.1:9',
      mainPath: '/api.asmx',
      namespaceUri: 'https://office.example/ns/',
    });
    const { id } = await ask(preview, 'connections.save', { settings });
    await ask(preview, 'connections.use', { id });
    await page.getByRole('button', { name: /^Connection: Head office/ }).waitFor();
    await press(page, 'F1');
    await help().getByRole('option', { name: 'First steps' }).click();
    await help().getByRole('button', { name: 'Start tour' }).click();
    await help().waitFor({ state: 'detached' });
    await tour().getByText('The tour uses the practice service.').waitFor();
    expect(await tour().getByRole('button').allInnerTexts()).toEqual(['Use practice service', 'Leave tour']);
    await tour().getByRole('button', { name: 'Use practice service' }).click();
    await tour().getByText('Step 1 of 3').waitFor();
    // Another connection in the middle stops it until the practice service is in use again.
    await ask(preview, 'connections.use', { id });
    await tour().getByText('The tour uses the practice service.').waitFor();
    await tour().getByRole('button', { name: 'Use practice service' }).click();
    await tour().getByRole('button', { name: 'Skip step' }).click();
    await page.getByRole('button', { name: 'Find…' }).focus();
    await press(page, 'Escape');
    await tour().waitFor({ state: 'detached' });
    expect(await focusedName(page)).toContain('Find…');
    await page.getByRole('button', { name: /^Connection: Head office/ }).waitFor();
    expect(preview.complaints).toEqual([]);
  });
});
