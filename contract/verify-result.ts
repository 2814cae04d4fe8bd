import type { Answer, VerdictGroup } from './answers.ts';
import type { DocumentRow, NumberedFile } from './documents.ts';
import type { Failure } from './failure.ts';
import type { TaskOf } from './jobs.ts';
import type { OperationName } from './operation.ts';
import type { PdfSignatures } from './pdf-signatures.ts';

/** One registration of the same bytes (SHA-256) from this computer: time, operation, recipients. */
export interface KnownHere
  extends Pick<DocumentRow, 'documentId' | 'jobId' | 'connectionId' | 'name' | 'clientId' | 'registeredAt' | 'sentTo'> {
  /** The operation that sent it; null if the document was opened by its ID. */
  readonly operation: OperationName | null;
}

/** One download of the same bytes (SHA-256) to this computer. */
export interface DownloadedHere {
  readonly documentId: string;
  readonly connectionId: string;
  /** Name of the document. */
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly downloadedAt: string;
}

/**
 * That the beginning of a file is a whole file that is known here: what it was before something was added. It does not say that what was added is harmless.
 */
export interface EarlierRevision {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly registered: KnownHere | null;
  readonly downloaded: DownloadedHere | null;
  /** Signatures and document timestamps that were added afterwards. */
  readonly signaturesAfter: number;
}

/** Somebody who was asked to sign. `found`: what of a signature that fits says that it is theirs; `stated`: its own words, not its certificate. */
export interface AskedSigner {
  readonly name: string;
  readonly email: string;
  readonly found: 'email' | 'name' | 'stated' | null;
}

/** Who was asked to sign the document that a file comes from, beside the signatures in the file. */
export interface AskedAndFound {
  readonly documentId: string;
  /** The first 50. */
  readonly asked: readonly AskedSigner[];
  /** Names of signatures that name nobody who was asked, or do not fit; empty where there is no name. */
  readonly others: readonly string[];
  /** One signature that fits and names nobody who was asked: a seal for all, which does not say who signed. */
  readonly isSealed: boolean;
}

/** The service's answer about a beginning of a file. */
export interface EarlierAnswer {
  readonly answer: Answer<VerdictGroup>;
  readonly finding: VerdictFinding | null;
  readonly raw: string | null;
  readonly askedAt: string;
}

/**
 * What the service's words say beyond their group, as far as the answers table knows: it was changed after its registration, the service does not know
 * it, it is confirmed but has a newer version.
 */
export type VerdictFinding = 'changed' | 'unknown' | 'superseded';

/**
 * Why a result is in its group, as a closed set: each reason has its own text for the person ("what this can mean"). The first three are based on the
 * service's answer, the others say why there is none.
 */
export type VerdictReason =
  /** The answers table contains the service's words. */
  | 'sorted-word'
  /** The answer has words that have no meaning yet. */
  | 'unsorted-word'
  /** A reply without words. */
  | 'empty-answer'
  /** A negative code that says nothing definite about the file. */
  | 'open-code'
  /** A negative code: the service did not examine the file. */
  | 'unexamined-code'
  /** A SOAP fault. */
  | 'fault'
  /** The answer is not a reply of the service: an HTML page, a redirect, half a reply. */
  | 'not-a-reply'
  | 'unreachable'
  | 'too-late'
  /** Credentials are missing or were rejected. */
  | 'not-connected'
  /** The file could not be read, or changed while it was verified. */
  | 'file'
  /** A failure of this program or this computer. */
  | 'program';

/** Additional information beside a verdict; it never changes the verdict. */
export interface Qualification {
  /** The service's statement about the document; `none` if it made none. */
  readonly verdict: 'confirmed' | 'not-confirmed' | 'none';
  /** The rest of the answer beside the verdict (`superseded version`), in the service's own words; null if there is none. */
  readonly remark: string | null;
  readonly reason: VerdictReason;
}

/**
 * Whether the file equals, byte for byte, the copy that the service returns for an ID (GetDocument). `different` is a fact and no suspicion: a
 * service may return a stamped copy. `no-copy`: the service returns none to this caller. `no-answer`: currently unknown, can be tried again.
 */
export type ComparisonState = 'comparing' | 'same' | 'different' | 'no-copy' | 'no-answer' | 'stopped';

export interface Comparison {
  readonly state: ComparisonState;
  readonly documentId: string;
  /** Bytes of the service's copy received so far. */
  readonly comparedBytes: number;
  /** Size of the service's copy, once it was completely received. */
  readonly copySizeBytes: number | null;
  readonly copySha256: string | null;
  /** Offset of the first byte that differs (or of the end of the shorter one); null if none is known. */
  readonly firstDifferenceAt: number | null;
  /** The service's answer if it returned no copy. */
  readonly raw: string | null;
  readonly failure: Failure | null;
  readonly askedAt: string;
}

/** Comparing a file of a run with the service's copy. */
export type ComparisonTask = TaskOf<
  'comparison',
  {
    readonly runId: string;
    readonly index: number;
    readonly name: string;
    readonly comparison: Comparison;
  }
>;

/** Change of a file in an audit since the last run. `unchanged`: not verified again, or with the same result. */
export const fileChanges = ['new', 'altered', 'gone', 'verdict-changed', 'unchanged'] as const;
export type FileChange = (typeof fileChanges)[number];

/** The last result before this one, in an audit. */
export interface EarlierResult extends Pick<VerifyResult, 'sha256' | 'raw' | 'askedAt'> {
  readonly group: VerdictGroup;
}

export interface VerifyResult extends NumberedFile {
  readonly sha256: string | null;
  /** `pending` until the service was asked about it; what the file itself proves may be known before. */
  readonly state: 'pending' | 'asking' | 'answered';
  readonly answer: Answer<VerdictGroup> | null;
  /** Null until answered, and if the words say no more than their group. */
  readonly finding: VerdictFinding | null;
  /** Null until answered. */
  readonly qualification: Qualification | null;
  /** The service's answer. */
  readonly raw: string | null;
  readonly failure: Failure | null;
  /** When the service had answered, or had all of the file and did not, which may have been paid for; null if it cannot have it. */
  readonly askedAt: string | null;
  readonly knownHere: KnownHere | null;
  /** The latest download of the same bytes, preferably from the run's connection; null if there is none. */
  readonly downloadedHere: DownloadedHere | null;
  /**
   * Only if the service does not know the file, or says that it was changed, and its bytes are unknown here too: the latest registration of a file of the same name, with other
   * bytes, on the run's connection. It never changes the verdict.
   */
  readonly namesake: KnownHere | null;
  /** Null in a run that is not an audit, and while pending. */
  readonly change: FileChange | null;
  /** Null in a run that is not an audit, and for a new file. */
  readonly earlier: EarlierResult | null;
  /** Null if it was never compared. */
  readonly comparison: Comparison | null;
  /** What the file itself proves; null for what is no PDF, and until it is looked at. The first ones, if it has very many. */
  readonly signatures: PdfSignatures | null;
  /** The longest beginning of the file that is known here; null if there is none. */
  readonly origin: EarlierRevision | null;
  /** Null if nobody was asked from here or by the team, or the document is not known. */
  readonly askedAndFound: AskedAndFound | null;
}

/** The service's answer, local knowledge, and the comparison with the service's copy, which do not depend on each other. */
export interface FileHistory
  extends Pick<
    VerifyResult,
    'index' | 'name' | 'folder' | 'sizeBytes' | 'sha256' | 'namesake' | 'signatures' | 'origin' | 'askedAndFound'
  > {
  readonly runId: string;
  /** Local knowledge: every registration of the same bytes, those of the run's connection first, at most 100. */
  readonly here: readonly KnownHere[];
  /** Downloads of the same bytes, those of the run's connection first, at most 100. */
  readonly downloads: readonly DownloadedHere[];
  /** The service's answer (ValidateDocument); null until answered. */
  readonly service:
    | (Pick<VerifyResult, 'finding' | 'raw' | 'failure' | 'askedAt'> & {
        readonly answer: Answer<VerdictGroup>;
        readonly qualification: Qualification;
      })
    | null;
  /** Comparison with the service's copy; null if it was never compared. */
  readonly copy: Comparison | null;
  /** IDs accepted by `verify.compare`: registrations, then downloads, of the same bytes on the run's connection. */
  readonly comparableIds: readonly string[];
}

/** Here, as the window's first screen needs no schemas. True if the title of a run names its first file alone, which is not all that was verified. */
export const isOfFirstFile = (run: {
  readonly title: string;
  readonly kind: string;
  readonly total: number;
}): boolean => run.kind === 'files' && run.total > 1 && /\.[^.]{1,8}$/.test(run.title);
