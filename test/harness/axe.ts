import { AxeBuilder } from '@axe-core/playwright';
import type { Frame, Page } from 'playwright-core';
import { settled } from './settled.ts';

/** React Aria's own, beside every popup: two hidden buttons that close it. They are in no landmark, and the popup itself is a dialog. */
const beside = '<div style="display: contents;">';

/**
 * What axe finds on screen; `where` begins each message. React Aria's hidden announcements, which name elements of earlier screens, are heard once and removed.
 * In legacy mode, because Electron opens no second page for the analysis.
 */
export async function violations(
  page: Page,
  where: string,
  how: { readonly onlyColours?: boolean; readonly withoutFrames?: boolean; readonly except?: readonly string[] } = {},
): Promise<readonly string[]> {
  // Colours are those of the end of every transition.
  await settled(page);
  const axe = new AxeBuilder({ page, ...(await known(page)) })
    // Of what passes nothing is told: describing every element takes longer than looking at it.
    .options({ resultTypes: ['violations'], selectors: false })
    .setLegacyMode()
    .exclude('[data-live-announcer]');
  if (how.withoutFrames) axe.exclude('iframe');
  if (how.onlyColours) axe.withRules(['color-contrast']);
  else if (how.except) axe.disableRules([...how.except]);
  const found = await axe.analyze();
  return found.violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => !(id === 'region' && html.startsWith(beside)))
      .map(({ html, failureSummary }) => `${where}: ${id}: ${html.slice(0, 240)} ${failureSummary}`),
  );
}

/** Half a megabyte that is read twice for each analysis takes longer than the analysis: where all frames have it, nothing is added. */
async function known(page: Page): Promise<{ readonly axeSource?: string }> {
  const isThere = (frame: Frame) => frame.evaluate(() => 'axe' in window).catch(() => false);
  const frames = await Promise.all(page.frames().map(isThere));
  return frames.every(Boolean) ? { axeSource: '0' } : {};
}
