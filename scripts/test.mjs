import { join } from 'node:path';
import { checkNode } from './setup.mjs';
import { supervise } from './supervise.mjs';

/* npm test: installs, builds, checks, and runs every suite; nothing that it starts outlives it. `all` is npm run test:all. */

checkNode();
process.exitCode = await supervise(join(import.meta.dirname, 'run-tests.mjs'), process.argv.slice(2));
