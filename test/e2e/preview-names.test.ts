import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { plainPdf } from '../harness/pdf.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

const names = [
  'Framework agreement 2026 with Northwind Traders final.pdf',
  'WWWWWWWWWWWWWWWWWWWWWWWWWWWWWW MMMMMMM.pdf',
  'iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiillllllllllllllll.pdf',
  'exactly twenty-four .pdf',
  'Überweisungsaufträge für die Jahresabschlussprüfung.pdf',
  'AVAVAVAVATaTaTaTaToToToYoYoYoVA. WA. AVAVAVAVATo.pdf',
  'Vertrag 👩‍👩‍👧 e\u0301e\u0301e\u0301e\u0301 mit vielen Zeichen 🇩🇪🇩🇪🇩🇪 Anlage 3.pdf',
  'הסכם מסגרת עם נורתווינד סוחרים נוסח סופי לחתימה.pdf',
];
/** Odd steps: every offset of a letter from the edge comes up. */
const widths = Array.from({ length: 190 }, (_, n) => 24 + n * 2.83);

interface Seen {
  readonly name: string;
  readonly width: number;
  readonly text: string;
  /** What is drawn beyond the place that the name has, in px. */
  readonly beyond: number;
  /** What is left of the place. */
  readonly unused: number;
}

describe.skipIf(why !== '')(`long names in a browser${why}`, () => {
  let preview: BrowserPreview;
  let folder: string;
  let seen: readonly Seen[] = [];

  beforeAll(async () => {
    if ('missing' in browser) return;
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-names-'));
    for (const name of names) writeFileSync(join(folder, name), plainPdf(name));
    preview = await openPreview(browser.path);
    const { page } = preview;
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files…' }).first().click();
    await (await chooser).setFiles(names.map((name) => join(folder, name)));
    await page.getByRole('list', { name: 'Selected files' }).getByText('Framework').waitFor();
    seen = await page.evaluate(lookAtAll, { names, widths });
  });
  afterAll(async () => {
    await preview?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('show the beginning, …, and the end of the name at every width, or all of it', () => {
    expect(seen).toHaveLength(names.length * widths.length);
    const wrong = seen.filter(({ name, text }) => {
      const [head = '', tail, ...more] = text.split('…');
      if (tail === undefined) return text !== name;
      return (
        more.length > 0 || !name.startsWith(head) || !name.endsWith(tail) || head.length + tail.length >= name.length
      );
    });
    expect(wrong).toEqual([]);
    expect(seen.some(({ name, text }) => text === name)).toBe(true);
  });

  it('keep the ending wherever there is room for it', () => {
    const lost = seen.filter(({ width, text }) => width > 110 && !text.endsWith('.pdf'));
    expect(lost).toEqual([]);
  });

  it('draw nothing that is cut off, and leave no letter out that had room', () => {
    expect(seen.filter(({ beyond }) => beyond > 0.5)).toEqual([]);
    // The widest letter here is 17 px wide; white space beside the … is left out. A family in one sign may be wider.
    const spare = seen.filter(({ name, text, unused }) => text.includes('…') && !name.includes('👩') && unused > 24);
    expect(spare).toEqual([]);
  });

  it('never tear a letter apart', () => {
    const [family = ''] = names.filter((name) => name.includes('👩'));
    for (const { text } of seen.filter(({ name }) => name === family)) {
      const head = text.split('…')[0] ?? '';
      expect(head).not.toMatch(/[\u200d\ud83c\ud83d]$/);
      expect(family.slice(head.length)).not.toMatch(/^(\u200d|\u0301)/);
    }
  });

  it('are whole for screen readers and the clipboard', async () => {
    const { page } = preview;
    const list = page.getByRole('list', { name: 'Selected files' });
    const [name = ''] = names;
    await page.evaluate(lookAtAll, { names, widths: [120] });
    const item = list.getByRole('listitem').filter({ hasText: name });
    const spoken = await item.ariaSnapshot();
    expect(spoken).toContain(name);
    expect(spoken).not.toContain('…');
    const copied = await item.evaluate((row) => {
      getSelection()?.selectAllChildren(row);
      return getSelection()?.toString();
    });
    expect(copied).toContain(name);
    expect(copied).not.toContain('…');
    expect(await item.getByTitle(name).count()).toBe(1);
  });
});

/** Runs in the page: gives every name each width and tells what of it is seen. */
async function lookAtAll(task: { readonly names: readonly string[]; readonly widths: readonly number[] }) {
  const found = [];
  for (const width of task.widths) {
    const boxes = task.names.map((name) => document.querySelector(`[title="${name}"]`) as HTMLElement);
    for (const { parentElement } of boxes) {
      if (parentElement)
        parentElement.style.cssText = `flex: none; display: block; inline-size: ${width}px; overflow: hidden`;
    }
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (const box of boxes) {
      const drawn = box.querySelector('[aria-hidden]') ?? box;
      const line = document.createRange();
      line.selectNodeContents(drawn);
      const place = (box.parentElement as HTMLElement).getBoundingClientRect();
      const rects = [...line.getClientRects()];
      const [left, right] = [Math.min(...rects.map((r) => r.left)), Math.max(...rects.map((r) => r.right))];
      found.push({
        name: box.title,
        width,
        text: drawn.textContent ?? '',
        beyond: Math.max(place.left - left, right - place.right),
        unused: place.width - (right - left),
      });
    }
  }
  return found;
}
