import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { go } from '../harness/desktop-page.ts';
import { type Desktop, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { type RecordingService, recordingService } from '../harness/recording-service.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

interface Shown {
  readonly title: string;
  readonly body: string;
}

describe.skipIf(why !== '')(`following requests in real Electron${why}`, () => {
  let home = '';
  let desktop: Desktop;
  let page: Page;
  beforeEach(async () => {
    home = newHome();
    desktop = await startDesktop({ home });
    page = desktop.page;
  });
  afterEach(async () => {
    await desktop?.quit();
    removeHomes();
  });

  /** Notifications are caught where the program hands them to the system; a click is the system's own event. */
  async function catchNotifications() {
    await desktop.app.evaluate(({ Notification }) => {
      const caught: unknown[] = [];
      Object.assign(globalThis, { caught });
      Notification.isSupported = () => true;
      Notification.prototype.show = function show(this: unknown) {
        caught.push(this);
      };
    });
  }
  const caught = () =>
    desktop.app.evaluate(() =>
      (globalThis as unknown as { caught: Shown[] }).caught.map(({ title, body }) => ({ title, body })),
    );

  it('notifies of a signature, and opens its entry, and says who signed', async () => {
    await catchNotifications();
    const { currentId: connectionId } = await ask(desktop, 'connections.state', {});
    const people = { emails: ['ana.petrov@example.org'], names: ['Ana Petrov'] };
    const request = { kind: 'easy-sign-template', connectionId, templateId: 'TPL-1003', ...people } as const;
    await ask(desktop, 'signatures.request', { ...request, documentName: 'Consent form' });
    await go(page, 'Signatures');
    await showList();
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Refresh', exact: true }).first().click();
          return page.getByRole('row', { name: /Consent form/ }).count();
        },
        { timeout: 15_000, interval: 1_000 },
      )
      .toBe(1);
    const { entries } = await ask(desktop, 'tracking.entries', { connectionId });
    await go(page, 'Settings');

    await ask(desktop, 'practice.signAs', {
      connectionId,
      documentId: entries[0]?.origDocumentId ?? '',
      email: 'ana.petrov@example.org',
    });
    await expect
      .poll(async () => (await caught()).filter(({ title }) => / signed$/.test(title)), { timeout: 30_000 })
      .toHaveLength(1);
    const [shown] = (await caught()).filter(({ title }) => / signed$/.test(title));
    expect(shown).toEqual({ title: 'Ana Petrov signed', body: 'Consent form' });

    await desktop.app.evaluate(() => {
      const { caught: all } = globalThis as unknown as { caught: (Shown & { emit(name: string): void })[] };
      all.find(({ title }) => / signed$/.test(title))?.emit('click');
    });
    await page.getByRole('heading', { level: 1, name: 'Signed' }).waitFor();
    const panel = page.getByRole('complementary', { name: 'Signature request' });
    await panel.getByText('ana.petrov@example.org').waitFor();
    await panel.getByText('Ana Petrov signed', { exact: true }).waitFor();
    expect(await panel.getByRole('button', { name: /^(Write a reminder|Sign as)/ }).count()).toBe(0);
    await page.getByRole('row', { name: /New.*Ana Petrov.*Seen signed/ }).waitFor();
    await page.getByRole('button', { name: 'Mark 1 change as seen' }).click();
    await expect.poll(() => page.getByRole('row', { name: /New.*Ana Petrov.*Seen signed/ }).count()).toBe(0);
  });

  it('shows the last copy and says so when the service is gone, after a restart too', async () => {
    const service = await listService();
    await useService(service);
    await go(page, 'Signatures');
    await showList();
    await page
      .getByRole('row', { name: /Lease 2027/ })
      .first()
      .waitFor();
    await service.close();

    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await page.getByText(/Not updated. Last copy:/).waitFor({ timeout: 20_000 });
    await page.getByText('could not be updated').waitFor();
    expect(await page.getByRole('row', { name: /Lease 2027/ }).count()).toBe(2);

    await desktop.quit();
    desktop = await startDesktop({ home });
    page = desktop.page;
    await go(page, 'Signatures');
    await page.getByRole('row', { name: 'Lease 2027 · seen: 0 of 2 signed' }).waitFor();
    await showList();
    await page.getByRole('row', { name: /Bo Lindqvist/ }).waitFor();
    await page.getByRole('searchbox', { name: 'Search signature requests' }).fill('petr');
    await expect.poll(() => page.getByRole('row', { name: /Lease 2027/ }).count()).toBe(1);
  });

  it('masks a secret word until somebody wants to read it', async () => {
    const service = await listService();
    await useService(service);
    await go(page, 'Signatures');
    await showList();
    await page.getByRole('row', { name: /Ana Petrov/ }).click();
    const panel = page.getByRole('complementary', { name: 'Signature request' });
    await panel.getByText('••••••').waitFor();
    expect(await page.content()).not.toContain('tide-and-harbour');
    await panel.getByRole('button', { name: 'Show' }).click();
    await panel.getByText('tide-and-harbour').waitFor();
    await panel.getByRole('button', { name: 'Hide' }).click();
    await panel.getByText('••••••').waitFor();
    await service.close();
  });

  async function showList() {
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Service’s lists' }).click();
    await page.getByRole('radio', { name: /^Out for signature/ }).click();
  }

  function listService(): Promise<RecordingService> {
    const entry = (name: string, email: string, secret: string) =>
      `<ESignList><DocumentName>Lease 2027</DocumentName><CreatedDate>2026-11-20T09:12:00.1234567+00:00</CreatedDate><ServiceDocumentID>0f8fad5b-d9cb-469f-a165-70867728950e</ServiceDocumentID><OrigServiceDocumentID>7c9e6679-7425-40de-944b-e07fc1f90ae7</OrigServiceDocumentID><Email>${email}</Email>${secret}<Name>${name}</Name></ESignList>`;
    const list =
      entry('Ana Petrov', 'ana.petrov@example.org', '<SecretWord>tide-and-harbour</SecretWord>') +
      entry('Bo Lindqvist', 'bo@lindqvist.example', '');
    let asked = 0;
    return recordingService((operation) => {
      if (operation !== 'GetESignList') return { result: 'Processing' };
      asked += 1;
      return { xml: asked === 1 ? list : '' };
    });
  }

  async function useService(service: RecordingService) {
    const name = 'Harbour office';
    const option = (given: string) => service.connection[service.connection.indexOf(given) + 1] ?? '';
    const { id } = await ask(desktop, 'connections.save', {
      settings: {
        name,
        baseUrl: option('--url'),
        mainPath: option('--main-path'),
        easySignPath: option('--easy-sign-path'),
        namespaceUri: option('--namespace'),
        lists: [{ value: 1, name: 'Out for signature' }],
      },
    });
    await ask(desktop, 'connections.setCredentials', { id, apiKey: 'Kq7-visible-nowhere-1', apiSig: 'Sx9-nowhere-2' });
    await ask(desktop, 'connections.use', { id });
    await page.getByRole('button', { name: new RegExp(name) }).waitFor();
  }
});
