import type { Failure, FailureCode } from '../../contract/failure.ts';

/**
 * What the program ends with. `ledger`: the register cannot be worked with, so nothing was sent. `outputLost`: all went well, but not all of it could be printed.
 * `interrupted` is the shell's own number for Ctrl-C, where nothing is left in doubt.
 */
export const exitCodes = {
  fine: 0,
  refused: 1,
  usage: 2,
  inDoubt: 3,
  notReachable: 4,
  ledger: 5,
  outputLost: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Nothing usable came from the service: there is no answer that could be a refusal. */
const unreachable: ReadonlySet<FailureCode> = new Set(['service-unreachable', 'service-timeout', 'reply-unreadable']);
const usage: ReadonlySet<FailureCode> = new Set(['bad-input', 'not-connected']);

/** The exit code that a failure leads to. */
export function exitCodeOf(failure: Pick<Failure, 'code' | 'detail'>): ExitCode {
  if (failure.detail?.startsWith('database-')) return exitCodes.ledger;
  if (failure.code === 'outcome-unknown') return exitCodes.inDoubt;
  if (unreachable.has(failure.code)) return exitCodes.notReachable;
  return usage.has(failure.code) ? exitCodes.usage : exitCodes.refused;
}

/** From the one that needs a person most to the one that needs nobody. */
const bySeverity: readonly ExitCode[] = [
  exitCodes.inDoubt,
  exitCodes.ledger,
  exitCodes.notReachable,
  exitCodes.usage,
  exitCodes.refused,
  exitCodes.interrupted,
  exitCodes.outputLost,
  exitCodes.fine,
];

/** The exit code of a run of several pieces of work: that of the worst. */
export function worstOf(codes: Iterable<ExitCode>): ExitCode {
  const all = new Set(codes);
  return bySeverity.find((code) => all.has(code)) ?? exitCodes.fine;
}
