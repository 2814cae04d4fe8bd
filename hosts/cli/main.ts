import { failureOf } from '../../electron/core/foundation/app-error.ts';
import type { Command, Run } from './command.ts';
import { commands } from './commands.ts';
import { type ExitCode, exitCodes } from './exit-code.ts';
import { helpOf, overview } from './help.ts';
import { ledgerRemarks } from './ledger-remarks.ts';
import { nearest, parseCommandLine, refuseSecrets } from './parse.ts';
import { createPrinter, nameOnLine, type Printer } from './printer.ts';
import { reportFailure } from './report.ts';
import { openSession } from './session.ts';
import { UsageError } from './usage-error.ts';

/** What the program works with besides its arguments. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown };
  readonly interrupted: AbortSignal;
  /** Filled with the ids of jobs that have left and of which no end was told. */
  readonly underWay: Set<string>;
}

/** Runs one command line and answers the exit code. Rejects only for defects of the program. */
export async function runCommandLine(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { out, err } = surroundings;
  try {
    const command = commandOf(argv);
    if (!command) {
      const asked = argv.length > 0;
      (asked ? out : err).write(argv[0] === '--version' ? `${__VERSION__}\n` : overview(commands));
      return asked ? exitCodes.fine : exitCodes.usage;
    }
    return await runCommand(command, argv.slice(argv[0] === 'help' ? 2 : 1), argv[0] === 'help', surroundings);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    err.write(`sealdesk: ${nameOnLine(error.message)}\nTry: sealdesk --help\n`);
    return exitCodes.usage;
  }
}

/** Null where the help of all is meant. Throws a UsageError for a command that does not exist. */
function commandOf(argv: readonly string[]): Command | null {
  const [first, second] = argv;
  if (first === undefined || (argv.length === 1 && ['--help', '-h', 'help', '--version'].includes(first))) return null;
  const name = first === 'help' ? (second ?? '') : first;
  const command = commands.find((other) => other.name === name);
  if (command) return command;
  refuseSecrets(argv);
  if (name.startsWith('-')) throw new UsageError('The command comes first: sealdesk COMMAND [options].');
  const like = nearest(
    name,
    commands.map((other) => other.name),
  );
  throw new UsageError(`There is no command ${JSON.stringify(name)}.${like ? ` Did you mean ${like}?` : ''}`);
}

async function runCommand(
  command: Command,
  argv: readonly string[],
  wantsHelp: boolean,
  { env, out, err, interrupted, underWay }: Surroundings,
): Promise<ExitCode> {
  const { args, values } = parseCommandLine(command, wantsHelp ? ['--help'] : argv);
  if (values.help === true) {
    out.write(helpOf(command));
    return exitCodes.fine;
  }
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

/** What the core refused on the way is a result like any other. */
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
    const code = reportFailure(printer, { operation }, failure);
    // Without room for the register nothing can be begun.
    return failure.code.startsWith('storage-') ? exitCodes.ledger : code;
  }
}
