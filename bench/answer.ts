import { isBuilt } from '../scripts/setup.mjs';
import { openAnswers } from './answer-runs.ts';
import { cannotRun, isSmall, median, option, sizeOption, startReport, withFolder } from './harness.ts';

/**
 * `npm run bench:answer [-- --rounds 5 --sizes 100,600 --dir FOLDER]`: from a chosen file to its answer, in the running core and by the command line from its start to its
 * end, beside `curl -T` with a ready body, in turn. Files of a round are removed when they were sent; the folder takes twice as many files as rounds.
 */
const rounds = sizeOption('rounds', 5, 1);
const sizes = option('sizes', isSmall ? '2' : '100,600')
  .split(',')
  .map(Number);
if (!isBuilt()) cannotRun('the command line is not built');

const ms = (times: readonly number[]) => `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)})`;
const { row, end } = startReport('From a chosen file to its answer: median (least)', [
  ...['MiB', 'curl -T', 'running core', 'of curl', 'command line', 'of curl'],
]);
await withFolder(async (folder) => {
  const answers = await openAnswers(folder);
  try {
    for (const size of sizes) {
      const { curl, core, commandLine } = await answers.measure(rounds, size, ['curl', 'core', 'commandLine']);
      const ratio = (times: readonly number[]) => (median(times) / median(curl)).toFixed(2);
      row(`${size}`, ms(curl), ms(core), ratio(core), ms(commandLine), ratio(commandLine));
    }
  } finally {
    await answers.close();
  }
});
await end('answer');
