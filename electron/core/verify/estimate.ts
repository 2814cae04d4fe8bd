import type { VerifyEstimate } from '../../../contract/verify.ts';
import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import type { Asking } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { type WalkState, walk } from '../files/walk-folder.ts';
import { decide } from './list-audit.ts';

interface Counted {
  readonly files: number;
  readonly totalBytes: number;
  readonly calls: number;
  readonly callBytes: number;
}

/** What asking about all files of an intake would take. Rejects with not-found. */
export async function estimateSelection(
  context: Context,
  connectionId: string,
  intakeId: string,
): Promise<VerifyEstimate> {
  const files = await context.files.intake(intakeId);
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return estimateOf(context, connectionId, {
    files: files.length,
    totalBytes,
    calls: files.length,
    callBytes: totalBytes,
  });
}

/** What a run of an audit would take, at most: no file is read. */
export async function estimateAudit(context: Context, audit: StoredAudit, ask: Asking): Promise<VerifyEstimate> {
  const counted = { files: 0, totalBytes: 0, calls: 0, callBytes: 0 };
  const state: WalkState = { seenFolders: new Set(), folderCount: 0 };
  for await (const { path, problem } of walk(audit.path, audit.name, state)) {
    if (problem) continue;
    const known = context.store.verifyFiles.open(audit.id, path);
    // Without reading the contents only the times tell.
    const decision = await decide(known, path, { ask: ask === 'everything' ? ask : 'changes', runSeq: null });
    const isAsked = decision.kind === 'new' || decision.kind === 'ask';
    const sizeBytes = isAsked ? decision.sizeBytes : (known?.size_bytes ?? 0);
    counted.files += 1;
    counted.totalBytes += sizeBytes;
    if (!isAsked) continue;
    counted.calls += 1;
    counted.callBytes += sizeBytes;
  }
  return estimateOf(context, audit.connection_id, counted);
}

async function estimateOf(context: Context, connectionId: string, counted: Counted): Promise<VerifyEstimate> {
  const { parallel, verifyPerMinute } = await context.connections.get(connectionId);
  const { files, totalBytes, calls, callBytes } = counted;
  const last = context.store.verifyRuns.lastPaced(connectionId);
  const byPace = last ? (last.active_ms / last.calls / 1000) * calls : null;
  const byLimit = verifyPerMinute === undefined ? null : (calls / verifyPerMinute) * 60;
  return {
    files,
    totalBytes,
    calls,
    wireBytes: Math.ceil(callBytes / 3) * 4,
    unchanged: files - calls,
    parallel,
    callsPerMinute: verifyPerMinute ?? null,
    seconds: byPace === null && byLimit === null ? null : Math.ceil(Math.max(byPace ?? 0, byLimit ?? 0)),
  };
}
