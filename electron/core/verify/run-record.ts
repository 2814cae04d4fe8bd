import type { VerdictGroup } from '../../../contract/answers.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { EarlierResult, FileChange } from '../../../contract/verify-result.ts';
import {
  groupOfRank,
  pendingRank,
  ranks,
  runView,
  type StoredFile,
  type StoredRun,
  type Tally,
} from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import type { Asked } from './verify-file.ts';

/** The progress of a run. */
export interface Progress {
  state: VerifyRun['state'];
  /** True while files are being listed. */
  listing: boolean;
  /** True if all files were listed, so a resumed run need not list the folder again. */
  isListed: boolean;
  trouble: Failure | null;
  endedAt: string | null;
}

/** Writes the state of a running run: rows, counts and state always in one transaction. */
export type RunRecord = ReturnType<typeof createRunRecord>;

export function createRunRecord(context: Context, run: StoredRun, tally: Tally, isListed: boolean) {
  const { verifyRuns } = context.store;
  const startedMs = performance.now();
  const progress: Progress = { state: 'running', listing: !isListed, isListed, trouble: null, endedAt: null };
  const write = (work: () => void) => {
    const before = structuredClone(tally);
    try {
      context.store.together(() => {
        work();
        const activeMs = run.active_ms + performance.now() - startedMs;
        verifyRuns.save(run.id, { ...progress, listing: !progress.isListed, activeMs }, tally);
      });
    } catch (error) {
      Object.assign(tally, before);
      throw error;
    }
  };
  return {
    progress,
    tally,
    view: (): VerifyRun => {
      const { state, listing, trouble, endedAt } = progress;
      const current = {
        state,
        listing: listing ? 1 : 0,
        trouble: trouble && JSON.stringify(trouble),
        ended_at: endedAt,
      };
      return runView({ ...run, ...current }, tally);
    },
    /** All or nothing: counts of failed writes are undone. */
    write,
    /** Counts a check before it leaves, on the disk when it resolves: one that a kill interrupts is counted, and asked again. Answers what to call where it did not leave as a whole. */
    countCall: async (store: (count: () => Promise<void>) => Promise<void>) => {
      const add = async (by: 1 | -1) => {
        await store(() => context.store.grouped(() => verifyRuns.addCalls(run.id, by)));
        tally.calls += by;
      };
      await add(1);
      // What cannot be taken back stays counted: no fewer are said than left.
      return () => add(-1).catch(() => undefined);
    },
  };
}

/** Writes answers with their counts, all or none; returns the rows as they are now. */
export function putAnswers(
  context: Context,
  run: StoredRun,
  { write, tally }: RunRecord,
  performed: readonly (readonly [StoredFile, Asked])[],
): StoredFile[] {
  let rows: StoredFile[] = [];
  write(() => {
    rows = performed.flatMap(([row, asked]) => putAnswer(context, run, tally, row, asked) ?? []);
  });
  return rows;
}

/** Runs inside a transaction. Returns the updated row; null if the row changed in another way in the meantime. */
function putAnswer(context: Context, run: StoredRun, tally: Tally, row: StoredFile, asked: Asked): StoredFile | null {
  const group = asked.answer?.group;
  const rank = group ? ranks[group] : pendingRank;
  const change = run.audit_id === null || !group ? null : changeOf(row, asked, group);
  const { sizeBytes, stamp, sha256, raw, askedAt, own } = asked;
  const answer = asked.answer && JSON.stringify(asked.answer);
  const failure = asked.failure && JSON.stringify(asked.failure);
  if (asked.isAnswered) tally.replies += 1;
  const answered = { sizeBytes, stamp, sha256, rank, answer, raw, failure, askedAt, change };
  if (!context.store.verifyFiles.answer(row.seq, { ...answered, own })) return null;
  if (!asked.failure) context.answers.saw('verdict', raw, run.connection_id);
  if (group) countAnswered(tally, rank, change);
  else tally.looked += 1;
  const { signatures, verdict } = own ?? { signatures: null, verdict: null };
  return { ...row, ...answered, size_bytes: sizeBytes, asked_at: askedAt, signatures, own_verdict: verdict };
}

function changeOf(row: StoredFile, asked: Asked, group: VerdictGroup): FileChange {
  const earlier = row.earlier === null ? null : (JSON.parse(row.earlier) as EarlierResult);
  if (!earlier) return 'new';
  if (earlier.sha256 !== null && asked.sha256 !== null && earlier.sha256 !== asked.sha256) return 'altered';
  return earlier.group === group && earlier.raw === asked.raw ? 'unchanged' : 'verdict-changed';
}

/** Runs inside `RunRecord.write`. Resets rows of a run to be verified once more. Data of other runs about these files stays. */
export function askAgain(context: Context, run: StoredRun, tally: Tally, rows: readonly StoredFile[]): void {
  for (const row of rows) {
    countPending(tally, run, row);
    context.store.verifyFiles.reopen(run, row, { sizeBytes: row.size_bytes, stamp: row.stamp });
  }
}

/** Counts a row as pending again. */
export function countPending(tally: Tally, run: StoredRun, row: StoredFile): void {
  if (row.rank === pendingRank) return;
  tally.answered -= 1;
  countGroup(tally, row.rank, -1);
  if (row.from_run === run.seq) countChange(tally, row.change, -1);
}

/** Counts the answer of a pending row. */
function countAnswered(tally: Tally, rank: number, change: FileChange | null): void {
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

/** Recounts from the current rows of an audit, or from those that a search leaves. */
export function recount(
  tally: Tally,
  rows: readonly { readonly rank: number; readonly n: number }[],
  changes: readonly { readonly change: FileChange | null; readonly n: number }[],
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
  for (const { change, n } of changes) if (change !== null && change !== 'unchanged') tally.changes[change] += n;
}
