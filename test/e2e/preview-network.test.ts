import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import {
  type ClientCertificates,
  certificatePassword,
  makeClientCertificates,
} from '../harness/client-certificates.ts';
import { assetsDir } from '../harness/core.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go } from '../harness/desktop-page.ts';
import { examinedThemes } from '../harness/looks.ts';
import { type RunningPractice, startPractice } from '../harness/practice.ts';
import { type SecureFront, startSecureFront } from '../harness/secure-front.ts';
import { hasSquid, needsSquid, type Squid, squidUser, startSquid } from '../harness/squid.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

describe.skipIf(why !== '')(`a service behind a proxy with a login, which asks for a certificate${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let own: ClientCertificates;
  let practice: RunningPractice;
  let front: SecureFront;
  let squid: Squid;
  beforeEach(needsSquid);
  beforeAll(async () => {
    if ('missing' in browser || !hasSquid) return;
    own = makeClientCertificates();
    preview = await openPreview(browser.path);
    practice = await startPractice({ dataDir: `${preview.dataDir}/other-service`, assetsDir });
    front = await startSecureFront(practice.baseUrl, { clientAuthority: own.authority });
    squid = await startSquid({ asks: 'basic' });
    page = preview.page;
  });
  afterAll(async () => {
    await preview?.close();
    await squid?.close();
    front?.close();
    await practice?.close();
    own?.remove();
  });

  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  const save = () => page.getByRole('button', { name: 'Save connection' }).click();
  const choose = async (file: string) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose certificate…' }).click();
    await (await chooser).setFiles(own.file(file));
    await page.getByRole('main').getByText(file).waitFor();
  };
  const pictures = async (name: string) => {
    for (const colorScheme of examinedThemes) {
      for (const [width, height] of [
        [1280, 800],
        [720, 600],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.getByRole('group', { name: 'Client certificate' }).scrollIntoViewIfNeeded();
        await preview.picture(`${name}-${colorScheme}-${width}`);
      }
      await accessible(page, name);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
  };

  it('is set up in one sheet, which says in words what is missing and opens where it is entered', async () => {
    await go(page, 'Connections');
    await page.getByRole('button', { name: 'Add connection' }).click();
    await text('Address or WSDL').fill(`${front.origin}${practice.mainPath}?wsdl`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('radio', { name: 'Manual' }).click({ force: true });
    await text('Proxy address').fill(`http://127.0.0.1:${squid.port}`);
    await text('Extra certificate authorities').fill(front.certificate);
    await save();
    await page.getByRole('alert').getByText('The proxy asks for a user name and password').waitFor();
    await preview.picture('network-proxy-asks');
    await text('User name at the proxy').fill(squidUser.user);
    await text('Password at the proxy').fill('not the password');
    await save();
    await page.getByRole('alert').getByText('The proxy rejected the user name or password').waitFor();
    await text('Password at the proxy').fill(squidUser.password);
    await save();
    await page.getByRole('alert').getByText('The service asks for a client certificate').waitFor();
    expect(front.visitors).toEqual([]);

    await choose('ana.p12');
    await text('Password of the certificate').fill('not the password');
    await save();
    await page.getByText('Wrong password.').waitFor();
    await choose('old.p12');
    await text('Password of the certificate').fill(certificatePassword);
    await save();
    await page.getByText('The file is encrypted in an old way (RC2).').waitFor();
    await pictures('network-certificate-old');
    await choose('ana.p12');
    await text('Password of the certificate').fill(certificatePassword);
    await text('API key').fill(practice.apiKey);
    await text('API signature').fill(practice.apiSig);
    await save();
    await page.getByRole('main').getByText('Works and is in use.').waitFor();
    expect(new Set(front.visitors)).toEqual(new Set(['Ana Petrov']));
    await squid.saw(new RegExp(`^CONNECT localhost:${front.port} 200$`));
    await page.getByText(/^Ana Petrov, issued by office, valid until/).waitFor();
    await pictures('network-set-up');
  });

  it('keeps passwords to itself, and login and certificate where nothing is changed', async () => {
    const { connections } = await ask(preview, 'connections.state', {});
    const [connection] = connections.filter(({ kind }) => kind === 'service');
    expect(connection).toMatchObject({
      proxyLogin: { user: squidUser.user },
      clientCertificate: { subject: 'Ana Petrov' },
    });
    expect(JSON.stringify(connections)).not.toMatch(/never-shown/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('article', { name: connection?.name ?? '' })
      .getByRole('button', { name: 'Edit' })
      .click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    expect(await text('User name at the proxy').inputValue()).toBe(squidUser.user);
    expect(await text('Password at the proxy').inputValue()).toBe('');
    await text('Name').fill('Behind squid');
    await save();
    await page.getByRole('main').getByText('Works and is in use.').waitFor();
  });

  it('says before it is saved that another certificate makes the credentials be entered again', async () => {
    await page.getByRole('button', { name: 'Remove certificate' }).click();
    await page.getByText('Removed when you save.').waitFor();
    await page.getByText('Saving removes the old ones.').waitFor();
    await save();
    await page
      .getByText(/The service asks for a client certificate/)
      .first()
      .waitFor();
    const { connections } = await ask(preview, 'connections.state', {});
    expect(connections.find(({ name }) => name === 'Behind squid')).toMatchObject({
      credentials: 'none',
      clientCertificate: null,
      proxyLogin: { user: squidUser.user },
    });
  });
});
