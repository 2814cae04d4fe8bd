/** Rules of the protocol. Each can be switched off, to see what it is there for. */
export interface Rules {
  /** Without it the add departs first, and the claim is made afterwards. */
  readonly claimsFirst: boolean;
  /** Without it the claim of a program that is not up is as good as none. */
  readonly claimsStay: boolean;
  /** Without it the register is trusted whatever it has forgotten. */
  readonly noticesRestores: boolean;
  /** Without it a restore is noticed by what was followed only, not by what the program did or was told itself. */
  readonly ownAnswersCount: boolean;
  /** Without it a lead may let the register go on before all have reported again. */
  readonly resumesWhenAllReported: boolean;
  /** Without it what programs have said once counts, also where a restore brought that along. */
  readonly asksAnew: boolean;
  /** Without it the decision to send without the register holds when that is back, too. */
  readonly bypassEnds: boolean;
  /** Without it the same decision holds the next time that the register is away, too. */
  readonly bypassIsOnce: boolean;
  /** Without it the register does not learn what left before joining. */
  readonly joiningReports: boolean;
  /** Without it a cancel is forgotten while the register is asked. */
  readonly cancelCounts: boolean;
  /** Without it Skip trusts a claim that may still fail. */
  readonly skipWaits: boolean;
  /** Without it a claim stays as it is when its program leaves, and a lead may not decide it. */
  readonly leavingHandsOver: boolean;
  /** Without it an outcome is sent once, whether it arrives or not. */
  readonly outboxRepeats: boolean;
  /** Without it an add that has departed and got no answer counts as done. */
  readonly doubtsAreNamed: boolean;
  /** Without it a claim that was made is good for another try, whatever colleagues have reported meanwhile. */
  readonly asksAgain: boolean;
  /** Without it a doubt that a person decided to send again keeps its claim. */
  readonly doubtsAreReleased: boolean;
}

export const allRules: Rules = {
  claimsFirst: true,
  claimsStay: true,
  noticesRestores: true,
  ownAnswersCount: true,
  resumesWhenAllReported: true,
  asksAnew: true,
  bypassEnds: true,
  bypassIsOnce: true,
  joiningReports: true,
  cancelCounts: true,
  skipWaits: true,
  leavingHandsOver: true,
  outboxRepeats: true,
  doubtsAreNamed: true,
  asksAgain: true,
  doubtsAreReleased: true,
};
