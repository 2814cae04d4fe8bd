import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessible } from '../harness/desktop-page.ts';
import { type Desktop, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

describe.skipIf(why !== '')(`the Help menu in real Electron${why}`, () => {
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await startDesktop({ home: newHome() });
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  /** Chooses an entry of the Help menu; answers its accelerator. */
  const choose = (label: string) =>
    desktop.app.evaluate(({ Menu }, wanted) => {
      const help = Menu.getApplicationMenu()?.items.find(({ role }) => role === 'help');
      const item = help?.submenu?.items.find((one) => one.label === wanted);
      item?.click();
      return item?.accelerator ?? null;
    }, label);
  const dialog = () => desktop.page.getByRole('dialog', { name: 'Help' });
  const topic = () => dialog().getByRole('heading', { level: 2 }).nth(1).innerText();

  it('opens the guide, the shortcuts of the desktop and the tour', async () => {
    const { page } = desktop;
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await choose('User Guide')).toBe('F1');
    await expect.poll(topic).toBe('Start');
    await accessible(page, 'help');
    await choose('Keyboard Shortcuts');
    await expect.poll(topic).toBe('Keyboard shortcuts');
    await dialog().getByText('Full screen').waitFor();
    await choose('First Steps');
    await dialog().waitFor({ state: 'detached' });
    const tour = page.getByRole('region', { name: 'First steps' });
    await tour.getByText('Step 1 of 3').waitFor();
    await page.keyboard.press('Escape');
    await tour.getByText('Step 1 of 3').waitFor({ state: 'detached' });
  });

  it('shows pictures of the guide under the page’s own policy', async () => {
    const { page } = desktop;
    await page.keyboard.press('F1');
    const picture = dialog().getByRole('img').first();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280);
  });
});
