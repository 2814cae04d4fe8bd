import type { DoctorStep } from '../../../contract/connections.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { TeamCheck, TeamSettings } from '../../../contract/team.ts';
import { failureOf } from '../../../electron/core/foundation/app-error.ts';
import { checkTeam } from '../../../electron/core/team/check-team.ts';
import { askTeamPassword, hasTeamSettings, teamSettingsOf } from '../arguments/team-settings.ts';
import type { Run } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../output/exit-code.ts';
import { failureText } from '../output/failures.ts';
import { failureOnLine } from '../output/printer.ts';
import { t } from '../output/texts.ts';
import { checkedLine } from './doctor.ts';
import { withJoined } from './team-member.ts';

/** What is checked, in order: a failed check leaves those after it untried. */
const steps = ['address', 'encryption', 'user', 'team', 'schema', 'role', 'durability', 'clock', 'people'] as const;
type Step = (typeof steps)[number];
type Result = DoctorStep['result'];

type Lines = Readonly<Record<Step, readonly [result: Result, note: string]>>;

/** Checks a register step by step: that of a saved connection, with its password, or the one that the options name. */
export async function doctorOfTeam(run: Run): Promise<ExitCode> {
  if (run.values.connection === undefined || hasTeamSettings(run)) {
    const settings = teamSettingsOf(run);
    const password = (await askTeamPassword(run, settings)) ?? '';
    return await report(run, settings, async () => (await checkTeam(settings, password)).found);
  }
  return await withJoined(run, (session, { connectionId, settings }) =>
    report(run, settings, async () => {
      const answer = await session.ask('team.check', { connectionId, settings });
      return answer.ok ? answer.value : answer.failure;
    }),
  );
}

async function report(
  { printer }: Run,
  settings: TeamSettings,
  check: () => Promise<TeamCheck | Failure>,
): Promise<ExitCode> {
  const answer = await check().catch((error: unknown) => {
    const failure = failureOf(error);
    if (!failure) throw error;
    return failure;
  });
  const failure = 'code' in answer ? answer : null;
  const lines = 'code' in answer ? linesOfFailure(settings, answer) : linesOf(settings, answer);
  for (const step of steps) {
    const [result, note] = lines[step];
    const isFailed = result === 'failed' && failure !== null;
    printer.result(
      {
        ...{ operation: 'team', ok: result !== 'failed', raw: null, answer: { group: result, meaning: step } },
        ...(isFailed ? { failure: failureOnLine(failure) } : note === '' ? {} : { details: { note } }),
      },
      lineOf(step, result, note),
    );
  }
  if (failure) return exitCodeOf(failure);
  return steps.some((step) => lines[step][0] === 'failed') ? exitCodes.refused : exitCodes.fine;
}

function lineOf(step: Step, result: Result, note: string): string {
  const names = steps.map((one) => t(`results.team.steps.${one}`));
  return checkedLine(result, t(`results.team.steps.${step}`), names, note).trimEnd();
}

/** Clocks that differ by more are named. */
const clockOffMs = 5_000;

function linesOf({ host, port, user, team }: TeamSettings, found: TeamCheck): Lines {
  const { role, canSend, isEncrypted, isDurable } = found;
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
      canSend || isReader ? passed(`PostgreSQL ${found.serverVersion}`) : ['failed', t('results.team.cannotSend')],
    role: isReader ? ['failed', `${role}: ${t('results.team.cannotSend')}`] : passed(role),
    durability: passedIf(isDurable, t('results.team.notDurable')),
    clock: passedIf(seconds * 1000 < clockOffMs, t('results.team.clock', { seconds })),
    people: passed(found.people.map(({ person, computer }) => `${person} (${computer})`).join(', ')),
  };
}

const failedSteps: Readonly<Partial<Record<NonNullable<Failure['detail']>, Step>>> = {
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

function linesOfFailure({ host, port }: TeamSettings, failure: Failure): Lines {
  const failed = steps.indexOf(failedSteps[failure.detail ?? 'team-away'] ?? 'address');
  const lines = steps.map((step, at) => {
    if (at === failed) return [step, ['failed', failureText(failure)]];
    return [step, [at < failed ? 'passed' : 'not-tried', step === 'address' ? `${host}:${port}` : '']];
  });
  return Object.fromEntries(lines) as Lines;
}
