import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go } from '../harness/desktop-page.ts';
import { type Desktop, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { type OtherService, startOtherService } from '../harness/other-service.ts';
import { type Postgres, startPostgres } from '../harness/postgres.ts';
import { step } from '../harness/step.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

describe.skipIf(why !== '')(`what a team shares, in two windows of real Electron${why}`, () => {
  let [first, other]: (Desktop | undefined)[] = [];
  let service: OtherService;
  let postgres: Postgres | undefined;
  let folder = '';

  beforeEach(async () => {
    folder = newHome();
    service = await startOtherService(join(folder, 'service'));
  });
  afterEach(async () => {
    await first?.quit();
    await other?.quit();
    await service?.close();
    await postgres?.close();
    removeHomes();
  });

  it('shows a colleague’s template and view at once, also while the register is away, until they are no longer shared', {
    timeout: 200_000,
  }, async (test) => {
    const database = await startPostgres(test);
    postgres = database;
    const open = async (user: 'ana' | 'bo', person: string) => {
      const home = join(folder, user);
      mkdirSync(home);
      const desktop = await startDesktop({ home });
      const connectionId = await service.connect(desktop);
      const settings = database.settings(user, { person });
      await ask(desktop, 'team.join', { connectionId, settings, password: '' });
      return desktop;
    };
    const ana = await open('ana', 'Ana Petrov');
    first = ana;
    const bo = await open('bo', 'Bo Lindqvist');
    other = bo;

    await step('shares a template from the library while the colleague’s library is open', async () => {
      const templates = await openLibrary(bo.page);
      await templates.getByText('Template IDs from', { exact: false }).waitFor();
      const own = await openLibrary(ana.page);
      await own.getByRole('button', { name: 'Add template…' }).click();
      await own.getByRole('textbox', { name: 'Name' }).fill('Lease, furnished');
      await own.getByRole('textbox', { name: 'Template ID' }).fill('TPL-1002');
      await own.getByRole('button', { name: 'Save template' }).click();
      await own.getByRole('button', { name: 'Share with the team: Lease, furnished' }).click();
      await own.getByText('Shared by Ana Petrov').waitFor();
      const theirs = templates.getByRole('listitem').filter({ hasText: 'Lease, furnished' });
      await theirs.getByText('Shared by Ana Petrov').waitFor();
      await accessible(bo.page, 'shared-templates');
      await templates.getByRole('button', { name: 'Close' }).click();
      await own.getByRole('button', { name: 'Close' }).click();
      await bo.page.getByRole('combobox', { name: 'Template' }).click();
      await bo.page.getByRole('option', { name: /Lease, furnished.*Ana Petrov/ }).click();
      await expect.poll(() => bo.page.getByRole('combobox', { name: 'Template' }).inputValue()).toBe('TPL-1002');
    });

    await step('shares a view, which the colleague uses', async () => {
      const { page } = ana;
      await go(page, 'Documents');
      await search(page).fill('Lease');
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: 'Save view…' }).click();
      await page.getByRole('textbox', { name: 'View name' }).fill('Leases');
      await page.getByRole('button', { name: 'Save view' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: /^Leases/ }).click();
      await page.getByRole('button', { name: 'Leases' }).click();
      await page.getByRole('menuitem', { name: 'Share “Leases” with the team' }).click();
      await go(bo.page, 'Documents');
      // An open menu follows what is shared.
      await bo.page.getByRole('button', { name: 'Views' }).click();
      await bo.page.getByRole('group', { name: 'From the team' }).waitFor();
      await bo.page
        .getByRole('menuitem', { name: /^Leases/ })
        .getByText('Shared by Ana Petrov')
        .waitFor();
      await accessible(bo.page, 'shared-views');
      await bo.page.getByRole('menuitem', { name: /^Leases/ }).click();
      await expect.poll(() => search(bo.page).inputValue()).toBe('Lease');
    });

    await step('keeps what is shared while the register is away, and says that nothing can be shared', async () => {
      await database.stop('fast');
      const { page } = bo;
      const status = page.getByRole('contentinfo');
      await status.getByText(/^Team register away since/).waitFor({ timeout: 30_000 });
      await page.getByRole('button', { name: 'Leases' }).click();
      await page.getByRole('menuitem', { name: 'Stop sharing “Leases”…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing' }).click();
      await page.getByRole('alert').getByText('Nothing was changed for the team.', { exact: false }).waitFor();
      await page.getByRole('button', { name: 'Leases' }).waitFor();
      await database.start();
      await status.getByText('Team register connected').waitFor({ timeout: 30_000 });
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });

    await step('removes what a colleague no longer shares, but not what was copied', async () => {
      const { page } = bo;
      await page.getByRole('button', { name: 'Leases' }).click();
      await page.getByRole('menuitem', { name: 'Save a copy of “Leases”' }).click();
      await ana.page.getByRole('button', { name: 'Leases' }).click();
      await ana.page.getByRole('menuitem', { name: 'Stop sharing “Leases”…' }).click();
      await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Stop sharing' }).click();
      await page.getByRole('button', { name: 'Leases' }).click();
      await page.getByRole('menuitem', { name: 'Share “Leases” with the team' }).waitFor({ timeout: 20_000 });
      await page.getByRole('menuitem', { name: 'Remove “Leases”' }).waitFor();
    });
  });
});

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search documents' });

/** Opens the library of templates in a new request. */
async function openLibrary(page: Page) {
  await go(page, 'Signatures');
  await page.getByRole('button', { name: 'New request' }).first().click();
  await page.getByRole('radio', { name: 'Template' }).click({ force: true });
  await page.getByRole('button', { name: 'My templates…' }).click();
  return page.getByRole('dialog', { name: 'My templates' });
}
