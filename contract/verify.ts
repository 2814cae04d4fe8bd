import { z } from 'zod';
import type { Answer, VerdictGroup } from './answer.ts';
import { verdictGroups } from './answer.ts';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import type { SkippedFile } from './files.ts';
import type { OperationName } from './operation.ts';
import { documentIdText, localId } from './text.ts';

/** One registration of the same bytes (SHA-256) from this computer: when, as what, sent to whom. */
export interface KnownHere {
  readonly documentId: string;
  readonly connectionId: string;
  readonly name: string;
  readonly clientId: string;
  /** ISO 8601, UTC. */
  readonly registeredAt: string;
  /** The operation that sent it; null where the document was opened by its ID. */
  readonly operation: OperationName | null;
  /** Addresses and names of the signers it was sent to, as one text; empty where it was sent to nobody. */
  readonly sentTo: string;
}

/**
 * Why a result is in its group, as a closed set: each has its own sentence for the person ("what this can mean"). The first three rest on the
 * service's answer, the others say why there is none.
 */
export const verdictReasons = [
  /** The answers table has the service's words. */
  'sorted-word',
  /** The service answered words that nobody has sorted yet. */
  'unsorted-word',
  /** A reply without words. */
  'empty-answer',
  /** A negative code that leaves open what it says about the file. */
  'open-code',
  /** A negative code: the service did not look at the file. */
  'unexamined-code',
  /** A SOAP fault. */
  'fault',
  /** Something answered, but not the service: an HTML page, a redirect, half a reply. */
  'not-a-reply',
  'unreachable',
  'too-late',
  /** Credentials are missing or were rejected. */
  'not-connected',
  /** The file could not be read, or changed while it was asked about. */
  'file',
  /** Something in this program or on this computer. */
  'program',
] as const;
export type VerdictReason = (typeof verdictReasons)[number];

/** What stands beside a verdict and never changes it. */
export interface Qualification {
  /** What the service said about the document; `none` where it said nothing that can be taken for one. */
  readonly verdict: 'confirmed' | 'not-confirmed' | 'none';
  /** What it said beyond the verdict (`superseded version`), in the service's own words; null where nothing. */
  readonly remark: string | null;
  readonly reason: VerdictReason;
}

/**
 * Whether the file is byte for byte what the service hands out under an ID (GetDocument). `different` is a fact and no suspicion: a
 * service may hand out a stamped copy. `no-copy`: the service hands none out to this caller. `no-answer`: not to be told now, can
 * be tried again.
 */
export const comparisonStates = ['comparing', 'same', 'different', 'no-copy', 'no-answer', 'stopped'] as const;
export type ComparisonState = (typeof comparisonStates)[number];

export interface Comparison {
  readonly state: ComparisonState;
  readonly documentId: string;
  /** Bytes of the service's copy that have come so far. */
  readonly comparedBytes: number;
  /** Of the service's copy, once it has come to its end. */
  readonly copySizeBytes: number | null;
  readonly copySha256: string | null;
  /** Offset of the first byte that differs (or of the end of the shorter one); null where none is known. */
  readonly firstDifferenceAt: number | null;
  /** The service's own words where it handed nothing out. */
  readonly raw: string | null;
  readonly failure: Failure | null;
  readonly askedAt: string;
}

/** What became of a file of an audit since the last time. `unchanged` was not asked about again, or with the same result. */
export const fileChanges = ['new', 'altered', 'gone', 'verdict-changed', 'unchanged'] as const;
export type FileChange = (typeof fileChanges)[number];

/** The last result before this one, in an audit. */
export interface EarlierResult {
  readonly sha256: string | null;
  readonly group: VerdictGroup;
  readonly raw: string | null;
  readonly askedAt: string | null;
}

export interface VerifyResult {
  /** Names the file in its run; in an audit in all of its runs. */
  readonly index: number;
  readonly name: string;
  readonly folder: string;
  readonly sizeBytes: number;
  readonly sha256: string | null;
  /** `pending` until asked. */
  readonly state: 'pending' | 'asking' | 'answered';
  readonly answer: Answer<VerdictGroup> | null;
  /** Null until answered. */
  readonly qualification: Qualification | null;
  /** The service's own words. */
  readonly raw: string | null;
  readonly failure: Failure | null;
  readonly askedAt: string | null;
  readonly knownHere: KnownHere | null;
  /** Null in a run that is not an audit, and while pending. */
  readonly change: FileChange | null;
  /** Null in a run that is not an audit, and for a new file. */
  readonly earlier: EarlierResult | null;
  /** Null where it was never compared. */
  readonly comparison: Comparison | null;
}

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

/** The three answers about a file, independent of each other, side by side. */
export interface FileStory {
  readonly runId: string;
  readonly index: number;
  readonly name: string;
  readonly folder: string;
  readonly sizeBytes: number;
  readonly sha256: string | null;
  /** What this computer knows: every registration of the same bytes, the run's connection first, at most 100. */
  readonly here: readonly KnownHere[];
  /** What the service says (ValidateDocument); null while it was not asked. */
  readonly service: {
    readonly answer: Answer<VerdictGroup>;
    readonly qualification: Qualification;
    readonly raw: string | null;
    readonly failure: Failure | null;
    readonly askedAt: string;
  } | null;
  /** Whether it is the service's copy; null where it was never compared. */
  readonly copy: Comparison | null;
  /** IDs that `verify.compare` can be asked with: registrations of the same bytes on the run's connection. */
  readonly comparableIds: readonly string[];
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
  'verify.story': call(z.strictObject(ofFile)).answers<FileStory>(),
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
