import type { DoctorStep } from '../../../contract/connections.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { TeamCheck, TeamSettings } from '../../../contract/team.ts';
import { failureOf } from '../../../electron/core/foundation/app-error.ts';
import { checkTeam } from '../../../electron/core/team/check-team.ts';
import type { Run } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes, UsageError } from '../exit-code.ts';
import { failureText } from '../failure-text.ts';
import { failureOnLine } from '../printer.ts';
import { askTeamPassword, hasTeamSettings, teamSettingsOf } from '../team-settings.ts';
import { t } from '../texts.ts';
import { checkedLine } from './doctor.ts';
import { withConnection } from './team-member.ts';

/** What is checked, in order: a failed check leaves those after it untried. */
const steps = ['address', 'encryption', 'user', 'team', 'schema', 'role', 'durability', 'clock', 'people'] as const;
type Step = (typeof steps)[number];
type Result = DoctorStep['result'];

interface Line {
  readonly step: Step;
  readonly result: Result;
  readonly note: string;
  readonly failure?: Failure;
}

/** Checks a register step by step: that of a saved connection, with its password, or the one that the options name. */
export async function doctorOfTeam(run: Run): Promise<ExitCode> {
  if (run.values.connection === undefined || hasTeamSettings(run)) {
    const settings = teamSettingsOf(run);
    const password = (await askTeamPassword(run, settings)) ?? '';
    return await report(run, settings, async () => (await checkTeam(settings, password)).found);
  }
  return await withConnection(run, async (session, link) => {
    const { id: connectionId, name: connection } = session.connection;
    if (!link) throw new UsageError(t('errors.teamNotJoined', { connection }));
    return await report(run, link.settings, async () => {
      const answer = await session.ask('team.check', { connectionId, settings: link.settings });
      return answer.ok ? answer.value : answer.failure;
    });
  });
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
  const lines = 'code' in answer ? linesOfFailure(settings, answer) : linesOf(settings, answer);
  for (const { step, result, note, failure } of lines)
    printer.result(
      {
        ...{ operation: 'team', ok: result !== 'failed', raw: null, answer: { group: result, meaning: step } },
        ...(failure || note === '' ? {} : { details: { note } }),
        ...(failure ? { failure: failureOnLine(failure) } : {}),
      },
      lineOf(step, result, note),
    );
  if ('code' in answer) return exitCodeOf(answer);
  return lines.some(({ result }) => result === 'failed') ? exitCodes.refused : exitCodes.fine;
}

function lineOf(step: Step, result: Result, note: string): string {
  const names = steps.map((one) => t(`results.team.steps.${one}`));
  return checkedLine(result, t(`results.team.steps.${step}`), names, note).trimEnd();
}

/** Clocks that differ by more are named. */
const clockOffMs = 5_000;

function linesOf({ host, port, user, team }: TeamSettings, found: TeamCheck): readonly Line[] {
  const isReader = found.role === 'reader';
  const seconds = Math.round(Math.abs(found.clockOffByMs) / 1000);
  return [
    { step: 'address', result: 'passed', note: `${host}:${port}` },
    found.isEncrypted
      ? { step: 'encryption', result: 'passed', note: '' }
      : { step: 'encryption', result: 'unclear', note: t('results.team.notEncrypted') },
    { step: 'user', result: 'passed', note: user },
    { step: 'team', result: 'passed', note: team },
    {
      step: 'schema',
      result: found.canSend || isReader ? 'passed' : 'failed',
      note: found.canSend || isReader ? `PostgreSQL ${found.serverVersion}` : t('results.team.cannotSend'),
    },
    {
      step: 'role',
      result: isReader ? 'failed' : 'passed',
      note: isReader ? `${found.role}: ${t('results.team.cannotSend')}` : found.role,
    },
    {
      step: 'durability',
      result: found.isDurable ? 'passed' : 'unclear',
      note: found.isDurable ? '' : t('results.team.notDurable'),
    },
    {
      step: 'clock',
      result: seconds * 1000 < clockOffMs ? 'passed' : 'unclear',
      note: seconds * 1000 < clockOffMs ? '' : t('results.team.clock', { seconds }),
    },
    {
      step: 'people',
      result: 'passed',
      note: found.people.map(({ person, computer }) => `${person} (${computer})`).join(', '),
    },
  ];
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

function linesOfFailure({ host, port }: TeamSettings, failure: Failure): readonly Line[] {
  const failed = steps.indexOf(failedSteps[failure.detail ?? 'team-away'] ?? 'address');
  return steps.map((step, at): Line => {
    if (at === failed) return { step, result: 'failed', note: failureText(failure), failure };
    const note = step === 'address' ? `${host}:${port}` : '';
    return { step, result: at < failed ? 'passed' : 'not-tried', note };
  });
}
