import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { openReview } from '../harness/open-review.ts';
import { plainPdf } from '../harness/pdf.ts';
import { type Recorded, type RecordingService, recordingService } from '../harness/recording-service.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

const pdf = plainPdf('Lease 2027');
const image = Buffer.from('89504e470d0a1a0a', 'hex');
const xml = '<lease n="14"><party>Ana &amp; Bo</party></lease>';
const key = 'Kq7-visible-nowhere-1';
const sig = 'Sx9-visible-nowhere-2';
const answers: Record<string, string> = {
  AddNewDocumentESign: '0F8FAD5B-D9CB-469F-A165-70867728950E',
  AddNewEasySignDocument: 'https://sign.example.com/r/4711',
  AddNewEasySignTemplate: '7C9E6679-7425-40DE-944B-E07FC1F90AE7',
};

describe.skipIf(why !== '')(`signature requests from the screen to the wire${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let service: RecordingService;
  let folder: string;

  beforeAll(async () => {
    if ('missing' in browser) return;
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-wire-'));
    writeFileSync(join(folder, 'lease.pdf'), pdf);
    writeFileSync(join(folder, 'logo.png'), image);
    writeFileSync(join(folder, 'data.xml'), xml);
    service = await recordingService((operation) =>
      operation === 'GetESignList' ? { xml: '' } : { result: answers[operation] ?? 'Processing' },
    );
    preview = await openPreview(browser.path);
    page = preview.page;
    await page.getByText('Drop documents here').waitFor();
    await addConnection();
    await page.getByRole('button', { name: /Harbour office/ }).waitFor();
  });
  afterAll(async () => {
    await preview?.close();
    await service?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  afterEach(() => expect(preview.complaints).toEqual([]));

  async function addConnection() {
    const option = (name: string) => service.connection[service.connection.indexOf(name) + 1] ?? '';
    const settings = {
      name: 'Harbour office',
      baseUrl: option('--url'),
      mainPath: option('--main-path'),
      easySignPath: option('--easy-sign-path'),
      namespaceUri: option('--namespace'),
    };
    const saved = (await call('connections.save', { settings })) as { id: string };
    await call('connections.setCredentials', { id: saved.id, apiKey: key, apiSig: sig });
    await call('connections.use', { id: saved.id });
  }

  async function call(name: string, input: unknown): Promise<unknown> {
    const answer = await page.evaluate(
      ([asked, given]) =>
        (
          window as unknown as {
            bridge: { call(name: string, input: unknown): Promise<{ ok: boolean; value: unknown }> };
          }
        ).bridge.call(asked as string, given),
      [name, input] as const,
    );
    expect(answer.ok, name).toBe(true);
    return answer.value;
  }

  async function newRequest(kind: string) {
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('button', { name: /^Signatures/ })
      .click();
    await page.getByRole('button', { name: 'New request' }).first().click();
    await page.getByRole('radio', { name: kind }).click({ force: true });
  }

  async function choose(button: string, file: string) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).click();
    await (await chooser).setFiles([join(folder, file)]);
    await page.getByText(file, { exact: true }).first().waitFor();
  }

  const field = (name: string) =>
    page.getByRole(/^Signer \d/.test(name) ? 'combobox' : 'textbox', { name, exact: true });

  async function addSigners(people: readonly (readonly [string, string])[]) {
    for (const [index, [name, email]] of people.entries()) {
      await page.getByRole('button', { name: 'Add signer' }).click();
      await field(`Signer ${index + 1}: name`).fill(name);
      await field(`Signer ${index + 1}: e-mail`).fill(email);
    }
  }

  async function fillEasySign() {
    await field('Document name').fill('Lease 2027 <Harbour>');
    await addSigners([
      ['Ana Petrov', 'ana.petrov@example.org'],
      ['Bo Lindqvist', 'bo@lindqvist.example'],
    ]);
    await page.getByText('I sign too').click();
    await field('Subject').fill('Your lease');
    await field('Copy to').fill('office@harbour.example; archive@harbour.example');
    await field('Message').fill('Please sign & return.');
    await page.getByRole('button', { name: 'More options' }).click();
    await rule('Must click each signature', 'Yes');
    await rule('Signers may add elements', 'No');
    await rule('Check identity', 'Yes');
    await field('Client reference').fill('HARB-14');
    await field('Description').fill('Two parties');
    await field('Unique ID').fill('U-4711');
    await choose('Choose an image…', 'logo.png');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'From a file…' }).click();
    await (await chooser).setFiles([join(folder, 'data.xml')]);
    await page.getByText('Well-formed: root element lease').waitFor();
  }

  async function rule(name: string, said: string) {
    await page.getByRole('radiogroup', { name }).getByText(said, { exact: true }).click();
  }

  /** Review, send, and what came there. */
  async function send(operation: string): Promise<Recorded> {
    await openReview(page);
    await page.getByRole('heading', { level: 1, name: 'Review request' }).waitFor();
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const rows = page.getByRole('row');
    await rows.filter({ hasText: /^ReqOwnerESign/ }).waitFor();
    const shown = await rows.evaluateAll((all) =>
      all.slice(1).map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
    );
    expect(JSON.stringify(shown)).not.toContain(key);
    await page.getByRole('button', { name: 'Send request' }).click();
    await page.getByRole('main').getByText('Request sent').waitFor({ timeout: 20_000 });
    const came = service.requests.filter((request) => request.operation === operation);
    const last = came.at(-1);
    if (!last) throw new Error(`no ${operation} came`);
    // What the review promised is what came: every child, in the same order.
    expect(shown.filter(([, value]) => value !== 'not set').map(([name]) => name)).toEqual(
      last.children.map(([name]) => name),
    );
    return last;
  }

  it('sends the eleven children of AddNewDocumentESign', async () => {
    await newRequest('File');
    await choose('Choose PDF…', 'lease.pdf');
    await field('Document name').fill('Lease 2027 <Harbour>');
    await addSigners([
      ['Ana Petrov', 'ana.petrov@example.org'],
      ['Bo Lindqvist', 'bo@lindqvist.example'],
    ]);
    await page.getByText('I sign too').click();
    await page.getByRole('button', { name: 'More options' }).click();
    // What only a plain request carries makes it one.
    await page.getByText('Uses1 signature request').waitFor();
    await page.getByText('I sign first').click();
    await page.getByText('Plain request: Signatures only').waitFor();
    await field('Access code (secret word)').fill('harbour & tide');
    await page.getByRole('button', { name: /Credit type/ }).click();
    await page.getByRole('option', { name: 'Subscription' }).click();
    await field('Client reference').fill('HARB-14');
    await field('Description').fill('Two parties');
    const { children } = await send('AddNewDocumentESign');
    expect(children).toEqual([
      ['apiKey', key],
      ['apiSig', sig],
      ['Document', pdf.toString('base64')],
      ['creditType', '3'],
      ['DocumentName', 'Lease 2027 <Harbour>'],
      ['Description', 'Two parties'],
      ['ClientID', 'HARB-14'],
      ['Emails', 'ana.petrov@example.org;bo@lindqvist.example'],
      ['ReqOwnerESign', 'true'],
      ['OwnerESignFirst', 'true'],
      ['SecretWord', 'harbour & tide'],
    ]);
    await page.getByText(answers.AddNewDocumentESign ?? '', { exact: true }).waitFor();
  });

  const easySign = [
    ['ReqOwnerESign', 'true'],
    ['XMLData', xml],
  ] as const;
  const rules = [
    ['UniqueID', 'U-4711'],
    ['AllowSignerElementAdd', 'false'],
    ['AdditionalImage', image.toString('base64')],
    ['EnforceSigClick', 'true'],
    ['MessageToSigners', 'Please sign & return.'],
    ['CustomSubject', 'Your lease'],
    ['IDVerify', 'true'],
    ['CCEmails', 'office@harbour.example;archive@harbour.example'],
  ] as const;
  const about = [
    ['DocumentName', 'Lease 2027 <Harbour>'],
    ['Description', 'Two parties'],
    ['ClientID', 'HARB-14'],
    ['Emails', 'ana.petrov@example.org;bo@lindqvist.example'],
    ['Names', 'Ana Petrov;Bo Lindqvist'],
  ] as const;

  it('sends every child of AddNewEasySignDocument, and offers the address that came back', async () => {
    await newRequest('File');
    await choose('Choose PDF…', 'lease.pdf');
    await fillEasySign();
    await page.getByRole('combobox', { name: 'Elements from another template' }).fill('TPL-1003');
    const { children } = await send('AddNewEasySignDocument');
    expect(children).toEqual([
      ['apiKey', key],
      ['apiSig', sig],
      ['Document', pdf.toString('base64')],
      ...about,
      ...easySign,
      ['ElementsFromTemplateID', 'TPL-1003'],
      ...rules,
    ]);
    await page.getByText(answers.AddNewEasySignDocument ?? '').waitFor();
    await page.getByRole('button', { name: 'Open in browser' }).waitFor();
    await page.getByRole('button', { name: 'Copy link' }).waitFor();
  });

  it('sends every child of AddNewEasySignTemplate, and offers no address where an ID came', async () => {
    await newRequest('Template');
    await page.getByRole('combobox', { name: 'Template' }).fill('TPL-1001');
    await fillEasySign();
    const { children } = await send('AddNewEasySignTemplate');
    expect(children).toEqual([
      ['apiKey', key],
      ['apiSig', sig],
      ['TemplateID', 'TPL-1001'],
      ...about,
      ...easySign,
      ...rules,
    ]);
    await page.getByText('7C9E6679-7425-40DE-944B-E07FC1F90AE7').first().waitFor();
    expect(await page.getByRole('button', { name: 'Open in browser' }).count()).toBe(0);
  });

  it('leaves out what nobody filled in', async () => {
    await newRequest('Template');
    await page.getByRole('combobox', { name: 'Template' }).fill('TPL-1001');
    await addSigners([['', 'ana.petrov@example.org']]);
    const { children } = await send('AddNewEasySignTemplate');
    expect(children.map(([name]) => name)).toEqual(['apiKey', 'apiSig', 'TemplateID', 'Emails', 'ReqOwnerESign']);
  });

  it('keeps what stands in the form over a reload, and never shows the secret word again', async () => {
    await newRequest('File');
    await field('Document name').fill('Half a lease');
    await page.getByRole('button', { name: 'More options' }).click();
    await field('Access code (secret word)').fill('tide');
    await page.getByText(/Draft saved \d/).waitFor();
    await page.reload();
    await newRequest('File');
    await page.getByRole('button', { name: /^Drafts \(/ }).click();
    await page.getByRole('button', { name: 'Resume: Half a lease' }).click();
    await page.getByText('Saved with this draft').waitFor();
    expect(await field('Document name').inputValue()).toBe('Half a lease');
    expect(await page.content()).not.toContain('>tide<');
  });

  it('names what is wrong where it is wrong, and warns without standing in the way', async () => {
    await newRequest('Template');
    await page.getByRole('button', { name: 'Review and send…' }).click();
    await page.getByText('Enter or choose a template ID').waitFor();
    await page.getByText('Add a signer, or sign yourself').waitFor();
    await page.getByRole('combobox', { name: 'Template' }).fill('TPL-1001');
    await addSigners(['a', 'b', 'c', 'd'].map((name) => ['', `${name}@example.org`] as const));
    await page.getByText('this service may allow more').first().waitFor();
    await field('Signer 4: e-mail').fill('a@example.org');
    await page.getByText('This address is entered twice').first().waitFor();
    await field('Signer 4: e-mail').fill('d@example.org');
    await openReview(page);
    const sendNow = page.getByRole('button', { name: 'Send request' });
    await sendNow.waitFor();
    expect(await sendNow.isDisabled()).toBe(true);
    await page.getByText('Send despite these warnings').click();
    expect(await sendNow.isDisabled()).toBe(false);
  });

  it('says at which line and column XML data is broken', async () => {
    await newRequest('Template');
    await page.getByRole('button', { name: 'More options' }).click();
    await field('XML data').fill('<lease>\n  <party>\n</lease>');
    await page.getByText(/^Line 3, column \d+: not well-formed$/).waitFor();
  });
});
