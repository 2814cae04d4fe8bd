import type { TFunction } from 'i18next';
import type { Task } from '../../contract/tasks.ts';
import type { useFormat } from '../parts/format.ts';

/** The progress of a task as an amount. */
export interface TaskAmount {
  readonly done: number;
  /** Null if it is not known (yet). */
  readonly total: number | null;
  readonly unit: 'bytes' | 'files' | 'documents';
}

export function amountOf(task: Task): TaskAmount {
  const { kind, progress } = task;
  switch (kind) {
    case 'download':
      return { done: progress.receivedBytes, total: progress.totalBytes, unit: 'bytes' };
    case 'bulk-download':
      return { done: progress.doneCount + progress.failedCount, total: progress.total, unit: 'documents' };
    case 'status-refresh':
      return { done: progress.askedCount, total: progress.total, unit: 'documents' };
    case 'duplicate-check':
      return { done: progress.readBytes, total: progress.totalBytes, unit: 'bytes' };
    case 'report':
      return { done: progress.writtenFiles, total: progress.totalFiles, unit: 'files' };
    case 'comparison':
      return { done: progress.comparison.comparedBytes, total: progress.comparison.copySizeBytes, unit: 'bytes' };
    case 'verification':
      return { done: progress.run.answered, total: progress.run.listing ? null : progress.run.total, unit: 'files' };
    case 'estimate':
      return { done: progress.files, total: null, unit: 'files' };
  }
}

/** 1.2 MB of 3.4 MB; 12 of 40 files. */
export function amountText(t: TFunction, format: ReturnType<typeof useFormat>, amount: TaskAmount): string {
  const { done, total, unit } = amount;
  if (unit === 'bytes') {
    const bytes = format.bytes(done);
    return total === null ? bytes : t('common.ofTotal', { done: bytes, total: format.bytes(total) });
  }
  if (total === null) return t(`tasks.${unit}`, { count: done });
  return t(`tasks.${unit}Of`, { done: format.number(done), count: total });
}
