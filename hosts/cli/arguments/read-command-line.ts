import { type Command as CommanderCommand, CommanderError } from 'commander';
import type { Command } from '../command.ts';
import { allCommands, commandNamed, createProgram } from '../commands.ts';
import { UsageError } from '../output/exit-code.ts';
import { t } from '../output/texts.ts';
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

/** Parses the words after the program's name. Rejects with a UsageError, whose sentence never repeats a value that might be a secret. */
export async function readCommandLine(argv: readonly string[]): Promise<Reading> {
  refuseSecrets(argv);
  const name = argv[0] === 'help' ? argv[1] : argv[0];
  if (name?.startsWith('-') && !(argv.length === 1 && ['--help', '-h', '--version'].includes(name))) {
    throw new UsageError(t('errors.commandFirst'));
  }
  const shown = { text: '', wasAskedFor: false };
  const show = (wasAskedFor: boolean) => (text: string) => {
    shown.text += text;
    shown.wasAskedFor = wasAskedFor;
  };
  const output = {
    writeOut: show(true),
    writeErr: show(false),
    outputError: () => undefined,
    // As in the texts that the build writes, whatever the terminal.
    getOutHelpWidth: () => 80,
    getErrHelpWidth: () => 80,
  };
  const command = await commandNamed(name);
  const program = createProgram(output, command ? [command] : await allCommands(), name);
  const typed = program.commands.find((one) => one.name() === name);
  const isUnknown = name !== undefined && name !== 'help' && !name.startsWith('-') && !typed;
  // The words after an unknown command mean nothing.
  const error = errorOf(() => program.parse(isUnknown ? [name] : argv, { from: 'user' }));
  if (error && isQuestion(error)) return { kind: 'text', ...shown };
  if (!command || !typed) throw aboutUnknownCommand(name ?? '', error?.message ?? '');
  const unknown = /unknown option '(--[^=']+)=/.exec(error?.message ?? '')?.[1];
  // commander looks for a similar name with the value included; without the value it finds the same error and the right name.
  if (unknown !== undefined && !isOptionOf(typed, unknown)) return await readCommandLine([typed.name(), unknown]);
  if (error && isAboutOption(error)) throw usageErrorFor(error, typed);
  refuseDashes(typed, argv);
  const { args } = typed;
  const values = typed.opts<Values>();
  if (isSet(values, 'help')) {
    typed.outputHelp();
    return { kind: 'text', ...shown };
  }
  if (error) throw usageErrorFor(error, typed);
  return { kind: 'command', command, args, values };
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
      throw new UsageError(t('errors.needsValueWithDash', { option: word, long: option.long ?? word }));
  }
  const { args } = command;
  const argsBeforeEnd = end < 0 ? args : args.slice(0, args.length - (argv.length - end - 1));
  const negative = argsBeforeEnd.find((arg) => /^-./.test(arg));
  if (negative !== undefined)
    throw new UsageError(t('errors.noOption', { command: command.name(), option: negative.slice(0, 2) }));
}

/** Replaces the error of commander, whose message may quote a value together with its option (`--unknown=VALUE`). */
function usageErrorFor({ code, message }: CommanderError, command: CommanderCommand): UsageError {
  // Quoted flags without their values: '--name <TEXT>', '-o, --output <FILE>', '--unknown=VALUE'.
  const [flag = '', otherFlag = ''] = [...message.matchAll(/'(--?[^\s'=,]+)/g)].map(([, found = '']) => found);
  switch (code) {
    case 'commander.unknownOption':
      return aboutUnknownOption(command, flag, message);
    case 'commander.optionMissingArgument':
      return new UsageError(t('errors.needsValue', { option: flag || t('errors.anOption') }));
    case 'commander.conflictingOption':
      return new UsageError(t('errors.excludeEachOther', { one: flag, other: otherFlag }));
    case 'commander.missingArgument':
      return needsArguments(command);
    case 'commander.excessArguments':
      return tooManyArguments(command);
    default:
      return new UsageError(t('errors.notUnderstood'));
  }
}

/** Quotes only a word that may be a misspelled command: any other may be a secret in the wrong place. */
function aboutUnknownCommand(name: string, message: string): UsageError {
  const isHarmless = /^[a-z-]{0,24}$/.test(name);
  const text = isHarmless ? t('errors.noCommand', { name: JSON.stringify(name) }) : t('errors.noSuchCommand');
  return new UsageError(withSuggestion(text, message));
}

function aboutUnknownOption(command: CommanderCommand, flag: string, message: string): UsageError {
  const name = flag.startsWith('--') ? flag : flag.slice(0, 2);
  if (isOptionOf(command, name)) return new UsageError(t('errors.takesNoValue', { option: name }));
  // A value may follow the name without a space.
  const shown = name.replace(/^(--[a-z-]*)[^a-z-].*$/s, '$1…');
  const text = t('errors.noOption', { command: command.name(), option: shown || t('errors.anOption') });
  return new UsageError(withSuggestion(text, message));
}

function isOptionOf(command: CommanderCommand, name: string): boolean {
  const options = command.createHelp().visibleOptions(command);
  return options.some(({ long, short }) => name === long || name === short);
}

/** commander's message ends with the similar name that it found. */
function withSuggestion(text: string, message: string): string {
  const name = /\(Did you mean (.*)\?\)$/.exec(message)?.[1];
  return name === undefined ? text : t('errors.didYouMean', { text, name });
}

function needsArguments(command: CommanderCommand): UsageError {
  const needed = command.usage().replace(' [options]', '');
  return new UsageError(t('errors.commandNeeds', { command: command.name(), arguments: needed }));
}

function tooManyArguments(command: CommanderCommand): UsageError {
  const most = command.registeredArguments.length;
  const values = { command: command.name(), most, given: command.args.length };
  if (most === 0) return new UsageError(t('errors.takesNoArgument', values));
  return new UsageError(most === 1 ? t('errors.takesOneArgument', values) : t('errors.takesArguments', values));
}

/** Every program on this computer can read a command line, and shells record it. */
const secretOption =
  /^--?(?:api[-_]?key|api[-_]?sig|key|sig|signature|secret|secret[-_]?word|(?:proxy[-_]?|client[-_]?cert[-_]?)?pass(?:word)?|credentials?)(?![a-z_-])/i;

/** Throws a UsageError for an option that would carry a secret. The sentence names the safe way and never repeats the value. */
function refuseSecrets(argv: readonly string[]): void {
  const end = argv.indexOf('--');
  const words = argv.slice(0, end < 0 ? undefined : end);
  const name = words.map((word) => secretOption.exec(word)?.[0]).find((found) => found !== undefined);
  if (name === undefined) return;
  const how = /pass/i.test(name) ? 'passwordHow' : /word/i.test(name) ? 'secretWordHow' : 'credentialsHow';
  throw new UsageError(t('errors.secret', { option: name, how: t(`errors.${how}`) }));
}
