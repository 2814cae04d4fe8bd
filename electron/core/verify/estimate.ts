import type { EstimateTask } from '../../../contract/audits.ts';
import type { VerifyEstimate } from '../../../contract/verify.ts';
import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import type { Asking } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { type WalkState, walk } from '../files/walk-folder.ts';
import { AppError } from '../foundation/app-error.ts';
import type { RunningTask } from '../tasks/carry-out.ts';
import { decide } from './list-audit.ts';

interface Counted {
  readonly files: number;
  readonly totalBytes: number;
  readonly calls: number;
}

/** Estimates the calls for verifying all files of an intake. Rejects with not-found. */
export async function estimateSelection(
  context: Context,
  connectionId: string | null,
  intakeId: string,
): Promise<VerifyEstimate> {
  const files = await context.files.intake(intakeId);
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return estimateOf(context, connectionId, {
    files: files.length,
    totalBytes,
    calls: connectionId === null ? 0 : files.length,
  });
}

/** Number of ended tasks kept; nobody reads them again. */
const known = 20;

/**
 * Creates a function that estimates the maximum of calls of an audit run, without reading files. It rejects with cancelled if its task is stopped.
 */
export function createAuditEstimate(context: Context): (audit: StoredAudit, ask: Asking) => Promise<VerifyEstimate> {
  const estimates = context.tasks.ofKind('estimate', { known });
  return async (audit, ask) => {
    const counted = { files: 0, totalBytes: 0, calls: 0 };
    const { ended } = estimates.start({ progress: { name: audit.name, files: 0 }, data: null }, async (running) => {
      await countFolder(context, audit, ask, counted, running);
      return { files: counted.files };
    });
    const { failure } = await ended;
    if (failure) throw new AppError(failure);
    return estimateOf(context, audit.connection_id, counted);
  };
}

async function countFolder(
  context: Context,
  audit: StoredAudit,
  ask: Asking,
  counted: { -readonly [K in keyof Counted]: number },
  { signal, report }: RunningTask<EstimateTask['progress']>,
): Promise<void> {
  const state: WalkState = { seenFolders: new Set(), folderCount: 0 };
  for await (const { path, problem } of walk(audit.path, audit.name, state)) {
    signal.throwIfAborted();
    if (problem) continue;
    const known = context.store.verifyFiles.open(audit.id, path);
    // The contents are not read here, so only the times can show a change.
    const decision = await decide(known, path, { ask: ask === 'everything' ? ask : 'changes', runSeq: null });
    const isAsked = decision.kind === 'new' || decision.kind === 'ask';
    const sizeBytes = isAsked ? decision.sizeBytes : (known?.size_bytes ?? 0);
    counted.files += 1;
    report({ files: counted.files });
    counted.totalBytes += sizeBytes;
    if (!isAsked) continue;
    counted.calls += 1;
  }
}

async function estimateOf(context: Context, connectionId: string | null, counted: Counted): Promise<VerifyEstimate> {
  const verifyPerMinute =
    connectionId === null ? undefined : (await context.connections.get(connectionId)).verifyPerMinute;
  const { files, totalBytes, calls } = counted;
  const last = connectionId === null ? null : context.store.verifyRuns.lastPaced(connectionId);
  const byPace = last ? (last.active_ms / last.calls / 1000) * calls : null;
  const byLimit = verifyPerMinute === undefined ? null : (calls / verifyPerMinute) * 60;
  return {
    files,
    totalBytes,
    calls,
    unchanged: files - calls,
    seconds: byPace === null && byLimit === null ? null : Math.ceil(Math.max(byPace ?? 0, byLimit ?? 0)),
  };
}
