import type { Result } from './run-behaviour.ts';

const columns: readonly (readonly [string, (result: Result) => string])[] = [
  ['group', ({ behaviour }) => behaviour.group],
  ['behaviour', ({ behaviour }) => behaviour.name],
  ['moment', ({ behaviour }) => behaviour.moment],
  ['question', ({ behaviour }) => behaviour.operation],
  ['SOAP', ({ behaviour }) => behaviour.soap],
  ['outcome', ({ outcome }) => outcome],
  ['exit', ({ exit }) => String(exit)],
  ['in doubt', ({ outcome }) => (outcome.startsWith('outcome-unknown') ? 'yes' : 'no')],
  ['bodies', ({ bodies }) => bodies],
  ['ms', ({ ms }) => ms.toFixed()],
  ['MB', ({ memoryMb }) => memoryMb.toFixed()],
  ['block', ({ blockMs }) => blockMs.toFixed()],
  ['', ({ faults }) => (faults.length === 0 ? 'passed' : 'FAILED')],
];

/** Prints a line for each behaviour, the sum of each group and the total. Returns the number of failed behaviours. */
export function printTable(results: readonly Result[]): number {
  const cells = [columns.map(([head]) => head), ...results.map((result) => columns.map(([, cell]) => cell(result)))];
  const widths = columns.map((_column, at) => Math.max(...cells.map((line) => line[at]?.length ?? 0)));
  console.log('');
  for (const line of cells)
    console.log(
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  console.log('');
  for (const group of new Set(results.map(({ behaviour }) => behaviour.group))) {
    const own = results.filter(({ behaviour }) => behaviour.group === group);
    console.log(`${group}: ${own.filter(({ faults }) => faults.length === 0).length} of ${own.length}`);
  }
  const failed = results.filter(({ faults }) => faults.length > 0).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed;
}
