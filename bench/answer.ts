import { join } from 'node:path';
import { isBuilt } from '../scripts/setup.mjs';
import { findElectron } from '../test/harness/electron.ts';
import { openAnswers } from './answer-runs.ts';
import { cannotRun, isSmall, median, option, sizeOption, startReport, withFolder } from './harness.ts';
import { openSmallFiles } from './small-files.ts';

/**
 * `npm run bench:answer [-- --rounds 5 --sizes 100,600 --small 5000 --dir FOLDER]`: from a chosen file to its answer, in the running core, in the window of real Electron where it can be had, and by the command line from its start to its
 * end, beside `curl -T` with a ready body and the least that a copy takes besides, in turn. Files of a round are removed when they were sent; the folder takes twice as many files as rounds.
 */
const rounds = sizeOption('rounds', 5, 1);
const sizes = option('sizes', isSmall ? '2' : '100,600')
  .split(',')
  .map(Number);
const small = sizeOption('small', 5_000, 20);
if (!isBuilt()) cannotRun('the command line is not built');

const hasWindow = !('missing' in findElectron());

const ms = (times: readonly number[]) => `${median(times).toFixed(0)} ms (${Math.min(...times).toFixed(0)})`;
const { row, end } = startReport('From a chosen file to its answer: median (least)', [
  ...[
    'MiB',
    'curl -T',
    'a copy',
    'running core',
    'of curl',
    'of both',
    'window',
    'of curl',
    'of both',
    'command line',
    'of curl',
    'of both',
  ],
]);
await withFolder(async (folder) => {
  const answers = await openAnswers(folder, hasWindow);
  try {
    for (const size of sizes) {
      const { curl, copy, ...ours } = await answers.measure(rounds, size, [
        'curl',
        'copy',
        'core',
        ...(hasWindow ? (['window'] as const) : []),
        'commandLine',
      ]);
      const both = curl.map((each, at) => each + (copy[at] ?? 0));
      const columns = (times: readonly number[] = []) => [
        ms(times),
        ...[curl, both].map((reference) => (median(times) / median(reference)).toFixed(2)),
      ];
      row(`${size}`, ms(curl), ms(copy), ...columns(ours.core), ...columns(ours.window), ...columns(ours.commandLine));
    }
    const least = await openSmallFiles(join(folder, 'least'));
    const leastMs = await least.addLeast(small);
    await least.close();
    const columns = async (way: Parameters<typeof answers.many>[1]) => {
      const tookMs = await answers.many(small, way);
      return [`${((small / tookMs) * 1_000).toFixed(0)} a second`, '', (tookMs / leastMs).toFixed(2)];
    };
    const many = [
      await columns('core'),
      hasWindow ? await columns('window') : ['', '', ''],
      await columns('commandLine'),
    ];
    row(`${small} small`, '', `${((small / leastMs) * 1_000).toFixed(0)} a second`, ...many.flat());
  } finally {
    await answers.close();
  }
});
await end(
  'answer',
  'Small files, once: instead of a copy the least that takes each one to its answer with the same promise, one after the other.',
);
