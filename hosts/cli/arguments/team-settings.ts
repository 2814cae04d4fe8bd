import { userInfo } from 'node:os';
import { type TeamPlace, type TeamSettings, teamInvitation, teamSettings } from '../../../contract/team.ts';
import { type TeamDatabase, withTeamDatabase } from '../../../electron/core/team/database.ts';
import type { Run } from '../command.ts';
import { UsageError } from '../output/exit-code.ts';
import { t } from '../output/texts.ts';
import { askHidden } from '../session.ts';
import { numberOf, readSmallFile, textOf } from './values.ts';

const largestFile = 1_000_000;

const textNames = ['host', 'database', 'user', 'team', 'person', 'ca'] as const;

/** True if any setting of a register is given. */
export function hasTeamSettings({ values }: Run): boolean {
  return [...textNames, 'port'].some((name) => values[name] !== undefined);
}

/** The settings that the options give; `kept` stands in for those that are not given. Throws a UsageError. */
export async function teamSettingsOf({ values }: Run, kept?: Partial<TeamSettings>): Promise<TeamSettings> {
  const given = Object.fromEntries(textNames.flatMap((name) => (name in values ? [[name, textOf(values, name)]] : [])));
  const parsed = teamSettings.safeParse({
    host: '',
    database: '',
    user: '',
    ...kept,
    ...given,
    port: numberOf(values, 'port') ?? kept?.port,
    ...(given.ca === undefined ? {} : { ca: await readSmallFile('--ca', given.ca, largestFile) }),
  });
  if (!parsed.success)
    throw new UsageError(
      t('errors.teamSettings', { option: `--${String(parsed.error.issues[0]?.path[0] ?? 'host')}` }),
    );
  return parsed.data;
}

/**
 * The settings to join with: the options come first, then an invitation, what the organisation's policy sets, and what the connection has joined already. The login is
 * by default the account's name.
 */
export async function joinSettingsOf(
  run: Run,
  joined: TeamSettings | undefined,
  provided: TeamPlace | undefined,
): Promise<TeamSettings> {
  const invited = await invitationOf(run);
  const isHelped = invited !== undefined || provided !== undefined;
  return await teamSettingsOf(run, {
    ...(isHelped ? { user: userInfo().username } : {}),
    ...joined,
    ...provided,
    ...invited,
  });
}

async function invitationOf({ values }: Run): Promise<Partial<TeamSettings> | undefined> {
  const path = textOf(values, 'invitation');
  if (path === undefined) return undefined;
  const text = await readSmallFile('--invitation', path, largestFile);
  try {
    const { sealdeskTeam: _form, user, ...place } = teamInvitation.parse(JSON.parse(text));
    return { ...place, ...(user === undefined ? {} : { user }) };
  } catch {
    throw new UsageError(t('errors.teamSettings', { option: '--invitation' }));
  }
}

/** From the environment, never from the command line, which other users of the computer can read. Undefined if it is not there. */
export const teamPasswordOf = ({ env }: Run) => env.SEALDESK_TEAM_PASSWORD;

/** The password from the environment, else typed on the terminal without showing it; undefined where there is neither. */
export async function askTeamPassword(run: Run, { user, host }: TeamSettings): Promise<string | undefined> {
  const given = teamPasswordOf(run);
  if (given !== undefined || !process.stdin.isTTY || !process.stderr.isTTY) return given;
  return await askHidden(t('errors.teamPasswordFor', { user, host }));
}

/** Bringing a large register forward takes long. */
const patienceMs = 600_000;

/** Opens the register of the settings, with the password from the environment, for this work. */
export const withRegister = <T>(run: Run, settings: TeamSettings, work: (database: TeamDatabase) => Promise<T>) =>
  withTeamDatabase(work, settings, teamPasswordOf(run) ?? '', patienceMs);
