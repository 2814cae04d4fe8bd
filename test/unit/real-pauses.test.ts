import { expect, it } from 'vitest';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import { usualPace } from '../../electron/core/signatures/tracking/reading-schedule.ts';
import { usualPatienceMs } from '../../hosts/cli/storage-patience.ts';

/* Tests run with shorter ones: these are the ones that people wait for. */

it('the program waits before it looks or tries again as it is documented', () => {
  expect(usualPauses).toEqual({
    teamLookMs: 5_000,
    teamNoticeMs: 500,
    freshCopyMs: 5_000,
    listLeaseMs: 60_000,
    colleagueLookMs: 500,
    stagingMs: 5_000,
    spoolMs: 500,
    ledgerMs: 2_000,
    serviceMs: 1_000,
    countdownMs: 200,
    undoMs: 15_000,
    doubtLookMs: 10_000,
  });
  expect(usualPace).toEqual({
    soonMs: 5_000,
    leastMs: 120_000,
    mostMs: 3_600_000,
    practiceMs: 600_000,
    gatherMs: 1_500,
    remindMs: 60_000,
  });
});

it('the command line has patience with a full disk for ten seconds', () => {
  expect(usualPatienceMs).toBe(10_000);
});
