import { failureOf } from '../../electron/core/foundation/app-error.ts';
import type { Run } from './command.ts';
import { type ExitCode, exitCodeOfStart, exitCodes } from './exit-code.ts';
import { ledgerRemarks } from './ledger-remarks.ts';
import { createPrinter, nameOnLine, type Printer } from './printer.ts';
import { type Reading, readCommandLine } from './read-command-line.ts';
import { reportFailure } from './report.ts';
import { openSession } from './session.ts';
import { UsageError } from './usage-error.ts';

/** Environment and streams of one run. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
  readonly interrupted: AbortSignal;
  /** Filled with the ids of jobs that were sent and whose end is not reported yet. */
  readonly underWay: Set<string>;
}

/** Runs one command line and returns the exit code. Rejects only for defects of the program. */
export async function runCommandLine(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { out, err } = surroundings;
  try {
    const reading = readCommandLine(argv);
    if (reading.kind === 'command') return await runCommand(reading, surroundings);
    (reading.wasAskedFor ? out : err).write(reading.text);
    return reading.wasAskedFor ? exitCodes.fine : exitCodes.usage;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    err.write(`sealdesk: ${nameOnLine(error.message)}\nTry: sealdesk --help\n`);
    return exitCodes.usage;
  }
}

async function runCommand(
  { command, args, values }: Extract<Reading, { kind: 'command' }>,
  { env, out, err, interrupted, underWay }: Surroundings,
): Promise<ExitCode> {
  const printer = createPrinter(values.json === true, out, err);
  const run: Run = { args, values, printer, env, interrupted };
  if (command.kind === 'plain') return command.run(run);
  return reported(printer, command.operation, async () => {
    const { needsCredentials: needs } = command;
    const needsCredentials = typeof needs === 'boolean' ? needs : needs(args);
    const session = await openSession({ values, env, underWay, needsCredentials });
    try {
      for (const text of await ledgerRemarks(session.ask)) printer.remark(text);
      return await command.run(session, run);
    } finally {
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
    const failure = failureOf(error);
    if (!failure) throw error;
    reportFailure(printer, { operation }, failure);
    return exitCodeOfStart(failure);
  }
}
