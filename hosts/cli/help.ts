import type { Command } from './command.ts';
import { commonOptions, connectionOptions, type OptionSpecs } from './options.ts';

const exitCodesText = `Exit codes: 0 fine · 1 refused or not confirmed · 2 wrong usage · 3 in doubt (sent, and no answer came) · 4 not reachable
5 the register cannot be used · 6 done, but the results could not be printed · 130 ended with Ctrl-C`;

const credentialsText = `Credentials come from the environment (SEALDESK_API_KEY and SEALDESK_API_SIG), from the system's keychain for a saved
connection, or are asked for. They are never taken from the command line.`;

/** The help of the whole program. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: sealdesk COMMAND [options]

${rows.join('\n')}

Without --connection or --url everything goes to the practice service, which is started for the run: nothing leaves
this computer. ${credentialsText}

${exitCodesText}

Examples
  sealdesk register contract.pdf --client-id 4711
  sealdesk verify incoming/ --json
  sealdesk COMMAND --help
`;
}

/** The help of one command. */
export function helpOf(command: Command): string {
  const parts = [
    `Usage: sealdesk ${command.name}${command.usage ? ` ${command.usage}` : ''} [options]\n\n${command.summary}`,
    ...(command.remarks ?? []),
    section('Options', { ...command.options, ...commonOptions }),
    ...(command.kind === 'service'
      ? [section('Connection (default: the practice service)', connectionOptions), credentialsText]
      : []),
    exitCodesText,
    `Examples\n${command.examples.map(([line, remark]) => `  # ${remark}\n  sealdesk ${command.name} ${line}`.trimEnd()).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(title: string, options: OptionSpecs): string {
  const rows = Object.entries(options).map(([name, spec]) => {
    const short = spec.short ? `-${spec.short}, ` : '';
    const negated = spec.negatable ? `--[no-]${name}` : `--${name}`;
    return {
      left: `${short}${negated}${spec.value ? ` ${spec.value}` : ''}`,
      help: `${spec.help}${spec.multiple ? ' …' : ''}`,
    };
  });
  const width = Math.max(...rows.map(({ left }) => left.length));
  return `${title}\n${rows.map(({ left, help }) => `  ${left.padEnd(width)}  ${help}`).join('\n')}`;
}
