import { setTimeout as sleep } from 'node:timers/promises';
import type { DoctorStep } from '../../../contract/connections.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { TeamCheck, TeamSettings } from '../../../contract/team.ts';
import { knownFailure } from '../../../electron/core/foundation/app-error.ts';
import { checkTeam } from '../../../electron/core/team/check-team.ts';
import { isPlain } from '../../../electron/core/team/database.ts';
import { askTeam, initTeam, planTeam, resumeTeam } from '../../../electron/core/team/init-team.ts';
import { notReported } from '../../../electron/core/team/team-notes.ts';
import { option } from '../arguments/options.ts';
import {
  askTeamPassword,
  hasTeamSettings,
  teamPasswordOf,
  teamSettingsOf,
  withRegister,
} from '../arguments/team-settings.ts';
import { isSet, numberOf } from '../arguments/values.ts';
import type { PlainCommand, Run } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, UsageError } from '../output/exit-code.ts';
import { failureOnLine, failureText } from '../output/printer.ts';
import { t } from '../output/texts.ts';
import { checkedLine } from './doctor.ts';
import { invite, joinTeam, leaveTeam, say, withJoined } from './team-member.ts';

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
    option('--yes-unreported', t('options.teamYesUnreported')),
    option('--wait <SECONDS>', t('options.teamWait')),
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
      const failure = knownFailure(error);
      run.printer.result({ operation: 'team', ok: false, failure }, failureText(failure));
      return exitCodeOf(failure);
    }
  },
};

/** A program looks at a closed register every five seconds. */
const usualWaitSeconds = 15;

const actions: Readonly<Record<string, (run: Run) => Promise<ExitCode>>> = {
  /** Prints the statements; carries them out only with `--yes`. */
  init: async (run) => {
    const settings = await teamSettingsOf(run);
    const isDone = isSet(run.values, 'yes');
    const { statements, byOthers } = await withRegister(run, settings, async (database) => {
      const plan = await planTeam(database, settings.team);
      return isDone ? { ...plan, statements: await initTeam(database, settings.team) } : plan;
    });
    const listed = (heading: string, all: readonly string[]) => [heading, ...all.map((statement) => `${statement};`)];
    const text = [
      ...(statements.length === 0
        ? [t('results.team.complete')]
        : listed(isDone ? t('results.team.done') : t('results.team.wouldDo'), statements)),
      ...(byOthers.length === 0 ? [] : listed(t('results.team.byOthers'), byOthers)),
    ];
    return say(run, text.join('\n\n'), { isDone, statements, byOthers });
  },
  status: async (run) => {
    const { found } = await checkTeam(await teamSettingsOf(run), teamPasswordOf(run) ?? '');
    say(
      run,
      [
        t('results.team.found', { version: found.serverVersion, role: found.role }),
        ...(found.problem ? [failureText(found.problem)] : []),
        found.canSend ? t('results.team.canSend') : t('results.team.cannotSend'),
        ...(found.isEncrypted ? [] : [t('results.team.notEncrypted')]),
        ...(found.isDurable ? [] : [t('results.team.notDurable')]),
        ...found.people.map(({ person, computer }) => `  ${person}  ${computer}`),
      ].join('\n'),
      { ...found },
    );
    return found.canSend ? exitCodes.fine : exitCodes.refused;
  },
  doctor: doctorOfTeam,
  invite,
  join: joinTeam,
  leave: leaveTeam,
  /** Asks all programs, and lets the team go on; without those that have not told what they know only with `--yes-unreported`. */
  resume: async (run) => {
    const settings = await teamSettingsOf(run);
    const waitMs = (numberOf(run.values, 'wait') ?? usualWaitSeconds) * 1_000;
    return await withRegister(run, settings, async (database) => {
      const asked = await askTeam(database, settings.team);
      const until = performance.now() + waitMs;
      const look = () => notReported(database, settings.team);
      let found = await look();
      for (; found.people.length > 0 && performance.now() < until; found = await look()) await sleep(500);
      const { people, more } = found;
      const named = people.map((one) => t('results.team.notTold', { ...one }));
      const programs = more > 0 ? [...named, t('results.team.moreNotTold', { number: more })] : named;
      if (people.length > 0 && !isSet(run.values, 'yes-unreported')) {
        run.printer.remark(programs.join('\n'));
        throw new UsageError(t('errors.teamNotTold'));
      }
      await resumeTeam(database, settings.team, asked);
      return say(run, [t('results.team.resumed'), ...programs].join('\n'), { notReported: people, more });
    });
  },
};

/** What is checked, in order: a failed check leaves those after it untried. */
const steps = ['address', 'encryption', 'user', 'team', 'schema', 'role', 'durability', 'clock', 'people'] as const;
type Step = (typeof steps)[number];
type Result = DoctorStep['result'];

type Lines = Readonly<Record<Step, readonly [result: Result, note: string]>>;

/** Checks a register step by step: that of a saved connection, with its password, or the one that the options name. */
async function doctorOfTeam(run: Run): Promise<ExitCode> {
  if (run.values.connection === undefined || hasTeamSettings(run)) {
    const settings = await teamSettingsOf(run);
    const password = (await askTeamPassword(run, settings)) ?? '';
    return await report(run, settings, async () => (await checkTeam(settings, password)).found);
  }
  return await withJoined(run, (session, { connectionId, settings }) =>
    report(run, settings, async () => {
      const password = teamPasswordOf(run);
      const given = { connectionId, settings, ...(password === undefined ? {} : { password }) };
      const answer = await session.ask('team.check', given);
      return answer.ok ? answer.value : answer.failure;
    }),
  );
}

async function report(
  { printer }: Run,
  settings: TeamSettings,
  check: () => Promise<TeamCheck | Failure>,
): Promise<ExitCode> {
  const answer = await check().catch(knownFailure);
  const failure = 'code' in answer ? answer : answer.problem;
  const lines = 'code' in answer ? linesOfFailure(settings, answer) : linesOf(settings, answer);
  const names = steps.map((one) => t(`results.team.steps.${one}`));
  for (const step of steps) {
    const [result, note] = lines[step];
    const isFailed = result === 'failed' && failure !== null;
    printer.result(
      {
        operation: 'team',
        ok: result !== 'failed',
        answer: { group: result, meaning: step },
        ...(isFailed ? { failure: failureOnLine(failure) } : note === '' ? {} : { details: { note } }),
      },
      checkedLine(result, t(`results.team.steps.${step}`), names, note).trimEnd(),
    );
  }
  if (failure) return exitCodeOf(failure);
  return steps.some((step) => lines[step][0] === 'failed') ? exitCodes.refused : exitCodes.fine;
}

/** Clocks that differ by more are named. */
const clockOffMs = 5_000;

function linesOf({ host, port, user, team }: TeamSettings, found: TeamCheck): Lines {
  const { role, canSend, problem, isEncrypted, isDurable } = found;
  const isReader = role === 'reader';
  const seconds = Math.round(Math.abs(found.clockOffByMs) / 1000);
  const passed = (note: string) => ['passed', note] as const;
  const passedIf = (isGood: boolean, note: string) => (isGood ? passed('') : (['unclear', note] as const));
  return {
    address: passed(`${host}:${port}`),
    encryption: passedIf(isEncrypted, t('results.team.notEncrypted')),
    user: passed(user),
    team: passed(team),
    schema:
      canSend || problem || isReader
        ? passed(`PostgreSQL ${found.serverVersion}`)
        : ['failed', t('results.team.cannotSend')],
    role: isReader ? ['failed', `${role}: ${t('results.team.cannotSend')}`] : passed(role),
    durability: passedIf(isDurable, t('results.team.notDurable')),
    clock: passedIf(seconds * 1000 < clockOffMs, t('results.team.clock', { seconds })),
    people: passed(found.people.map(({ person, computer }) => `${person} (${computer})`).join(', ')),
    ...(problem ? { [stepOf(problem)]: ['failed', failureText(problem)] } : {}),
  };
}

const failedSteps: Readonly<Partial<Record<NonNullable<Failure['detail']>, Step>>> = {
  'team-not-a-register': 'address',
  'team-certificate': 'encryption',
  'team-not-encrypted': 'encryption',
  'team-weak-login': 'encryption',
  'team-login-refused': 'user',
  'team-password-needed': 'user',
  'team-busy': 'user',
  'team-missing': 'team',
  'team-restored': 'team',
  'team-other-service': 'team',
  'team-newer': 'schema',
  'team-older': 'schema',
  'team-rights': 'role',
  'team-too-large': 'team',
  'team-full': 'durability',
};

const stepOf = ({ detail }: Failure): Step => failedSteps[detail ?? 'team-away'] ?? 'address';

function linesOfFailure(settings: TeamSettings, failure: Failure): Lines {
  const failed = steps.indexOf(stepOf(failure));
  const lines = steps.map((step, at) => {
    if (at === failed) return [step, ['failed', failureText(failure)]];
    if (at > failed) return [step, ['not-tried', '']];
    if (step === 'encryption' && isPlain(settings)) return [step, ['unclear', t('results.team.notEncrypted')]];
    return [step, ['passed', step === 'address' ? `${settings.host}:${settings.port}` : '']];
  });
  return Object.fromEntries(lines) as Lines;
}
