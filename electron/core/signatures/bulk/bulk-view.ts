import type { Bulk, BulkRow } from '../../../../contract/bulk.ts';
import type { Failure } from '../../../../contract/failure.ts';
import type { StoredBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import { canCorrect } from '../../jobs/corrections.ts';
import type { BulkPlan, RowPlan } from './row-plan.ts';

/** A bulk as the window sees it, with the counts of its rows and jobs. */
export function bulkView({ store }: Pick<Context, 'store'>, bulk: StoredBulk, failure: Failure | null): Bulk {
  const { rows, errors, leftClean, leftWarnings, takenBack, jobs, sentLastMinute } = store.bulks.countRows(bulk.seq);
  const { id, connectionId, kind, fileName, state, columns, perMinute, includeWarnings, batchId } = bulk;
  return {
    id,
    connectionId,
    kind,
    fileName,
    state,
    columns,
    rowCount: rows,
    counts: {
      ready: leftClean,
      withErrors: errors,
      withWarnings: leftWarnings,
      queued: Object.values({ ...jobs, cancelled: 0 }).reduce((sum, n) => sum + n, 0),
      waiting: (jobs.prepared ?? 0) + (jobs.waiting ?? 0) + (jobs.sending ?? 0),
      done: jobs.done ?? 0,
      refused: jobs.refused ?? 0,
      failed: jobs.failed ?? 0,
      cancelled: (jobs.cancelled ?? 0) + takenBack,
      inDoubt: jobs['in-doubt'] ?? 0,
      sentLastMinute,
    },
    failure,
    perMinute,
    includeWarnings,
    batchId,
    createdAt: bulk.createdAt,
    updatedAt: bulk.updatedAt,
  };
}

/** A row as the window sees it, with the state of its job; no paths and no secret words. */
export function bulkRowView(bulk: StoredBulk, row: StoredBulkRow): BulkRow {
  const common = JSON.parse(bulk.plan) as BulkPlan;
  const plan = JSON.parse(row.plan) as RowPlan;
  const isTemplate = bulk.kind === 'easy-sign-template';
  const severities = row.problems.map(({ severity }) => severity);
  const isSkipped = severities.includes('error') || (severities.includes('warning') && !bulk.includeWarnings);
  return {
    row: row.row,
    people: plan.people,
    documentName: plan.documentName,
    document: isTemplate ? plan.templateId : ((plan.file ?? common.file)?.name ?? ''),
    problems: row.problems,
    cells: bulk.columns.map(({ column }, index) => (column === 'secretWord' ? '' : (row.cells[index] ?? ''))),
    mended: row.mended,
    state: row.job?.state ?? (row.isTakenBack ? 'cancelled' : isSkipped ? 'skipped' : 'ready'),
    jobId: row.jobId,
    raw: row.job?.raw ?? null,
    answer: row.job?.answer ?? null,
    documentId: row.job?.documentId ?? null,
    failure: row.job?.failure ?? null,
    canCorrect: row.job !== null && canCorrect(row.job),
  };
}
