import { expect, it } from 'vitest';
import { describeBytes } from '../../harness/describe-bytes.ts';
import { laterRevision } from '../../harness/later-revisions.ts';
import { atLength } from '../../harness/test-length.ts';

const cases = atLength({ short: 250, ci: 800, all: 20_000 });

it(`${cases} well-formed later revisions draw nothing anew that is not said`, async () => {
  const good = { same: 0, other: 0 };
  for (let seed = 0; seed < cases; seed++) {
    const { bytes, pages, told } = laterRevision(seed);
    const { verdict, changedPages } = await describeBytes(bytes);
    if (verdict !== 'unchanged' && verdict !== 'only-additions-allowed') continue;
    good[pages.some(({ anew }) => anew.length > 0) ? 'other' : 'same']++;
    for (const [on, { anew, notAllowed }] of pages.entries()) {
      expect(notAllowed, told).toEqual([]);
      if (anew.length > 0) expect(changedPages, told).toContain(on + 1);
    }
  }
  // Not all may be refused.
  expect(good.same).toBeGreaterThan(cases / 50);
  expect(good.other).toBeGreaterThan(cases / 100);
}, 900_000);
