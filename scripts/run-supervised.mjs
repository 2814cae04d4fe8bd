import { resolve } from 'node:path';
import { checkNode, root } from './setup.mjs';
import { supervise } from './supervise.mjs';

/* Runs a script of the repository with the words that follow; nothing that it starts outlives it. */

checkNode();
const [script, ...words] = process.argv.slice(2);
process.exitCode = await supervise(resolve(root, script), words);
