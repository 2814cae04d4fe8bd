import { join } from 'node:path';
import { checkNode, nodeBinary, root, run } from './setup.mjs';
import { supervised } from './supervise.mjs';

/* npm run test:verdict: what is said about the signatures in PDFs, at full length; `-- pkits` prints the paths of NIST alone, `-- scoreboard` writes the tables of docs/pdf-signatures.md instead. */
checkNode();
await supervised(import.meta.filename);
const [only] = process.argv.slice(2);
const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run'];
const files = only === undefined ? ['test/verdict', 'test/unit/verify'] : [`test/verdict/${only}.test.ts`];
process.exitCode = await run(
  nodeBinary(),
  only === 'scoreboard' ? ['test/verdict/scoreboard.ts'] : [...vitest, ...files],
  {
    SEALDESK_TESTS: 'all',
  },
);
