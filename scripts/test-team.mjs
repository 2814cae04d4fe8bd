import { join } from 'node:path';
import { checkNode, nodeBinary, root, run } from './setup.mjs';
import { supervised } from './supervise.mjs';

/* npm run test:team: the team register with PostgreSQL, at full length. */
checkNode();
await supervised(import.meta.filename);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
process.exitCode = await run(nodeBinary(), [vitest, 'run', 'test/team', '--testTimeout=1800000'], {
  SEALDESK_TESTS: 'all',
});
