import { commands } from './command-line/commands.ts';
import { errors } from './command-line/errors.ts';
import { help } from './command-line/help.ts';
import { options } from './command-line/options.ts';
import { results } from './command-line/results.ts';

/** Texts of the command line for people, in English only: what programs read of it (`--json`, exit codes, notes of failures) is English in any case. */
export const texts = { commands, errors, help, options, results } as const;
