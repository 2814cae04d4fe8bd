import { appendFileSync } from 'node:fs';
import { isFullLength } from '../harness/test-length.ts';

/**
 * One line of the table that `npm run test:faults` prints. Only counted numbers: a field is left out if the test does not count it (nothing is sent, or the
 * test compares whole files), and the table shows a dash.
 */
export interface FaultRow {
  readonly fault: string;
  /** Number of injections. */
  readonly injected: number;
  readonly jobs?: number;
  readonly done?: number;
  readonly inDoubt?: number;
  /** Number of adds neither at the service nor in doubt, or missing in the ledger. */
  readonly lost?: number;
  /** Number of adds that the service took more than once. */
  readonly doubled?: number;
}

/** Prints a row for the table; see scripts/test-faults.mjs. */
export function recordFault(row: FaultRow): void {
  process.stdout.write(`${JSON.stringify(row)}\n`);
  if (process.env.FAULT_TABLE) appendFileSync(process.env.FAULT_TABLE, `${JSON.stringify(row)}\n`);
}

/** True for the long run (`npm run test:faults`). */
export const isFull = isFullLength;

/** A test that takes longer is considered to hang: a full one has 30 rounds, on a machine that may be busy. */
export const limitMs = isFull ? 1_800_000 : 300_000;
/** Maximum wait for an event that must come, in milliseconds. */
export const waitMs = 120_000;
