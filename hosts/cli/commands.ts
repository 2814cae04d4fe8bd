import { Command as CommanderCommand, type OutputConfiguration } from 'commander';
import { commonOptions, connectionOptions } from './arguments/options.ts';
import type { Command } from './command.ts';
import { t } from './output/texts.ts';

/** In the order of the help. Each is loaded when it is asked for: together they are a third of what a command loads before it begins. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  version: async () => (await import('./commands/plain-texts.ts')).versionCommand,
  schedule: async () => (await import('./commands/plain-texts.ts')).scheduleCommand,
  token: async () => (await import('./commands/plain-texts.ts')).tokenCommand,
  register: async () => (await import('./commands/register.ts')).registerCommand,
  'request-signatures': async () => (await import('./commands/signature-requests.ts')).requestSignaturesCommand,
  'easy-sign': async () => (await import('./commands/signature-requests.ts')).easySignCommand,
  'easy-sign-template': async () => (await import('./commands/signature-requests.ts')).easySignTemplateCommand,
  status: async () => (await import('./commands/documents.ts')).statusCommand,
  details: async () => (await import('./commands/documents.ts')).detailsCommand,
  download: async () => (await import('./commands/documents.ts')).downloadCommand,
  requests: async () => (await import('./commands/requests.ts')).requestsCommand,
  note: async () => (await import('./commands/register.ts')).noteCommand,
  jobs: async () => (await import('./commands/jobs.ts')).jobsCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  'pdf-signatures': async () => (await import('./commands/pdf-signatures.ts')).pdfSignaturesCommand,
  'trust-list': async () => (await import('./commands/pdf-signatures.ts')).trustListCommand,
  practice: async () => (await import('./commands/practice.ts')).practiceCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  policy: async () => (await import('./commands/policy.ts')).policyCommand,
  team: async () => (await import('./commands/team.ts')).teamCommand,
  support: async () => (await import('./commands/support.ts')).supportCommand,
};

/** The command of this name; undefined if there is none. */
export async function commandNamed(name: string | undefined): Promise<Command | undefined> {
  return name !== undefined && Object.hasOwn(loaders, name) ? await loaders[name]?.() : undefined;
}

export function allCommands(): Promise<readonly Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}

/** commander's own headings. */
const headings: Readonly<Record<string, 'usage' | 'options' | 'commands'>> = {
  'Usage:': 'usage',
  'Options:': 'options',
  'Commands:': 'commands',
};

/** These commands, and the one of this name with its options, arguments and help, as commander parses them. Instead of ending the process, commander throws a CommanderError. */
export function createProgram(
  output: OutputConfiguration,
  commands: readonly Command[],
  name: string | undefined,
): CommanderCommand {
  const program = new CommanderCommand('sealdesk-cli')
    .usage('COMMAND [options]')
    .configureOutput(output)
    .configureHelp({
      // Error messages and documentation write `--name TEXT`.
      optionTerm: ({ flags }) => flags.replace(/[<>]/g, ''),
      subcommandTerm: (command) => command.name(),
      styleTitle: (title) => {
        const heading = headings[title];
        return heading ? t(`help.${heading}`) : title;
      },
    })
    .exitOverride()
    // Options of the program are read only before the command: `register --version` is no question for the program's version.
    .enablePositionalOptions()
    .version(__VERSION__, '--version', t('help.version'))
    .helpOption('-h, --help', t('help.help'))
    .helpCommand('help [COMMAND]', t('help.helpOf'))
    .addHelpText('after', overview());
  for (const command of commands) {
    const added = program.command(command.name).summary(command.summary);
    if (command.name === name) describe(added, command);
  }
  return program;
}

function overview(): string {
  return `
${t('help.practice')} ${t('help.credentials')}

${t('help.exitCodes')}

${t('help.examples')}
  sealdesk-cli register contract.pdf --client-id 4711
  sealdesk-cli verify incoming/ --json
  sealdesk-cli COMMAND --help`;
}

function describe(added: CommanderCommand, command: Command): void {
  added
    .usage(`${usageOf(command)} [options]`.trimStart())
    .description([command.summary, ...(command.remarks ?? [])].join('\n\n'))
    // An option like the others: commander's own help option would hide that another option is wrong.
    .helpOption(false)
    .addHelpText('after', `\n${textAfterOptions(command)}`);
  for (const argument of command.arguments) added.argument(argument);
  for (const one of command.options) added.addOption(one);
  for (const one of commonOptions) added.addOption(one);
  if (command.kind === 'service') for (const one of connectionOptions) added.addOption(one);
}

/** The arguments of a command without commander's signs, for example `ACTION [JOB…]`. */
function usageOf(command: Command): string {
  return command.arguments.map((argument) => argument.replace('...', '…').replace(/[<>]/g, '')).join(' ');
}

function textAfterOptions(command: Command): string {
  const examples = command.examples.map(([line, remark]) =>
    `  # ${remark}\n  sealdesk-cli ${command.name} ${line}`.trimEnd(),
  );
  return [
    ...(command.kind === 'service' ? [t('help.credentials')] : []),
    t('help.exitCodes'),
    `${t('help.examples')}\n${examples.join('\n')}`,
  ].join('\n\n');
}
