import { type TeamPlace, teamRoles } from '../../../contract/team.ts';
import { openTeamDatabase } from '../../../electron/core/team/database.ts';
import { invitationTo, letIn } from '../../../electron/core/team/invite.ts';
import type { Run } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { hasTeamSettings, teamPasswordOf, teamSettingsOf } from '../team-settings.ts';
import { UsageError } from '../usage-error.ts';
import { isSet, textOf } from '../values.ts';
import { withConnection } from './team-member.ts';

/**
 * Prints what a second person needs to join: of the register that a saved connection has joined, or that the options name. With `--login` also what lets that login in, which
 * is carried out with `--yes`, by the user of the options.
 */
export async function invite(run: Run): Promise<ExitCode> {
  if (hasTeamSettings(run)) return await print(run, teamSettingsOf(run));
  return await withConnection(run, async (session, link) => {
    if (!link) throw new UsageError((t) => t('errors.teamNotJoined', { connection: session.connection.name }));
    return await print(run, link.settings);
  });
}

async function print(run: Run, place: TeamPlace): Promise<ExitCode> {
  const { values, printer } = run;
  const login = textOf(values, 'login');
  const isDone = isSet(values, 'yes');
  const statements = login === undefined ? [] : await letInto(run, login, isDone);
  const invitation = invitationTo(place, login);
  if (login !== undefined) {
    printer.remark((t) => t(isDone ? 'results.team.done' : 'results.team.wouldDo'));
    for (const statement of statements) printer.remark(() => `${statement};`);
  }
  printer.result({ operation: 'team', ok: true, raw: null, details: { isDone, statements, invitation } }, () =>
    JSON.stringify(invitation, null, 2),
  );
  return exitCodes.fine;
}

async function letInto(run: Run, login: string, isDone: boolean): Promise<string[]> {
  const role = teamRoles.find((one) => one === (textOf(run.values, 'role') ?? 'member'));
  // That of a connection is a member's: roles are made by an account of the database.
  if (!role || !hasTeamSettings(run))
    throw new UsageError((t) => t('errors.teamSettings', { option: role ? '--user' : '--role' }));
  const settings = teamSettingsOf(run);
  const database = await openTeamDatabase(settings, teamPasswordOf(run) ?? '');
  try {
    return await letIn(database, { team: settings.team, login, role }, isDone);
  } finally {
    await database.close();
  }
}
