import { z } from 'zod';
import { type VerdictGroup, verdictGroups } from './answers.ts';
import { call, event, type Removed } from './call.ts';
import type { Failure } from './failure.ts';
import type { SkippedFile } from './files.ts';
import type { TaskOf, Waiting } from './jobs.ts';
import { type FileVerdict, fileVerdicts } from './pdf-signatures.ts';
import { documentIdText, language, lineOf, localId, page } from './text.ts';
import {
  type Comparison,
  type EarlierAnswer,
  type FileChange,
  type FileHistory,
  fileChanges,
  type VerifyResult,
} from './verify-result.ts';

export type VerdictCounts = Readonly<Record<VerdictGroup, number>>;
export type ChangeCounts = Readonly<Record<FileChange, number>>;

export interface VerifyRun {
  readonly runId: string;
  /** Null if no service is to be asked: the files are only looked at. */
  readonly connectionId: string | null;
  readonly kind: 'files' | 'audit';
  /** ID of the audit; null for other runs. */
  readonly auditId: string | null;
  /** Title for display: the folder's name, or the first file's. */
  readonly title: string;
  /** `stopped`: by a person, by `trouble`, or because the program ended; `verify.resume` continues. */
  readonly state: 'running' | 'stopped' | 'finished';
  /**
   * The failure that stopped it: the disk is full, the folder does not exist; or that stopped asking: the service cannot be reached, credentials are missing. Then what the other
   * files themselves prove is still read. Otherwise null.
   */
  readonly trouble: Failure | null;
  /** True while files are being listed: `total` grows. */
  readonly listing: boolean;
  /** Files of the run; in an audit all files of the folder, including unchanged and missing ones. */
  readonly total: number;
  readonly answered: number;
  /** While it is going on: files without an answer that were looked at, as no service is, or can be, asked. */
  readonly looked: number;
  readonly counts: VerdictCounts;
  /** Changes among answered files; null in a run that is not of an audit. In the first run of an audit every file is new. */
  readonly changes: ChangeCounts | null;
  /** Checks that were sent, counted before they leave: one that was under way when the program was killed counts, and again when its file is asked about again. */
  readonly calls: number;
  /** Those of them that the service answered. */
  readonly replies: number;
  /** Number of files skipped because they cannot be read or are empty; `verify.leftOut` lists them. */
  readonly leftOut: number;
  readonly startedAt: string;
  /** Null while running. */
  readonly endedAt: string | null;
}

/** Estimate of a run, made before anything is sent. */
export interface VerifyEstimate {
  readonly files: number;
  /** How many of them are no PDF; the service is asked about them, too. */
  readonly notPdf: number;
  readonly totalBytes: number;
  /** ValidateDocument calls, at most. */
  readonly calls: number;
  /** From the speed of the last run on this connection and the limit; null if neither is known. */
  readonly seconds: number | null;
}

export const reportFormats = ['pdf', 'csv', 'json'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Who makes reports with this program, as they are named in them. */
export interface Reporter {
  readonly person: string;
  /** Empty if there is none. */
  readonly organisation: string;
}

/** A report that is being written. */
export interface ReportProgress {
  readonly runId: string;
  readonly format: ReportFormat;
  /** Name without its folder. */
  readonly fileName: string;
  readonly writtenFiles: number;
  readonly totalFiles: number;
}
export type ReportTask = TaskOf<'report', ReportProgress>;

/** A verification that is going on. Its task has the ID of the run. */
export type VerificationTask = TaskOf<'verification', Waiting & { readonly run: VerifyRun }>;

const ofRun = { runId: localId };
const ofFile = { ...ofRun, index: z.int().min(0) };
/** Null: no service is asked. */
const asked = localId.nullable();

export const verify = {
  /** Estimates `verify.start`. */
  'verify.estimate': call(() => ({ connectionId: asked, intakeId: localId })).answers<VerifyEstimate>(),
  /**
   * Reads what each file of an intake itself proves and, with a connection, calls ValidateDocument for it, as a task. Registers nothing. Results are kept until the run is removed.
   * Without credentials, and from when on the service does not answer, the files are only looked at; `verify.resume` asks about them.
   */
  'verify.start': call(() => ({ connectionId: asked, intakeId: localId })).answers<VerifyRun>(),
  /** Adds the files of an intake to a run that is no audit, which continues. A file that it already has is verified once more. */
  'verify.add': call(() => ({ ...ofRun, intakeId: localId })).answers<VerifyRun>(),
  /** Continues a stopped run, also after a restart, with the files that have no answer yet. */
  'verify.resume': call(() => ofRun).answers<VerifyRun>(),
  'verify.tryAgain': call(() => ofFile).answers<null>(),
  /** Verifies all files of a group again, without those that the service cannot use: it would say the same. Answers their number. */
  'verify.tryGroupAgain': call(() => ({ ...ofRun, group: z.enum(verdictGroups) })).answers<{
    readonly files: number;
  }>(),
  /** Failures first, then in the order of the drop; pending files last. */
  'verify.results': call(() => ({
    ...ofRun,
    group: z.enum(verdictGroups).optional(),
    change: z.enum(fileChanges).optional(),
    /** What the file itself proves. */
    own: z.enum(fileVerdicts).optional(),
    /** Words that the name and folder of a file contain. */
    search: z.string().max(200).optional(),
    ...page,
  })).answers<{
    readonly run: VerifyRun;
    readonly results: readonly VerifyResult[];
    readonly total: number;
    /** The counters of what the search leaves, whatever else is filtered; null without one, as they are those of the run then. */
    readonly found: Pick<VerifyRun, 'counts' | 'changes'> | null;
    /** Numbers of the files that the search leaves, by what they themselves prove; none for what is not signed. */
    readonly ownCounts: Readonly<Partial<Record<FileVerdict, number>>>;
    /** Number of files without an answer that `verify.tryGroupAgain` verifies. */
    readonly againCount: number;
  }>(),
  'verify.leftOut': call(() => ({ ...ofRun, ...page })).answers<{
    readonly files: readonly SkippedFile[];
    readonly total: number;
  }>(),
  /** Newest first. The last 100 runs are kept, and the last 100 of each audit. */
  'verify.runs': call(() => page).answers<{ readonly runs: readonly VerifyRun[]; readonly total: number }>(),
  /** Removes an ended run with its results. The latest run of an audit cannot be removed: bad-input. */
  'verify.forget': call(() => ofRun).answers<Removed>(),
  'verify.history': call(() => ofFile).answers<FileHistory>(),
  /**
   * Downloads the service's copy and compares it while it is received, as a task; nothing is kept. Without `documentId` the registration of the same
   * bytes is used; rejects with bad-input if there is none.
   */
  'verify.compare': call(() => ({ ...ofFile, documentId: documentIdText.optional() })).answers<Comparison>(),
  /** Saves the beginning of a file that is known here (`origin`) as a file of its own. Its name; null if the person cancelled. Rejects with not-found if there is none. */
  'verify.saveEarlier': call(() => ofFile).answers<string | null>(),
  /** Asks the service about that beginning: one call to ValidateDocument. */
  'verify.askEarlier': call(() => ofFile).answers<EarlierAnswer>(),
  /** Reads the signatures of an encrypted PDF; false if the password does not open it. It is not kept. */
  'verify.unlock': call(() => ({ ...ofFile, password: z.string().min(1).max(1024) })).answers<boolean>(),
  /**
   * Lets the person choose a file, then writes as a task. Null if the person cancelled. `language`: of the PDF; CSV and JSON are the same in all
   * languages.
   */
  'verify.saveReport': call(() => ({ ...ofRun, format: z.enum(reportFormats), language })).answers<ReportTask | null>(),
  /** Null as long as nobody was named. */
  'verify.reporter': call(() => ({})).answers<Reporter | null>(),
  'verify.setReporter': call(() => ({
    person: lineOf(200),
    organisation: z.union([z.literal(''), lineOf(200)]),
  })).answers<null>(),
  /** Shows a finished report in the file manager. */
  'verify.showReport': call(() => ({ taskId: localId })).answers<null>(),
};

export const verifyEvents = {
  /** Results of a running verification that changed since the last event, at most 500; at most ten times a second, the last before its task ends. */
  'verify.answered': event<{ readonly runId: string; readonly results: readonly VerifyResult[] }>(),
  /** A run started, ended or was removed: `verify.runs` is to be read again. */
  'verify.runsChanged': event<null>(),
};

/** A remembered folder: each run verifies only files that changed. Its runs are runs of `verify`. */
export interface Audit {
  readonly auditId: string;
  readonly connectionId: string;
  /** The folder's name, without the folders above. */
  readonly name: string;
  /** Number of files in the last run. */
  readonly fileCount: number;
  readonly createdAt: string;
  /**
   * Interval of planned runs in minutes, counted from the start of the last run, while the program is running; null for on demand only. Calls of
   * planned runs count against the budget of automatic calls (`budget.state`): if it is used up, the run waits; if automatic calls are off, no run
   * starts.
   */
  readonly everyMinutes: number | null;
  /** ISO 8601, UTC; null if no run is planned. */
  readonly nextAt: string | null;
  readonly lastRun: VerifyRun | null;
}

const everyMinutes = z.int().min(5).max(525_600).nullable();
const asking = {
  auditId: localId,
  /**
   * `changes`: files with the same size and times count as unchanged; others are hashed, and verified only if the bytes changed. Files without an
   * answer are verified too. `contents`: every file is hashed. `everything`: every file is verified.
   */
  ask: z.enum(['changes', 'contents', 'everything']).default('changes'),
};

export const audits = {
  'audits.list': call(() => ({})).answers<readonly Audit[]>(),
  /** Remembers a folder without verifying it. If the folder is already remembered for the connection, answers the existing audit. */
  'audits.add': call(() => ({
    connectionId: localId,
    token: localId,
    everyMinutes: everyMinutes.default(null),
  })).answers<Audit>(),
  'audits.plan': call(() => ({ auditId: localId, everyMinutes })).answers<Audit>(),
  /** Removes the audit and all its runs. Rejects with bad-input while one is going on. */
  'audits.remove': call(() => ({ auditId: localId })).answers<Removed>(),
  /** Starts a run, which is a task like any other verification. Rejects with bad-input while one is going on. */
  'audits.run': call(() => asking).answers<VerifyRun>(),
};

export const auditEvents = {
  'audits.changed': event<readonly Audit[]>(),
};
