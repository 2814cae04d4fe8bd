import type { Context } from '../context.ts';
import { type BulkDownloads, createBulkDownloads } from './bulk-downloads.ts';
import { createDuplicateChecks, type DuplicateChecks } from './duplicate-checks.ts';
import { createStatusRefreshes, type StatusRefreshes } from './status-refreshes.ts';

/** What goes on for a while with many documents. */
export interface DocumentServices {
  readonly checks: DuplicateChecks;
  readonly bulks: BulkDownloads;
  readonly refreshes: StatusRefreshes;
  /** Breaks off what runs; nothing half done stays. */
  close(): Promise<void>;
}

export function createDocuments(context: Context): DocumentServices {
  const checks = createDuplicateChecks(context);
  const bulks = createBulkDownloads(context);
  const refreshes = createStatusRefreshes(context);
  return {
    checks,
    bulks,
    refreshes,
    close: async () => {
      await Promise.all([checks.close(), bulks.close(), refreshes.close()]);
    },
  };
}
