import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findSlow,
  follow,
  type SeenProcess,
  undelayedSeconds,
  usedBelow,
  waitedShare,
} from '../../../scripts/test-times.mjs';

const root = resolve(import.meta.dirname, '../../..');
type Lengths = {
  /** Files that npm test leaves out, with what holds the same there. */
  readonly longer: Readonly<Record<string, string>>;
  /** Files that only test:all runs. */
  readonly longest: Readonly<Record<string, string>>;
  readonly longestFirst: readonly string[];
  /** Files that may take long or wait, by the reason. */
  readonly slow: Readonly<Record<string, readonly string[]>>;
};
const lengths = JSON.parse(readFileSync(resolve(root, 'test/lengths.json'), 'utf8')) as Lengths;

describe('a file of tests', () => {
  const file = 'test/core/one.test.ts';

  it('is too slow above ten seconds, whatever it does', () => {
    expect(findSlow([{ file, seconds: 10.1, waited: 0 }], {})).toEqual([
      { file, text: `${file} takes 10.1 s, more than 10` },
    ]);
    expect(findSlow([{ file, seconds: 10.1, waited: null }], {})).toHaveLength(1);
    expect(findSlow([{ file, seconds: 9.9, waited: 0.5 }], {})).toEqual([]);
  });

  it('is too slow if it waits more than half of two seconds or more', () => {
    expect(findSlow([{ file, seconds: 4, waited: 0.63 }], {})).toEqual([
      { file, text: `${file} waits 63 % of its 4.0 s` },
    ]);
    expect(findSlow([{ file, seconds: 1.9, waited: 0.9 }], {})).toEqual([]);
    expect(findSlow([{ file, seconds: 4, waited: null }], {})).toEqual([]);
    expect(findSlow([{ file, seconds: 12, waited: 0.59 }], {}, 1.25)).toEqual([]);
    expect(findSlow([{ file, seconds: 4, waited: 0.61 }], {}, 1.25)).toHaveLength(1);
    expect(findSlow([{ file, seconds: 12.6, waited: 0 }], {}, 1.25)).toHaveLength(1);
  });

  it('may take longer on a slower machine, where it waits as large a share', () => {
    expect(findSlow([{ file, seconds: 14.9, waited: 0 }], {}, 1, 1.5)).toEqual([]);
    expect(findSlow([{ file, seconds: 15.1, waited: 0 }], {}, 1, 1.5)).toEqual([
      { file, text: `${file} takes 15.1 s, more than 15` },
    ]);
    expect(findSlow([{ file, seconds: 4, waited: 0.63 }], {}, 1, 1.5)).toHaveLength(1);
  });

  it('may be slow with a reason, by its whole name: a new file beside it needs one too', () => {
    const slow = { file, seconds: 30, waited: 0.9 };
    expect(findSlow([slow], { 'a reason': ['test/core/two.test.ts', file] })).toEqual([]);
    expect(findSlow([slow], { 'a reason': ['test/core/o*', 'test/core/one'] })).toHaveLength(1);
  });

  it('waits what is neither its own work nor that of its programs', () => {
    expect(waitedShare(4, 1)).toBe(0.75);
    expect(waitedShare(4, 6)).toBe(0);
    expect(waitedShare(4, null)).toBeNull();
  });

  it('is not slow because others had the processors', () => {
    expect(undelayedSeconds(12, 4, 1.5)).toBe(6);
    // Several programs were held up at once; a second of work stays one.
    expect(undelayedSeconds(12, 11, 1)).toBe(11);
    expect(undelayedSeconds(12, 15, 1)).toBe(12);
    expect(undelayedSeconds(12, null, 0.5)).toBe(8);
    expect(undelayedSeconds(12, 4, 0)).toBe(12);
  });
});

describe('the processor time of a run', () => {
  const one = (parent: number, own: number, ended = 0, started = 1): SeenProcess => ({ parent, started, own, ended });
  const seenIn = (...looks: readonly (readonly [number, SeenProcess][])[]) => {
    const seen: Parameters<typeof follow>[1] = new Map();
    for (const look of looks) follow(new Map(look), seen, 10);
    return seen;
  };

  it('has what is below the runner, also after its parent is gone, and nothing else', () => {
    const all = seenIn(
      [
        [10, one(1, 5)],
        [11, one(10, 20)],
        [12, one(11, 30)],
        [13, one(1, 400)],
      ],
      [[12, one(1, 50)]],
    );
    expect(usedBelow(all, null)).toBe(70);
    expect(usedBelow(all, '11 1')).toBe(70);
    expect(usedBelow(all, '12 1')).toBe(50);
  });

  it('counts both programs with one number', () => {
    const all = seenIn([[11, one(10, 20, 0, 1)]], [[11, one(10, 7, 0, 9)]]);
    expect(usedBelow(all, null)).toBe(27);
  });

  it('takes a program at its word about children that nobody saw', () => {
    expect(usedBelow(seenIn([[11, one(10, 20, 300)]]), '11 1')).toBe(320);
  });
});

it('names only files that there are', () => {
  const named = [
    ...Object.keys({ ...lengths.longer, ...lengths.longest }),
    ...lengths.longestFirst,
    ...Object.values(lengths.slow).flat(),
  ];
  expect(named.filter((name) => !existsSync(resolve(root, name)))).toEqual([]);
});
