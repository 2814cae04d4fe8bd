import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { builtInMeaning } from '../../locales/answer-meaning.ts';
import { SortAnswer, unsorted } from '../../renderer/features/jobs/sort-answer.tsx';
import { AnswersScreen } from '../../renderer/screens/answers/answers-screen.tsx';
import { noPolicyState } from '../harness/no-policy.ts';
import { peer } from './harness/core-peer.ts';
import { removeAll, showScreen } from './harness/show.tsx';
import { tags } from './harness/texts.ts';

const noAnswers = { statuses: [], verdicts: [], codes: [], unsorted: { statuses: [], verdicts: [] } };

async function choose(meaning: string) {
  await userEvent.click(page.getByRole('button', { name: /Group/ }));
  await userEvent.click(page.getByRole('option', { name: meaning, exact: true }));
}

it('gives a word the meaning of a built-in one, which has a headline of its own', async () => {
  peer.answer({ 'answers.sort': async () => noAnswers });
  let closed = 0;
  showScreen(<SortAnswer thing={unsorted('Verfälscht')} onClose={() => (closed += 1)} />);
  const line = page.getByRole('textbox', { name: 'Meaning' });
  await expect.element(line).toBeVisible();
  // Nothing is chosen that the person did not choose.
  await expect.element(page.getByRole('button', { name: 'Save meaning' })).toBeDisabled();
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

it('opens a word with the meaning that it has, also a built-in one', async () => {
  peer.answer({ 'answers.sort': async () => noAnswers });
  const thing = { kind: 'verdict', word: 'Gone', group: 'not-confirmed' } as const;
  const shown = showScreen(
    <SortAnswer thing={{ ...thing, meaning: builtInMeaning('unknown') }} onClose={() => undefined} />,
  );
  await expect.element(page.getByRole('button', { name: /Not known to the service/ })).toBeVisible();
  expect(page.getByRole('textbox', { name: 'Meaning' }).elements()).toEqual([]);
  shown.draw(<SortAnswer key="own" thing={{ ...thing, meaning: 'Not ours' }} onClose={() => undefined} />);
  await expect.element(page.getByRole('textbox', { name: 'Meaning' })).toHaveValue('Not ours');
  await userEvent.click(page.getByRole('button', { name: 'Save meaning' }));
  await expect.poll(() => peer.asked('answers.sort')).toEqual([{ ...thing, meaning: 'Not ours' }]);
});

it('breaks no word in the headings of known answers in a small window', async () => {
  await page.viewport(720, 600);
  const meaning = 'The service still works on this document, so it has no signatures yet';
  const statuses = ['InProgress', 'SigningWaits'].map((word) => ({
    ...({ word: `“${word}Document”`, group: 'in-progress', meaning, source: 'built-in' } as const),
  }));
  peer.answer({ 'answers.table': async () => ({ ...noAnswers, statuses }) });
  const isBroken = (heading: Element) => {
    const words = document.createRange();
    words.selectNodeContents(heading);
    return words.getClientRects().length > (heading.textContent ?? '').split(' ').length;
  };
  for (const language of tags) {
    // Beside the rail.
    showScreen(
      <div style={{ marginInlineStart: '3.5rem' }}>
        <AnswersScreen />
      </div>,
      'desktop',
      noPolicyState,
      language,
    );
    await expect.poll(() => document.querySelectorAll('th').length).toBe(7);
    expect([...document.querySelectorAll('th')].filter(isBroken).map((one) => one.textContent)).toEqual([]);
    await removeAll();
  }
  await page.viewport(1280, 800);
});
