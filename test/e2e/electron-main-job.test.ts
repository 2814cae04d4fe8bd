import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { go, middle, registerFilesInHand, seen, verifyFileInHand } from '../harness/desktop-page.ts';
import {
  answerSaveDialog,
  type Desktop,
  dropFiles,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';
import { step } from '../harness/step.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

describe.skipIf(why !== '')(`the main job in real Electron${why}`, () => {
  let desktop: Desktop;
  let folder = '';
  let home = '';
  const lease = 'Lease 2027.pdf';
  const downloaded = () => join(folder, 'copy of the lease.pdf');

  beforeEach(async () => {
    folder = newHome();
    home = join(folder, 'home');
    writeFileSync(join(folder, lease), plainPdf('Lease 2027'));
    mkdirSync(join(folder, 'annexes', 'deep'), { recursive: true });
    writeFileSync(join(folder, 'annexes', 'deep', 'Annex A.pdf'), plainPdf('Annex A'));
    writeFileSync(join(folder, 'annexes', 'note.txt'), 'not a PDF');
    desktop = await startDesktop({ home });
  });
  afterEach(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('registers what is dropped, downloads and verifies it, and finds it again after a restart', {
    timeout: 240_000,
  }, async () => {
    let documentId = '';
    await step('says that nothing leaves this computer', async () => {
      await seen(desktop.page, 'Drop documents here');
      await seen(desktop.page, /nothing leaves this computer/);
    });

    await step('takes a dropped file and a dropped folder and sends nothing by that', async () => {
      const { page } = desktop;
      await dropFiles(page, [join(folder, lease), join(folder, 'annexes')], await middle(page));
      await seen(page, /^3 files, 2 folders, \d/);
      await seen(page, /^1 cannot be registered/);
      await go(page, 'Activity');
      await seen(page, 'Nothing has been sent yet');
      await go(page, 'Start');
    });

    await step('registers both documents and shows their IDs', async () => {
      const { page } = desktop;
      await registerFilesInHand(page, 2);
      const card = page.getByRole('article', { name: 'Lease 2027' });
      await card.getByText('Registered', { exact: true }).waitFor({ timeout: 20_000 });
      documentId = guid.exec((await card.textContent()) ?? '')?.[0] ?? '';
      expect(documentId).toMatch(guid);
      await page.getByRole('article', { name: 'Annex A' }).getByText('Registered', { exact: true }).waitFor();
    });

    await step('copies an ID, the one thing that the page may do outside of itself', async () => {
      await desktop.page.getByRole('article', { name: 'Lease 2027' }).getByRole('button', { name: /^Copy/ }).click();
      await expect.poll(() => desktop.app.evaluate(({ clipboard }) => clipboard.readText())).toBe(documentId);
    });

    await step('shows the document as Completed', async () => {
      const { page } = desktop;
      await go(page, 'Documents');
      await page.getByRole('row', { name: /Lease 2027/ }).click();
      const panel = page.getByRole('complementary');
      await panel.getByText(documentId).first().waitFor();
      await expect
        .poll(
          async () => {
            await panel.getByRole('button', { name: 'Check status' }).click();
            return panel.getByText(/^Completed$/).count();
          },
          { timeout: 15_000, interval: 700 },
        )
        .toBeGreaterThan(0);
    });

    await step('downloads the service’s copy to where the person says', async () => {
      const { app, page } = desktop;
      await answerSaveDialog(app, downloaded());
      await page.getByRole('complementary').getByRole('button', { name: 'Download…' }).click();
      await seen(page, /Saved as/);
      expect(readFileSync(downloaded()).subarray(0, 5).toString()).toBe('%PDF-');
    });

    await step('confirms the downloaded file, and no longer once a byte is changed', async () => {
      const { page } = desktop;
      await dropFiles(page, [downloaded()], await middle(page));
      expect(await verifyFileInHand(page, 'copy of the lease.pdf')).toBe('Confirmed: registered and unchanged');
      await seen(page, /^Downloaded here today .* from Lease 2027/);

      const bytes = readFileSync(downloaded());
      const at = bytes.indexOf('Lease 2027');
      bytes[at] = bytes.readUInt8(at) ^ 1;
      writeFileSync(join(folder, 'changed.pdf'), bytes);
      await go(page, 'Start');
      const putAway = page.getByRole('button', { name: 'Clear list' });
      if (await putAway.isVisible()) await putAway.click();
      await dropFiles(page, [join(folder, 'changed.pdf')], await middle(page));
      expect(await verifyFileInHand(page, 'changed.pdf')).toBe('Changed after registration');
    });

    await step('finds the document again after a restart', async () => {
      await desktop.quit();
      desktop = await startDesktop({ home });
      const { page } = desktop;
      await go(page, 'Documents');
      await page.getByRole('searchbox', { name: 'Search documents' }).fill(documentId.slice(0, 13));
      await page.getByRole('row', { name: /Lease 2027/ }).click();
      await page.getByRole('complementary').getByText(documentId).first().waitFor();
      expect(await page.getByRole('row', { name: /Annex A/ }).count()).toBe(0);
    });
  });

  it('registers a file without a path, as mail clients drop them', async () => {
    const { page } = desktop;
    const bytes = [...plainPdf('From the mail client')];
    await page.evaluate((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(content)], 'Attachment ä.pdf', { type: 'application/pdf' }));
      const event = { bubbles: true, cancelable: true, dataTransfer: transfer };
      document.body.dispatchEvent(new DragEvent('drop', event));
    }, bytes);
    await registerFilesInHand(page, 1);
    const card = page.getByRole('article', { name: 'Attachment ä' });
    await card.getByText('Registered', { exact: true }).waitFor({ timeout: 20_000 });
  });

  it('ends soon while something is being sent', async () => {
    const large = join(folder, 'large.pdf');
    writeFileSync(large, Buffer.concat([plainPdf('large'), Buffer.alloc(200 * 1024 * 1024, 0x20)]));
    await dropFiles(desktop.page, [large], await middle(desktop.page));
    await registerFilesInHand(desktop.page, 1);
    const before = Date.now();
    await desktop.quit();
    expect(Date.now() - before).toBeLessThan(10_000);
    expect(existsSync(join(home, 'window.json'))).toBe(true);
    desktop = await startDesktop({ home });
    await go(desktop.page, 'Activity');
    await desktop.page.getByRole('article', { name: 'large' }).waitFor();
  });
});
