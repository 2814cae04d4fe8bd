import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, middle } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { type OtherService, startOtherService } from '../harness/other-service.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const within = { timeout: 30_000, interval: 100 };

describe.skipIf(why !== '')(`everything that runs, in real Electron${why}`, () => {
  let desktop: Desktop;
  let service: OtherService;
  let home = '';

  beforeAll(async () => {
    home = newHome();
    service = await startOtherService(join(home, 'service'));
    desktop = await startDesktop({ home: join(home, 'home') });
    desktop.page.setDefaultTimeout(30_000);
    await service.connect(desktop);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 400 }, operation: 'ValidateDocument' });
    mkdirSync(join(home, 'slow'));
    for (let n = 1; n <= 40; n += 1) writeFileSync(join(home, 'slow', `${n}.pdf`), plainPdf(`slow ${n}`));
  });
  afterAll(async () => {
    await desktop?.quit();
    await service?.close();
    removeHomes();
  });

  it('is listed and stopped in one place by keyboard, on any screen and after the window was loaded anew', async () => {
    const { page } = desktop;
    const open = (name: string) => page.getByRole('button', { name, exact: true });
    const list = page.getByRole('dialog', { name: 'Running now' });
    await open('Nothing running').click();
    await list.getByText('Nothing is running.').waitFor();
    await page.keyboard.press('Escape');

    await dropFiles(page, [join(home, 'slow')], await middle(page));
    await page.getByRole('button', { name: /^Verify 40 files/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Verify 40 files' }).click();
    await open('1 running').waitFor();
    await go(page, 'Settings');
    await page.reload();

    await open('1 running').focus();
    await page.keyboard.press('Enter');
    const row = list.getByRole('listitem').filter({ hasText: 'slow' });
    await row.getByText(/^\d+ of 40 files$/).waitFor();
    await row.getByRole('progressbar', { name: 'Verification: slow' }).waitFor();
    // A popover stands outside of the landmarks, as menus do; it is a dialog with a name.
    await accessible(page, 'running tasks', ['region']);
    const stop = row.getByRole('button', { name: 'Stop: Verification: slow' });
    for (let n = 0; n < 3 && !(await stop.evaluate((button) => button === document.activeElement)); n += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await list.getByText('Nothing is running.').waitFor();
    // The focused button is gone: a frame later the focus is in the list again, and keys reach it.
    await expect.poll(() => list.evaluate((box) => box.contains(document.activeElement)), within).toBe(true);
    await page.keyboard.press('Escape');
    await expect
      .poll(() => open('Nothing running').evaluate((button) => button === document.activeElement), within)
      .toBe(true);
    const { runs } = await ask(desktop, 'verify.runs', {});
    expect(runs).toMatchObject([{ state: 'stopped', total: 40 }]);
  });
});
