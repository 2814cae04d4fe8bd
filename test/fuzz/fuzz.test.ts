import { describe, expect, it } from 'vitest';
import { atLength } from '../harness/test-length.ts';
import { fuzz } from './run.ts';

const cases = atLength({ short: 300, ci: 1_000, all: 3_000 });

describe('changed answers, WSDLs, tables, calls and settings', () => {
  it(`lead to known failures only: ${cases} cases of one seed (npm run test:fuzz has 100,000)`, async () => {
    const { counts, wrong } = await fuzz(20261122, cases);
    expect(wrong).toEqual([]);
    // Not everything may be refused at the door.
    expect(counts['reply: ok']).toBeGreaterThan(cases / 30);
    expect(counts['call: ok']).toBeGreaterThan(cases / 60);
  });
});
