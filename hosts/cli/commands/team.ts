import { readFileSync } from 'node:fs';
import { type TeamSettings, teamSettings } from '../../../contract/team.ts';
import { failureOf } from '../../../electron/core/foundation/app-error.ts';
import { checkTeam } from '../../../electron/core/team/check-team.ts';
import { openTeamDatabase, type TeamDatabase } from '../../../electron/core/team/database.ts';
import { initTeam, planTeam, resumeTeam } from '../../../electron/core/team/init-team.ts';
import type { PlainCommand, Run } from '../command.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-code.ts';
import { failureText } from '../failure-text.ts';
import { option } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { numberOf, textOf } from '../values.ts';

/** Sets up and examines a team register. Joining a team is a setting of a connection in the window. */
export const teamCommand: PlainCommand = {
  kind: 'plain',
  name: 'team',
  summary: (t) => t('commands.team.summary'),
  arguments: ['<ACTION>'],
  options: [
    option('--host <NAME>', (t) => t('options.teamHost')),
    option('--port <N>', (t) => t('options.teamPort')),
    option('--database <NAME>', (t) => t('options.teamDatabase')),
    option('--user <NAME>', (t) => t('options.teamUser')),
    option('--team <NAME>', (t) => t('options.teamName')),
    option('--ca <FILE>', (t) => t('options.ca')),
    option('--yes', (t) => t('options.teamYes')),
  ],
  remarks: [(t) => t('commands.team.password')],
  examples: [
    ['init --host db.example --database sealdesk --user postgres', (t) => t('commands.team.plan')],
    ['init --host db.example --database sealdesk --user postgres --yes', (t) => t('commands.team.carryOut')],
    ['status --host db.example --database sealdesk --user ana', (t) => t('commands.team.status')],
    ['resume --host db.example --database sealdesk --user ana', (t) => t('commands.team.resume')],
  ],
  run: async (run) => {
    const [action = ''] = run.args;
    const work = actions[action];
    if (!work) throw new UsageError((t) => t('errors.teamAction', { action }));
    const settings = settingsOf(run);
    try {
      return await work(run, settings);
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      run.printer.result({ operation: 'team', ok: false, raw: null, failure }, (t) => failureText(t, failure));
      return exitCodeOf(failure);
    }
  },
};

const actions: Readonly<Record<string, (run: Run, settings: TeamSettings) => Promise<ExitCode>>> = {
  /** Prints the statements; carries them out only with `--yes`. */
  init: async (run, settings) => {
    const isDone = run.values.yes === true;
    const statements = await withDatabase(run, settings, (database) =>
      isDone ? initTeam(database, settings.team) : planTeam(database, settings.team),
    );
    run.printer.result({ operation: 'team', ok: true, raw: null, details: { isDone, statements } }, (t) => {
      if (statements.length === 0) return t('results.team.complete');
      const heading = isDone ? t('results.team.done') : t('results.team.wouldDo');
      return [heading, ...statements.map((statement) => `${statement};`)].join('\n\n');
    });
    return exitCodes.fine;
  },
  status: async (run, settings) => {
    const { found } = await checkTeam(settings, passwordOf(run));
    run.printer.result({ operation: 'team', ok: true, raw: null, details: { ...found } }, (t) =>
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
  resume: async (run, settings) => {
    await withDatabase(run, settings, (database) => resumeTeam(database, settings.team));
    run.printer.result({ operation: 'team', ok: true, raw: null }, (t) => t('results.team.resumed'));
    return exitCodes.fine;
  },
};

async function withDatabase<T>(
  run: Run,
  settings: TeamSettings,
  work: (database: TeamDatabase) => Promise<T>,
): Promise<T> {
  const database = await openTeamDatabase(settings, passwordOf(run));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** From the environment, never from the command line, which other users of the computer can read. */
const passwordOf = ({ env }: Run) => env.SEALDESK_TEAM_PASSWORD ?? '';

function settingsOf({ values }: Run): TeamSettings {
  const ca = textOf(values, 'ca');
  const parsed = teamSettings.safeParse({
    host: textOf(values, 'host') ?? '',
    port: numberOf(values, 'port'),
    database: textOf(values, 'database') ?? '',
    user: textOf(values, 'user') ?? '',
    team: textOf(values, 'team'),
    ca: ca === undefined ? undefined : readFile(ca),
  });
  if (!parsed.success)
    throw new UsageError((t) =>
      t('errors.teamSettings', { option: `--${String(parsed.error.issues[0]?.path[0] ?? 'host')}` }),
    );
  return parsed.data;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').slice(0, 1_000_000);
  } catch {
    throw new UsageError((t) => t('errors.teamSettings', { option: '--ca' }));
  }
}
