import { describe, expect, it } from 'vitest';
import type { Job } from '../../../contract/jobs.ts';
import { appError } from '../../../electron/core/foundation/app-error.ts';
import { createStoragePatience } from '../../../hosts/cli/storage-patience.ts';

const { failure } = appError('storage-full', 'no room');
const job = (part: Partial<Job>) => ({ state: 'prepared', failure: null, ...part }) as Job;

describe('a command line whose files wait for the disk', () => {
  it('lets them go after ten seconds in which nothing else was left', () => {
    let now = 0;
    const look = createStoragePatience(() => now);
    const stuck = [job({ failure }), job({ failure })];
    expect(look(stuck)).toBeNull();
    now = 9_999;
    expect(look(stuck)).toBeNull();
    now = 10_000;
    expect(look(stuck)).toBe(failure);
  });

  it('begins anew whenever something goes on', () => {
    let now = 0;
    const look = createStoragePatience(() => now);
    expect(look([job({ failure })])).toBeNull();
    now = 9_000;
    expect(look([job({ failure }), job({ state: 'sending' })])).toBeNull();
    now = 11_000;
    expect(look([job({ failure })])).toBeNull();
    now = 21_000;
    expect(look([job({ failure })])).toBe(failure);
  });

  it('counts one that waits its turn behind those whose end cannot be written', () => {
    let now = 0;
    const look = createStoragePatience(() => now);
    const stuck = [job({ state: 'sending', failure }), job({ state: 'waiting' })];
    expect(look(stuck)).toBeNull();
    now = 10_000;
    expect(look(stuck)).toBe(failure);
    expect(look([job({ state: 'waiting' })])).toBeNull();
  });

  it('says nothing where nothing is open', () => {
    expect(createStoragePatience(() => 1e9)([])).toBeNull();
  });
});
