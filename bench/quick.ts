import { loadText, watchOthers } from '../scripts/machine-load.mjs';
import { type Figure, type Group, groups } from './figures.ts';
import { isSmall, option } from './harness.ts';
import { busyNames, type Limits, readLimits, tolerance } from './limits.ts';

/**
 * `npm run bench:quick [-- --only upload,list]`: figures of speed against bench/limits.json. A figure above its limit by half is measured once more, and fails if it is
 * so again; while other programs use the processors it is only printed. The last line is `N passed, N failed`.
 */

const only = option('only', '').split(',').filter(Boolean);
const limits: Limits = readLimits();
const totals = { passed: 0, failed: 0, skipped: 0 };

interface Row {
  readonly name: string;
  readonly value: string;
  readonly limit: string;
  readonly verdict: string;
  readonly from: string;
}
const rows: Row[] = [];
/** The longest that a change may wait for these figures, without what is measured a second time. */
const mostSeconds = 110;
let againMs = 0;
let isAnyBusy = false;

const mostOf = (name: string): number => (limits[name]?.limit ?? Number.NaN) * tolerance;
const isOver = (name: string, { value }: Figure): boolean => !(value <= mostOf(name));

async function measureGroup({ names, missing, measure }: Group): Promise<void> {
  const why = missing?.();
  if (why) {
    totals.skipped += names.length;
    for (const name of names) console.log(`skipped  ${name}: ${why}`);
    return;
  }
  const others = watchOthers();
  const began = performance.now();
  let figures = await measure();
  const over = names.filter((name) => isOver(name, figures[name] as Figure));
  const again = over.length > 0 && !isSmall;
  if (again) {
    console.log(`${over.join(', ')}: over the limit, measured once more`);
    const since = performance.now();
    const second = await measure();
    againMs += performance.now() - since;
    figures = { ...figures, ...Object.fromEntries(over.map((name) => [name, second[name] as Figure])) };
  }
  const load = others();
  isAnyBusy ||= load.isBusy;
  for (const name of names) judge(name, figures[name] as Figure, load.isBusy, again && over.includes(name));
  console.log(`   ${((performance.now() - began) / 1000).toFixed(0)} s; ${loadText(load)}`);
}

function judge(name: string, figure: Figure, isBusy: boolean, isSecond: boolean): void {
  const excuse = isSmall ? 'small run' : isBusy ? 'busy machine' : null;
  const over = isOver(name, figure);
  const verdict = !over ? (isSecond ? 'held, the second time' : 'held') : excuse ? `over, ${excuse}` : 'failed, twice';
  if (over && !excuse) totals.failed += 1;
  else totals.passed += 1;
  const limit = limits[name]?.limit;
  rows.push({ name, value: figure.value.toFixed(2), limit: String(limit ?? 'none'), verdict, from: figure.from });
  console.log(
    `${over && !excuse ? 'failed   ' : ''}${name}: ${figure.value.toFixed(2)} of ${limit} (${figure.from}) ${verdict}`,
  );
}

const names = [...groups.flatMap((group) => group.names), ...busyNames];
const unknown = Object.entries(limits).filter(([name, { limit }]) => limit !== null && !names.includes(name));
const unlimited = names.filter((name) => typeof limits[name]?.limit !== 'number');
for (const what of [
  ...unknown.map(([name]) => `${name}: a limit without a figure`),
  ...unlimited.map((name) => `${name}: a figure without a limit`),
]) {
  console.log(`failed   bench:quick: ${what}`);
  totals.failed += 1;
}
for (const group of groups)
  if (only.length === 0 || group.names.some((name) => only.includes(name)))
    await measureGroup(group).catch((error: unknown) => {
      console.log(`failed   bench:quick: ${group.names.join(', ')}: ${error instanceof Error ? error.stack : error}`);
      totals.failed += group.names.length;
    });

console.log('\n| figure | value | limit | | measured |\n| --- | --- | --- | --- | --- |');
for (const { name, value, limit, verdict, from } of rows)
  console.log(`| ${name} | ${value} | ${limit} | ${verdict} | ${from} |`);
const seconds = (performance.now() - againMs) / 1000;
console.log(`\nA figure fails from ${tolerance} × its limit on. Took ${seconds.toFixed(0)} of ${mostSeconds} s.`);
if (seconds > mostSeconds) {
  console.log(`${isAnyBusy ? '' : 'failed   '}bench:quick takes longer than ${mostSeconds} s`);
  if (!isAnyBusy) totals.failed += 1;
}
const { passed, failed, skipped } = totals;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
