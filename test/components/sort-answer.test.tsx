import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { SortAnswer } from '../../renderer/features/sort-answer.tsx';
import { peer } from './harness/core-peer.ts';
import { showScreen } from './harness/show.tsx';

const noAnswers = { statuses: [], verdicts: [], codes: [], unsorted: { statuses: [], verdicts: [] } };

async function choose(meaning: string) {
  await userEvent.click(page.getByRole('button', { name: /A file with this answer is/ }));
  await userEvent.click(page.getByRole('option', { name: meaning, exact: true }));
}

it('gives a word the meaning of a built-in one, which has a headline of its own', async () => {
  peer.answer({ 'answers.sort': async () => noAnswers });
  let closed = 0;
  showScreen(<SortAnswer word="Verfälscht" onClose={() => (closed += 1)} />);
  const line = page.getByRole('textbox', { name: 'Meaning in one line (optional)' });
  await expect.element(line).toBeVisible();
  await choose('Changed after registration');
  // A line of one's own would take the place of the built-in meaning.
  await expect.element(line).not.toBeInTheDocument();
  await userEvent.click(page.getByRole('button', { name: 'Save meaning' }));
  await expect.poll(() => closed).toBe(1);
  expect(peer.asked('answers.sort')).toEqual([
    {
      kind: 'verdict',
      word: 'Verfälscht',
      group: 'not-confirmed',
      meaning: 'The document is not as it was registered',
    },
  ]);
});
