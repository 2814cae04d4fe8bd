import { describe, expect, it } from 'vitest';
import { describeFileOf, deviationsIn, hasCorpus, isForgery, readExpected } from './corpus.ts';

/* Skipped where the files are not beside the repository: the forgeries and signatures that the tests make themselves are in test/unit/verify/ and mutations.test.ts. */
describe.skipIf(!hasCorpus)('signed PDFs of others', () => {
  const files = hasCorpus ? [...readExpected()] : [];

  it('are judged as their authors and other programs say', async () => {
    const wrong: string[] = [];
    for (const [file, expected] of files) {
      const before = performance.now();
      const answer = await describeFileOf(file);
      const ms = performance.now() - before;
      const deviations = deviationsIn(answer, expected);
      wrong.push(...deviations.map((line) => `${file}: ${line}`));
      // A machine that is busy with other things takes a multiple of it; the bench measures.
      if (ms > 10_000) wrong.push(`${file}: ${Math.round(ms)} ms`);
    }
    expect(files.length).toBeGreaterThan(150);
    expect(wrong).toEqual([]);
  });

  it('are never called unchanged or added to as allowed where they are published forgeries', async () => {
    const forgeries = files.filter(([, expected]) => isForgery(expected));
    expect(forgeries.length).toBeGreaterThan(20);
    const passed: string[] = [];
    for (const [file] of forgeries) {
      const { verdict } = await describeFileOf(file);
      if (verdict === 'unchanged' || verdict === 'only-additions-allowed' || verdict === 'unsigned') passed.push(file);
    }
    expect(passed).toEqual([]);
  });
});
