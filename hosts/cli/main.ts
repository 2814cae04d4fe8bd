import type { Notice } from '../../contract/app.ts';
import type { Ask } from '../../contract/index.ts';
import { failureOf, knownFailure } from '../../electron/core/foundation/app-error.ts';
import { type Reading, readCommandLine } from './arguments/read-command-line.ts';
import type { Run } from './command.ts';
import { type ExitCode, exitCodeOfStart, exitCodes, UsageError } from './output/exit-code.ts';
import type { Output } from './output/output.ts';
import { createPrinter, nameOnLine, type Printer } from './output/printer.ts';
import { reportFailure } from './output/report.ts';
import { t } from './output/texts.ts';
import { openSession } from './session.ts';

/** Environment and streams of one run. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly out: Output;
  readonly err: { write(text: string): unknown };
  readonly interrupted: AbortSignal;
  /** Filled with the ids of jobs that were sent and whose end is not reported yet. */
  readonly underWay: Set<string>;
  /** How long jobs may wait for the program's own storage; ten seconds unless given. */
  readonly storagePatienceMs?: number;
}

/** Runs one command line and returns the exit code. Rejects only for defects of the program. */
export async function runCommandLine(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { out, err } = surroundings;
  try {
    const reading = await readCommandLine(argv);
    if (reading.kind === 'command') return await runCommand(reading, surroundings);
    (reading.wasAskedFor ? out : err).write(reading.text);
    return reading.wasAskedFor ? exitCodes.fine : exitCodes.usage;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const text = nameOnLine(error.message);
    err.write(`${t('errors.program', { text })}\n${t('errors.tryHelp')}\n`);
    return exitCodes.usage;
  }
}

async function runCommand(
  { command, args, values }: Extract<Reading, { kind: 'command' }>,
  { env, out, err, interrupted, underWay, storagePatienceMs }: Surroundings,
): Promise<ExitCode> {
  const printer = createPrinter(values.json === true, out, err);
  const run: Run = { args, values, printer, env, interrupted };
  if (command.kind === 'plain') return command.run(run);
  return reported(printer, command.operation, async () => {
    const { needsCredentials: needs } = command;
    const needsCredentials = typeof needs === 'boolean' ? needs : needs(args);
    const { remark } = printer;
    const wish = { values, env, underWay, storagePatienceMs, needsCredentials, remark };
    const session = await openSession(wish).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure && command.runWithoutRegister && exitCodeOfStart(failure) === exitCodes.ledger) return failure;
      throw error;
    });
    if ('code' in session) return command.runWithoutRegister?.(session, run) ?? exitCodes.ledger;
    const remarkNotices = noticeRemarks(session.ask, remark);
    try {
      await remarkNotices();
      return await command.run(session, run);
    } finally {
      await remarkNotices();
      await session.close();
    }
  });
}

/** Reports a failure that the core throws as a result of the command. */
async function reported(
  printer: Printer,
  operation: Parameters<typeof reportFailure>[1]['operation'],
  work: () => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    const failure = knownFailure(error);
    reportFailure(printer, { operation }, failure);
    return exitCodeOfStart(failure);
  }
}

/** Remarks for notices about the register and the policy, which matter before anything is sent, and about replies of the service. */
const remarks: Readonly<Partial<Record<Notice['kind'], (file: string | null) => string>>> = {
  'database-set-aside': (file) => t('results.registerDamaged', { file: file ?? '' }),
  'database-incomplete': () => t('results.registerIncomplete'),
  'database-mended': () => t('results.registerMended'),
  'database-restored': () => t('results.registerRestored'),
  'reply-renamed': (about) => t('results.replyRenamed', { about: about ?? '' }),
  'reply-characters': (about) => t('results.replyCharacters', { about: about ?? '' }),
  'reply-surplus': (about) => t('results.replySurplus', { about: about ?? '' }),
  'policy-broken': (source) => t('results.policyBroken', { source: source ?? '' }),
};

/** Says the notices that came since the last call. */
function noticeRemarks(ask: Ask, say: (saying: string) => void): () => Promise<void> {
  const said = new Set<string>();
  return async () => {
    const info = await ask('app.info', {});
    if (!info.ok) return;
    for (const { id, kind, fileName } of info.value.notices) {
      const remark = said.has(id) ? undefined : remarks[kind];
      said.add(id);
      if (remark) say(remark(fileName));
    }
  };
}
