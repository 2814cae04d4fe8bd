import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, seen } from '../harness/desktop-page.ts';
import {
  answerOpenDialogs,
  type Desktop,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { type OtherService, startOtherService } from '../harness/other-service.ts';
import { step } from '../harness/step.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const within = { timeout: 20_000 };
const total = 8;
const table = [
  'Name;E-mail;Document name',
  ...Array.from({ length: total }, (_one, at) => `Tenant ${at + 1};tenant${at + 1}@example.org;Consent ${at + 1}`),
].join('\n');

describe.skipIf(why !== '')(`signature requests over a restart, in real Electron${why}`, () => {
  let desktop: Desktop;
  let service: OtherService;
  let folder = '';
  let home = '';

  const start = async () => {
    desktop = await startDesktop({ home });
    desktop.page.setDefaultTimeout(20_000);
    await service.connect(desktop);
  };
  const restart = async () => {
    await desktop.quit();
    await start();
  };
  beforeAll(async () => {
    folder = newHome();
    home = join(folder, 'home');
    mkdirSync(home);
    service = await startOtherService(join(folder, 'service'));
    await start();
  });
  afterAll(async () => {
    await desktop?.quit();
    await service?.close();
    removeHomes();
  });

  const field = (name: string) => desktop.page.getByRole('textbox', { name, exact: true });
  const template = () => desktop.page.getByRole('combobox', { name: 'Template' });
  const newRequest = async () => {
    await go(desktop.page, 'Signatures');
    await desktop.page.getByRole('button', { name: 'New request' }).first().click();
    await field('Document name').waitFor();
  };
  const ofTemplate = () => desktop.page.getByRole('radio', { name: 'Template' }).click({ force: true });
  /** Requests that reached the service: each mails people. */
  const sent = () => service.control.requests().AddNewEasySignTemplate ?? 0;

  describe('sending to many', () => {
    const state = async () => (await ask(desktop, 'bulk.list', {}))[0]?.state;
    const underWay = async () => {
      const { prepared, waiting, sending } = (await ask(desktop, 'jobs.list', { limit: 1 })).counts;
      return prepared + waiting + sending;
    };
    /** Pressed in the window, with the question that is asked before. */
    async function sendAll(button: string) {
      await desktop.page.getByRole('button', { name: button }).click();
      const dialog = desktop.page.getByRole('alertdialog').or(desktop.page.getByRole('dialog'));
      await dialog.getByRole('button', { name: /^Send \d requests?$/ }).click();
    }

    it('is held by one press, over a restart too, and then goes on with the rest, each row once', {
      timeout: 240_000,
    }, async () => {
      await step('pausing', async () => {
        const { page } = desktop;
        await newRequest();
        await ofTemplate();
        await template().fill('TPL-1003');
        await page.getByRole('button', { name: 'Bulk send…' }).click();
        writeFileSync(join(folder, 'tenants.csv'), table);
        await answerOpenDialogs(desktop.app, [[join(folder, 'tenants.csv')]]);
        await page.getByRole('button', { name: 'Choose spreadsheet…' }).click();
        await seen(page, 'tenants.csv');
        await page.getByRole('button', { name: 'Check spreadsheet' }).click();
        await seen(page, 'Not sent yet');
        expect(sent()).toBe(0);
        await sendAll(`Send ${total} requests…`);
        await expect.poll(sent, within).toBeGreaterThanOrEqual(2);
        await page.getByRole('button', { name: 'Pause' }).click();
        await page.getByRole('heading', { name: 'Not all sent' }).waitFor();
        expect(await state()).toBe('paused');
        await accessible(page, 'bulk paused');
        // One may have been on its way while the button was pressed.
        await expect.poll(underWay, within).toBe(0);
        const before = sent();
        expect(before).toBeLessThan(total);
        // The next row would leave by the clock, two seconds after the one before.
        await page.waitForTimeout(3_000);
        expect(sent()).toBe(before);
      });

      await step('after a restart', async () => {
        const before = sent();
        await restart();
        const { page } = desktop;
        await service.answers(desktop);
        expect([await state(), sent()]).toEqual(['paused', before]);
        await newRequest();
        await page.getByRole('button', { name: 'Bulk send…' }).click();
        await page
          .getByRole('listitem')
          .filter({ hasText: 'tenants.csv' })
          .getByRole('button', { name: 'Open' })
          .click();
        await page.getByRole('heading', { name: 'Not all sent' }).waitFor();
        await sendAll('Resume: ');
        await page.getByRole('heading', { name: 'Finished' }).waitFor(within);
        expect(sent()).toBe(total);
        const [bulk] = await ask(desktop, 'bulk.list', {});
        expect(bulk?.counts).toMatchObject({ done: total, ready: 0, failed: 0, inDoubt: 0 });
      });
    });
  });

  describe('a preset', () => {
    it('is kept over a restart without files and secret word, fills an empty form, and can be removed', {
      timeout: 240_000,
    }, async () => {
      await step('keeps what stands in the form, but no file and no secret word, over a restart', async () => {
        const { page } = desktop;
        await newRequest();
        await ofTemplate();
        await template().fill('TPL-1002');
        await field('Document name').fill('Lease 2027');
        await field('Subject').fill('Your lease');
        await page.getByRole('button', { name: 'Presets…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Presets' });
        await dialog.getByRole('button', { name: 'Save this form…' }).click();
        await page.getByRole('textbox', { name: 'Preset name' }).fill('Leases');
        await page.getByRole('button', { name: 'Save preset' }).click();
        await dialog.getByRole('listitem').filter({ hasText: 'Leases' }).waitFor();
        await accessible(page, 'presets');
        await restart();
        const [preset, ...more] = await ask(desktop, 'forms.list', { place: 'preset' });
        expect([preset?.name, more]).toEqual(['Leases', []]);
        const content = preset?.place === 'preset' ? preset.content : {};
        expect(Object.keys(content).filter((key) => /file|image|secret/i.test(key))).toEqual([]);
      });

      await step('fills an empty form', async () => {
        const { page } = desktop;
        await newRequest();
        expect(await field('Document name').inputValue()).toBe('');
        await page.getByRole('button', { name: 'Presets…' }).click();
        await page.getByRole('button', { name: 'Use: Leases' }).click();
        await expect.poll(() => template().inputValue()).toBe('TPL-1002');
        expect(await field('Document name').inputValue()).toBe('Lease 2027');
        expect(await field('Subject').inputValue()).toBe('Your lease');
      });

      await step('is gone once it is removed', async () => {
        const { page } = desktop;
        await page.getByRole('button', { name: 'Presets…' }).click();
        await page.getByRole('button', { name: 'Remove: Leases' }).click();
        await expect.poll(async () => (await ask(desktop, 'forms.list', { place: 'preset' })).length).toBe(0);
        await page.getByRole('button', { name: 'Use: Leases' }).waitFor({ state: 'detached' });
      });
    });
  });
});
