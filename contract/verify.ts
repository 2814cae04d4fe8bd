import { z } from 'zod';
import { type VerdictGroup, verdictGroups } from './answer.ts';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import type { SkippedFile } from './files.ts';
import { documentIdText, localId } from './text.ts';
import { type Comparison, type FileChange, type FileHistory, fileChanges, type VerifyResult } from './verify-result.ts';

export type VerdictCounts = Readonly<Record<VerdictGroup, number>>;
export type ChangeCounts = Readonly<Record<FileChange, number>>;

export interface VerifyRun {
  readonly runId: string;
  readonly connectionId: string;
  readonly kind: 'files' | 'audit';
  /** Of an audit; null else. */
  readonly auditId: string | null;
  /** What a person calls it: the folder's name, or the first file's. */
  readonly title: string;
  /** `stopped`: by a person, by `trouble`, or because the program ended; `verify.resume` goes on. */
  readonly state: 'running' | 'stopped' | 'finished';
  /** Why it stopped by itself: the service cannot be reached, the disk is full, the folder is not there. Null else. */
  readonly trouble: Failure | null;
  /** True while files are still being found: `total` grows. */
  readonly listing: boolean;
  /** Files of the run; in an audit all that are in the folder, unchanged ones included, and those that are gone. */
  readonly total: number;
  readonly answered: number;
  readonly counts: VerdictCounts;
  /** Over the answered ones; null in a run that is not an audit. In the first run of an audit every file is new. */
  readonly changes: ChangeCounts | null;
  /** How many files the service was asked about in this run. */
  readonly calls: number;
  /** Files that were left out because they cannot be read or are empty; `verify.leftOut` names them. */
  readonly leftOut: number;
  readonly startedAt: string;
  /** Null while running. */
  readonly endedAt: string | null;
}

/** What a run would take, counted before anything is sent. */
export interface VerifyEstimate {
  readonly files: number;
  readonly totalBytes: number;
  /** ValidateDocument calls, at most. */
  readonly calls: number;
  /** Bytes that would go over the wire: documents grow by a third. */
  readonly wireBytes: number;
  /** Files that would be skipped because they are as they were; 0 in a run that is not an audit. */
  readonly unchanged: number;
  readonly parallel: number;
  /** The connection's limit, null for none. */
  readonly callsPerMinute: number | null;
  /** From the pace of the last run on this connection and the limit; null where there is neither. */
  readonly seconds: number | null;
}

export const reportFormats = ['pdf', 'csv', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface ReportProgress {
  readonly reportId: string;
  readonly runId: string;
  readonly format: ReportFormat;
  /** Without its folder. */
  readonly fileName: string;
  readonly state: 'writing' | 'done' | 'failed' | 'cancelled';
  readonly writtenFiles: number;
  readonly totalFiles: number;
  readonly failure: Failure | null;
}

const ofRun = { runId: localId };
const ofFile = { ...ofRun, index: z.int().min(0) };
const page = { offset: z.int().min(0).default(0), limit: z.int().min(1).max(500).default(100) };

export const verify = {
  /** Counts what `verify.start` would take. */
  'verify.estimate': call(z.strictObject({ connectionId: localId, intakeId: localId })).answers<VerifyEstimate>(),
  /** Asks ValidateDocument about every file of an intake. Registers nothing. Results are kept until the run is forgotten. */
  'verify.start': call(z.strictObject({ connectionId: localId, intakeId: localId })).answers<VerifyRun>(),
  'verify.stop': call(z.strictObject(ofRun)).answers<null>(),
  /** Goes on with a stopped run, also after a restart: asks about what has no answer yet. */
  'verify.resume': call(z.strictObject(ofRun)).answers<VerifyRun>(),
  'verify.tryAgain': call(z.strictObject(ofFile)).answers<null>(),
  /** Asks again about all files of a group. Answers how many. */
  'verify.tryGroupAgain': call(z.strictObject({ ...ofRun, group: z.enum(verdictGroups) })).answers<{
    readonly files: number;
  }>(),
  /** Failures first, then in the order of the drop; pending ones last. */
  'verify.results': call(
    z.strictObject({
      ...ofRun,
      group: z.enum(verdictGroups).optional(),
      change: z.enum(fileChanges).optional(),
      ...page,
    }),
  ).answers<{ readonly run: VerifyRun; readonly results: readonly VerifyResult[]; readonly total: number }>(),
  'verify.leftOut': call(z.strictObject({ ...ofRun, ...page })).answers<{
    readonly files: readonly SkippedFile[];
    readonly total: number;
  }>(),
  /** The newest first. The last 100 are kept, and the last 100 of each audit. */
  'verify.runs': call(z.strictObject(page)).answers<{ readonly runs: readonly VerifyRun[]; readonly total: number }>(),
  /** Removes a run that does not run, with its results. In an audit only its latest run cannot be forgotten: bad-input. */
  'verify.forget': call(z.strictObject(ofRun)).answers<null>(),
  'verify.history': call(z.strictObject(ofFile)).answers<FileHistory>(),
  /**
   * Fetches the service's copy and compares it as it comes; nothing of it is kept. Answers at once, goes on in `verify.compared`. Without
   * `documentId` the registration of the same bytes is taken; rejects with bad-input where there is none.
   */
  'verify.compare': call(z.strictObject({ ...ofFile, documentId: documentIdText.optional() })).answers<Comparison>(),
  'verify.stopComparing': call(z.strictObject(ofFile)).answers<null>(),
  /**
   * Asks where to, then writes in the background and tells `verify.reportProgressed`. Null when the person cancelled. `language`: of the PDF; CSV and JSON
   * are the same in all.
   */
  'verify.saveReport': call(
    z.strictObject({ ...ofRun, format: z.enum(reportFormats), language: z.enum(['en', 'de']).default('en') }),
  ).answers<ReportProgress | null>(),
  'verify.cancelReport': call(z.strictObject({ reportId: localId })).answers<null>(),
  /** Shows a finished report in the file manager. */
  'verify.showReport': call(z.strictObject({ reportId: localId })).answers<null>(),
};

export const verifyEvents = {
  /** At most ten times a second. `results`: those that changed since the last time. */
  'verify.progressed': event<{ readonly run: VerifyRun; readonly results: readonly VerifyResult[] }>(),
  /** At most ten times a second for each comparison, and once at its end. */
  'verify.compared': event<{ readonly runId: string; readonly index: number; readonly comparison: Comparison }>(),
  /** At most ten times a second, and once at its end. */
  'verify.reportProgressed': event<ReportProgress>(),
  /** A run began, ended or was forgotten: `verify.runs` has another answer. */
  'verify.runsChanged': event<null>(),
};
