import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go } from '../harness/desktop-page.ts';
import { examinedThemes } from '../harness/looks.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';
const odd = 'https://service.example/ns';

describe.skipIf(why !== '')(`the sheet of a connection${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    page = preview.page;
  });
  beforeEach(async () => {
    await page.reload();
    await go(page, 'Connections');
    await page.getByRole('button', { name: 'Add connection' }).click();
  });
  afterAll(async () => void (await preview?.close()));

  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  const field = () => text('Namespace');
  const more = () => page.getByRole('button', { name: 'More', exact: true }).click();
  const save = () => page.getByRole('button', { name: 'Save connection' }).click();
  /** What a screen reader says with a field. */
  const described = async (named = field()) => {
    const ids = ((await named.getAttribute('aria-describedby')) ?? '').split(' ');
    return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))).join(' ');
  };
  const focused = () =>
    page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent);

  it('begins in the address, and has nothing else open that is not needed', async () => {
    await expect.poll(focused).toBe('Address or WSDL');
    for (const colorScheme of examinedThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await accessible(page, 'connection');
      await preview.picture(`connection-sheet-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    const names = await page
      .getByRole('textbox')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).labels?.[0]?.textContent));
    expect(names).toEqual(['Address or WSDL', 'Name', 'API key', 'API signature']);
  });

  it('takes a full address apart', async () => {
    await text('Address or WSDL').fill('service.example/app/V2/api.asmx');
    await text('Name').focus();
    await expect.poll(() => text('Address or WSDL').inputValue()).toBe('https://service.example/app/V2/api.asmx');
    await text('Address or WSDL').fill('https://service.example/app/easysign/v2/easysign.asmx');
    await text('Name').focus();
    await expect.poll(() => text('Address or WSDL').inputValue()).toBe('https://service.example/app/V2/api.asmx');
    await more();
    expect(await text('Main path').inputValue()).toBe('/V2/api.asmx');
    expect(await text('Easy Sign path').inputValue()).toBe('/easysign/v2/easysign.asmx');
  });

  it('moves the focus to the first field that is not right, and says why', async () => {
    await save();
    await expect.poll(focused).toBe('Address or WSDL');
    expect(await described(text('Address or WSDL'))).toContain('The address is incomplete. Example: https://');
    await text('Address or WSDL').fill('https://');
    await save();
    await page.getByText('The address is incomplete.').waitFor();
    await accessible(page, 'connection');
    await preview.picture('connection-incomplete');
    await text('Address or WSDL').fill('https://user@service.example');
    await page.getByText('The address is incomplete.').waitFor({ state: 'detached' });
    await save();
    await page.getByText('Enter an http or https address').waitFor();

    await text('Address or WSDL').fill('https://service.example/api');
    await save();
    await expect.poll(focused).toBe('Namespace');
    expect(await described()).toContain('Enter the WSDL address above');

    await field().fill('https://service.example/ns/');
    await text('API key').fill('only the key');
    await save();
    await expect.poll(focused).toBe('API signature');
    expect(await described(text('API signature'))).toContain('Fill in this field');
    await preview.picture('connection-errors');
  });

  it('refuses an unencrypted address where nobody can be asked', async () => {
    await text('Address or WSDL').fill('http://service.example/api');
    await more();
    await field().fill('https://service.example/ns/');
    await save();
    await expect.poll(focused).toBe('Address or WSDL');
    expect(await described(text('Address or WSDL'))).toContain('Not encrypted');
    expect((await ask(preview, 'connections.state', {})).connections).toHaveLength(1);
  });

  it('warns of a namespace without its last slash, with what becomes of it in a request', async () => {
    await more();
    await field().fill(odd);
    expect(await described()).toContain('end with a slash; this one does not');
    expect(await described()).toContain(`SOAPAction "${odd}GetVersion"`);
    for (const colorScheme of examinedThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await accessible(page, 'connection');
      await preview.picture(`namespace-${colorScheme}`);
    }
    await page.getByText('1.2', { exact: true }).click();
    expect(await described()).not.toContain('SOAPAction');
    expect(await described()).toContain('this one does not');
    await page.getByText('1.1', { exact: true }).click();
    await page.getByRole('button', { name: 'Add slash' }).click();
    expect(await field().inputValue()).toBe(`${odd}/`);
    expect(await described()).toContain(`SOAPAction "${odd}/GetVersion"`);
    expect(await described()).not.toContain('this one does not');
  });

  it('keeps what was typed: a service may be different', async () => {
    await text('Address or WSDL').fill('http://127.0.0.1:9');
    await text('Name').fill('Odd');
    await page.getByText('Use for new work').click();
    await more();
    await field().fill(odd);
    await text('Main path').fill('/v2/api.asmx');
    await page.getByRole('button', { name: 'More about requests' }).click();
    await page.getByText('SOAP 1.2', { exact: true }).click();
    await page.getByText('Send the action in SOAP 1.2').click();
    await page.getByText('send “false” for options that are not set').click();
    await text('Entries per list').fill('-5');
    await accessible(page, 'connection');
    await preview.picture('connection-more');
    // Only the sheet scrolls, never the whole page under it.
    expect(await page.evaluate('[scrollY, document.documentElement.scrollHeight - innerHeight]')).toEqual([0, 0]);
    await save();
    await page.getByText(/^Connect: Nothing answers/).waitFor();
    await preview.picture('connection-check-failed');
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-error-summary'))).toBe(true);
    const { connections, currentId, health } = await ask(preview, 'connections.state', {});
    const odder = connections.find(({ name }) => name === 'Odd');
    expect(odder).toMatchObject({
      namespaceUri: odd,
      soapVersion: '1.1',
      easySignSoapVersion: '1.2',
      soapAction12: true,
      sendFalse: true,
      maxItems: -5,
    });
    expect(currentId).toBe('practice');
    expect(health[odder?.id ?? '']?.state).toBe('unreachable');
  });
});
