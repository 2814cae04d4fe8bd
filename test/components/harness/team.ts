import type { SharedItem } from '../../../contract/shared.ts';
import type { TeamLink } from '../../../contract/team.ts';
import { peer } from './core-peer.ts';
import { connection } from './show.tsx';

export const teamLink: TeamLink = {
  connectionId: connection.id,
  settings: {
    host: 'db.example',
    port: 5432,
    database: 'sealdesk',
    user: 'bo',
    team: 'team',
    person: 'Bo',
    ca: '',
  },
  passwordKept: 'keychain',
  state: 'connected',
  since: '2027-01-04T09:12:00.000Z',
  failure: null,
  role: 'member',
  unreportedCount: 0,
  callsFreeAt: null,
};

/** Answers about the team of the connection: its register, and what it shares. Without a role nobody has joined. */
export function teamAnswers(role: TeamLink['role'], ...items: readonly SharedItem[]): void {
  peer.answer({
    'team.state': async () => ({ links: role ? [{ ...teamLink, role }] : [] }),
    'team.shared': async () => items,
    'team.share': async () => null,
    'team.unshare': async () => null,
  });
}
