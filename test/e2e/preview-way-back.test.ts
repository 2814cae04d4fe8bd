import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../harness/axe.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { go } from '../harness/desktop-page.ts';
import { fillWindow } from '../harness/filled-window.ts';
import { step } from '../harness/step.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

describe.skipIf(why !== '')(`the way back in a browser${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;

  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    page = preview.page;
    await page.getByText('Drop documents here').waitFor();
    await fillWindow(page);
  });
  afterAll(async () => {
    expect(preview?.complaints ?? []).toEqual([]);
    await preview?.close();
  });

  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
  const backTo = (name: string) => page.getByRole('button', { name: `Back to ${name}`, exact: true });
  const press = (keys: string) => page.keyboard.press(keys);
  const find = async (text: string, option: RegExp) => {
    await press('Control+k');
    await page.getByRole('combobox').fill(text);
    await page.getByRole('option', { name: option }).first().click();
  };

  it('stands before the title of a page that was opened from another, and leads to it as it was', async () => {
    await step('a filtered list with an open row', async () => {
      await go(page, 'Documents');
      await page.getByRole('searchbox').fill('annex');
      await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('2');
      await page.getByRole('row', { name: /Annex B/ }).click();
      await page.getByRole('complementary').waitFor();
      await press('Space');
      expect(await page.locator('[data-back]').count(), 'a section has none').toBe(0);
    });
    await step('opens a request from the palette', async () => {
      await find('lease 2027', /Lease 2027.*signed/);
      await heading('Signatures');
      await backTo('Documents').waitFor();
      await preview.picture('way-back');
      await page.setViewportSize({ width: 720, height: 600 });
      await preview.picture('way-back-small');
      expect(await violations(page, 'way back')).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
    });
    await step('finds the search, the row and its panel there', async () => {
      await backTo('Documents').click();
      await heading('Documents');
      expect(await page.getByRole('searchbox').inputValue()).toBe('annex');
      expect(await page.getByRole('row', { name: /Annex B/ }).getAttribute('aria-selected')).toBe('true');
      await page
        .getByRole('complementary')
        .getByRole('heading', { name: /^Annex B/ })
        .waitFor();
    });
    await step('forward, and back by Esc', async () => {
      await press('Alt+ArrowRight');
      await heading('Signatures');
      await backTo('Documents').waitFor();
      // Esc would close the tooltip of the button that was pressed, which is still under the pointer.
      await page.mouse.move(640, 500);
      await page.getByRole('tooltip').waitFor({ state: 'hidden' });
      await page.locator('main').focus();
      // The panel of the request that was opened is closed first.
      await press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      await press('Escape');
      await heading('Documents');
    });
    await step('Esc closes the panel wherever the focus is, and leaves the section as it is', async () => {
      await page.locator('main').focus();
      await press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'hidden' });
      await press('Escape');
      await heading('Documents');
    });
  });

  it('leads by keys through the sections too, where they were scrolled', async () => {
    await press('Control+,');
    await heading('Settings');
    await page.locator('main').evaluate((main) => main.scrollTo(0, 300));
    const top = () => page.locator('main').evaluate((main) => main.scrollTop);
    await expect.poll(top).toBeGreaterThan(100);
    const left = await top();
    await press('Control+7');
    await heading('Connections');
    expect(await top()).toBe(0);
    await press('Alt+ArrowLeft');
    await heading('Settings');
    await expect.poll(top).toBe(left);
  });

  it('brings a form back with what was typed, and after it was sent what came of it', async () => {
    await press('Control+4');
    await press('Control+n');
    await heading('Who signs what?');
    await page.getByLabel('Signer 1: e-mail').fill('bo@example.com');
    await page.getByText(/^Saved as draft|^Draft saved/).waitFor();
    await press('Control+5');
    await heading('Verify');
    await press('Alt+ArrowLeft');
    await heading('Who signs what?');
    await expect.poll(() => page.getByLabel('Signer 1: e-mail').inputValue()).toBe('bo@example.com');
    await backTo('Signatures').click();
    await heading('Signatures');
  });

  it('opens the next and the previous row of a list', async () => {
    await press('Control+3');
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/Annex B/).waitFor();
    await row(/Annex B/).click();
    await page
      .getByRole('complementary')
      .getByRole('heading', { name: /^Annex B/ })
      .waitFor();
    await page.getByRole('complementary').getByRole('button').first().focus();
    await press('Control+ArrowDown');
    await page
      .getByRole('complementary')
      .getByRole('heading', { name: /^Lease 2027/ })
      .waitFor();
    await press('Control+ArrowUp');
    await page
      .getByRole('complementary')
      .getByRole('heading', { name: /^Annex B/ })
      .waitFor();
  });

  it('points and is pressed the other way where lines run from right to left', async () => {
    await ask({ page }, 'app.setPreferences', { language: 'ar' });
    await heading('المستندات');
    await press('Control+n');
    await heading('من يوقّع ماذا؟');
    await press('Alt+ArrowLeft');
    await heading('من يوقّع ماذا؟');
    await preview.picture('way-back-ar');
    await page.locator('main').focus();
    await press('Alt+ArrowRight');
    await heading('المستندات');
    await ask({ page }, 'app.setPreferences', { language: 'en' });
    await heading('Documents');
  });
});
