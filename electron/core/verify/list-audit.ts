import { stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SkippedFile } from '../../../contract/files.ts';
import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import { type Asking, goneRank, groupOfRank, pendingRank, type StoredFile } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { toReadError } from '../files/fs-errors.ts';
import { hashFile } from '../files/hash-file.ts';
import { type Found, type WalkState, walk } from '../files/walk-folder.ts';
import { appError } from '../foundation/app-error.ts';
import type { Lister, ListingContext } from './run-verification.ts';
import { countGone, countPending, recount } from './tally.ts';
import { sizeIn, stampOf } from './verify-file.ts';

const rowsAtOnce = 200;
/** Files that are looked at at the same time. */
const concurrency = 8;
/** As for what is dropped: beyond it a folder is a mistake. */
const maxFiles = 200_000;

/** What to do about a file that was found. */
export type Decision =
  | { readonly kind: 'new' | 'ask'; readonly sizeBytes: number; readonly stamp: string | null }
  | { readonly kind: 'touch'; readonly stamp: string }
  | { readonly kind: 'leave' };

interface Asker {
  readonly ask: Asking;
  /** Of the run that looks; what it has asked about itself counts as asked, also after it was stopped. */
  readonly runSeq: number | null;
  /** SHA-256 of a file, null where it cannot be read; not given where nothing is to be read. */
  readonly hash?: (path: string) => Promise<string | null>;
}

/**
 * Whether a file is to be asked about. With the same size and times it is taken to be the same; else its bytes decide. A file that has no answer
 * is asked about.
 */
export async function decide(known: StoredFile | null, path: string, asker: Asker): Promise<Decision> {
  const isOwn = known !== null && known.from_run === asker.runSeq;
  if (isOwn && known.rank === pendingRank) return { kind: 'leave' };
  const ask = isOwn ? 'changes' : asker.ask;
  const stamp = await stampOf(path).catch(() => null);
  const now = { sizeBytes: stamp === null ? (known?.size_bytes ?? 0) : sizeIn(stamp), stamp };
  if (!known) return { kind: 'new', ...now };
  const group = groupOfRank(known.rank);
  const hasAnswer = group !== null && group !== 'no-answer';
  if (!hasAnswer || stamp === null || known.sha256 === null || ask === 'everything') return { kind: 'ask', ...now };
  if (stamp === known.stamp && ask === 'changes') return { kind: 'leave' };
  if (!asker.hash || now.sizeBytes !== known.size_bytes) return { kind: 'ask', ...now };
  return (await asker.hash(path)) === known.sha256 ? { kind: 'touch', stamp } : { kind: 'ask', ...now };
}

/** Walks through the folder of an audit and finds out what is new, what may be altered, and what is gone. */
export function listAudit(context: Context, audit: StoredAudit): Lister {
  return async (desk) => {
    const { verifyFiles } = context.store;
    const { run, tally, signal, write } = desk;
    await assertFolder(audit.path);
    write(() => {
      verifyFiles.closeGone(run);
      verifyFiles.takeOver(run);
      recount(tally, verifyFiles.openCounts(run.scope), verifyFiles.changedCounts(run));
    });
    const found = await compareFolder(context, desk, audit);
    if (signal.aborted) throw appError('cancelled', 'stopped while the folder was being looked at');
    await findGone(context, desk, found);
    write(() => {
      tally.leftOut = found.unreadable.length;
      context.store.verifyRuns.putLeftOut(
        run,
        found.unreadable.map(({ shown }) => shown),
      );
    });
  };
}

/** Rejects with file-unreadable where the folder is not there (any more): then nothing is known to be gone. */
export async function assertFolder(path: string): Promise<void> {
  const seen = await stat(path).catch((error: unknown) => {
    throw toReadError(error);
  });
  if (!seen.isDirectory()) throw appError('file-unreadable', 'this is no folder any more', { detail: 'file-missing' });
}

interface FoundAll {
  /** By their number in the audit. */
  readonly seen: ReadonlySet<number>;
  /** Folders that could not be looked into: nothing is known of what is in them. */
  readonly unreadable: readonly { readonly path: string; readonly shown: SkippedFile }[];
}

async function compareFolder(context: Context, desk: ListingContext, audit: StoredAudit): Promise<FoundAll> {
  const { run, signal, write } = desk;
  const { verifyFiles } = context.store;
  const seen = new Set<number>();
  const unreadable: { path: string; shown: SkippedFile }[] = [];
  const state: WalkState = { seenFolders: new Set(), folderCount: 0 };
  const source = walk(audit.path, audit.name, state);
  const hash = async (path: string) => (await hashFile(path, signal).catch(() => null))?.sha256 ?? null;
  let idx = verifyFiles.nextIdx(run.scope);
  let steps: (() => void)[] = [];
  const flush = () => {
    const now = steps;
    steps = [];
    if (now.length > 0)
      write(() => {
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
    if (decision.kind === 'leave') return;
    const newIdx = known ? known.idx : idx++;
    seen.add(newIdx);
    steps.push(() => carryOut(context, desk, found, known, newIdx, decision));
    if (steps.length >= rowsAtOnce) flush();
  };
  const work = async () => {
    for (;;) {
      const { value, done } = await source.next();
      if (done || signal.aborted) return;
      await lookAt(value);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  flush();
  return { seen, unreadable };
}

/** Within a transaction. */
function carryOut(
  context: Context,
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

async function findGone(context: Context, desk: ListingContext, { seen, unreadable }: FoundAll): Promise<void> {
  const { verifyFiles } = context.store;
  const { run, tally, write } = desk;
  const isBelow = ({ path }: StoredFile) => unreadable.some((folder) => path.startsWith(folder.path + sep));
  // What is written meanwhile comes after this: rows of this run are not looked at twice.
  for (let last = 0; ; ) {
    const rows = verifyFiles.openAfter(run.scope, last, rowsAtOnce);
    const missing = rows.filter(({ idx, rank }) => rank !== goneRank && !seen.has(idx));
    if (missing.length > 0)
      write(() => {
        for (const row of missing) {
          if (!isBelow(row)) {
            countGone(tally, run, row);
            verifyFiles.gone(run, row);
          } else if (row.rank !== pendingRank || row.from_run !== run.seq) {
            // Its folder cannot be read: asking says so, as "no answer".
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
