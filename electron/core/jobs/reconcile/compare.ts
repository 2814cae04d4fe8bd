import { emailKey } from '../../../../contract/email.ts';
import { type ReconcileCandidate, type ReconcileMark, reconcileMarks } from '../../../../contract/jobs.ts';
import { readDateTime } from '../../../soap/date-time.ts';

/** How the document of a job in doubt would appear at the service. */
export interface Wanted {
  /** Signers' addresses as `emailKey` writes them; empty if the request names no signers. */
  readonly emails: ReadonlySet<string>;
  /** The owner was asked to sign too; nobody here knows that address. */
  readonly asksOwner: boolean;
  /** The name as it was sent; empty if the request has none. */
  readonly documentName: string;
  readonly clientId: string;
  readonly description: string;
  /** When the request began to leave, milliseconds since 1970. */
  readonly departedMs: number;
  /** When it was last seen under way: its end, unless its program was killed before. */
  readonly seenMs: number;
  /** When it certainly was over. */
  readonly overMs: number;
  /** How far the service's clock is ahead of this computer's, where it says so: either may have been wrong at the attempt. */
  readonly aheadMs: number;
}

/** What the service reported about one document in one place: in its lists, or in its details. A field is null or undefined if it was not given. */
export interface Seen {
  readonly documentId: string;
  readonly documentName: string | null;
  /** Addresses of all signers in all lists, null for one without address; empty in details. */
  readonly emails: readonly (string | null)[];
  readonly name: string | null;
  readonly createdDate: string | null;
  readonly clientId?: string | null;
  readonly description?: string | null;
}

export interface Compared {
  readonly candidate: ReconcileCandidate;
  /** It is certainly another document. A mark that differs for a reason which the job's own document may have does not rule out. */
  readonly isRuledOut: boolean;
}

/** `doubtful`: it differs, but is no proof of another document. Null if a side does not have it. */
type Outcome = 'fits' | 'differs' | 'doubtful' | null;

const minuteMs = 60_000;
/** Allows for two different clocks and a slow service. */
const slackMs = 15 * minuteMs;
/** A time without a zone may be local time in any zone. */
const anyZoneMs = 14 * 60 * minuteMs;

/** Compares each mark with everything reported about one document. What fits in one place and differs in another is a difference. */
export function compare(wanted: Wanted, reports: readonly Seen[], isTaken: boolean): Compared {
  const outcomes = reports.map((seen) => outcomesOf(wanted, seen));
  const marks = reconcileMarks.map((mark) => [mark, together(outcomes.map((each) => each[mark]))] as const);
  const given = <K extends keyof Seen>(field: K) =>
    reports.map((seen) => seen[field]).findLast((value) => value !== null && value !== undefined && value !== '') ??
    null;
  const emails = new Map(reports.flatMap((seen) => seen.emails).map((email) => [emailKey(email ?? ''), email?.trim()]));
  const createdDate = given('createdDate');
  return {
    candidate: {
      documentId: reports[0]?.documentId ?? '',
      documentName: given('documentName'),
      email: [...emails.values()].filter(Boolean).join(', ') || null,
      name: given('name'),
      createdDate,
      createdAt: readDateTime(createdDate),
      clientId: given('clientId'),
      fits: marks.filter(([, outcome]) => outcome === 'fits').map(([mark]) => mark),
      differs: marks.filter(([, outcome]) => outcome === 'differs' || outcome === 'doubtful').map(([mark]) => mark),
      isTaken,
    },
    isRuledOut: marks.some(([, outcome]) => outcome === 'differs'),
  };
}

/** True for an entry of a list whose document may be the job's. */
export function isNear(wanted: Wanted, { emails: [email], createdDate }: Seen): boolean {
  const key = emailKey(email ?? '');
  return (key === '' || wanted.emails.has(key)) && timeOutcome(wanted, createdDate) !== 'differs';
}

/** True if it was certainly created before the request began to leave. */
export function isOlder({ departedMs, aheadMs }: Wanted, createdDate: string | null): boolean {
  const at = readDateTime(createdDate);
  return at !== null && Date.parse(at) + Math.max(0, -aheadMs) < departedMs - zoneSlack(createdDate);
}

function outcomesOf(wanted: Wanted, seen: Seen): Record<ReconcileMark, Outcome> {
  const description = textOutcome(wanted.description, seen.description);
  return {
    email: signersOutcome(wanted, seen.emails),
    // A service may name a document by itself.
    'document-name': wanted.documentName === '' ? null : textOutcome(wanted.documentName, seen.documentName),
    time: timeOutcome(wanted, seen.createdDate),
    'client-reference': textOutcome(wanted.clientId, seen.clientId),
    // A service may shorten a long one.
    description: description === 'differs' ? 'doubtful' : description,
  };
}

function together(outcomes: readonly Outcome[]): Outcome {
  const known = new Set(outcomes.filter((outcome) => outcome !== null));
  if (known.size > 1) return 'doubtful';
  return [...known][0] ?? null;
}

/** Fits only if exactly those are listed who were asked. One missing may have been taken off since, one more may have been added. */
function signersOutcome({ emails, asksOwner }: Wanted, listed: Seen['emails']): Outcome {
  if (emails.size === 0 || listed.length === 0) return null;
  const keys = new Set(listed.map((email) => emailKey(email ?? '')));
  const isUnknown = keys.delete('');
  const asked = [...keys].filter((key) => emails.has(key)).length;
  const [others, missing] = [keys.size - asked, emails.size - asked];
  if (others === 0) return isUnknown ? null : missing === 0 ? 'fits' : 'doubtful';
  if (asksOwner && others === 1 && missing === 0) return null;
  return asked > 0 || isUnknown ? 'doubtful' : 'differs';
}

/** A text with single spaces and in lower case, for comparison. */
export function normal(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').normalize('NFC').toLowerCase();
}

/** An empty text where one was sent, or the reverse, differs; one that the service leaves out does not. */
function textOutcome(wanted: string, seen: string | null | undefined): Outcome {
  if (seen === undefined || seen === null) return null;
  const [sent, given] = [normal(wanted), normal(seen)];
  if (sent === given) return sent === '' ? null : 'fits';
  return sent === '' || given === '' ? 'doubtful' : 'differs';
}

function timeOutcome(wanted: Wanted, createdDate: string | null): Outcome {
  const at = readDateTime(createdDate);
  if (at === null) return null;
  const slack = slackMs + zoneSlack(createdDate);
  const [asItIs, corrected] = [0, wanted.aheadMs].map((ahead) => outcomeAt(wanted, Date.parse(at) - ahead, slack));
  return asItIs === corrected ? (asItIs ?? null) : 'doubtful';
}

/** Null after the last sign of an attempt whose end nobody saw: the document may be its, and as well another one's. */
function outcomeAt({ departedMs, seenMs, overMs }: Wanted, ms: number, slack: number): Outcome {
  if (ms < departedMs - slack || ms > Math.max(seenMs, overMs) + slack) return 'differs';
  return ms <= seenMs + slack ? 'fits' : null;
}

function zoneSlack(createdDate: string | null): number {
  return /(?:Z|[+-]\d{2}:\d{2})\s*$/i.test(createdDate ?? '') ? 0 : anyZoneMs;
}
