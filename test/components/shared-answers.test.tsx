import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AnswersView } from '../../contract/answers.ts';
import type { SharedAnswer, SharedItem } from '../../contract/shared.ts';
import { useTeamChanges } from '../../renderer/features/team/team.ts';
import { AnswersScreen } from '../../renderer/screens/answers/answers-screen.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';
import { teamAnswers } from './harness/team.ts';

const connectionId = connection.id;
const table: AnswersView = {
  statuses: [
    { word: 'Sealed', group: 'completed', meaning: 'Done', source: 'own' },
    { word: 'Completed', group: 'completed', meaning: 'The document is ready', source: 'built-in' },
  ],
  verdicts: [],
  codes: [
    { code: '-7', meaning: 'No credits', source: 'built-in' },
    { code: '-8', meaning: 'Mine', source: 'own' },
  ],
  unsorted: { statuses: [], verdicts: [] },
};

const shared = (answer: SharedAnswer): SharedItem => ({
  key: `${answer.kind} ${answer.kind === 'code' ? answer.code : answer.word.toLowerCase()}`,
  value: { kind: 'answer', answer },
  by: { person: 'Ana Petrov', computer: 'DESK-1' },
  at: '2027-01-04T09:12:00.000Z',
});
const sealed = { kind: 'status', word: 'Sealed', group: 'completed', meaning: 'Done' } as const;

function Answers() {
  useTeamChanges();
  return <AnswersScreen />;
}

function open() {
  peer.answer({ 'answers.table': async () => table });
  showScreen(<Answers />);
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });

it('lets a lead share a meaning set here, shows who shared it, and asks before it stops', async () => {
  open();
  teamAnswers('lead');
  await userEvent.click(button('Share with the team: Sealed'));
  await expect
    .poll(() => peer.asked('team.share'))
    .toEqual([{ connectionId, value: { kind: 'answer', answer: sealed } }]);
  teamAnswers('lead', shared(sealed));
  peer.send('team.sharedChanged', { connectionId });
  await expect.element(row('Sealed').getByText('Shared by Ana Petrov')).toBeVisible();
  await userEvent.click(button('Stop sharing…: Sealed'));
  expect(peer.asked('team.unshare')).toEqual([]);
  await userEvent.click(button('Stop sharing'));
  await expect.poll(() => peer.asked('team.unshare')).toEqual([{ connectionId, kind: 'answer', key: 'status sealed' }]);
});

it('shows the meaning of the team in place of the built-in one, and one’s own in place of both', async () => {
  open();
  teamAnswers(
    'member',
    shared({ ...sealed, group: 'attention', meaning: 'Ask Ana' }),
    shared({ kind: 'status', word: 'completed', group: 'in-progress', meaning: 'Not signed yet' }),
    shared({ kind: 'code', code: '-7', meaning: 'Buy credits from Ana' }),
  );
  await expect.element(row('completed').getByText('Not signed yet')).toBeVisible();
  expect(page.getByText('The document is ready').elements()).toHaveLength(0);
  await expect.element(row('Sealed').getByText('Done', { exact: true })).toBeVisible();
  expect(page.getByText('Ask Ana').elements()).toHaveLength(0);
  await userEvent.click(button('2 codes with a meaning'));
  await expect.element(page.getByRole('row', { name: /-7 Buy credits from Ana Shared by .*Ana Petrov/ })).toBeVisible();
});

it('says to a member that only a lead can share, and offers nothing where no team was joined', async () => {
  open();
  teamAnswers('member');
  const share = button('Share with the team: Sealed');
  await userEvent.hover(share);
  await expect.element(page.getByText('Only a lead can share what answers mean.')).toBeVisible();
  await userEvent.click(share, { force: true });
  expect(peer.asked('team.share')).toEqual([]);
  teamAnswers(null);
  peer.send('team.changed', { links: [] });
  await expect.element(share).not.toBeInTheDocument();
});
