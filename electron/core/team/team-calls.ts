import { basename } from 'node:path';
import { type Connection, settingsOfConnection } from '../../../contract/connections.ts';
import type { Handlers, HandlersOf } from '../../../contract/index.ts';
import { sharedName } from '../../../contract/shared.ts';
import { type TeamSettings, teamInvitation } from '../../../contract/team.ts';
import type { Store } from '../../store/store.ts';
import { readJsonFile, writeJsonFile } from '../files/json-file.ts';
import type { FileRegistry } from '../files/local-file.ts';
import { chooseTarget } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import { givenDocumentId } from '../foundation/given-document-id.ts';
import type { Ports } from '../foundation/ports.ts';
import { type TeamDatabase, withTeamDatabase } from './database.ts';
import { initTeam, invitationTo, letIn, planTeam } from './init-team.ts';
import { decideClaim, openClaims } from './others-claims.ts';
import { share, sharedItems } from './shared-items.ts';
import { addNote, changeRequest, readEvents, readNotes, readPeople, readRequests } from './team-notes.ts';
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
  return {
    ...setUpCalls(teams, setUp),
    'team.state': async () => teams.state(),
    'team.check': ({ connectionId, settings, password }) => teams.check(connectionId, settings, password),
    'team.join': ({ connectionId, settings, password, isSameService }) =>
      teams.join(connectionId, settings, password, isSameService),
    'team.leave': ({ connectionId, evenUnreported }) => done(teams.leave(connectionId, evenUnreported)),
    'team.tryNow': ({ connectionId, password }) => done(teams.tryNow(connectionId, password)),
    'team.sendWithout': async ({ batchId }) => {
      const { links } = teams.state();
      const away = links.flatMap(({ state, connectionId }) => (state === 'away' ? [connectionId] : []));
      const waits = claims.sendWithout(batchId, away);
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
    'team.events': async ({ connectionId, ...which }) => readEvents(await on(connectionId), which),
    'team.people': ({ connectionId }) =>
      on(connectionId).then(({ database, member }) => readPeople(database.query, member.teamId)),
    'team.requests': async ({ connectionId, documentIds }) => readRequests(await on(connectionId), documentIds),
    'team.notes': async ({ connectionId, documentId, before }) => readNotes(await on(connectionId), documentId, before),
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

interface SetUpNeeds {
  readonly connection: (id: string) => Promise<Connection>;
  readonly files: Pick<FileRegistry, 'file'>;
  readonly ports: Pick<Ports, 'dialogs'>;
}

const done = (work: Promise<unknown>): Promise<null> => work.then(() => null);

/** Making a schema takes longer than a question. */
const patienceMs = 60_000;

/** Calls that set a team up and bring colleagues into it. */
function setUpCalls(teams: Teams, { connection, files, ports }: SetUpNeeds) {
  const opened = async <T>(
    { connectionId, settings, password }: Parameters<Handlers['team.plan']>[0],
    work: (database: TeamDatabase, settings: TeamSettings) => Promise<T>,
  ): Promise<T> => {
    teams.assertPlace(connectionId, settings);
    return await withTeamDatabase((database) => work(database, settings), settings, password ?? '', patienceMs);
  };
  const invitation = async ({ connectionId, login }: Parameters<Handlers['team.invite']>[0]) => {
    const { settings } = teams.link(connectionId);
    return invitationTo(settings, login, settingsOfConnection(await connection(connectionId)));
  };
  return {
    'team.plan': (input) => opened(input, (database, { team, user }) => planTeam(database, team, user)),
    'team.setUp': (input) => done(opened(input, (database, { team, user }) => initTeam(database, team, user))),
    'team.invite': async (input) => {
      const { connectionId, login, role } = input;
      const link = teams.link(connectionId);
      const place = link.settings;
      const statements =
        login === undefined ? [] : await letIn(await link.database(), { ...place, login, role }, false);
      return { line: JSON.stringify(await invitation(input)), statements };
    },
    'team.saveInvitation': async (input) => {
      const target = await chooseTarget(ports.dialogs, `Sealdesk ${teams.link(input.connectionId).settings.team}.json`);
      return target && { fileName: basename(await writeJsonFile(target, await invitation(input))) };
    },
    'team.readInvitation': async (from) =>
      'token' in from ? await readJsonFile(await files.file(from.token), teamInvitation) : readLine(from.line),
  } satisfies Partial<Handlers>;
}

function readLine(line: string) {
  try {
    return teamInvitation.parse(JSON.parse(line));
  } catch {
    throw appError('bad-input', 'this is no invitation', { fields: { line: 'is no invitation' } });
  }
}
