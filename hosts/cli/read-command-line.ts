import { type Command as CommanderCommand, CommanderError } from 'commander';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { createProgram } from './program.ts';
import { refuseSecrets } from './refuse-secrets.ts';
import { UsageError } from './usage-error.ts';
import { isSet, type Values } from './values.ts';

/** The content of a command line: a command to run, or a text to print (help, version). */
export type Reading =
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly args: readonly string[];
      readonly values: Values;
    }
  | { readonly kind: 'text'; readonly text: string; readonly wasAskedFor: boolean };

/** Parses the words after the program's name. Throws a UsageError, whose sentence never repeats a value that might be a secret. */
export function readCommandLine(argv: readonly string[]): Reading {
  refuseSecrets(argv);
  const name = argv[0] === 'help' ? argv[1] : argv[0];
  if (name?.startsWith('-') && !(argv.length === 1 && isProgramOption(name))) {
    throw new UsageError('The command comes first: sealdesk COMMAND [options].');
  }
  const shown = { text: '', wasAskedFor: false };
  const show = (wasAskedFor: boolean) => (text: string) => {
    shown.text += text;
    shown.wasAskedFor = wasAskedFor;
  };
  const program = createProgram({ writeOut: show(true), writeErr: show(false), outputError: () => undefined });
  const command = commands.find((one) => one.name === name);
  const typed = program.commands.find((one) => one.name() === name);
  const isUnknown = name !== undefined && name !== 'help' && !name.startsWith('-') && !typed;
  // The words after an unknown command mean nothing.
  const error = errorOf(() => program.parse(isUnknown ? [name] : argv, { from: 'user' }));
  if (error && isQuestion(error)) return { kind: 'text', ...shown };
  if (!command || !typed) throw new UsageError(aboutUnknownCommand(name ?? '', error?.message ?? ''));
  const unknown = /unknown option '(--[^=']+)=/.exec(error?.message ?? '')?.[1];
  // commander looks for a similar name with the value included; without the value it finds the same error and the right name.
  if (unknown !== undefined && !isOptionOf(typed, unknown)) return readCommandLine([typed.name(), unknown]);
  if (error && isAboutOption(error)) throw new UsageError(sentenceFor(error, typed));
  refuseDashes(typed, argv);
  const { args } = typed;
  const values = typed.opts<Values>();
  if (isSet(values, 'help')) {
    typed.outputHelp();
    return { kind: 'text', ...shown };
  }
  if (error) throw new UsageError(sentenceFor(error, typed));
  return { kind: 'command', command, args, values };
}

function isProgramOption(word: string): boolean {
  return word === '--help' || word === '-h' || word === '--version';
}

/** The error of commander, which it also throws for help and version; null if there is none. */
function errorOf(parse: () => void): CommanderError | null {
  try {
    parse();
    return null;
  } catch (error) {
    if (error instanceof CommanderError) return error;
    throw error;
  }
}

/** Help and version are reported as errors too: commander would end the process after printing them. */
function isQuestion({ code }: CommanderError): boolean {
  return code === 'commander.help' || code === 'commander.helpDisplayed' || code === 'commander.version';
}

/** Wrong options are reported even if help is asked for: a script must not take its misspelled option for a success. */
function isAboutOption({ code }: CommanderError): boolean {
  return code === 'commander.unknownOption' || code === 'commander.optionMissingArgument';
}

/**
 * commander takes any word as the value of an option, and a negative number as an argument. Both usually mean that a value was forgotten
 * (`--name --json`), so a value with a dash must be written as `--name=VALUE`, and an argument with a dash goes after `--`.
 */
function refuseDashes(command: CommanderCommand, argv: readonly string[]): void {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end + 1);
  for (const [index, word] of words.entries()) {
    const option = command.options.find(({ long, short, required }) => required && (word === long || word === short));
    if (option && /^-./.test(words[index + 1] ?? ''))
      throw new UsageError(`${word} needs a value. One that starts with a dash is written as ${option.long}=VALUE.`);
  }
  const { args } = command;
  const argsBeforeEnd = end < 0 ? args : args.slice(0, args.length - (argv.length - end - 1));
  const negative = argsBeforeEnd.find((arg) => /^-./.test(arg));
  if (negative !== undefined) throw new UsageError(`${command.name()} has no option ${negative.slice(0, 2)}.`);
}

/** Replaces the message of commander, which may quote a value together with its option (`--unknown=VALUE`). */
function sentenceFor({ code, message }: CommanderError, command: CommanderCommand): string {
  // Quoted flags without their values: '--name <TEXT>', '-o, --output <FILE>', '--unknown=VALUE'.
  const [flag = 'An option', otherFlag] = [...message.matchAll(/'(--?[^\s'=,]+)/g)].map(([, found = '']) => found);
  switch (code) {
    case 'commander.unknownOption':
      return aboutUnknownOption(command, flag, message);
    case 'commander.optionMissingArgument':
      return `${flag} needs a value.`;
    case 'commander.conflictingOption':
      return `${flag} and ${otherFlag} exclude each other.`;
    case 'commander.missingArgument':
      return `${command.name()} needs ${command.usage().replace(' [options]', '')}.`;
    case 'commander.excessArguments':
      return `${command.name()} takes ${argumentCount(command)}, and got ${command.args.length}.`;
    default:
      return 'The command line could not be understood.';
  }
}

/** Quotes only a word that may be a misspelled command: any other may be a secret in the wrong place. */
function aboutUnknownCommand(name: string, message: string): string {
  const which = /^[a-z-]{0,24}$/.test(name) ? `no command ${JSON.stringify(name)}` : 'no such command';
  return `There is ${which}.${suggestionIn(message)}`;
}

function aboutUnknownOption(command: CommanderCommand, flag: string, message: string): string {
  const name = flag.startsWith('--') ? flag : flag.slice(0, 2);
  if (isOptionOf(command, name)) return `${name} takes no value.`;
  // A value may follow the name without a space.
  const shown = name.replace(/^(--[a-z-]*)[^a-z-].*$/s, '$1…');
  return `${command.name()} has no option ${shown}.${suggestionIn(message)}`;
}

function isOptionOf(command: CommanderCommand, name: string): boolean {
  const options = command.createHelp().visibleOptions(command);
  return options.some(({ long, short }) => name === long || name === short);
}

function suggestionIn(message: string): string {
  const found = /\(Did you mean (.*)\?\)$/.exec(message)?.[1];
  return found === undefined ? '' : ` Did you mean ${found}?`;
}

function argumentCount({ registeredArguments: { length } }: CommanderCommand): string {
  return length === 0 ? 'no argument' : length === 1 ? 'one argument' : `${length} arguments`;
}
