import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SkippedFile } from '../../../contract/files.ts';
import {
  type Asking,
  goneRank,
  groupOfRank,
  type OwnVerdict,
  pendingRank,
  type StoredFile,
} from '../../store/verify/verify-rows.ts';
import type { StoredAudit } from '../../store/verify/verify-runs.ts';
import { showsChanges, sizeIn, stampOf } from '../files/file-stamp.ts';
import { hashFile } from '../files/hash-file.ts';
import { type Found, type WalkState, walk } from '../files/walk-folder.ts';
import { appError } from '../foundation/app-error.ts';
import { asRead } from '../foundation/fs-errors.ts';
import { countGone, countPending, recount } from './run-record.ts';
import type { Lister, ListingContext } from './run-verification.ts';
import { signatureRules, storedSignaturesOf, toOwnVerdict } from './stored-signatures.ts';
import { statOf, type VerifyContext } from './verify-file.ts';

const rowsAtOnce = 200;
/** Number of files checked at the same time. */
const concurrency = 8;
/** The limit for dropped files too: a folder with more was probably chosen by mistake. */
const maxFiles = 200_000;

/** What to do with a found file. */
export type Decision =
  | { readonly kind: 'new' | 'ask'; readonly sizeBytes: number; readonly stamp: string | null }
  | { readonly kind: 'touch'; readonly stamp: string | null }
  | { readonly kind: 'leave' };

interface Asker {
  readonly ask: Asking;
  /** Number of the run that lists the folder. Files that this run has already verified count as verified, even after it was stopped. */
  readonly runSeq: number | null;
  /** Returns the SHA-256 of a file, null if it cannot be read; absent if files are not to be read. */
  readonly hash?: (path: string) => Promise<string | null>;
}

/**
 * Decides whether a file is verified again. A file with the same size and times counts as unchanged; otherwise its bytes decide. A file without an
 * answer is verified.
 */
export async function decide(known: StoredFile | null, path: string, asker: Asker): Promise<Decision> {
  const isOwn = known !== null && known.from_run === asker.runSeq;
  if (isOwn && known.rank === pendingRank) return { kind: 'leave' };
  const ask = isOwn ? 'changes' : asker.ask;
  const found = await statOf(path).catch(() => null);
  const stamp = found && stampOf(found);
  const now = { sizeBytes: stamp === null ? (known?.size_bytes ?? 0) : sizeIn(stamp), stamp };
  if (!known) return { kind: 'new', ...now };
  const group = groupOfRank(known.rank);
  const hasAnswer = group !== null && group !== 'no-answer';
  if (!hasAnswer || stamp === null || known.sha256 === null || ask === 'everything') return { kind: 'ask', ...now };
  const sureStamp = found && showsChanges(found) ? stamp : null;
  if (sureStamp !== null && sureStamp === known.stamp && ask === 'changes') return { kind: 'leave' };
  if (!asker.hash || now.sizeBytes !== known.size_bytes) return { kind: 'ask', ...now };
  return (await asker.hash(path)) === known.sha256 ? { kind: 'touch', stamp: sureStamp } : { kind: 'ask', ...now };
}

/** Walks through the folder of an audit and finds new, possibly changed and missing files. */
export function listAudit(context: VerifyContext, audit: StoredAudit): Lister {
  return async (listing) => {
    const { verifyFiles } = context.store;
    const { run, tally, signal, write } = listing;
    await assertFolder(audit.path);
    await write(() => {
      verifyFiles.closeGone(run);
      verifyFiles.takeOver(run);
      recount(tally, verifyFiles.openCounts(run.scope), verifyFiles.changedCounts(run));
    });
    const found = await compareFolder(context, listing, audit);
    if (signal.aborted) throw appError('cancelled', 'stopped while the folder was being looked at');
    await findGone(context, listing, found);
    await write(() => {
      tally.leftOut = found.unreadable.length;
      context.store.verifyRuns.putLeftOut(
        run,
        found.unreadable.map(({ shown }) => shown),
      );
    });
  };
}

/** Rejects with file-unreadable if the folder does not exist (any more): its files must not count as missing. */
export async function assertFolder(path: string): Promise<void> {
  const seen = await asRead(stat(path));
  if (!seen.isDirectory()) throw appError('file-unreadable', 'this is no folder any more', { detail: 'file-missing' });
}

interface FoundAll {
  /** Numbers of the found files in the audit. */
  readonly seen: ReadonlySet<number>;
  /** Folders that could not be read: nothing is known about their files. */
  readonly unreadable: readonly { readonly path: string; readonly shown: SkippedFile }[];
}

async function compareFolder(context: VerifyContext, listing: ListingContext, audit: StoredAudit): Promise<FoundAll> {
  const { run, signal, write } = listing;
  const { verifyFiles } = context.store;
  const seen = new Set<number>();
  const unreadable: { path: string; shown: SkippedFile }[] = [];
  const state: WalkState = { seenFolders: new Set(), folderCount: 0 };
  const source = walk(audit.path, audit.name, state);
  const hash = async (path: string) => (await hashFile(path, signal).catch(() => null))?.sha256 ?? null;
  let idx = verifyFiles.nextIdx(run.scope);
  let steps: (() => void)[] = [];
  const flush = async () => {
    const now = steps;
    steps = [];
    if (now.length > 0)
      await write(() => {
        for (const step of now) step();
      });
  };
  const lookAt = async (found: Found) => {
    if (found.problem) {
      const { path, name, folder, problem } = found;
      return void unreadable.push({ path, shown: { name, folder, reason: problem } });
    }
    const known = verifyFiles.open(run.scope, found.path);
    if (known) seen.add(known.idx);
    if (seen.size > maxFiles) throw appError('bad-input', `more than ${maxFiles} files in a folder`);
    const decision = await decide(known, found.path, { ask: run.ask, runSeq: run.seq, hash });
    const judged = known && (await judgedAnew(context, known, decision, signal));
    if (known && judged) steps.push(() => verifyFiles.judged(known.seq, judged));
    if (decision.kind === 'leave') return;
    const newIdx = known ? known.idx : idx++;
    seen.add(newIdx);
    steps.push(() => carryOut(context, listing, found, known, newIdx, decision));
    if (steps.length >= rowsAtOnce) await flush();
  };
  const work = async () => {
    for (;;) {
      const { value, done } = await source.next();
      if (done || signal.aborted) return;
      await lookAt(value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  await flush();
  return { seen, unreadable };
}

/** What an unchanged file itself proves, where other rules decided it; null if that need not, or cannot, be looked at. */
async function judgedAnew(
  { signatures }: VerifyContext,
  known: StoredFile,
  { kind }: Decision,
  signal: AbortSignal,
): Promise<OwnVerdict | null> {
  if ((kind !== 'leave' && kind !== 'touch') || known.rank === pendingRank) return null;
  if (storedSignaturesOf(known)?.rules === signatureRules) return null;
  const before = await statOf(known.path).catch(() => null);
  const answer = await signatures.describe(known.path, { signal }).catch(() => undefined);
  const after = await statOf(known.path).catch(() => null);
  if (answer === undefined || !before || !after || stampOf(before) !== stampOf(after)) return null;
  return toOwnVerdict(answer);
}

/** Runs inside a transaction. */
function carryOut(
  context: VerifyContext,
  { run, tally }: ListingContext,
  { path, name, folder }: Found,
  known: StoredFile | null,
  idx: number,
  decision: Decision,
): void {
  const { verifyFiles } = context.store;
  if (decision.kind === 'leave') return;
  if (decision.kind === 'touch') {
    if (known) verifyFiles.touch(known.seq, decision.stamp);
  } else if (known) {
    countPending(tally, run, known);
    verifyFiles.reopen(run, known, decision);
  } else {
    tally.total += 1;
    verifyFiles.add(run, { idx, path, name, folder, sortKey: `${folder}/${name}`, ...decision });
  }
}

async function findGone(
  context: VerifyContext,
  listing: ListingContext,
  { seen, unreadable }: FoundAll,
): Promise<void> {
  const { verifyFiles } = context.store;
  const { run, tally, write } = listing;
  const isBelow = ({ path }: StoredFile) => unreadable.some((folder) => path.startsWith(folder.path + sep));
  // Rows written during this loop come later in the order, so rows of this run are not visited twice.
  for (let last = 0; ; ) {
    const rows = verifyFiles.openAfter(run.scope, last, rowsAtOnce);
    const missing = rows.filter(({ idx, rank }) => rank !== goneRank && !seen.has(idx));
    if (missing.length > 0)
      await write(() => {
        for (const row of missing) {
          if (!isBelow(row)) {
            countGone(tally, run, row);
            verifyFiles.gone(run, row);
          } else if (row.rank !== pendingRank || row.from_run !== run.seq) {
            // Its folder cannot be read: verifying the file reports this as "no answer".
            countPending(tally, run, row);
            verifyFiles.reopen(run, row, { sizeBytes: row.size_bytes, stamp: null });
          }
        }
      });
    const end = rows.at(-1);
    if (!end || rows.length < rowsAtOnce) return;
    last = end.seq;
    await nextTurn();
  }
}
