import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { texts as arabic } from '../../locales/ar/desktop.ts';
import { texts as german } from '../../locales/de/desktop.ts';
import { texts as english } from '../../locales/en/desktop.ts';
import type { Translation } from '../../locales/translation.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { type Desktop, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

describe.skipIf(why !== '')(`the language of the desktop’s own texts in real Electron${why}`, () => {
  const home = newHome();
  let desktop: Desktop;

  const menu = () =>
    desktop.app.evaluate(({ Menu }) => {
      const labels: string[] = [];
      const collect = (items: readonly Electron.MenuItem[]) => {
        for (const { type, label, submenu } of items) {
          if (type !== 'separator') labels.push(label);
          if (submenu) collect(submenu.items);
        }
      };
      collect(Menu.getApplicationMenu()?.items ?? []);
      return labels;
    });
  /** Every label of the menu is one of `texts`; the tools of developers, which no package has, aside. */
  const menuIs = ({ menu: labels, screens }: Pick<Translation<typeof english>, 'menu' | 'screens'>) =>
    expect.poll(async () => {
      const known: readonly string[] = [...Object.values(labels), ...Object.values(screens)];
      return (await menu()).filter((label) => !known.includes(label));
    });

  beforeAll(async () => {
    desktop = await startDesktop({ home });
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('follows the setting at once', async () => {
    await ask(desktop, 'app.setPreferences', { language: 'en' });
    await menuIs(english).toEqual(['Reload', 'Toggle Developer Tools']);
    await ask(desktop, 'app.setPreferences', { language: 'de' });
    await menuIs(german).toEqual(['Reload', 'Toggle Developer Tools']);
    await desktop.page.getByRole('button', { name: 'Einstellungen' }).waitFor();
  });

  it('is Arabic in the menus of fields and of selected text too', async () => {
    await ask(desktop, 'app.setPreferences', { language: 'ar' });
    await menuIs(arabic).toEqual(['Reload', 'Toggle Developer Tools']);
    const { app, page } = desktop;
    await app.evaluate(({ Menu }) => {
      Menu.prototype.popup = function popup() {
        const shown = this.items.filter(({ type }) => type !== 'separator').map(({ label }) => label);
        (globalThis as { shownMenu?: readonly string[] }).shownMenu = shown;
      };
    });
    const shown = () => app.evaluate(() => (globalThis as { shownMenu?: readonly string[] }).shownMenu);
    const { undo, redo, cut, copy, paste, delete: remove, selectAll } = arabic.menu;
    await page.getByRole('button', { name: 'الملاحظات' }).click();
    await page.getByRole('textbox').first().click({ button: 'right' });
    await expect.poll(shown).toEqual([undo, redo, cut, copy, paste, remove, selectAll]);
    await page.getByRole('heading', { level: 1 }).selectText();
    await page.getByRole('heading', { level: 1 }).click({ button: 'right' });
    await expect.poll(shown).toEqual([copy]);
  });

  it('follows the setting from the start on, in the dialogs of the system too', async () => {
    await ask(desktop, 'app.setPreferences', { language: 'de' });
    await desktop.quit();
    desktop = await startDesktop({ home });
    await menuIs(german).toEqual(['Reload', 'Toggle Developer Tools']);
    const filters = await desktop.app.evaluate(async ({ dialog, Menu }, label) => {
      const asked = new Promise<readonly string[]>((resolve) => {
        const answer = async (...given: readonly unknown[]) => {
          const options = given.at(-1) as Electron.OpenDialogOptions;
          resolve((options.filters ?? []).map(({ name }) => name));
          return { canceled: true, filePaths: [] };
        };
        dialog.showOpenDialog = answer;
      });
      const [file] = Menu.getApplicationMenu()?.items ?? [];
      file?.submenu?.items.find((item) => item.label === label)?.click();
      return asked;
    }, german.menu.openFiles);
    expect(filters).toEqual(['PDF', german.allFiles]);
  });
});
