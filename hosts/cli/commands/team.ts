import { failureOf } from '../../../electron/core/foundation/app-error.ts';
import { checkTeam } from '../../../electron/core/team/check-team.ts';
import { initTeam, planTeam, resumeTeam } from '../../../electron/core/team/init-team.ts';
import { option } from '../arguments/options.ts';
import { teamPasswordOf, teamSettingsOf, withRegister } from '../arguments/team-settings.ts';
import type { PlainCommand, Run } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, UsageError } from '../output/exit-code.ts';
import { failureText } from '../output/failures.ts';
import { t } from '../output/texts.ts';
import { doctorOfTeam } from './team-doctor.ts';
import { invite, joinTeam, leaveTeam } from './team-member.ts';

/** Sets up and examines a team register, and joins or leaves it with a saved connection. */
export const teamCommand: PlainCommand = {
  kind: 'plain',
  name: 'team',
  summary: t('commands.team.summary'),
  arguments: ['<ACTION>'],
  options: [
    option('--host <NAME>', t('options.teamHost')),
    option('--port <N>', t('options.teamPort')),
    option('--database <NAME>', t('options.teamDatabase')),
    option('--user <NAME>', t('options.teamUser')),
    option('--team <NAME>', t('options.teamName')),
    option('--person <NAME>', t('options.teamPerson')),
    option('--ca <FILE>', t('options.ca')),
    option('--connection <NAME>', t('options.connection')),
    option('--invitation <FILE>', t('options.teamInvitation')),
    option('--login <NAME>', t('options.teamLogin')),
    option('--role <ROLE>', t('options.teamRole')),
    option('--same-service', t('options.teamSameService')),
    option('--yes', t('options.teamYes')),
  ],
  remarks: [t('commands.team.password')],
  examples: [
    ['init --host db.example --database sealdesk --user postgres', t('commands.team.plan')],
    ['init --host db.example --database sealdesk --user postgres --yes', t('commands.team.carryOut')],
    ['status --host db.example --database sealdesk --user ana', t('commands.team.status')],
    ['doctor --host db.example --database sealdesk --user ana', t('commands.team.doctor')],
    ['join --connection Office --host db.example --database sealdesk --user ana', t('commands.team.join')],
    ['invite --connection Office > invitation.json', t('commands.team.invite')],
    [
      'invite --host db.example --database sealdesk --user postgres --login bo --yes > invitation.json',
      t('commands.team.letIn'),
    ],
    ['join --connection Office --invitation invitation.json', t('commands.team.joinInvited')],
    ['leave --connection Office', t('commands.team.leave')],
    ['resume --host db.example --database sealdesk --user ana', t('commands.team.resume')],
  ],
  run: async (run) => {
    const [action = ''] = run.args;
    const work = actions[action];
    if (!work) throw new UsageError(t('errors.teamAction', { action }));
    try {
      return await work(run);
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      run.printer.result({ operation: 'team', ok: false, raw: null, failure }, failureText(failure));
      return exitCodeOf(failure);
    }
  },
};

const actions: Readonly<Record<string, (run: Run) => Promise<ExitCode>>> = {
  /** Prints the statements; carries them out only with `--yes`. */
  init: async (run) => {
    const settings = teamSettingsOf(run);
    const isDone = run.values.yes === true;
    const statements = await withRegister(run, settings, (database) =>
      isDone ? initTeam(database, settings.team) : planTeam(database, settings.team).then((plan) => plan.statements),
    );
    const heading = isDone ? t('results.team.done') : t('results.team.wouldDo');
    const text = [heading, ...statements.map((statement) => `${statement};`)].join('\n\n');
    run.printer.result(
      { operation: 'team', ok: true, raw: null, details: { isDone, statements } },
      statements.length === 0 ? t('results.team.complete') : text,
    );
    return exitCodes.fine;
  },
  status: async (run) => {
    const { found } = await checkTeam(teamSettingsOf(run), teamPasswordOf(run) ?? '');
    run.printer.result(
      { operation: 'team', ok: true, raw: null, details: { ...found } },
      [
        t('results.team.found', { version: found.serverVersion, role: found.role }),
        found.canSend ? t('results.team.canSend') : t('results.team.cannotSend'),
        ...(found.isEncrypted ? [] : [t('results.team.notEncrypted')]),
        ...(found.isDurable ? [] : [t('results.team.notDurable')]),
        ...found.people.map(({ person, computer }) => `  ${person}  ${computer}`),
      ].join('\n'),
    );
    return found.canSend ? exitCodes.fine : exitCodes.refused;
  },
  doctor: doctorOfTeam,
  invite,
  join: joinTeam,
  leave: leaveTeam,
  resume: async (run) => {
    const settings = teamSettingsOf(run);
    await withRegister(run, settings, (database) => resumeTeam(database, settings.team));
    run.printer.result({ operation: 'team', ok: true, raw: null }, t('results.team.resumed'));
    return exitCodes.fine;
  },
};
