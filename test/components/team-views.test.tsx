import { useState } from 'react';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { SharedItem } from '../../contract/shared.ts';
import type { SavedView } from '../../contract/views.ts';
import { useViews } from '../../renderer/features/saved-views.ts';
import { useTeamChanges } from '../../renderer/features/team/team.ts';
import { ViewsMenu } from '../../renderer/features/views-menu.tsx';
import { firstView, viewOf } from '../../renderer/screens/documents/documents-view.ts';
import {
  type TrackedView,
  viewOf as trackedViewOf,
  usualFilter,
  usualView,
} from '../../renderer/screens/tracking/tracked-view.ts';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';
import { teamAnswers } from './harness/team.ts';

const connectionId = connection.id;

const shared = (screen: 'documents' | 'tracking' | 'jobs', name: string, content: object): SharedItem => ({
  key: `${screen} ${name.toLowerCase()}`,
  by: { person: 'Ana Petrov', computer: 'DESK-1' },
  at: '2027-01-04T09:12:00.000Z',
  value: { kind: 'view', screen, name, content: JSON.stringify(content) },
});
const saved = (name: string, content: object): SavedView => ({
  id: `own-${name}`,
  name,
  content: JSON.stringify(content),
});

/** Keeps views as the core does. */
function keep(...views: SavedView[]): void {
  const state = () => ({ views: [...views], layout: null });
  peer.answer({
    'views.state': async () => state(),
    'views.save': async ({ name, content }) => {
      views.push({ id: `own-${name}`, name, content });
      return state();
    },
  });
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const item = (name: string | RegExp) => page.getByRole('menuitem', { name });

function Documents() {
  useTeamChanges();
  const kept = useViews('documents');
  const [view, setView] = useState(firstView);
  return (
    <>
      <ViewsMenu {...{ screen: 'documents', builtIn: [], view, viewOf, kept }} onChange={setView} />
      <output aria-label="View">{JSON.stringify(view)}</output>
    </>
  );
}

let opened: TrackedView | null = null;

function Signatures() {
  const kept = useViews('tracking');
  const [view, setView] = useState<TrackedView>(usualView);
  return (
    <ViewsMenu
      {...{ screen: 'tracking', builtIn: [], view, viewOf: trackedViewOf, kept }}
      onChange={(next) => {
        opened = next;
        setView(next);
      }}
    />
  );
}

it('lists the team’s views of Documents with the name, and uses and copies what this version understands of one', async () => {
  keep();
  showScreen(<Documents />);
  const theirs = { ...firstView, search: 'Lease', by: 'mine', connectionId: 'of-another-computer', later: { x: 1 } };
  teamAnswers('member', shared('documents', 'Leases', theirs), shared('tracking', 'Elsewhere', {}));
  await userEvent.click(button('Views'));
  await expect.element(page.getByRole('group', { name: 'From the team' })).toBeVisible();
  await expect.element(page.getByText('Shared by Ana Petrov')).toBeVisible();
  expect(item('Elsewhere').elements()).toEqual([]);
  await userEvent.click(item(/^Leases Shared by/));
  const view = { ...firstView, search: 'Lease', by: 'mine' };
  await expect.element(page.getByRole('status', { name: 'View' })).toHaveTextContent(JSON.stringify(view));
  await userEvent.click(button('Leases'));
  expect(item(/^Remove/).elements()).toEqual([]);
  await userEvent.click(item('Save a copy of “Leases”'));
  await expect
    .poll(() => peer.asked('views.save'))
    .toEqual([{ screen: 'documents', name: 'Leases', content: JSON.stringify(view) }]);
  // Shown once from now on.
  await userEvent.click(button('Leases'));
  await expect.element(item(/^Remove/)).toBeVisible();
  expect(page.getByRole('group', { name: 'From the team' }).elements()).toEqual([]);
});

it('shares a view of Documents without what only one computer knows, and asks before it replaces a colleague’s', async () => {
  keep(saved('Leases', { ...firstView, search: 'Lease', connectionId: 'of-this-computer' }));
  showScreen(<Documents />);
  teamAnswers('member');
  await userEvent.click(button('Views'));
  await userEvent.click(item('Leases'));
  await userEvent.click(button('Leases'));
  await userEvent.click(item('Share “Leases” with the team'));
  const content = JSON.stringify({ ...firstView, search: 'Lease' });
  const value = { kind: 'view', screen: 'documents', name: 'Leases', content } as const;
  await expect.poll(() => peer.asked('team.share')).toEqual([{ connectionId, value }]);
  teamAnswers('member', shared('documents', 'leases', { ...firstView, search: 'Rent' }));
  peer.send('team.sharedChanged', { connectionId });
  await userEvent.click(button('Leases'));
  await userEvent.click(item('Share changes of “Leases”…'));
  await expect.element(page.getByRole('alertdialog', { name: 'Replace “Leases” for the team?' })).toBeVisible();
  expect(peer.asked('team.share')).toHaveLength(1);
  await userEvent.click(button('Replace'));
  await expect.poll(() => peer.asked('team.share')).toHaveLength(2);
});

it('tells a reader why a view cannot be shared', async () => {
  keep(saved('Leases', firstView));
  showScreen(<Documents />);
  teamAnswers('reader');
  await userEvent.click(button('Views'));
  await userEvent.click(item('Leases'));
  await userEvent.click(button('Leases'));
  await userEvent.click(item(/^Share “Leases” with the team Readers cannot share/));
  await expect.element(page.getByRole('alert').getByText(/^Readers cannot share/)).toBeVisible();
  expect(peer.asked('team.share')).toEqual([]);
});

it('opens the team’s views of Signatures, keeps the filters that this version knows, and stops sharing after a question', async () => {
  keep(saved('Own', { filter: { ...usualFilter, search: 'own' } }));
  showScreen(<Signatures />);
  const filter = { ...usualFilter, mine: true, search: 'Lease', from: 'no day', later: true };
  teamAnswers('member', shared('tracking', 'To chase', { filter, columns: ['documentName', 'later'], later: 1 }));
  await userEvent.click(button('Views'));
  await expect.element(page.getByText('Shared by Ana Petrov')).toBeVisible();
  await userEvent.click(item(/^To chase/));
  expect(opened).toEqual({
    filter: { ...usualFilter, mine: true, search: 'Lease' },
    columns: ['documentName'],
    grouped: false,
  });
  await userEvent.click(button('To chase'));
  await userEvent.click(item('Stop sharing “To chase”…'));
  await userEvent.click(button('Stop sharing'));
  await expect
    .poll(() => peer.asked('team.unshare'))
    .toEqual([{ connectionId, kind: 'view', key: 'tracking to chase' }]);
  await userEvent.click(button('To chase'));
  await userEvent.click(item('Own'));
  await userEvent.click(button('Own'));
  await expect.element(item('Remove “Own”')).toBeVisible();
  await userEvent.click(item('Share “Own” with the team'));
  await expect.poll(() => peer.asked('team.share')).toMatchObject([{ value: { screen: 'tracking', name: 'Own' } }]);
});
