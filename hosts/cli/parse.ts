import { parseArgs } from 'node:util';
import type { Command } from './command.ts';
import { commonOptions, connectionOptions, type OptionSpec, type OptionSpecs } from './options.ts';
import { UsageError } from './usage-error.ts';
import type { Values } from './values.ts';

/** Every program on this computer can read what stands in a command line, and shells write it down. */
const secretOption = /^--?(?:api-?key|api-?sig|key|sig|signature|secret|secret-?word|password|credentials?)(?:=|$)/i;

/** All options of a command, with the `--no-` forms. */
export function optionsOf(command: Command): OptionSpecs {
  const all = { ...command.options, ...(command.kind === 'service' ? connectionOptions : {}), ...commonOptions };
  const negated = Object.entries(all)
    .filter(([, spec]) => spec.negatable)
    .map(([name, spec]): [string, OptionSpec] => [`no-${name}`, { ...spec, help: `says false` }]);
  return { ...all, ...Object.fromEntries(negated) };
}

/** Reads what follows the command. Throws a UsageError, which never repeats a value that might be a secret. */
export function parseCommandLine(
  command: Command,
  argv: readonly string[],
): { args: readonly string[]; values: Values } {
  refuseSecrets(argv);
  const specs = optionsOf(command);
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short ? { short } : {}), ...(multiple ? { multiple } : {}) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    if (values.help !== true) checkCount(command, positionals);
    return { args: positionals, values };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(explain(error, command, Object.keys(specs), argv));
  }
}

/** An option that would carry a secret is refused with the way that works. */
export function refuseSecrets(argv: readonly string[]): void {
  const end = argv.indexOf('--');
  const given = argv.slice(0, end < 0 ? undefined : end).find((word) => secretOption.test(word));
  if (given === undefined) return;
  const name = given.replace(/=.*$/s, '');
  const how = /word/i.test(name)
    ? 'Put the secret word into an environment variable and name that one with --secret-word-env NAME.'
    : 'Set SEALDESK_API_KEY and SEALDESK_API_SIG, or type them in when asked.';
  throw new UsageError(
    `${name} is refused: a command line can be read by other programs and is kept by shells. ${how}`,
  );
}

function checkCount(command: Command, args: readonly string[]): void {
  if (args.length < command.minArgs) throw new UsageError(`${command.name} needs ${command.usage}.`);
  if (args.length <= command.maxArgs) return;
  const takes =
    command.maxArgs === 0 ? 'no argument' : command.maxArgs === 1 ? 'one argument' : `${command.maxArgs} arguments`;
  throw new UsageError(`${command.name} takes ${takes}, and got ${args.length}.`);
}

function explain(error: unknown, command: Command, known: readonly string[], argv: readonly string[]): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const text = error instanceof Error ? error.message : '';
  const name = /--?[^\s'=,]+/.exec(text)?.[0] ?? 'An option';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const like = nearest(name.replace(/^-+/, ''), known);
    return `${command.name} has no option ${name}.${like ? ` Did you mean --${like}?` : ''}`;
  }
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    if (!/ambiguous|missing/.test(text)) return `${name} takes no value.`;
    const startsWithDash = argv.some((word, index) => word === name && /^-/.test(argv[index + 1] ?? ''));
    return `${name} needs a value.${startsWithDash ? ` One that starts with a dash is written as ${name}=VALUE.` : ''}`;
  }
  return 'The command line could not be understood.';
}

/** The known name with the fewest changed letters, if it is close. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const scored = known.map((candidate) => ({ candidate, distance: distanceOf(name, candidate) }));
  const best = scored.sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= Math.max(1, Math.floor(name.length / 3)) ? best.candidate : undefined;
}

/** Levenshtein's distance. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
