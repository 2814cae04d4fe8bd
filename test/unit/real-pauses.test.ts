import { expect, it } from 'vitest';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import { busyPauseMs } from '../../electron/core/foundation/retry-while-busy.ts';
import { usualPace } from '../../electron/core/signatures/tracking/reading-schedule.ts';
import { answerMs, connectMs, statementMs } from '../../electron/core/team/database.ts';
import { checkWorkersMs, readEveryMs } from '../../hosts/cli/jobs/follow-jobs.ts';
import { usualPatienceMs } from '../../hosts/cli/jobs/job-end.ts';

/* Tests run with shorter ones: these are the ones that people wait for. */

it('the program waits before it looks or tries again as it is documented', () => {
  expect(usualPauses).toEqual({
    teamLookMs: 5_000,
    teamNoticeMs: 800,
    teamAnswerMs: 2_500,
    teamLockMs: 5_000,
    freshCopyMs: 5_000,
    listLeaseMs: 60_000,
    colleagueLookMs: 500,
    stagingMs: 5_000,
    spoolMs: 500,
    ledgerMs: 2_000,
    serviceMs: 1_000,
    serviceMostMs: 60_000,
    heldMs: 1_000,
    ledgerLookMs: 250,
    leftLookMs: 2_500,
    policyLookMs: 2_000,
    teamSeenMs: 30_000,
    teamSeekMs: 1_000,
    jobEventsMs: 100,
    countdownMs: 200,
    undoMs: 15_000,
    doubtLookMs: 10_000,
  });
  expect(usualPace).toEqual({
    soonMs: 5_000,
    leastMs: 120_000,
    mostMs: 3_600_000,
    sparingMs: 600_000,
    practiceMs: 600_000,
    gatherMs: 1_500,
    remindMs: 60_000,
  });
});

it('the command line has patience with a full disk for ten seconds', () => {
  expect(usualPatienceMs).toBe(10_000);
});

it('a team register is waited for as long as it is documented, and another program that holds the database', () => {
  expect([connectMs, statementMs, answerMs]).toEqual([5_000, 8_000, 2_000]);
  expect(busyPauseMs).toBe(50);
});

it('the command line looks four times a second for what other programs did, and each second whether they still run', () => {
  expect([readEveryMs, checkWorkersMs]).toEqual([250, 1_000]);
});
