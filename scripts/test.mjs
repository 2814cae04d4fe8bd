import { join } from 'node:path';
import { checkNode } from './setup.mjs';
import { supervise } from './supervise.mjs';

/* npm test: installs, builds, checks, and runs every suite; nothing that it starts outlives it. `all` is npm run test:all. */

checkNode();
const words = process.argv.slice(2);
// At full length on a real disk.
const inMemory = (words[0] ?? process.env.SEALDESK_TESTS) !== 'all';
process.exitCode = await supervise(join(import.meta.dirname, 'run-tests.mjs'), words, { inMemory });
