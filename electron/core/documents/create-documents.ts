import type { Context } from '../context.ts';
import { type BulkDownloads, createBulkDownloads } from './bulk-downloads.ts';
import { createDownloads, type Downloads } from './downloads.ts';
import { createDuplicateChecks, type DuplicateChecks } from './duplicate-checks.ts';
import { createStatusRefreshes, type StatusRefreshes } from './status-refreshes.ts';

/** The tasks about documents, by kind. */
export interface DocumentServices {
  readonly downloads: Downloads;
  readonly bulks: BulkDownloads;
  readonly refreshes: StatusRefreshes;
  readonly checks: DuplicateChecks;
}

/** `resumes`: goes on with what programs that have ended were doing. */
export function createDocuments(context: Context, resumes: boolean): DocumentServices {
  return {
    downloads: createDownloads(context),
    bulks: createBulkDownloads(context, resumes),
    refreshes: createStatusRefreshes(context, resumes),
    checks: createDuplicateChecks(context),
  };
}
