import type { texts as english } from '../en/command-line.ts';
import type { Translation } from '../translation.ts';
import { commands } from './command-line/commands.ts';
import { errors } from './command-line/errors.ts';
import { help } from './command-line/help.ts';
import { options } from './command-line/options.ts';
import { results } from './command-line/results.ts';

export const texts: Translation<typeof english> = { commands, errors, help, options, results };
