import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languageTags } from '../../contract/languages.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { cutOff } from '../harness/cut-off.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { fillWindow, takeFromPage } from '../harness/filled-window.ts';
import { type Look, looksOf, usual } from '../harness/looks.ts';
import { everyFew, openPlace, places } from '../harness/places.ts';
import { settled } from '../harness/settled.ts';
import { atLength, sampled } from '../harness/test-length.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

/** Every fifteenth place where somebody waits for it, every fifth before a change is taken; what screen readers hear is examined at others then (preview-accessible). */
const looked = atLength({ short: everyFew(places, 30), ci: everyFew(places, 8), all: places });

/** Looks like `invoice exe.pdf` where the sign is obeyed. */
const misleading = 'invoice \u202efdp.exe';

describe.skipIf(why !== '')(`every screen, dialog and menu in every look${why}`, () => {
  let preview: BrowserPreview;

  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    const { page } = preview;
    await fillWindow(page);
    const { currentId: connectionId } = await ask({ page }, 'connections.state', {});
    const { id } = await ask({ page }, 'files.scan', {
      tokens: await takeFromPage(page, [misleading]),
      purpose: 'register',
    });
    const duplicates = { otherwise: 'send' } as const;
    await ask({ page }, 'documents.register', { connectionId, intakeId: id, creditType: 1, duplicates });
    await openPlace(page, { name: 'list', kind: 'screen', rail: 'Signatures', steps: [] });
    await page.getByRole('row', { name: 'Lease 2027 · 0 of 1 signed' }).waitFor({ timeout: 20_000 });
  });
  afterAll(async () => {
    await preview?.close();
  });

  it('cuts, covers and mixes up nothing', { timeout: 600_000 }, async () => {
    const { page } = preview;
    const found: string[] = [];
    for (const [index, place] of looked.entries()) {
      await showIn(page, {});
      await openPlace(page, place);
      for (const [name, look] of looksOf(index)) {
        await showIn(page, look);
        await preview.picture(`${place.name} ${name}`);
        const problems = [...(await cutOff(page)), ...(await page.evaluate(overrides))];
        found.push(...problems.map((problem) => `${place.name}, ${name}: ${problem}`));
      }
    }
    expect(found).toEqual([]);
    expect(preview.complaints).toEqual([]);
  });

  it('has room for every language beside an open panel', async () => {
    const { page } = preview;
    const found: string[] = [];
    for (const place of places.filter(({ name }) => ['documents-selected', 'signatures-person'].includes(name))) {
      await showIn(page, {});
      await openPlace(page, place);
      for (const language of sampled(languageTags, { short: 5, ci: 2 })) {
        await showIn(page, { language });
        const grids = page.getByRole('grid');
        const sideways = await grids.evaluateAll((all) => all.some((one) => one.scrollWidth > one.clientWidth));
        const problems = [...(await cutOff(page)), ...(sideways ? ['the table scrolls sideways'] : [])];
        found.push(...problems.map((problem) => `${place.name}, ${language}: ${problem}`));
      }
    }
    expect(found).toEqual([]);
  });

  it('keeps the words of filters in the system’s high contrast', async () => {
    const { page } = preview;
    await showIn(page, {});
    await openPlace(page, { name: 'list', kind: 'screen', rail: 'Documents', steps: [] });
    await showIn(page, { forcedColours: true });
    const problems = await cutOff(page);
    await preview.picture('documents forced-colours');
    await showIn(page, {});
    expect(problems).toEqual([]);
  });

  it('gives a panel the place of its list in a narrow window, and the focus back', async () => {
    const { page } = preview;
    await showIn(page, { size: [720, 600] });
    await openPlace(page, { name: 'list', kind: 'screen', rail: 'Documents', steps: [] });
    const grid = page.getByRole('grid', { name: 'Documents' });
    const panel = page.getByRole('complementary');
    const back = panel.getByRole('button', { name: 'Back' });
    const isFocused = (part: Locator) => part.evaluate((one) => one === document.activeElement);
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    expect(await panel.count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(back)).toBe(true);
    expect(await grid.isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(grid)).toBe(true);
    await showIn(page, {});
    await page.getByRole('row', { name: /Annex B/ }).click();
    expect([await grid.isVisible(), await back.count()]).toEqual([true, 0]);
  });
});

/** Shows what is on screen in another look; screens, dialogs and menus stay open. */
async function showIn(page: Page, look: Partial<Look>): Promise<void> {
  const { theme, language, forcedColours, size, zoom } = { ...usual, ...look };
  await ask({ page }, 'app.setPreferences', { theme, language });
  await page.emulateMedia({ forcedColors: forcedColours ? 'active' : 'none', reducedMotion: 'reduce' });
  // For the page, zoom is a smaller window.
  await page.setViewportSize({ width: size[0] / zoom, height: size[1] / zoom });
  await page.mouse.move(0, 0);
  await page.waitForFunction((tag) => document.documentElement.lang === tag, language);
  await settled(page);
}

/** Runs in the page: texts that turn what follows them around, which names from outside must not bring along. */
function overrides(): string[] {
  const turns = /[\u202a-\u202e]/;
  const texts = [...document.querySelectorAll('body, body *')].flatMap((one) => [
    ...[...one.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.nodeValue ?? ''] : [])),
    ...['title', 'aria-label', 'alt', 'placeholder'].map((name) => one.getAttribute(name) ?? ''),
  ]);
  return texts.filter((text) => turns.test(text)).map((text) => `${JSON.stringify(text)} changes its direction`);
}
