import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleMessage } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { go, middle, seen } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';
import { settled } from '../harness/settled.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const screens = ['Activity', 'Documents', 'Signatures', 'Verify', 'Notes', 'Connections', 'Settings', 'Start'] as const;

/** Run in the window or in the viewer: what code that got in could try to make markup, code or a worker of text. */
function tryTexts(): Record<string, string> {
  const outcome = (work: () => unknown) => {
    try {
      work();
      return 'done';
    } catch (error) {
      return error instanceof Error ? error.name : 'refused';
    }
  };
  const { trustedTypes } = window as unknown as {
    trustedTypes: { createPolicy(name: string, rules: object): unknown; defaultPolicy: object | null };
  };
  const markup = '<img src=x onerror="0">';
  const div = document.createElement('div');
  const script = document.createElement('script');
  const all = { createHTML: String, createScript: String, createScriptURL: String };
  return {
    innerHTML: outcome(() => {
      div.innerHTML = markup;
    }),
    outerHTML: outcome(() => {
      document.body.appendChild(document.createElement('p')).outerHTML = markup;
    }),
    insertAdjacentHTML: outcome(() => div.insertAdjacentHTML('beforeend', markup)),
    srcdoc: outcome(() => {
      document.createElement('iframe').srcdoc = markup;
    }),
    parsed: outcome(() => new DOMParser().parseFromString(markup, 'text/html')),
    fragment: outcome(() => document.createRange().createContextualFragment(markup)),
    write: outcome(() => document.write(markup)),
    scriptText: outcome(() => {
      script.text = '0';
    }),
    scriptAddress: outcome(() => {
      script.src = 'data:text/javascript,0';
    }),
    worker: outcome(() => new Worker('data:text/javascript,0')),
    timer: outcome(() => setTimeout('0' as never)),
    ownPolicy: outcome(() => trustedTypes.createPolicy('mine', all)),
    defaultPolicy: outcome(() => trustedTypes.createPolicy('default', all)),
    secondPolicy: outcome(() => trustedTypes.createPolicy('viewer-worker', all)),
  };
}

const refused = Object.fromEntries(
  [
    ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc', 'parsed', 'fragment', 'write'],
    ...['scriptText', 'scriptAddress', 'worker', 'timer', 'ownPolicy', 'defaultPolicy', 'secondPolicy'],
  ].map((name) => [name, 'TypeError']),
);

describe.skipIf(why !== '')(`texts that are no code in real Electron${why}`, () => {
  let desktop: Desktop;
  const complaints: string[] = [];
  const noteComplaint = (message: ConsoleMessage) => {
    if (/content security policy|trusted/i.test(message.text())) complaints.push(message.text());
  };

  beforeAll(async () => {
    const home = newHome();
    mkdirSync(join(home, 'files'));
    writeFileSync(join(home, 'files', 'lease.pdf'), plainPdf('lease'));
    desktop = await startDesktop({ home: join(home, 'home') });
    desktop.page.on('console', noteComplaint);
    await dropFiles(desktop.page, [join(home, 'files', 'lease.pdf')], await middle(desktop.page));
    await desktop.page.getByRole('button', { name: /^Verify 1 file/ }).click();
    await seen(desktop.page, /not confirmed/i);
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  /** Opens the preview of the verified file from the verify screen's results. */
  async function showPreview() {
    const { page } = desktop;
    await page.getByRole('article', { name: 'lease.pdf' }).getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Show preview' }).click();
    const shown = page.frameLocator('iframe');
    await shown.locator('canvas').first().waitFor();
    return shown;
  }

  it('shows a PDF and every screen without a violation of the policy', async () => {
    const { page } = desktop;
    await showPreview();
    await page.getByRole('button', { name: 'Close side panel' }).click();
    for (const screen of screens) {
      await go(page, screen);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
    }
    // A number that is changed is announced: React Aria's live region is emptied as markup.
    await go(page, 'Settings');
    await page.getByRole('textbox', { name: 'Files at once' }).press('ArrowDown');
    await page.keyboard.press('F1');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    const violations = await page.evaluate(
      () =>
        new Promise<number>((done) => {
          // Those of the past, too; called also if there is none, because a further one is made here.
          new ReportingObserver((reports) => done(reports.length), {
            types: ['csp-violation'],
            buffered: true,
          }).observe();
          try {
            document.createElement('div').innerHTML = '<b>';
          } catch {
            // Refused, and reported.
          }
        }),
    );
    expect(violations).toBe(1);
    expect(complaints.filter((text) => !text.includes("requires 'TrustedHTML'"))).toEqual([]);
  });

  it('lets the window make no markup, code or worker of texts, and no policy that would', async () => {
    expect(await desktop.page.evaluate(tryTexts)).toEqual(refused);
  });

  it('lets the viewer of PDFs make none either', async () => {
    const { page } = desktop;
    await go(page, 'Verify');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const shown = await showPreview();
    expect(await shown.locator('main').evaluate(tryTexts)).toEqual(refused);
  });
});
