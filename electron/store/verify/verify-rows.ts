import { type Answer, type VerdictGroup, verdictGroups } from '../../../contract/answers.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { ChangeCounts, VerdictCounts, VerifyRun } from '../../../contract/verify.ts';
import type { FileChange } from '../../../contract/verify-result.ts';

/** Order of the list: failures first. Gone files (4) have no verdict; pending files (7) come last. */
export const ranks: Readonly<Record<VerdictGroup, number>> = {
  'not-confirmed': 0,
  unclear: 1,
  'no-answer': 2,
  'not-pdf': 3,
  'confirmed-with-remark': 5,
  confirmed: 6,
};
export const goneRank = 4;
export const pendingRank = 7;

const groups = new Map(verdictGroups.map((group) => [ranks[group], group]));

/** Null for pending and gone. */
export function groupOfRank(rank: number): VerdictGroup | null {
  return groups.get(rank) ?? null;
}

export type Asking = 'changes' | 'contents' | 'everything';

export interface StoredRun {
  readonly seq: number;
  readonly id: string;
  readonly scope: string;
  readonly audit_id: string | null;
  /** Empty if no service is to be asked. */
  readonly connection_id: string;
  readonly title: string;
  readonly ask: Asking;
  readonly state: VerifyRun['state'];
  readonly owner: string;
  readonly listing: number;
  readonly trouble: string | null;
  readonly total: number;
  readonly answered: number;
  readonly counts: string;
  readonly changes: string;
  readonly calls: number;
  readonly replies: number;
  readonly left_out: number;
  /** Time during which the run was active, in milliseconds. */
  readonly active_ms: number;
  readonly started_at: string;
  readonly ended_at: string | null;
}

/** Counters of a run. */
export interface Tally {
  total: number;
  answered: number;
  /** Files looked at without asking the service, since this program began to work on the run. */
  looked: number;
  calls: number;
  replies: number;
  leftOut: number;
  readonly counts: Record<VerdictGroup, number>;
  /** Without `unchanged`, which is the difference to `answered`. */
  readonly changes: Record<Exclude<FileChange, 'unchanged'>, number>;
}

export function emptyTally(): Tally {
  return {
    total: 0,
    answered: 0,
    looked: 0,
    calls: 0,
    replies: 0,
    leftOut: 0,
    counts: {
      confirmed: 0,
      'confirmed-with-remark': 0,
      'not-confirmed': 0,
      unclear: 0,
      'no-answer': 0,
      'not-pdf': 0,
    },
    changes: { new: 0, altered: 0, gone: 0, 'verdict-changed': 0 },
  };
}

export function tallyOf(row: StoredRun): Tally {
  return {
    total: row.total,
    answered: row.answered,
    looked: 0,
    calls: row.calls,
    replies: row.replies,
    leftOut: row.left_out,
    counts: JSON.parse(row.counts) as Tally['counts'],
    changes: JSON.parse(row.changes) as Tally['changes'],
  };
}

/** The contract's view of a run. `tally`: counters that are newer than the row's. */
export function runView(row: StoredRun, tally: Tally = tallyOf(row)): VerifyRun {
  const { new: added, altered, gone } = tally.changes;
  const unchanged = tally.answered - added - altered - gone - tally.changes['verdict-changed'];
  return {
    runId: row.id,
    connectionId: row.connection_id || null,
    kind: row.audit_id === null ? 'files' : 'audit',
    auditId: row.audit_id,
    title: row.title,
    state: row.state,
    trouble: row.trouble === null ? null : (JSON.parse(row.trouble) as Failure),
    listing: row.listing === 1,
    total: tally.total,
    answered: tally.answered,
    looked: tally.looked,
    counts: { ...tally.counts } satisfies VerdictCounts,
    changes: row.audit_id === null ? null : ({ ...tally.changes, unchanged } satisfies ChangeCounts),
    calls: tally.calls,
    replies: tally.replies,
    leftOut: tally.leftOut,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

export interface StoredFile {
  readonly seq: number;
  readonly scope: string;
  readonly idx: number;
  readonly from_run: number;
  readonly to_run: number | null;
  readonly path: string;
  readonly name: string;
  readonly folder: string;
  readonly sort_key: string;
  readonly size_bytes: number;
  /** Size and times of the file when the service was asked; null if they could not be read. */
  readonly stamp: string | null;
  readonly sha256: string | null;
  readonly rank: number;
  readonly answer: string | null;
  readonly raw: string | null;
  readonly failure: string | null;
  readonly asked_at: string | null;
  readonly change: FileChange | null;
  readonly earlier: string | null;
  readonly comparison: string | null;
  readonly signatures: string | null;
  readonly own_verdict: FileVerdict | null;
}

/** What a file itself proves, as it is stored: null for a file that is not signed. */
export interface OwnVerdict {
  readonly signatures: string;
  readonly verdict: FileVerdict | null;
}

export function answerOf(row: StoredFile): Answer<VerdictGroup> | null {
  return row.answer === null ? null : (JSON.parse(row.answer) as Answer<VerdictGroup>);
}

/** The change of a file found in this run; a change found in an earlier run counts as unchanged. */
export function changeIn(run: StoredRun, row: StoredFile): FileChange | null {
  if (run.audit_id === null || row.rank === pendingRank) return null;
  return row.from_run === run.seq ? row.change : 'unchanged';
}
