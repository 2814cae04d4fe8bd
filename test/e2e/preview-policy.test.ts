import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { accessible, go } from '../harness/desktop-page.ts';
import { makePolicyPlace, type PolicyPlace, policyPlaceMissing } from '../harness/policy-place.ts';

const browser = givenBrowser();
const missing = 'missing' in browser ? browser.missing : policyPlaceMissing();
const why = missing ? ` (skipped: ${missing})` : '';

const policy = {
  theme: 'light',
  atOnce: 2,
  automaticCalls: false,
  exportDiagnostics: false,
  ownConnections: false,
  proxy: 'none',
  connections: [
    {
      id: 'office',
      name: 'Office',
      baseUrl: 'https://service.example',
      mainPath: '/main.asmx',
      namespaceUri: 'https://service.example/ns/',
      lists: [{ value: 1, name: 'Open' }],
    },
  ],
  recommended: { notifications: false },
};

describe.skipIf(missing)(`the window under a policy${why}`, () => {
  let place: PolicyPlace;
  let preview: BrowserPreview;
  let page: Page;
  beforeAll(async () => {
    if ('missing' in browser) return;
    place = makePolicyPlace();
    place.put(policy);
    preview = await openPreview(browser.path, place.words);
    page = preview.page;
  });
  afterAll(async () => {
    await preview?.close();
    place?.remove();
  });

  const main = () => page.locator('main');
  const described = async (role: 'checkbox' | 'radiogroup' | 'textbox', name: string) => {
    const ids = ((await page.getByRole(role, { name }).getAttribute('aria-describedby')) ?? '')
      .split(' ')
      .filter(Boolean);
    return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))).join(' ');
  };
  async function pictures(name: string) {
    for (const [colorScheme, viewport] of [
      ['light', { width: 1280, height: 800 }],
      ['dark', { width: 720, height: 600 }],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      await accessible(page, name);
      await preview.picture(`${name}-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  it('says in Settings what is managed, and does not let it be changed', async () => {
    await go(page, 'Settings');
    await expect.poll(() => main().innerText()).toContain('/etc/sealdesk/policy.json');
    expect(await described('radiogroup', 'Theme')).toContain('Managed by your organisation');
    expect(await described('checkbox', 'Refresh automatically')).toContain('Managed by your organisation');
    await page.getByText('Dark', { exact: true }).click();
    expect(await page.getByRole('radio', { name: 'Light' }).isChecked()).toBe(true);
    const notify = page.getByRole('checkbox', { name: 'Signature requests and due dates' });
    expect(await notify.isChecked()).toBe(false);
    await page.getByText('Signature requests and due dates').click();
    await expect.poll(() => notify.isChecked()).toBe(true);
    await pictures('policy-settings');
  });

  it('offers the connection of the policy, locked, and no other', async () => {
    await go(page, 'Connections');
    const card = page.getByRole('article', { name: 'Office' });
    expect(await card.innerText()).toContain('Managed by your organisation');
    expect(await card.innerText()).toContain('In use');
    const add = page.getByRole('button', { name: 'Add connection' });
    await add.focus();
    await expect.poll(() => page.getByRole('tooltip').textContent()).toContain('does not allow connections');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('heading', { name: 'New connection' }).count()).toBe(0);
    await pictures('policy-connections');
    await card.getByRole('button', { name: 'Edit' }).click();
    const address = page.getByRole('textbox', { name: 'Address or WSDL' });
    expect(await address.getAttribute('readonly')).not.toBeNull();
    expect(await described('textbox', 'Address or WSDL')).toContain('Managed by your organisation');
    await page.getByRole('textbox', { name: 'API key' }).fill('k');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    expect(
      await page.getByRole('textbox', { name: 'E-mail address of the account' }).getAttribute('readonly'),
    ).toBeNull();
    await pictures('policy-connection');
  });

  it('says why a file is not written', async () => {
    await go(page, 'Settings');
    await page.getByRole('button', { name: 'Create report' }).click();
    const save = page.getByRole('button', { name: 'Save report' });
    await save.waitFor({ timeout: 60_000 });
    await save.focus();
    await expect.poll(() => page.getByRole('tooltip').textContent()).toBe('Not allowed by your organisation');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });

  it('follows a change, and keeps everything locked while the file has errors', async () => {
    place.put('{ "theme": ');
    const notice = page.getByRole('region', { name: 'Notices' });
    await expect
      .poll(() => notice.innerText(), { timeout: 30_000 })
      .toContain('policy has errors: /etc/sealdesk/policy.json');
    expect(await described('radiogroup', 'Theme')).toContain('Managed by your organisation');
    expect(await main().innerText()).toContain('is not valid JSON');
    await pictures('policy-broken');
    place.put({ ...policy, theme: 'dark', surprise: 1 });
    await expect.poll(() => page.getByRole('radio', { name: 'Dark' }).isChecked(), { timeout: 30_000 }).toBe(true);
    expect(await notice.count()).toBe(0);
    await preview.picture('policy-unknown-dark');
    expect(await main().innerText()).toContain('surprise: is no setting of this version');
    place.put(null);
    await expect.poll(() => main().innerText(), { timeout: 30_000 }).not.toContain('Managed by your organisation');
    await page.getByText('Light', { exact: true }).click();
    await expect.poll(() => page.getByRole('radio', { name: 'Light' }).isChecked()).toBe(true);
    expect(preview.complaints).toEqual([]);
  });
});
