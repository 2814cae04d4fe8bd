import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../harness/axe.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { fillWindow } from '../harness/filled-window.ts';
import { findOnScreen } from '../harness/on-screen.ts';
import { everyFew, openPlace, places } from '../harness/places.ts';
import { buildPseudoWindow, openPseudo, pseudo, pseudoLanguages } from '../harness/pseudo-locale.ts';
import { atLength } from '../harness/test-length.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

/** Names and words of the data that the test puts in, of the connection's lists, and of the practice service: data for the window. */
const data =
  /[\w/.-]*\/sealdesk-preview-\w+|(?:Lease 2027|Annex B|[\w-]+)\.pdf|[0-9a-f]{64}|Letter of engagement|Non-disclosure agreement|Consent form|Document credits|Out for signature|Signed|Processing|Completed|Not Found|Invalid Document|Lease 2027|Annex B|Ana Petrov|ana@example\.com|Sealdesk|Practice service|Practice template|Practice|English|Deutsch|Français|Español|العربية|he|eo|SHA-256|XML|PDF|CSV|XLSX|JSON|WSDL|SOAP|API|Ctrl|Alt|Shift|Enter|Esc|Tab/g;

/** Texts that are shown although they are not in the catalogue, with the reason. */
const foreign: Readonly<Record<string, string>> = {
  'aria-label Show suggestions': "react-aria's own, in every language that people can choose",
  'aria-label Calendar': "react-aria's own, in every language that people can choose",
  'aria-label Dismiss': "react-aria's own, in every language that people can choose",
  'placeholder https://service.example/service.asmx?wsdl': 'an address, the same in every language',
};

/** At how many widths each place is looked at: below full length by turns, as preview-looks shows each narrow in Arabic or at 200 %. */
const widths = [1280, 720] as const;
const widthsEach = atLength({ short: 1, all: widths.length });
/** Every how many screens are examined from right to left: each is examined from left to right by preview-accessible. */
const everyScreen = atLength({ short: 4, all: 1 });

/** Shows screens, dialogs and menus, and reports what is found at both widths. */
async function lookEverywhere(page: Page): Promise<{ readonly hardCoded: object; readonly cut: object }> {
  const hardCoded = new Map<string, string>();
  const cut = new Map<string, string>();
  // The guide in Help has a file of its own in every language.
  const looked = atLength({ short: everyFew(places, 3), all: places }).filter(({ name }) => name !== 'help');
  for (const [index, place] of looked.entries()) {
    await openPlace(page, place, pseudo);
    for (const width of widths.toSpliced(index % widths.length, widths.length - widthsEach)) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(40);
      const found = await page.evaluate(findOnScreen, data.source);
      for (const text of found.hardCoded) if (!(text in foreign)) hardCoded.set(text, place.name);
      for (const text of found.cut) cut.set(text, `${place.name} at ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  return { hardCoded: Object.fromEntries(hardCoded), cut: Object.fromEntries(cut) };
}

describe.skipIf(why !== '')(`the window in a pseudo-locale${why}`, () => {
  let preview: BrowserPreview;
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-pseudo-'));
  beforeAll(async () => {
    if ('missing' in browser) return;
    await buildPseudoWindow(folder);
    preview = await openPreview(browser.path, [], ['--renderer', folder]);
    await fillWindow(preview.page);
  });
  afterAll(async () => {
    await preview?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows no text that is not in the catalogue, and cuts none', { timeout: 400_000 }, async () => {
    const page = await openPseudo(preview, pseudoLanguages.leftToRight);
    const found = await lookEverywhere(page);
    await page.context().close();
    expect(found).toEqual({ hardCoded: {}, cut: {} });
  });

  it('runs from right to left with the language', async () => {
    const page = await openPseudo(preview, pseudoLanguages.rightToLeft);
    expect(await page.evaluate(() => [document.documentElement.dir, document.documentElement.lang])).toEqual([
      'rtl',
      'he',
    ]);
    const screens = page.locator('nav').first().locator('button, a');
    for (let at = 0; at < (await screens.count()); at++) {
      await screens.nth(at).click();
      await page.waitForTimeout(300);
      for (const width of [1280, 720]) {
        await page.setViewportSize({ width, height: 800 });
        const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(sideways, `screen ${at} at ${width}`).toBeLessThanOrEqual(0);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      if (process.env.SEALDESK_SCREENSHOTS === '1')
        await page.screenshot({ path: `test-results/screenshots/rtl-${at}.png` });
    }
    const rail = await page.locator('nav').first().boundingBox();
    expect(rail?.x).toBeGreaterThan(800);
    await page.context().close();
  });

  it('is as accessible from right to left', { timeout: 240_000 }, async () => {
    const page = await openPseudo(preview, pseudoLanguages.rightToLeft);
    const screens = places.filter(({ kind }) => kind === 'screen');
    const found: string[] = [];
    for (const place of everyFew(screens, everyScreen)) {
      await openPlace(page, place, pseudo);
      found.push(...(await violations(page, `${place.name}, right to left`)));
    }
    await page.context().close();
    expect(found).toEqual([]);
  });
});
