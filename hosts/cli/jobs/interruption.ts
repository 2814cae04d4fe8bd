import { exitCodes } from '../output/exit-code.ts';

const interruption = new AbortController();

/** Ids of jobs that were sent and whose end is not reported yet. */
export const underWay = new Set<string>();

/** Aborts at the first Ctrl-C. Import this module first: one that comes while the others are loaded would end the process without a word about any file. */
export const interrupted: AbortSignal = interruption.signal;

const interrupt = () => {
  // The second Ctrl-C ends the process at once: jobs that were being sent are recorded in the ledger as sent.
  if (interrupted.aborted) process.exit(underWay.size > 0 ? exitCodes.inDoubt : exitCodes.interrupted);
  interruption.abort();
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);
// The terminal was closed.
process.on('SIGHUP', interrupt);
