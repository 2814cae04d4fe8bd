import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { connectionSettings } from '../../contract/connections.ts';
import type { TeamInvitation } from '../../contract/team.ts';
import { AcceptInvitation } from '../../renderer/screens/connections/accept-invitation.tsx';
import { peer, Refusal } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const invitation: TeamInvitation = {
  sealdeskTeam: 1,
  host: 'db.office.example',
  port: 5432,
  database: 'sealdesk',
  team: 'office',
  ca: '',
  user: 'bo',
  connection: connectionSettings.parse({
    name: 'Office',
    baseUrl: 'https://sign.office.example',
    mainPath: '/api.asmx',
    namespaceUri: 'urn:office/',
  }),
};
const saved = { ...connection, id: 'office', kind: 'service' as const };
const button = (name: string) => page.getByRole('button', { name, exact: true });
const found = {
  role: 'member' as const,
  serverVersion: '16',
  canSend: true,
  problem: null,
  clockOffByMs: 0,
  isEncrypted: true,
  isDurable: true,
  people: [],
};

async function pasteAndFill() {
  await userEvent.fill(page.getByRole('textbox', { name: 'Invitation' }), JSON.stringify(invitation));
  await expect.element(page.getByText('https://sign.office.example/api.asmx')).toBeVisible();
  await expect.element(page.getByText('db.office.example:5432/sealdesk')).toBeVisible();
  await expect.element(page.getByRole('textbox', { name: 'User' })).toHaveValue('bo');
  await userEvent.fill(page.getByLabelText('API key'), 'key');
  await userEvent.fill(page.getByLabelText('API signature'), 'sig');
  await userEvent.fill(page.getByLabelText('Password'), 'secret');
}

it('shows both addresses of an invitation before anything is asked there, then joins with the own key and password', async () => {
  let isClosed = false;
  showScreen(<AcceptInvitation dropped={null} onClose={() => (isClosed = true)} />);
  peer.answer({
    'team.readInvitation': async () => invitation,
    'team.check': async () => found,
    'connections.save': async () => saved,
    'connections.use': async () => null,
    'team.join': async ({ connectionId, settings }) => ({
      connectionId,
      settings: { ...settings, port: 5432, team: 'office', ca: '', person: '' },
      passwordKept: 'keychain' as const,
      state: 'connecting' as const,
      since: '2027-01-04T09:12:00.000Z',
      failure: null,
      role: null,
      unreportedCount: 0,
      callsFreeAt: null,
    }),
  });
  await pasteAndFill();
  expect(peer.asked('team.check')).toEqual([]);
  await userEvent.click(button('Join'));
  await expect.poll(() => isClosed).toBe(true);
  expect(peer.asked('connections.save')[0]).toMatchObject({ credentials: { apiKey: 'key', apiSig: 'sig' } });
  expect(peer.asked('team.join')[0]).toMatchObject({ connectionId: 'office', password: 'secret' });
});

it('adds no connection for a register that cannot be used, and takes away one whose team cannot be joined', async () => {
  showScreen(<AcceptInvitation dropped={null} onClose={() => undefined} />);
  const away = { code: 'not-connected', detail: 'team-away', note: '', retryable: true } as const;
  let isAway = true;
  peer.answer({
    'team.readInvitation': async () => invitation,
    'team.check': async () => {
      if (isAway) throw new Refusal(away);
      return found;
    },
    'connections.save': async () => saved,
    'connections.remove': async () => ({ removal: 'r' }),
    'team.join': async () => {
      throw new Refusal({ ...away, detail: 'team-other-service' });
    },
  });
  await pasteAndFill();
  await userEvent.click(button('Join'));
  await expect.element(page.getByText('The team register is not reachable')).toBeVisible();
  expect(peer.asked('connections.save')).toEqual([]);
  isAway = false;
  await userEvent.click(button('Join'));
  await expect.poll(() => peer.asked('connections.remove')).toEqual([{ id: 'office' }]);
});

it('says so where a text is no invitation', async () => {
  showScreen(<AcceptInvitation dropped={null} onClose={() => undefined} />);
  peer.answer({
    'team.readInvitation': async () => {
      throw new Refusal({ code: 'bad-input', note: '', retryable: false, fields: { line: 'is no invitation' } });
    },
  });
  await userEvent.fill(page.getByRole('textbox', { name: 'Invitation' }), 'hello');
  await expect.element(page.getByText('This is no invitation.')).toBeVisible();
});
