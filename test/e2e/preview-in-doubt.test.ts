import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { assetsDir } from '../harness/core.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, registerFilesInHand } from '../harness/desktop-page.ts';
import { examinedThemes } from '../harness/looks.ts';
import { openReview } from '../harness/open-review.ts';
import { plainPdf } from '../harness/pdf.ts';
import { startPractice } from '../harness/practice.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

describe.skipIf(why !== '')(`adds in doubt, answered from Home${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let service: Awaited<ReturnType<typeof startPractice>>;

  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    page = preview.page;
    await page.getByText('Drop documents here').waitFor();
    service = await startPractice({ dataDir: join(preview.dataDir, 'other-service'), assetsDir });
    const { baseUrl, mainPath, easySignPath, namespaceUri, apiKey, apiSig } = service;
    const settings = {
      name: 'Office',
      baseUrl,
      mainPath,
      easySignPath,
      namespaceUri,
      proxy: { mode: 'none' },
    } as const;
    const { id } = await ask(preview, 'connections.save', { settings });
    await ask(preview, 'connections.setCredentials', { id, apiKey, apiSig });
    await ask(preview, 'connections.use', { id });
    for (const name of ['lease', 'deed']) writeFileSync(join(preview.dataDir, `${name}.pdf`), plainPdf(name));
  });
  afterAll(async () => {
    await preview?.close();
    await service?.close();
  });

  const line = (title: string | RegExp) => page.getByRole('listitem', { name: title });
  const adds = () => {
    const { AddNewDocumentESign = 0, AddNewEasySignDocument = 0, AddNewDocument = 0 } = service.control.requests();
    return AddNewDocumentESign + AddNewEasySignDocument + AddNewDocument;
  };
  async function choose(name: string) {
    await go(page, 'Start');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files…' }).first().click();
    await (await chooser).setFiles(join(preview.dataDir, `${name}.pdf`));
  }

  it('a request that the service lists takes one click, which can be undone', { timeout: 120_000 }, async () => {
    service.control.misbehave([
      { mischief: { kind: 'drop-after' }, times: 1, operation: 'AddNewDocumentESign' },
      { mischief: { kind: 'drop-after' }, times: 1, operation: 'AddNewEasySignDocument' },
    ]);
    await choose('lease');
    await page.getByRole('button', { name: 'Request signatures' }).click();
    await page.getByRole('textbox', { name: 'Document name' }).fill('Lease, unit 7');
    await page.getByRole('combobox', { name: 'Signer 1: e-mail' }).fill('ana.petrov@example.org');
    await openReview(page);
    await page.getByRole('button', { name: 'Send request' }).click();
    await go(page, 'Start');
    const accept = line(/^lease/i).getByRole('button', { name: 'It’s this one' });
    await accept.waitFor({ timeout: 60_000 });
    for (const colorScheme of examinedThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await accessible(page, `in doubt, ${colorScheme}`);
      await preview.picture(`in-doubt-home-${colorScheme}`);
    }
    await accept.click();
    await page.getByText('Nothing needs you.').waitFor();
    const undo = page.getByRole('button', { name: /^Undo: / });
    await page.setViewportSize({ width: 720, height: 600 });
    await preview.picture('in-doubt-accepted-small');
    await page.setViewportSize({ width: 1280, height: 800 });
    // On whatever screen one is.
    await go(page, 'Documents');
    await undo.click();
    await go(page, 'Start');
    await accept.click();
    await page.getByText('Nothing needs you.').waitFor();
    expect(adds()).toBe(1);
  });

  it('a registration takes two: the check of its file, and to count it as registered', {
    timeout: 120_000,
  }, async () => {
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1, operation: 'AddNewDocument' });
    await choose('deed');
    await registerFilesInHand(page, 1);
    await go(page, 'Start');
    await line('deed.pdf').getByRole('button', { name: 'Check the file' }).click();
    await line('deed.pdf').getByRole('button', { name: 'Count as registered' }).click();
    await page.getByText('Nothing needs you.').waitFor();
    expect(service.control.requests().ValidateDocument).toBe(1);
    expect(adds()).toBe(2);
    // What happened is in the log, where nothing sends.
    await go(page, 'Activity');
    const log = page.getByRole('list', { name: 'Jobs' });
    await log.getByRole('article', { name: 'deed.pdf' }).waitFor();
    expect(await log.getByRole('button', { name: /send|retry|correct/i }).count()).toBe(0);
    for (const colorScheme of examinedThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [width, height] of [
        [1280, 800],
        [720, 600],
      ] as const) {
        await page.setViewportSize({ width, height });
        await accessible(page, `log, ${colorScheme}, ${width}`);
        await preview.picture(`log-${colorScheme}-${width}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('searchbox', { name: 'Search by name, signer or ID' }).fill('ana.petrov');
    await log.getByRole('article', { name: 'deed.pdf' }).waitFor({ state: 'detached' });
    await log.getByRole('article', { name: /lease/i }).waitFor();
  });
});
