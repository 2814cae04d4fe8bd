import { parseArgs } from 'node:util';
import { fuzz } from './run.ts';

/* npm run test:fuzz: 100,000 changed answers, WSDLs, tables, calls and settings. `-- --seed N --cases N` repeats some of them. */

const { values } = parseArgs({ options: { seed: { type: 'string' }, cases: { type: 'string' } } });
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const cases = Number(values.cases ?? 100_000);
console.log(`seed ${seed}, ${cases} cases`);
const { counts, wrong } = await fuzz(seed, cases, (done) => {
  if (done % 10_000 === 0) process.stderr.write(`${done}\n`);
});
for (const [outcome, count] of Object.entries(counts).sort())
  console.log(`${String(count).padStart(7)}  ${outcome.split('\n')[0]}`);
for (const one of wrong.slice(0, 20)) console.log(`\nwrong: ${one}`);
console.log(`${cases - wrong.length} passed, ${wrong.length} failed (seed ${seed})`);
process.exitCode = wrong.length > 0 ? 1 : 0;
