import { appendFileSync } from 'node:fs';

/** One line of the table that `npm run test:faults` prints. */
export interface FaultRow {
  readonly fault: string;
  /** How often it was injected. */
  readonly injected: number;
  readonly jobs: number;
  readonly done: number;
  readonly inDoubt: number;
  /** Neither at the service nor in doubt, or gone from the ledger. */
  readonly lost: number;
  /** Taken by the service more than once. */
  readonly doubled: number;
}

/** Tells a row to whoever wants the table; see scripts/test-faults.mjs. */
export function tellFault(row: FaultRow): void {
  process.stdout.write(`${JSON.stringify(row)}\n`);
  if (process.env.FAULT_TABLE) appendFileSync(process.env.FAULT_TABLE, `${JSON.stringify(row)}\n`);
}

/** The long run is asked for by FAULTS=full. */
export const isFull = process.env.FAULTS === 'full';
