import { Command as CommanderCommand, type OutputConfiguration } from 'commander';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { connectionOptions, option } from './options.ts';

const exitCodesText = `Exit codes: 0 fine · 1 refused or not confirmed · 2 wrong usage · 3 in doubt (sent, and no answer came) · 4 not reachable
5 the register cannot be used · 6 done, but the results could not be printed · 130 ended with Ctrl-C`;

const credentialsText = `Credentials come from the environment (SEALDESK_API_KEY and SEALDESK_API_SIG), from the system's keychain for a saved
connection, or are asked for. They are never taken from the command line.`;

const overviewText = `
Without --connection or --url everything goes to the practice service, which is started for the run: nothing leaves
this computer. ${credentialsText}

${exitCodesText}

Examples
  sealdesk register contract.pdf --client-id 4711
  sealdesk verify incoming/ --json
  sealdesk COMMAND --help`;

/** All commands with their options, arguments and help, as commander parses them. Instead of ending the process, commander throws a CommanderError. */
export function createProgram(output: OutputConfiguration): CommanderCommand {
  const program = new CommanderCommand('sealdesk')
    .usage('COMMAND [options]')
    .configureOutput(output)
    .configureHelp({
      // Error messages and documentation write `--name TEXT`.
      optionTerm: ({ flags }) => flags.replace(/[<>]/g, ''),
      subcommandTerm: (command) => command.name(),
    })
    .exitOverride()
    // Options of the program are read only before the command: `register --version` is no question for the program's version.
    .enablePositionalOptions()
    .version(__VERSION__, '--version', 'the version of this program')
    .helpOption('-h, --help', 'this help')
    .helpCommand('help [COMMAND]', 'the help of a command')
    .addHelpText('after', overviewText);
  for (const command of commands) addCommand(program, command);
  return program;
}

function addCommand(program: CommanderCommand, command: Command): void {
  const added = program
    .command(command.name)
    .usage(`${usageOf(command)} [options]`.trimStart())
    .summary(command.summary)
    .description([command.summary, ...(command.remarks ?? [])].join('\n\n'))
    // An option like the others: commander's own help option would hide that another option is wrong.
    .helpOption(false)
    .addHelpText('after', `\n${textAfterOptions(command)}`);
  for (const argument of command.arguments) added.argument(argument);
  for (const one of command.options) added.addOption(one);
  added.addOption(option('--json', 'one JSON object a line instead of text'));
  added.addOption(option('-h, --help', 'this help'));
  if (command.kind === 'service') for (const one of connectionOptions) added.addOption(one);
}

/** The arguments of a command without commander's signs, for example `ACTION [JOB…]`. */
function usageOf(command: Command): string {
  return command.arguments.map((argument) => argument.replace('...', '…').replace(/[<>]/g, '')).join(' ');
}

function textAfterOptions(command: Command): string {
  const examples = command.examples.map(([line, remark]) =>
    `  # ${remark}\n  sealdesk ${command.name} ${line}`.trimEnd(),
  );
  return [
    ...(command.kind === 'service' ? [credentialsText] : []),
    exitCodesText,
    `Examples\n${examples.join('\n')}`,
  ].join('\n\n');
}
