import type { FileChange } from '../../../contract/verify-result.ts';
import {
  groupOfRank,
  pendingRank,
  type StoredFile,
  type StoredRun,
  type Tally,
} from '../../store/verify/verify-rows.ts';

/** Counts a row as pending again. */
export function countPending(tally: Tally, run: StoredRun, row: StoredFile): void {
  if (row.rank === pendingRank) return;
  tally.answered -= 1;
  countGroup(tally, row.rank, -1);
  if (row.from_run === run.seq) countChange(tally, row.change, -1);
}

/** Counts the answer of a pending row. */
export function countAnswered(tally: Tally, rank: number, change: FileChange | null): void {
  tally.answered += 1;
  countGroup(tally, rank, 1);
  countChange(tally, change, 1);
}

export function countGone(tally: Tally, run: StoredRun, row: StoredFile): void {
  countPending(tally, run, row);
  tally.answered += 1;
  tally.changes.gone += 1;
}

function countGroup(tally: Tally, rank: number, by: 1 | -1): void {
  const group = groupOfRank(rank);
  if (group !== null) tally.counts[group] += by;
}

function countChange(tally: Tally, change: FileChange | null, by: 1 | -1): void {
  if (change !== null && change !== 'unchanged') tally.changes[change] += by;
}

/** Recounts from the current rows of an audit. */
export function recount(
  tally: Tally,
  rows: readonly { readonly rank: number; readonly n: number }[],
  changes: readonly { readonly change: FileChange; readonly n: number }[],
): void {
  for (const group of Object.keys(tally.counts) as (keyof Tally['counts'])[]) tally.counts[group] = 0;
  for (const change of Object.keys(tally.changes) as (keyof Tally['changes'])[]) tally.changes[change] = 0;
  tally.total = 0;
  tally.answered = 0;
  for (const { rank, n } of rows) {
    tally.total += n;
    if (rank !== pendingRank) tally.answered += n;
    const group = groupOfRank(rank);
    if (group !== null) tally.counts[group] += n;
  }
  for (const { change, n } of changes) if (change !== 'unchanged') tally.changes[change] = n;
}
