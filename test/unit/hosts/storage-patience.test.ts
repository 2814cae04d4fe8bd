import { describe, expect, it } from 'vitest';
import type { Job } from '../../../contract/jobs.ts';
import { appError } from '../../../electron/core/foundation/app-error.ts';
import { createStoragePatience, usualPatienceMs } from '../../../hosts/cli/jobs/job-end.ts';

const { failure } = appError('storage-full', 'no room');
const job = (part: Partial<Job>) => ({ state: 'prepared', failure: null, ...part }) as Job;

describe('a command line whose files wait for disk space', () => {
  it('gives up after ten seconds in which all other jobs had ended', () => {
    let now = 0;
    const storageFailureOf = createStoragePatience(usualPatienceMs, () => now);
    const stuck = [job({ failure }), job({ failure })];
    expect(storageFailureOf(stuck)).toBeNull();
    now = 9_999;
    expect(storageFailureOf(stuck)).toBeNull();
    now = 10_000;
    expect(storageFailureOf(stuck)).toBe(failure);
  });

  it('starts the time again whenever a job continues', () => {
    let now = 0;
    const storageFailureOf = createStoragePatience(usualPatienceMs, () => now);
    expect(storageFailureOf([job({ failure })])).toBeNull();
    now = 9_000;
    expect(storageFailureOf([job({ failure }), job({ state: 'sending' })])).toBeNull();
    now = 11_000;
    expect(storageFailureOf([job({ failure })])).toBeNull();
    now = 21_000;
    expect(storageFailureOf([job({ failure })])).toBe(failure);
  });

  it('counts a job that waits for its turn behind jobs whose end cannot be written', () => {
    let now = 0;
    const storageFailureOf = createStoragePatience(usualPatienceMs, () => now);
    const stuck = [job({ state: 'sending', failure }), job({ state: 'waiting' })];
    expect(storageFailureOf(stuck)).toBeNull();
    now = 10_000;
    expect(storageFailureOf(stuck)).toBe(failure);
    expect(storageFailureOf([job({ state: 'waiting' })])).toBeNull();
  });

  it('reports nothing if no job is open', () => {
    expect(createStoragePatience(usualPatienceMs, () => 1e9)([])).toBeNull();
  });
});
