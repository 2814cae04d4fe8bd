import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPractice, startPractice } from '../../practice/practice-service.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { go } from '../harness/desktop-page.ts';

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
    server?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('fills in both of two WSDLs, and says which address is used', async () => {
    await page.getByRole('button', { name: 'Add connection' }).click();
    for (const path of Object.keys(paths)) {
      await page.getByRole('textbox', { name: 'WSDL address' }).fill(`${origin}${path}?wsdl`);
      await page.getByRole('button', { name: 'Read WSDL', exact: true }).click();
      await page.getByText('Offers SOAP').or(page.getByText('XMLData: called Fields')).first().waitFor();
      await page.getByText(`The WSDL names http://internal:8080. The address you gave is used: ${origin}.`).waitFor();
    }
    await page.getByText('AddNewEasySignTemplate.XMLData: called Fields there').waitFor();
    expect(await page.getByRole('textbox', { name: 'Base address' }).inputValue()).toBe(`${origin}/app`);
    expect(await page.getByRole('textbox', { name: 'Main path' }).inputValue()).toBe('/service.asmx');
    expect(await page.getByRole('textbox', { name: 'Easy Sign path' }).inputValue()).toBe('/easysign/v2/easysign.asmx');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme');
    await preview.picture('wsdl-remarks');
    await page.getByRole('button', { name: 'Save connection' }).click();
    await page.getByRole('heading', { name: 'Credentials for Acme' }).waitFor();
    const { connections } = await ask(preview, 'connections.state', {});
    const saved = connections.find(({ name }) => name === 'Acme');
    expect(saved?.elementNames).toEqual({ ServiceDocumentID: 'AcmeID', XMLData: 'Fields' });
    await page.keyboard.press('Escape');
  });

  it('names wrong element names in the check, and what to do', async () => {
    const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = service;
    const settings = { name: 'Other names', baseUrl, mainPath, easySignPath, namespaceUri };
    const { id } = await ask(preview, 'connections.save', { settings });
    await ask(preview, 'connections.setCredentials', { id, apiKey, apiSig });
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Other names' })
      .getByRole('button', { name: 'Check connection' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 steps failed.').waitFor();
    const status = dialog.getByRole('listitem').filter({ hasText: 'Check status' });
    await status.getByText('Elements: GetDocumentStatus.ServiceDocumentID').waitFor();
    await status.getByText('Read the WSDL again').waitFor();
    const { violations } = await new AxeBuilder({ page }).exclude('[data-live-announcer]').analyze();
    expect(violations.map(({ id: rule }) => rule)).toEqual([]);
    await preview.picture('doctor-element-names');
  });
});
