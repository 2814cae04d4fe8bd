/** How long the program waits before it looks or tries again, in milliseconds. Tests set shorter ones. */
export interface Pauses {
  /** Between two looks at a team register without a notice; one that is away is tried again then. */
  readonly teamLookMs: number;
  /** The least time from one look to the next that a notice leads to, and between two reports of outcomes: the first is at once, and many lead to one; twice as long after one that had much to do. */
  readonly teamNoticeMs: number;
  /** The longest that the answer to a look at a team register may take, which is one row: one that does not come is away, or another one by now. */
  readonly teamAnswerMs: number;
  /** The longest that a statement waits for a lock in a team register: then it is busy. */
  readonly teamLockMs: number;
  /** A team's copy of a list that is younger is shown instead of asking the service again. */
  readonly freshCopyMs: number;
  /** The longest that a program keeps its team from reading a list, also one that hangs, and that a person waits for a colleague's reading: readings are safe to repeat. */
  readonly listLeaseMs: number;
  /** Between two looks of a person who waits for the list that a colleague's program reads. */
  readonly colleagueLookMs: number;
  /** After files could not be copied into the spool for a reason that is no lock of another program. */
  readonly stagingMs: number;
  /** First pause while the disk is full or the spool cannot be used; it grows. */
  readonly spoolMs: number;
  /** Between two tries to record what became of a job while the ledger cannot be written. */
  readonly ledgerMs: number;
  /** First pause while a service cannot be reached; it grows up to the longest. */
  readonly serviceMs: number;
  readonly serviceMostMs: number;
  /** Between two looks at a connection that is held: another program may release it. */
  readonly heldMs: number;
  /** Between two looks whether another program has written to the ledger; one costs microseconds. */
  readonly ledgerLookMs: number;
  /** Between two searches for jobs of runs that have ended. */
  readonly leftLookMs: number;
  /** Between two looks at the file of a policy. */
  readonly policyLookMs: number;
  /** How often a program says to its team that it is alive. */
  readonly teamSeenMs: number;
  /** What is sent without the register, on a person's decision, looks for it this often: between two files, not before each. */
  readonly teamSeekMs: number;
  /** Between two events about jobs, but at the end of the last one. */
  readonly jobEventsMs: number;
  /** Between two looks at the countdowns: one ends that much late at most. */
  readonly countdownMs: number;
  /** For which dismissed jobs can be put back on the list, and the acceptance of a document undone: a little longer than the window offers it. */
  readonly undoMs: number;
  /** After an add got in doubt, before its document is looked for in the service's lists; a try that reached none is followed by a longer pause. */
  readonly doubtLookMs: number;
}

export const usualPauses: Pauses = {
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
};
