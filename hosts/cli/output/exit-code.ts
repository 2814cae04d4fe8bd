import { type Failure, type FailureCode, isOfStorage } from '../../../contract/failure.ts';

/**
 * Exit codes. `ledger`: the register cannot be used, so nothing was sent. `outputLost`: all work was done, but not all results could be printed.
 * `interrupted`: the shell's number for Ctrl-C, used if no job is in doubt.
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

/** No usable answer came from the service, so it is no refusal. */
const unreachable: ReadonlySet<FailureCode> = new Set(['service-unreachable', 'service-timeout', 'reply-unreadable']);
const usage: ReadonlySet<FailureCode> = new Set(['bad-input', 'not-connected']);

/** The exit code that a failure leads to. */
export function exitCodeOf(failure: Pick<Failure, 'code' | 'detail'>): ExitCode {
  if (failure.detail?.startsWith('database-')) return exitCodes.ledger;
  if (failure.detail?.startsWith('team-')) return exitCodes.notReachable;
  if (failure.code === 'outcome-unknown') return exitCodes.inDoubt;
  if (unreachable.has(failure.code)) return exitCodes.notReachable;
  return usage.has(failure.code) ? exitCodes.usage : exitCodes.refused;
}

/** The exit code of a failure before anything was sent: nothing can be started without storage for the register. */
export function exitCodeOfStart(failure: Failure): ExitCode {
  return isOfStorage(failure) ? exitCodes.ledger : exitCodeOf(failure);
}

/** From the most to the least urgent. */
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

/** The exit code of several results: the most urgent one. */
export function worstOf(codes: Iterable<ExitCode>): ExitCode {
  const all = new Set(codes);
  return bySeverity.find((code) => all.has(code)) ?? exitCodes.fine;
}

/** The command line is wrong, or names something that does not exist. The program ends with exit code 2, and nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
