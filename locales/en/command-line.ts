import { commands } from './command-line/commands.ts';
import { errors } from './command-line/errors.ts';
import { help } from './command-line/help.ts';
import { options } from './command-line/options.ts';
import { results } from './command-line/results.ts';

/**
 * Texts of the command line for people. Names of commands, options and values stay English in every language, and so does everything that programs
 * read: `--json`, exit codes, notes of failures.
 */
export const texts = { commands, errors, help, options, results } as const;
