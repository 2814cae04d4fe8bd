import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go } from '../harness/desktop-page.ts';
import { type RunningPractice, startPractice } from '../harness/practice.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';
const assetsDir = resolve(import.meta.dirname, '../../assets');
const paths = { '/app/service.asmx': 'main', '/app/easysign/v2/easysign.asmx': 'easy-sign' } as const;

describe.skipIf(why !== '')(`WSDLs and the check of a connection in the window${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let server: Server;
  let origin: string;
  let service: RunningPractice;
  let plain: RunningPractice;
  let folder: string;
  beforeAll(async () => {
    if ('missing' in browser) return;
    server = createServer((asked, out) => {
      const path = (asked.url ?? '').split('?')[0] as keyof typeof paths;
      const text = readFileSync(join(assetsDir, 'wsdl', `practice-${paths[path]}.wsdl`), 'utf8')
        .replaceAll('{{namespaceUri}}', 'https://acme.example/ns/')
        .replaceAll('{{address}}', `http://internal:8080${path}`)
        .replaceAll('name="XMLData"', 'name="Fields"')
        .replaceAll('name="ServiceDocumentID"', 'name="AcmeID"');
      out.setHeader('content-type', 'text/xml').end(text);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-wsdl-window-'));
    service = await startPractice({ dataDir: folder, assetsDir, elementNames: { ServiceDocumentID: 'AcmeID' } });
    plain = await startPractice({ dataDir: join(folder, 'plain'), assetsDir });
    preview = await openPreview(browser.path);
    page = preview.page;
  });
  beforeEach(async () => {
    await page.reload();
    await go(page, 'Connections');
  });
  afterAll(async () => {
    await preview?.close();
    await service?.close();
    await plain?.close();
    server?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  const card = (name: string) => page.getByRole('article', { name, exact: true });
  const bar = () => page.getByRole('contentinfo');

  it('fills in both of two WSDLs, and says which address is used', async () => {
    await page.getByRole('button', { name: 'Add connection' }).click();
    for (const path of Object.keys(paths)) {
      await text('Address or WSDL').fill(`${origin}${path}?wsdl`);
      await text('Name').focus();
      await page.getByRole('button', { name: 'WSDL read' }).click();
      await page.getByText('From the WSDL:').waitFor();
      await page.getByText(`The WSDL names http://internal:8080. The address you gave is used: ${origin}.`).waitFor();
      if (paths[path as keyof typeof paths] === 'main') await page.getByText('Offers SOAP').waitFor();
    }
    await page.getByText('AddNewEasySignTemplate.XMLData: called Fields there').waitFor();
    expect(await text('Address or WSDL').inputValue()).toBe(`${origin}/app/service.asmx`);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    expect(await text('Main path').inputValue()).toBe('/service.asmx');
    expect(await text('Easy Sign path').inputValue()).toBe('/easysign/v2/easysign.asmx');
    await text('Name').fill('Acme');
    await accessible(page, 'WSDL');
    await preview.picture('wsdl-remarks');
    await page.getByRole('button', { name: 'Save connection' }).click();
    await expect
      .poll(async () => (await ask(preview, 'connections.state', {})).connections.find(({ name }) => name === 'Acme'))
      .toMatchObject({ elementNames: { ServiceDocumentID: 'AcmeID', XMLData: 'Fields' } });
  });

  it('says that an address leads to no WSDL, and saves nothing', async () => {
    await page.getByRole('button', { name: 'Add connection' }).click();
    await text('Address or WSDL').fill('http://127.0.0.1:9/service.asmx?wsdl');
    await page.getByRole('button', { name: 'Save connection' }).click();
    await page.getByRole('alert').waitFor();
    const { connections } = await ask(preview, 'connections.state', {});
    expect(connections.some(({ baseUrl }) => baseUrl === 'http://127.0.0.1:9')).toBe(false);
  });

  it('takes an address without https:// on Enter', async () => {
    await page.getByRole('button', { name: 'Add connection' }).click();
    await page.keyboard.type('127.0.0.1:9/service.asmx');
    await page.keyboard.press('Enter');
    await expect.poll(() => text('Address or WSDL').inputValue()).toBe('https://127.0.0.1:9/service.asmx');
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  it('has a connection ready to use after one sheet: address, credentials, check, in use', async () => {
    const { baseUrl, mainPath, apiKey, apiSig } = plain;
    await page.getByRole('button', { name: 'Add connection' }).click();
    await page.keyboard.type(`${baseUrl}${mainPath}?wsdl`);
    await text('API key').fill(apiKey);
    await text('API signature').fill('not the signature');
    await page.getByRole('button', { name: 'Save connection' }).click();
    const { host } = new URL(baseUrl);
    await page.getByText(`“${host}” refused the credentials. Enter them again.`).waitFor();
    expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-error-summary'))).toBe(true);
    // New work does not go to a connection that does not work.
    await bar()
      .getByText(/Credentials refused/)
      .waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: /^Connection:/ }).textContent()).not.toContain(host);
    expect(await text('API signature').inputValue()).toBe('');
    await accessible(page, 'WSDL');
    await preview.picture('connection-refused');

    await text('API key').fill(apiKey);
    await text('API signature').fill(apiSig);
    await page.getByRole('button', { name: 'Save connection' }).click();
    await page.getByText('Works and is in use.').waitFor();
    await preview.picture('connection-works');
    await page.getByRole('button', { name: 'Done' }).click();
    await card(host)
      .getByText(/Works \(today/)
      .waitFor();
    // The bar tells only what is wrong.
    await bar()
      .getByText(/Credentials refused/)
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Connection:/ }).click();
    await page.getByRole('menuitemradio', { name: host }).getByText(/Works/).waitFor();
    await accessible(page, 'WSDL');
    await preview.picture('connection-menu');
    await page.keyboard.press('Escape');
  });

  it('removes the stored credentials when the address changes, and says so before', async () => {
    const { host } = new URL(plain.baseUrl);
    await card(host).getByRole('button', { name: 'Edit' }).click();
    await text('Address or WSDL').fill('https://elsewhere.example/api');
    await text('Name').focus();
    await page.getByText('Saving removes the old ones.').waitFor();
    await preview.picture('connection-moved');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await card(host).getByText(/Works/).waitFor();
  });

  it('names wrong element names in the check, and what to do', async () => {
    const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = service;
    const settings = { name: 'Other names', baseUrl, mainPath, easySignPath, namespaceUri };
    await ask(preview, 'connections.save', { settings, credentials: { apiKey, apiSig } });
    await card('Other names').getByRole('button', { name: 'Check connection' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Element names: .*Read the WSDL again/).waitFor();
    await dialog.getByRole('button', { name: 'Details' }).click();
    const status = dialog.getByRole('listitem').filter({ hasText: 'Check status' });
    await status.getByText('Elements: GetDocumentStatus.ServiceDocumentID').waitFor();
    await status.getByText('Read the WSDL again').waitFor();
    await accessible(page, 'WSDL');
    await preview.picture('doctor-element-names');
  });
});
