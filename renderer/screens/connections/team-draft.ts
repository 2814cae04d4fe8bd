import type { CallInput } from '../../../contract/index.ts';
import { passwordPlace, type TeamLink, type TeamPlace, type TeamSettings } from '../../../contract/team.ts';

/** What is typed of a team register and is not saved yet. */
export type TeamDraft = Readonly<TeamSettings & { password: string }>;

/** The settings of a register that was joined, or those to start with, and what the organisation sets of them. The password is never among them. */
export function teamDraftOf(link: TeamLink | null, place: TeamPlace | null): TeamDraft {
  const first = { host: '', port: 5432, database: '', user: '', team: 'team', person: '', ca: '' };
  return { ...(link?.settings ?? first), ...place, password: '' };
}

/** True if another server or user would get the password that is kept for this one: it has to be typed again. */
export function isMoved(link: TeamLink | null, draft: TeamDraft): boolean {
  return link !== null && passwordPlace(link.settings) !== passwordPlace(draft);
}

/** The input of `team.check` and `team.join`. Without a password the kept one is used. */
export function teamInputOf(connectionId: string, link: TeamLink | null, draft: TeamDraft): CallInput<'team.join'> {
  const { password, ...settings } = draft;
  const isKeptUsed = password === '' && link !== null && link.passwordKept !== 'none' && !isMoved(link, draft);
  return { connectionId, settings, ...(isKeptUsed ? {} : { password }) };
}
