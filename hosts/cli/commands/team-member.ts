import { passwordPlace, type TeamLink, type TeamPlace, teamRoles } from '../../../contract/team.ts';
import { invitationTo, letIn } from '../../../electron/core/team/init-team.ts';
import {
  askTeamPassword,
  hasTeamSettings,
  joinSettingsOf,
  teamPasswordOf,
  teamSettingsOf,
  withRegister,
} from '../arguments/team-settings.ts';
import { isSet, textOf } from '../arguments/values.ts';
import type { Run } from '../command.ts';
import { type ExitCode, exitCodes, UsageError } from '../output/exit-code.ts';
import { reportFailure } from '../output/report.ts';
import { t } from '../output/texts.ts';
import { openSession, type Session } from '../session.ts';

const operation = 'team';

/** Prints what a person is told; with `--json` its details as well. */
export function say({ printer }: Run, text: string, details?: Readonly<Record<string, unknown>>): ExitCode {
  printer.result({ operation, ok: true, ...(details && { details }) }, text);
  return exitCodes.fine;
}

/** Joins the register with a saved connection, or changes the settings of one that was joined. The password goes into the keychain. */
export function joinTeam(run: Run): Promise<ExitCode> {
  return withConnection(run, async (session, link, provided) => {
    const connectionId = session.connection.id;
    const settings = await joinSettingsOf(run, link?.settings, provided);
    const isKept = link && link.passwordKept !== 'none' && passwordPlace(link.settings) === passwordPlace(settings);
    const password = isKept ? teamPasswordOf(run) : await askTeamPassword(run, settings);
    const joined = await session.ask('team.join', {
      connectionId,
      settings,
      ...(password === undefined ? {} : { password }),
      isSameService: isSet(run.values, 'same-service'),
    });
    if (!joined.ok) return reportFailure(run.printer, { operation }, joined.failure);
    const { state, role, passwordKept, failure } = joined.value;
    const connection = session.connection.name;
    run.printer.result(
      { operation, ok: failure === null, details: { state, role, passwordKept } },
      role ? t('results.team.joined', { connection, role }) : t('results.team.joinedAway', { connection }),
    );
    if (passwordKept === 'this-run') run.printer.remark(t('results.team.notKept'));
    return failure ? reportFailure(run.printer, { operation }, failure) : exitCodes.fine;
  });
}

/** Leaves the register of a saved connection; although outcomes are not reported yet, only with `--yes`. */
export function leaveTeam(run: Run): Promise<ExitCode> {
  return withJoined(run, async (session, link) => {
    const { id: connectionId, name: connection } = session.connection;
    const isSure = isSet(run.values, 'yes');
    if (link.unreportedCount > 0 && !isSure)
      throw new UsageError(t('errors.teamUnreported', { number: link.unreportedCount }));
    const left = await session.ask('team.leave', { connectionId, evenUnreported: isSure });
    if (!left.ok) return reportFailure(run.printer, { operation }, left.failure);
    return say(run, t('results.team.left', { connection }));
  });
}

/** As `withConnection`, for one that has joined a register. */
export const withJoined = (run: Run, work: (session: Session, link: TeamLink) => Promise<ExitCode>) =>
  withConnection(run, async (session, link) => {
    if (!link) throw new UsageError(t('errors.teamNotJoined', { connection: session.connection.name }));
    return await work(session, link);
  });

/** Opens the core with the connection that `--connection` names, and the register that it has joined, if any. */
async function withConnection(
  run: Run,
  work: (session: Session, link: TeamLink | null, provided: TeamPlace | undefined) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { values, env, printer } = run;
  if (textOf(values, 'connection') === undefined) throw new UsageError(t('errors.teamConnection'));
  // --ca is the database's, not the service's.
  const { ca: _ca, ...own } = values;
  const session = await openSession({
    values: own,
    env,
    remark: printer.remark,
    underWay: new Set<string>(),
    needsCredentials: false,
    keepsSecrets: true,
  });
  try {
    const state = await session.ask('team.state', {});
    const { links, provided = [] } = state.ok ? state.value : { links: [] };
    const isOurs = ({ connectionId }: { readonly connectionId: string }) => connectionId === session.connection.id;
    return await work(session, links.find(isOurs) ?? null, provided.find(isOurs)?.place);
  } finally {
    await session.close();
  }
}

/**
 * Prints what a second person needs to join: of the register that a saved connection has joined, or that the options name. With `--login` also what lets that login in, which
 * is carried out with `--yes`, by the user of the options.
 */
export async function invite(run: Run): Promise<ExitCode> {
  if (hasTeamSettings(run)) return await print(run, await teamSettingsOf(run));
  return await withJoined(run, (_session, link) => print(run, link.settings));
}

async function print(run: Run, place: TeamPlace): Promise<ExitCode> {
  const { values, printer } = run;
  const login = textOf(values, 'login');
  const isDone = isSet(values, 'yes');
  const statements = login === undefined ? [] : await letInto(run, login, isDone);
  const invitation = invitationTo(place, login);
  if (login !== undefined) {
    printer.remark(t(isDone ? 'results.team.done' : 'results.team.wouldDo'));
    for (const statement of statements) printer.remark(`${statement};`);
  }
  return say(run, JSON.stringify(invitation, null, 2), { isDone, statements, invitation });
}

async function letInto(run: Run, login: string, isDone: boolean): Promise<string[]> {
  const role = teamRoles.find((one) => one === (textOf(run.values, 'role') ?? 'member'));
  // That of a connection is a member's: roles are made by an account of the database.
  if (!role || !hasTeamSettings(run))
    throw new UsageError(t('errors.teamSettings', { option: role ? '--user' : '--role' }));
  const settings = await teamSettingsOf(run);
  return await withRegister(run, settings, (database) => letIn(database, { ...settings, login, role }, isDone));
}
