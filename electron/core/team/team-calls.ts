import type { HandlersOf } from '../../../contract/index.ts';
import { sharedName } from '../../../contract/shared.ts';
import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';
import { givenDocumentId } from '../foundation/given-document-id.ts';
import { decideClaim, openClaims } from './others-claims.ts';
import { type SetUpNeeds, setUpCalls } from './set-up-calls.ts';
import { share, sharedItems } from './shared-items.ts';
import { addNote, changeRequest, readEvents, readPeople, readRequests } from './team-notes.ts';
import type { Teams } from './teams.ts';

/** Calls about team registers. `wake`: sends what waits on a connection. */
export function teamCalls(
  teams: Teams,
  { teamClaims: claims, teamItems }: Pick<Store, 'teamClaims' | 'teamItems'>,
  { wake, ...setUp }: SetUpNeeds & { readonly wake: (connectionId: string) => void },
): HandlersOf<'team'> {
  const on = async (connectionId: string) => {
    const { member, database } = teams.link(connectionId);
    return { member, database: await database() };
  };
  /** The register, to decide about a claim there that is not this ledger's: an own one is decided with its job. */
  const onOthers = async (connectionId: string, claimId: string) => {
    if (claims.knows(connectionId, claimId))
      throw appError('bad-input', 'a claim of this program is decided with its job');
    return await on(connectionId);
  };
  const done = async (work: Promise<unknown>): Promise<null> => {
    await work;
    return null;
  };
  return {
    ...setUpCalls(teams, setUp),
    'team.state': async () => teams.state(),
    'team.check': ({ connectionId, settings, password }) => teams.check(connectionId, settings, password),
    'team.join': ({ connectionId, settings, password, isSameService }) =>
      teams.join(connectionId, settings, password, isSameService),
    'team.leave': ({ connectionId, evenUnreported }) => done(teams.leave(connectionId, evenUnreported)),
    'team.tryNow': ({ connectionId }) => done(teams.tryNow(connectionId)),
    'team.sendWithout': async ({ batchId }) => {
      const away = teams.state().links.filter(({ state }) => state === 'away');
      const waits = claims.sendWithout(
        batchId,
        away.map(({ connectionId }) => connectionId),
      );
      for (const { connectionId } of waits) wake(connectionId);
      return { count: waits.reduce((sum, { count }) => sum + count, 0) };
    },
    'team.openClaims': async ({ connectionId }) => openClaims(await on(connectionId)),
    'team.declareInDoubt': async ({ connectionId, claimId }) =>
      done(decideClaim(await onOthers(connectionId, claimId), claimId, 'in-doubt')),
    'team.settle': async ({ connectionId, claimId, documentId }) => {
      const given = documentId === null ? null : givenDocumentId(documentId);
      return done(decideClaim(await onOthers(connectionId, claimId), claimId, 'settled', given));
    },
    'team.events': async ({ connectionId, before, limit }) => readEvents(await on(connectionId), before, limit),
    'team.people': async ({ connectionId }) => {
      const { database, member } = await on(connectionId);
      return readPeople(database.query, member.teamId);
    },
    'team.requests': async ({ connectionId, documentIds }) => readRequests(await on(connectionId), documentIds),
    'team.assign': async ({ connectionId, documentId, assignee }) =>
      done(changeRequest(await on(connectionId), documentId, 'assignee', assignee)),
    'team.setDue': async ({ connectionId, documentId, dueOn }) =>
      done(changeRequest(await on(connectionId), documentId, 'due_on', dueOn)),
    'team.addNote': async ({ connectionId, documentId, text }) =>
      done(addNote(await on(connectionId), documentId, text)),
    'team.shared': async ({ connectionId }) => sharedItems(teamItems.list(connectionId)),
    'team.share': async ({ connectionId, value }) => done(share(await on(connectionId), sharedName(value), value)),
    'team.unshare': async ({ connectionId, kind, key }) => {
      const item = sharedItems(teamItems.list(connectionId)).find((one) => one.value.kind === kind && one.key === key);
      return done(share(await on(connectionId), item ? sharedName(item.value) : key, { kind, key }));
    },
  };
}
