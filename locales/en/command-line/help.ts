/** The frame of every help text. Lines are at most 118 letters long, columns are aligned with spaces. */
export const help = {
  usage: 'Usage:',
  options: 'Options:',
  commands: 'Commands:',
  connection: 'Connection (default: the practice service):',
  version: 'the version of this program',
  help: 'this help',
  helpOf: 'the help of a command',
  json: 'one JSON object a line instead of text',
  examples: 'Examples',
  exitCodes: `Exit codes: 0 fine · 1 refused or not confirmed · 2 wrong usage · 3 in doubt (sent, and no clear answer came) · 4 not reachable
5 the register cannot be used · 6 done, but the results could not be printed · 130 ended with Ctrl-C`,
  credentials: `Credentials come from the environment (SEALDESK_API_KEY and SEALDESK_API_SIG), from the system's keychain for a saved
connection, or are asked for. They are never taken from the command line.`,
  practice: `Without --connection or --url everything goes to the practice service, which is started for the run: nothing leaves
this computer.`,
} as const;
