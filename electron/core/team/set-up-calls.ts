import { basename } from 'node:path';
import { type Connection, settingsOfConnection } from '../../../contract/connections.ts';
import type { Handlers } from '../../../contract/index.ts';
import { type TeamSettings, teamInvitation } from '../../../contract/team.ts';
import { readJsonFile, writeJsonFile } from '../files/json-file.ts';
import type { FileRegistry } from '../files/local-file.ts';
import { chooseTarget } from '../files/target.ts';
import { appError } from '../foundation/app-error.ts';
import type { Ports } from '../foundation/ports.ts';
import { type TeamDatabase, withTeamDatabase } from './database.ts';
import { initTeam, invitationTo, letIn, planTeam } from './init-team.ts';
import type { Teams } from './teams.ts';

export interface SetUpNeeds {
  readonly connection: (id: string) => Promise<Connection>;
  readonly files: Pick<FileRegistry, 'file'>;
  readonly ports: Pick<Ports, 'dialogs'>;
}

/** Making a schema takes longer than a question. */
const patienceMs = 60_000;

/** Calls that set a team up and bring colleagues into it. */
export function setUpCalls(teams: Teams, { connection, files, ports }: SetUpNeeds) {
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
    'team.setUp': (input) =>
      opened(input, async (database, { team, user }) => {
        await initTeam(database, team, user);
        return null;
      }),
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
