import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../harness/axe.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { fillWindow } from '../harness/filled-window.ts';
import { settledTree, stable, wrongHeadings } from '../harness/heard-page.ts';
import { everyFew, openPlace, type Place, places } from '../harness/places.ts';
import { settled } from '../harness/settled.ts';
import { atLength, isFullLength } from '../harness/test-length.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

/** The list of drafts has what all places before it leave there. */
const isOnItsOwn = ({ name }: Place) => name !== 'compose-drafts';

/** Of the places that preview-looks leaves out, every eighth. */
const heard = atLength({
  short: everyFew(places, 8, 1).filter(isOnItsOwn),
  all: places,
});

const light = { colorScheme: 'light', contrast: 'no-preference' } as const;
const otherThemes = {
  dark: { colorScheme: 'dark', contrast: 'no-preference' },
  'high contrast': { colorScheme: 'light', contrast: 'more' },
} as const;

describe.skipIf(why !== '')(`what screen readers hear${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;

  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    page = preview.page;
    await page.emulateMedia({ ...light, reducedMotion: 'reduce' });
    await fillWindow(page);
    // The list is read soon after the request was sent.
    await openPlace(page, { name: 'list', kind: 'screen', rail: 'Signatures', steps: [] });
    await page.getByRole('row', { name: 'Lease 2027 · 0 of 1 signed' }).waitFor({ timeout: 20_000 });
    // Statuses are read from time to time: this one is known from the first screen on.
    const { currentId: connectionId } = await ask({ page }, 'connections.state', {});
    const { entries } = await ask({ page }, 'tracking.entries', { connectionId });
    for (const { id } of entries) await ask({ page }, 'tracking.askStatus', { connectionId, entryId: id });
  });
  afterAll(async () => {
    await preview?.close();
  });

  /** Structure once, contrasts in every theme at full length: only colours differ between them, and those are also compared by numbers (contrast.test.ts). */
  async function examine(place: Place): Promise<readonly string[]> {
    await settled(page);
    const found = [...(await violations(page, place.name)), ...(await wrongHeadings(page, place.name))];
    for (const [theme, media] of Object.entries(isFullLength ? otherThemes : {})) {
      await page.emulateMedia(media);
      await settled(page);
      found.push(...(await violations(page, `${place.name}, ${theme}`, { onlyColours: true })));
    }
    if (isFullLength) await page.emulateMedia(light);
    return found;
  }

  it('is the frame as written down', async () => {
    const parts = ['header', 'nav', 'footer'].map((part) => page.locator(part).first().ariaSnapshot());
    const tree = `${stable((await Promise.all(parts)).join('\n'))}\n`;
    await expect(tree).toMatchFileSnapshot('accessibility/frame.yml');
  });

  it('is every screen, dialog and menu as written down; axe finds nothing', {
    // Where all places differ, each is looked at for some seconds.
    timeout: 480_000,
  }, async () => {
    const found: string[] = [];
    for (const place of heard) {
      await openPlace(page, place);
      const file = join(import.meta.dirname, 'accessibility', `${place.name}.yml`);
      await expect.soft(await settledTree(page, file)).toMatchFileSnapshot(file);
      found.push(...(await examine(place)));
    }
    expect(found).toEqual([]);
    expect(preview.complaints).toEqual([]);
  });
});
