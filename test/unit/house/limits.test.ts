import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { parseLimits, raisedWithoutReason, readLimits } from '../../../bench/limits.ts';
import { root } from './floors.ts';
import { measure, readMeasures } from './measures.ts';

/** A generous number of versions: each is one call of git. */
const latestVersions = 100;
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The commits of this history that changed the limits; none in a copy without one, or with its last commit only. */
function earlierCommits(path: string): readonly string[] {
  try {
    if (git('rev-parse', '--is-shallow-repository').trim() === 'true') return [];
    return git('log', `-${latestVersions}`, '--format=%H', '--diff-filter=AM', '--', path).split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

it.for([
  ['speed', 'bench/limits.json', readLimits],
  ['size', 'test/unit/house/measures.json', readMeasures],
] as const)('no limit of %s is higher than ever before without a new reason', ([, path, read], test) => {
  const commits = earlierCommits(path);
  if (commits.length === 0) test.skip('there is no history of the limits to compare with');
  const earlier = commits.map((commit) => parseLimits(git('show', `${commit}:${path}`)));
  expect(earlier.flatMap((limits) => raisedWithoutReason(limits, read()))).toEqual([]);
});

it('the product is not larger than it was', () => {
  const most = readMeasures();
  const now = Object.entries(measure());
  expect(now.map(([name]) => name)).toEqual(Object.keys(most));
  expect(now.filter(([name, value]) => value > (most[name]?.limit ?? 0))).toEqual([]);
});

it.each([
  ['lowered', { list: { limit: 0.4 } }, { list: { limit: 0.2 } }, 0],
  ['the same', { list: { limit: 0.4 } }, { list: { limit: 0.4 } }, 0],
  ['new', {}, { list: { limit: 0.4 } }, 0],
  ['raised without a reason', { list: { limit: 0.4 } }, { list: { limit: 0.5 } }, 1],
  ['raised with a reason', { list: { limit: 0.4 } }, { list: { limit: 0.5, why: 'each entry is signed' } }, 0],
  ['raised with the old reason', { list: { limit: 0.4, why: 'a' } }, { list: { limit: 0.5, why: 'a' } }, 1],
  ['gone', { list: { limit: 0.4 } }, {}, 1],
  ['no longer measured', { list: { limit: 0.4 } }, { list: { limit: null } }, 1],
  [
    'no longer measured, with a reason',
    { list: { limit: 0.4 } },
    { list: { limit: null, why: 'now part of reading' } },
    0,
  ],
])('a limit that is %s', (_what, earlier, now, faults) => {
  expect(raisedWithoutReason(earlier, now)).toHaveLength(faults);
});
