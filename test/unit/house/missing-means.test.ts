import { afterEach, expect, it, type TestContext, vi } from 'vitest';
import { missing } from '../../harness/missing-means.ts';

afterEach(() => void vi.unstubAllEnvs());

/** A context that records the reasons of skips. */
function context() {
  const skipped: string[] = [];
  const skip = (reason: string) => {
    skipped.push(reason);
    throw new Error('skipped');
  };
  return { skipped, test: { skip } as unknown as TestContext };
}

it('fails a test whose means are missing in CI', () => {
  vi.stubEnv('CI', '1');
  const { skipped, test } = context();
  expect(() => missing(test, 'there is no disk')).toThrow('there is no disk: in CI this must be tried');
  expect(skipped).toEqual([]);
});

it('skips it elsewhere, and says why', () => {
  vi.stubEnv('CI', '');
  const { skipped, test } = context();
  expect(() => missing(test, 'there is no disk')).toThrow('skipped');
  expect(skipped).toEqual(['there is no disk']);
});
