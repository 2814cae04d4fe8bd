import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkNode, nodeBinary, root, run } from './setup.mjs';
import { supervised } from './supervise.mjs';

/*
 * npm run test:faults: every fault at full length, then a table of what was injected and what became of the jobs.
 * With `-- --busy` all processors and the disk are kept busy meanwhile.
 */

checkNode();
await supervised(import.meta.filename);
const folder = mkdtempSync(join(tmpdir(), 'sealdesk-faults-'));
const table = join(folder, 'rows.jsonl');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const env = { SEALDESK_TESTS: 'all', FAULT_TABLE: table };
const stopLoad = process.argv.includes('--busy') ? keepBusy(folder) : () => undefined;
const code = await run(nodeBinary(), [vitest, 'run', ...faultTests(), '--testTimeout=900000'], env);
stopLoad();
const lines = existsSync(table) ? readFileSync(table, 'utf8').split('\n').filter(Boolean) : [];
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
const rows = added(lines.map((line) => JSON.parse(line)));
print(rows);
const [total] = added(rows.map((row) => ({ ...row, fault: 'all' })));
const isFine = code === 0 && total !== undefined && total.lost === 0 && total.doubled === 0;
console.log(isFine ? '\nNothing was lost and nothing was doubled.' : `\nfailed (vitest ended with ${code})`);
process.exitCode = isFine ? 0 : 1;

/** The folder of the fault tests, and every other test that has a long form or a row in the table. */
function faultTests() {
  const files = readdirSync(join(root, 'test'), { recursive: true }).map(
    (name) => `test/${name.replaceAll('\\', '/')}`,
  );
  const uses = (path) => readFileSync(join(root, path), 'utf8').includes('fault-table.ts');
  const others = files.filter((path) => path.endsWith('.test.ts') && !path.startsWith('test/faults/') && uses(path));
  return ['test/faults', ...others];
}

/** Starts a program without end for each processor, and one that writes to the disk and syncs. Returns the function that ends them. */
function keepBusy(folder) {
  const write = `const fs = require('node:fs');
    const bytes = Buffer.alloc(4 * 1024 * 1024);
    for (;;) fs.writeFileSync(process.argv[1], bytes, { flush: true });`;
  const start = (...words) => spawn(nodeBinary(), ['-e', ...words], { stdio: 'ignore' });
  const load = [
    start(write, join(folder, 'load')),
    ...Array.from({ length: availableParallelism() }, () => start('for (;;);')),
  ];
  return () => load.forEach((child) => void child.kill('SIGKILL'));
}

/** Rows of the same fault as one. */
function added(all) {
  const byFault = new Map();
  for (const row of all) {
    const before = byFault.get(row.fault);
    const sum = (key) => (before?.[key] === undefined ? row[key] : before[key] + (row[key] ?? 0));
    byFault.set(row.fault, {
      fault: row.fault,
      ...Object.fromEntries(['injected', 'jobs', 'done', 'inDoubt', 'lost', 'doubled'].map((key) => [key, sum(key)])),
    });
  }
  return [...byFault.values()];
}

function print(all) {
  const heads = ['fault', 'injected', 'jobs', 'done', 'in doubt', 'lost', 'doubled'];
  const keys = ['fault', 'injected', 'jobs', 'done', 'inDoubt', 'lost', 'doubled'];
  const withTotal = [...all, ...added(all.map((row) => ({ ...row, fault: 'all' })))];
  const cells = [heads, ...withTotal.map((row) => keys.map((key) => String(row[key] ?? '–')))];
  const widths = heads.map((_head, at) => Math.max(...cells.map((line) => line[at].length)));
  console.log('');
  for (const line of cells)
    console.log(line.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '));
}
