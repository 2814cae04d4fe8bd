import { beforeAll, describe, expect, it } from 'vitest';
import type { FileAnswer } from '../../electron/core/verify/pdf-signatures/answer/file-answer.ts';
import { describeFileOf, deviationsIn, hasCause, hasCorpus, isForgery, readExpected } from './corpus.ts';

const good: readonly string[] = ['unchanged', 'only-additions-allowed'];

/* Skipped where the files are not beside the repository: the forgeries and signatures that the tests make themselves are in test/unit/verify/ and mutations.test.ts. */
describe.skipIf(!hasCorpus)('signed PDFs of others', () => {
  const files = hasCorpus ? [...readExpected()] : [];
  const answers = new Map<string, { readonly answer: FileAnswer; readonly ms: number }>();
  const verdictOf = (file: string) => answers.get(file)?.answer.verdict ?? '';
  beforeAll(async () => {
    for (const [file] of files) {
      const before = performance.now();
      const answer = await describeFileOf(file);
      answers.set(file, { answer, ms: performance.now() - before });
    }
  }, 120_000);

  it('are judged as their authors and other programs say', () => {
    const wrong = files.flatMap(([file, expected]) => {
      const { answer, ms } = answers.get(file) ?? { ms: 0 };
      const deviations = answer ? deviationsIn(answer, expected) : ['not answered'];
      // A machine that is busy with other things takes a multiple of it; the bench measures.
      return [...deviations, ...(ms > 10_000 ? [`${Math.round(ms)} ms`] : [])].map((line) => `${file}: ${line}`);
    });
    expect(files.length).toBeGreaterThan(150);
    expect(wrong).toEqual([]);
  });

  it('are never called unchanged or added to as allowed where they are published forgeries', () => {
    const forgeries = files.filter(([, expected]) => isForgery(expected));
    expect(forgeries.length).toBeGreaterThan(20);
    const passed = forgeries.filter(([file]) => [...good, 'unsigned'].includes(verdictOf(file)));
    expect(passed.map(([file]) => file)).toEqual([]);
  });

  it('are hardly ever called changed, or not to be decided without a cause, where they are honest and have several revisions', () => {
    const honest = files.filter(([file, expected]) => {
      const isHonest = !isForgery(expected) && expected[0]?.verdict.split('|').some((one) => good.includes(one));
      return isHonest && (answers.get(file)?.answer.revisionEnds?.length ?? 0) > 1;
    });
    const said = (verdict: string) => honest.filter(([file]) => verdictOf(file) === verdict);
    const changed = said('changed').length / honest.length;
    const undecided = said('undecidable').filter(([, expected]) => !hasCause(expected)).length / honest.length;
    console.info(`${honest.length} honest files of several revisions: ${changed} changed, ${undecided} not decided`);
    expect(honest.length).toBeGreaterThan(100);
    expect(changed).toBeLessThanOrEqual(0.02);
    expect(undecided).toBeLessThanOrEqual(0.05);
  });
});
