import type { Answer, VerdictGroup } from './answer.ts';
import type { Failure } from './failure.ts';
import type { OperationName } from './operation.ts';

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

/** The three answers about a file, independent of each other, side by side. */
export interface FileHistory {
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
