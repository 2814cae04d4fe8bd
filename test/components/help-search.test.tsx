import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { HelpDialog } from '../../renderer/screens/help/help-dialog.tsx';
import { showScreen } from './harness/show.tsx';

it('shows the best hit of a search beside the list as one types, and keeps the keys in the search', async () => {
  showScreen(
    <HelpDialog place={{ topic: 'start', anchor: null }} onTour={() => undefined} onClose={() => undefined} />,
  );
  const topic = page.getByRole('article').getByRole('heading', { level: 2 });
  await expect.element(topic).toBeVisible();
  const before = topic.element().textContent;
  const search = page.getByRole('searchbox');
  await search.fill('access code');
  await expect.element(topic).toHaveTextContent('Request signatures');
  expect(before).not.toBe('Request signatures');
  expect(search.element()).toBe(document.activeElement);
  // Nothing found: what fitted the beginning of the words is not shown as if it fitted all of them.
  await search.fill('access code zzz');
  await expect.element(page.getByText(/^Nothing found/)).toBeVisible();
  expect(page.getByText(/0 results/).elements()).toEqual([]);
  await expect.element(topic).toHaveTextContent(before ?? '');
  await search.fill('access code');
  await expect.element(topic).toHaveTextContent('Request signatures');
});
