import { join } from 'node:path';
import { checkNode, nodeBinary, root, run } from './setup.mjs';
import { supervised } from './supervise.mjs';

/* npm run test:verdict: what is said about the signatures in PDFs, at full length; `-- scoreboard` writes the tables of docs/pdf-signatures.md instead. */
checkNode();
await supervised(import.meta.filename);
const isScoreboard = process.argv[2] === 'scoreboard';
const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/verdict', 'test/unit/verify'];
process.exitCode = await run(nodeBinary(), isScoreboard ? ['test/verdict/scoreboard.ts'] : vitest, {
  SEALDESK_TESTS: 'all',
});
