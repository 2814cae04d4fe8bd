import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

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
  const axe = new AxeBuilder({ page }).setLegacyMode().exclude('[data-live-announcer]');
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
