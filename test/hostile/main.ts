import { buildCommandLine } from '../harness/command-line.ts';
import { behaviours } from './behaviours.ts';
import { runAll } from './run-all.ts';
import { printTable } from './table.ts';

/* npm run test:hostile: every behaviour over core and command line, and the table. `-- WORDS` runs those whose group, name and question have these words. */

const words = process.argv.slice(2).join(' ').toLowerCase();
const chosen = behaviours.filter(({ group, name, operation }) =>
  `${group} ${name} ${operation}`.toLowerCase().includes(words),
);
const cli = await buildCommandLine();
const results = await runAll(cli, chosen, ({ behaviour: { group, name, operation }, faults }, done) => {
  process.stderr.write(`${done} of ${chosen.length}: ${group}, ${name}, ${operation}\n`);
  for (const fault of faults) console.log(`${group}, ${name}, ${operation}: ${fault}`);
});
cli.remove();
process.exitCode = printTable(results) === 0 ? 0 : 1;
