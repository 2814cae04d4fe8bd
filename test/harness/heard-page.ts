import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Headings of the topmost layer that skip a level, and a screen that does not begin with its own. */
export async function wrongHeadings(page: Page, where: string): Promise<readonly string[]> {
  const levels = await page.evaluate(() => {
    const layers = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], main')];
    const top = layers.findLast((one) => one.checkVisibility());
    return [...(top?.querySelectorAll('h1, h2, h3, h4, h5, h6') ?? [])]
      .filter((one) => one.checkVisibility())
      .map((one) => ({
        level: Number(one.tagName.slice(1)),
        text: one.textContent ?? '',
        inMain: top?.tagName === 'MAIN',
      }));
  });
  return levels.flatMap(({ level, text, inMain }, index) => {
    const before = levels[index - 1]?.level ?? (inMain ? 0 : 1);
    return level > before + 1 || (index > 0 && inMain && level === 1) ? [`${where}: level ${level}: ${text}`] : [];
  });
}

const patterns: readonly (readonly [RegExp, string])[] = [
  // Read from time to time, so a slow run has it in the history.
  [/^ *- listitem .*document status “Processing”\n/gm, ''],
  [/^ *- text: In progress\n(?= *- button "Download…")/gm, ''],
  // There once the first was made.
  [/\n *- text: [\d.,]+ of \d+ automatic refreshes$/gm, ''],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '{id}'],
  [/127\.0\.0\.1:\d+/g, '{address}'],
  [/\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec) \d{4}\b/g, '{date}'],
  [/\b[0-9a-f]{64}\b/gi, '{hash}'],
  [
    /\b(\d{1,2} )?(January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b/g,
    '{date}',
  ],
  [/\b\d{1,2}:\d{2}(:\d{2})?( UTC| GMT\S*)?/g, '{time}'],
  // Two lists that were read at the turn of a minute.
  [/today \{time\} to \{time\}/g, 'today {time}'],
  [/"Good (morning|afternoon|evening)"/g, '"{greeting}"'],
  [/\b\d{2}\/\d{2}\/\d{4}\b|\b\d{4}-\d{2}-\d{2}\b/g, '{date}'],
  [/\b[\d.,]+ (bytes|kB|MB|GB)(?=\W|$)/g, '{size}'],
  [/\b\d+ (of \d+ automatic refreshes|calls? in the last hour)/g, '{n} $1'],
  [/\b[\d.,]+ (ms|s|seconds?|minutes?)\b/g, '{duration}'],
  [/\S*sealdesk-preview-\w+/g, '{folder}'],
];

/** The accessibility tree of the topmost layer, as a text that is the same on every machine and day. */
async function heardTree(page: Page): Promise<string> {
  const over = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]').last();
  const top = (await over.count()) > 0 ? over : page.locator('main');
  return `${stable(await top.ariaSnapshot())}\n`;
}

/** The tree once it is the one that is written down in a file; else as it is when nothing has changed for a while. */
export async function settledTree(page: Page, file: string): Promise<string> {
  const written = await readFile(file, 'utf8').catch(() => null);
  const [startedAt, quietMs, longestMs] = [performance.now(), 5_000, 20_000];
  let [tree, changedAt] = [await heardTree(page), startedAt];
  while (tree !== written && performance.now() - changedAt < quietMs && performance.now() - startedAt < longestMs) {
    await page.waitForTimeout(100);
    const now = await heardTree(page);
    if (now !== tree) [tree, changedAt] = [now, performance.now()];
  }
  return tree;
}

/** Replaces what differs between two runs. */
export function stable(tree: string): string {
  return patterns.reduce((text, [pattern, word]) => text.replaceAll(pattern, word), tree);
}
