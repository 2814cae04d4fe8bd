import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { TeamClaim, TeamEvent, TeamLink } from '../../contract/team.ts';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { useTeamChanges } from '../../renderer/features/team/team.ts';
import { useTeamCallsText } from '../../renderer/features/team/team-state.tsx';
import { UndoStrip } from '../../renderer/features/undo.tsx';
import { PageProvider } from '../../renderer/parts/navigation.tsx';
import { TeamDialog } from '../../renderer/screens/connections/team-dialog.tsx';
import { JobsScreen } from '../../renderer/screens/jobs/jobs-screen.tsx';
import { SendWithoutTeam } from '../../renderer/screens/jobs/send-without-team.tsx';
import { TeamActivity } from '../../renderer/screens/jobs/team-activity.tsx';
import { TeamPart } from '../../renderer/screens/tracking/team-part.tsx';
import { peer, Refusal } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const connectionId = connection.id;
const at = '2027-01-04T09:12:00.000Z';
const ana = { person: 'Ana Petrov', computer: 'DESK-1' };
const bo = { person: 'Bo Lindqvist', computer: 'DESK-2' };

const link: TeamLink = {
  connectionId,
  settings: {
    host: 'db.example',
    port: 5432,
    database: 'sealdesk',
    user: 'ana',
    team: 'team',
    person: 'Ana Petrov',
    ca: '',
  },
  passwordKept: 'keychain',
  state: 'connected',
  since: at,
  failure: null,
  role: 'lead',
  unreportedCount: 0,
  callsFreeAt: null,
};

/** Answers about registers in place of none. */
const joined = (...links: readonly TeamLink[]) => peer.answer({ 'team.state': async () => ({ links }) });
const box = (name: string) => page.getByRole('textbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });

function Dialog() {
  useTeamChanges();
  return <TeamDialog connection={connection} onClose={() => undefined} />;
}

it('sends the password again only where it was typed or goes elsewhere', async () => {
  showScreen(<Dialog />);
  peer.answer({ 'team.people': async () => [{ ...ana, seenAt: at }] });
  joined(link);
  peer.answer({ 'team.join': async () => link });
  await expect.element(page.getByText('You are a lead:', { exact: false })).toBeVisible();
  await expect.element(page.getByText(/^Ana Petrov \(DESK-1\): last seen .*2027/)).toBeVisible();
  await expect.element(box('Password')).toHaveValue('');
  await userEvent.click(button('Save changes'));
  await expect.poll(() => peer.asked('team.join')).toHaveLength(1);
  expect(peer.asked('team.join')[0]).toEqual({ connectionId, settings: link.settings, isSameService: false });
  await userEvent.fill(box('Address of the database'), 'other.example');
  await userEvent.click(button('Save changes'));
  await expect.poll(() => peer.asked('team.join')).toHaveLength(2);
  expect(peer.asked('team.join')[1]).toMatchObject({ password: '', settings: { host: 'other.example' } });
});

it('shows a register that the organisation sets, to be joined as it is, with the own login', async () => {
  const place = { host: 'db.office.example', port: 6432, database: 'sealdesk', team: 'office', ca: '' };
  showScreen(<Dialog />);
  peer.answer({ 'team.people': async () => [{ ...ana, seenAt: at }] });
  peer.answer({
    'team.state': async () => ({ links: [], provided: [{ connectionId, place }] }),
    'team.join': async () => link,
  });
  await expect.element(box('Address of the database')).toHaveValue('db.office.example');
  for (const name of ['Address of the database', 'Database', 'Team'])
    await expect.element(box(name)).toHaveAttribute('readonly');
  await expect.element(page.getByText('Managed by your organisation').first()).toBeVisible();
  await userEvent.fill(box('User'), 'bo');
  await userEvent.click(button('Join'));
  await expect.poll(() => peer.asked('team.join')).toHaveLength(1);
  expect(peer.asked('team.join')[0]).toMatchObject({ settings: { ...place, user: 'bo' } });
});

it('asks whether another address leads to the service of the team, and joins then only', async () => {
  showScreen(<Dialog />);
  peer.answer({ 'team.people': async () => [{ ...ana, seenAt: at }] });
  const failure = { code: 'not-connected', detail: 'team-other-service', note: '', retryable: false } as const;
  peer.answer({
    'team.state': async () => ({ links: [] }),
    'team.join': async ({ isSameService }) => {
      if (!isSameService) throw new Refusal(failure);
      return link;
    },
  });
  for (const [name, text] of [
    ['Address of the database', 'db.example'],
    ['Database', 'sealdesk'],
    ['User', 'bo'],
  ] as const)
    await userEvent.fill(box(name), text);
  await userEvent.click(button('Join'));
  await expect.element(page.getByText('Is it the same service?')).toBeVisible();
  expect(peer.asked('team.join')).toHaveLength(1);
  await userEvent.click(button('Join with this name'));
  await expect.poll(() => peer.asked('team.join')).toHaveLength(2);
  await expect.element(page.getByText('Is it the same service?')).not.toBeInTheDocument();
});

it('says why a register is away, tries again, and follows its state', async () => {
  showScreen(<Dialog />);
  peer.answer({ 'team.people': async () => [{ ...ana, seenAt: at }] });
  const failure = { code: 'not-connected', detail: 'team-away', note: 'no answer', retryable: true } as const;
  joined({ ...link, state: 'away', failure, unreportedCount: 3 });
  peer.answer({ 'team.tryNow': async () => null });
  await expect.element(page.getByText('The team register is not reachable')).toBeVisible();
  await expect.element(page.getByText(/^3 outcomes are not reported yet/)).toBeVisible();
  await userEvent.click(button('Try now'));
  await expect.poll(() => peer.asked('team.tryNow')).toEqual([{ connectionId }]);
  peer.send('team.changed', { links: [link] });
  await expect.element(page.getByText('The team register is not reachable')).not.toBeInTheDocument();
  // Colleagues' documents find no room here: it is no mere copying.
  const full = { code: 'storage-full', note: 'the disk is full', retryable: true } as const;
  peer.send('team.changed', { links: [{ ...link, state: 'catching-up', failure: full }] });
  await expect.element(page.getByText(/^Team register: since .* cannot be stored here$/)).toBeVisible();
  await expect.element(page.getByText('The disk is full', { exact: true })).toBeVisible();
});

it('offers to send without the register only while that is away', async () => {
  const sendWithout = button('Send without the team register…');
  function Offer() {
    useTeamChanges();
    return <SendWithoutTeam batchId="batch" connectionId={connectionId} count={2} />;
  }
  showScreen(<Offer />);
  joined({ ...link, state: 'away' });
  await expect.element(sendWithout).toBeVisible();
  for (const state of ['busy', 'closed', 'newer', 'refused', 'connected'] as const) {
    peer.send('team.changed', { links: [{ ...link, state }] });
    await expect.element(sendWithout).not.toBeInTheDocument();
    peer.send('team.changed', { links: [{ ...link, state: 'away' }] });
    await expect.element(sendWithout).toBeVisible();
  }
});

it('asks again before it leaves with outcomes that nobody learns of', async () => {
  showScreen(<Dialog />);
  peer.answer({ 'team.people': async () => [{ ...ana, seenAt: at }] });
  joined(link);
  peer.answer({
    'team.leave': async ({ evenUnreported }) => {
      if (!evenUnreported) throw new Refusal({ code: 'bad-input' });
      return null;
    },
  });
  await userEvent.click(button('Leave…'));
  joined({ ...link, unreportedCount: 2 });
  await userEvent.click(button('Leave'));
  await expect.element(page.getByText(/^2 outcomes have not reached the team register/)).toBeVisible();
  expect(peer.asked('team.leave')).toEqual([{ connectionId, evenUnreported: false }]);
  await userEvent.click(button('Leave without reporting'));
  await expect
    .poll(() => peer.asked('team.leave'))
    .toEqual([
      { connectionId, evenUnreported: false },
      { connectionId, evenUnreported: true },
    ]);
});

const claim: TeamClaim = {
  claimId: 'claim',
  by: bo,
  isMine: false,
  title: 'Lease.pdf',
  state: 'claimed',
  claimedAt: at,
  seenAt: at,
  isSilent: true,
  declaredBy: null,
  isSecond: false,
};
const events = (from: number, count: number): TeamEvent[] =>
  Array.from({ length: count }, (_one, index) => ({
    eventId: `event-${from + index}`,
    at,
    by: bo,
    kind: 'registered',
    title: `File ${from + index}`,
    documentId: null,
  }));

it('shows what the team did page by page, and lets only a lead decide about a silent colleague', async () => {
  peer.answer({
    'team.openClaims': async () => [claim],
    'team.events': async ({ before }) => (before === 'event-49' ? events(50, 3) : events(0, 50)),
    'team.declareInDoubt': async () => null,
  });
  showScreen(<TeamActivity connectionId={connectionId} sought={{}} onClear={() => undefined} />);
  joined({ ...link, role: 'member' });
  await expect.element(page.getByText('Bo Lindqvist sent “File 0”')).toBeVisible();
  await expect.element(page.getByText(/^Not heard of since/)).toBeVisible();
  expect(button('Declare in doubt…').elements()).toHaveLength(0);
  await userEvent.click(button('Show earlier'));
  await expect.element(page.getByText('Bo Lindqvist sent “File 52”')).toBeInTheDocument();
  expect(button('Show earlier').elements()).toHaveLength(0);
});

it('searches what everybody did by words and days, as what oneself did, and keeps both while one looks at the other', async () => {
  peer.answer({
    'team.openClaims': async () => [claim],
    'team.events': async ({ search }) => (search === 'nobody' ? [] : events(0, search === undefined ? 3 : 1)),
    'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
    'jobs.batches': async () => ({ batches: [], total: 0, dismissedCount: 0, correctedCount: 0 }),
  });
  showScreen(
    <JobsProvider>
      <PageProvider value={{ wayBack: null, keep: () => undefined, kept: new Map() }}>
        <JobsScreen batchId={null} />
      </PageProvider>
    </JobsProvider>,
  );
  joined(link);
  await page.getByRole('radio', { name: 'Everyone' }).click({ force: true });
  await expect.element(page.getByText('Bo Lindqvist sent “File 2”')).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search by name, person or ID' });
  await userEvent.fill(search, ' File ');
  await expect.element(page.getByText('Bo Lindqvist sent “File 2”')).not.toBeInTheDocument();
  expect(page.getByRole('heading', { name: 'Being sent and in doubt' }).elements()).toEqual([]);
  await userEvent.click(button('When'));
  await page.getByRole('radio', { name: 'Last 7 days' }).click();
  await expect.poll(() => peer.asked('team.events').at(-1)).toMatchObject({ search: 'File', from: expect.any(String) });
  await userEvent.keyboard('{Escape}');
  await page.getByRole('radio', { name: 'Mine' }).click({ force: true });
  await expect.element(page.getByRole('searchbox')).toHaveValue(' File ');
  await page.getByRole('radio', { name: 'Everyone' }).click({ force: true });
  await userEvent.fill(search, 'nobody');
  await expect.element(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await userEvent.click(button('Clear filters').last());
  await expect.element(page.getByText('Bo Lindqvist sent “File 2”')).toBeVisible();
});

it('writes down a decision of a lead about a claim in doubt only with the ID of the document', async () => {
  peer.answer({
    'team.openClaims': async () => [{ ...claim, state: 'in-doubt' }],
    'team.events': async () => [],
    'team.settle': async () => null,
  });
  showScreen(<TeamActivity connectionId={connectionId} sought={{}} onClear={() => undefined} />);
  joined(link);
  await userEvent.click(button('Decide…'));
  await expect.element(button('Write down decision')).toBeDisabled();
  await userEvent.fill(box('Document ID'), ' doc-1 ');
  await userEvent.click(button('Write down decision'));
  await expect.poll(() => peer.asked('team.settle')).toEqual([{ connectionId, claimId: 'claim', documentId: 'doc-1' }]);
});

it('assigns a request, which can be undone, writes a note, and says nothing where no team was joined', async () => {
  let assignee = '';
  const noteId = (n: number) => `11111111-1111-4111-8111-1111111111${n + 10}`;
  peer.answer({
    'team.people': async () => [ana, bo, { ...bo, computer: 'LAPTOP' }].map((one) => ({ ...one, seenAt: at })),
    'team.requests': async () => [{ documentId: 'doc', assignee, dueOn: '2027-02-01' }],
    'team.notes': async ({ before }) =>
      before
        ? [{ noteId: noteId(50), at, by: ana, text: 'Asked her first.' }]
        : Array.from({ length: 50 }, (_each, n) => ({ noteId: noteId(n), at, by: bo, text: `Called her ${50 - n}.` })),
    'team.assign': async (given) => {
      assignee = given.assignee;
      return null;
    },
    'team.addNote': async () => null,
  });
  const shown = showScreen(
    <>
      <TeamPart connectionId={connectionId} documentId="doc" />
      <UndoStrip />
    </>,
  );
  joined(link);
  const notes = () => page.getByRole('list', { name: 'Internal notes' }).getByRole('paragraph').elements();
  await expect
    .poll(() =>
      notes()
        .map(({ textContent }) => textContent)
        .slice(-2),
    )
    .toEqual(['Called her 49.', 'Called her 50.']);
  await userEvent.click(button('Show earlier'));
  await expect.poll(() => notes()[0]?.textContent).toBe('Asked her first.');
  expect(peer.asked('team.notes').at(-1)).toMatchObject({ before: noteId(49) });
  await expect.element(button('Show earlier')).not.toBeInTheDocument();
  await userEvent.click(button('Assign…'));
  await userEvent.click(page.getByRole('button', { name: /Assigned to/ }));
  await userEvent.click(page.getByRole('option', { name: 'Bo Lindqvist' }));
  await userEvent.click(page.getByRole('dialog').getByRole('button', { name: 'Assign' }));
  const kept = page.getByRole('definition');
  await expect.element(kept.first()).toHaveTextContent('Bo Lindqvist');
  await userEvent.click(button('Undo: Assignment changed: 1 request'));
  await expect.element(kept.first()).toHaveTextContent('Nobody');
  const assigned = { connectionId, documentId: 'doc' };
  expect(peer.asked('team.assign')).toEqual([
    { ...assigned, assignee: 'Bo Lindqvist' },
    { ...assigned, assignee: '' },
  ]);
  await userEvent.fill(box('New note'), ' Sent again. ');
  await userEvent.click(button('Add note'));
  await expect.poll(() => peer.asked('team.addNote')).toMatchObject([{ text: 'Sent again.' }]);
  expect(shown.box.textContent).toContain('Team');
});

it('says that the team has used up its automatic calls, apart from the own limit, until there are some again', async () => {
  function Line() {
    useTeamChanges();
    return useTeamCallsText(connectionId);
  }
  showScreen(<Line />);
  joined({ ...link, callsFreeAt: at });
  const said = page.getByText(/^Team: automatic refreshes of this hour used up · Next at \d/);
  await expect.element(said).toBeVisible();
  peer.send('team.changed', { links: [link] });
  await expect.element(said).not.toBeInTheDocument();
});

it('tells who joined the team and who left it', async () => {
  const event = { eventId: 'left', at, by: bo, kind: 'left', title: '', documentId: null } as const;
  peer.answer({
    'team.openClaims': async () => [],
    'team.events': async () => [event, { ...event, eventId: 'joined', kind: 'joined' }],
  });
  showScreen(<TeamActivity connectionId={connectionId} sought={{}} onClear={() => undefined} />);
  joined(link);
  await expect.element(page.getByText('Bo Lindqvist left the team')).toBeVisible();
  await expect.element(page.getByText('Bo Lindqvist joined the team')).toBeVisible();
});
