import { emailKey } from '../../../../contract/email.ts';
import { type ReconcileMark, reconcileMarks } from '../../../../contract/jobs.ts';
import { readDateTime } from '../../../soap/reply/answers.ts';
import { anyZoneMs, slackMs } from '../../../store/signatures/requests/compute-requests.ts';

/** How the document of a job in doubt would appear at the service. */
export interface Wanted {
  /** Signers' addresses as `emailKey` writes them, as often as each was asked; empty if the request names no signers. */
  readonly emails: readonly string[];
  /** The owner was asked to sign too; nobody here knows that address. */
  readonly asksOwner: boolean;
  /** The name as it was sent; empty if the request has none. */
  readonly documentName: string;
  readonly clientId: string;
  readonly description: string;
  /** Of one that was sent again and lost again, each may have made it. */
  readonly sendings: readonly LostSending[];
  /** How far the service's clock is ahead of this computer's, null where it does not say so: either may have been wrong at the attempt. */
  readonly aheadMs: number | null;
}

/** A sending whose answer was lost; milliseconds since 1970. */
export interface LostSending {
  /** When the request began to leave. */
  readonly departedMs: number;
  /** When it was last seen under way: its end, unless its program was killed before. */
  readonly seenMs: number;
  /** When it certainly was over. */
  readonly overMs: number;
}

/** What the service reported about one document in one place: in its lists, or in its details. A field is null or undefined if it was not given. */
export interface Seen {
  readonly documentId: string;
  readonly documentName: string | null;
  /** Addresses of all signers in all lists, as often as one list has them, null for one without address; empty in details. */
  readonly emails: readonly (string | null)[];
  readonly name: string | null;
  readonly createdDate: string | null;
  readonly clientId?: string | null;
  readonly description?: string | null;
}

export type Compared = ReturnType<typeof compare>;

/** `doubtful`: it differs, but is no proof of another document. `in-part`: what is there fits. Null if a side does not have it. */
type Outcome = 'fits' | 'differs' | 'doubtful' | 'in-part' | null;

const minuteMs = 60_000;
/** Allows for what remains where the service names the time by its clock: whole seconds, the way of the answer, several servers. */
const knownClockMs = 5_000;

/** Compares each mark with everything reported about one document. What fits in one place and differs in another is a difference. */
export function compare(wanted: Wanted, reports: readonly Seen[], isTaken: boolean) {
  const outcomes = reports.map((seen) => outcomesOf(wanted, seen));
  const marks = reconcileMarks.map((mark) => [mark, together(outcomes.map((each) => each[mark]))] as const);
  const given = <K extends keyof Seen>(field: K) =>
    reports.map((seen) => seen[field]).findLast((value) => value !== null && value !== undefined && value !== '') ??
    null;
  const emails = new Map(reports.flatMap((seen) => seen.emails).map((email) => [emailKey(email ?? ''), email?.trim()]));
  const createdDate = given('createdDate');
  const isInPart = marks.some(([, outcome]) => outcome === 'in-part');
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
      ...(isInPart ? { unlisted: wanted.emails.filter((email) => !emails.has(email)) } : {}),
      isTaken,
    },
    /** It is certainly another document. A mark that differs for a reason which the job's own document may have does not rule out. */
    isRuledOut: marks.some(([, outcome]) => outcome === 'differs'),
    /** It has a time, but without a zone: that of the attempt in one of them. It speaks neither for it nor against it. */
    isSomewhereThen: createdDate !== null && !hasZone(createdDate) && outcomes.every(({ time }) => time === null),
  };
}

/** True for an entry of a list whose document may be the job's. */
export function isNear(wanted: Wanted, { emails: [email], createdDate }: Seen): boolean {
  const key = keyOf(email);
  return (key === '' || wanted.emails.includes(key)) && timeOutcome(wanted, createdDate) !== 'differs';
}

/** True if it was certainly created before the request began to leave for the first time. */
export function isOlder({ sendings, aheadMs }: Wanted, createdDate: string | null): boolean {
  const at = readDateTime(createdDate);
  const departedMs = Math.min(...sendings.map((sending) => sending.departedMs));
  // A list ends between two entries, not within a minute: smaller differences of the clocks do not matter.
  const behindMs = aheadMs !== null && aheadMs <= -minuteMs ? -aheadMs : 0;
  return at !== null && Date.parse(at) + behindMs < departedMs - zoneSlack(createdDate);
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

/** The addresses that are there more often than among the others. */
export function without(emails: Seen['emails'], others: Seen['emails']): Seen['emails'] {
  const left = others.map(keyOf);
  return emails.filter((email) => {
    const at = left.indexOf(keyOf(email));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

export const keyOf = (email: string | null | undefined): string => emailKey(email ?? '');

/** Fits only if exactly those are listed who were asked, as often. One missing may be behind the list's end or taken off since, one more may have been added. */
function signersOutcome({ emails, asksOwner }: Wanted, listed: Seen['emails']): Outcome {
  if (emails.length === 0 || listed.length === 0) return null;
  const [others, missing] = [without(listed, emails).map(keyOf), without(emails, listed)];
  const isUnknown = others.includes('');
  const more = others.filter((key) => key !== '').length;
  if (more === 0) return isUnknown ? null : missing.length === 0 ? 'fits' : 'in-part';
  if (asksOwner && more === 1 && missing.length < emails.length) return missing.length === 0 ? null : 'in-part';
  return missing.length < emails.length || isUnknown ? 'doubtful' : 'differs';
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

/** Known by both clocks, or it is doubtful. Without a zone a time rules out at most: it may be local time in any zone. */
function timeOutcome(wanted: Wanted, createdDate: string | null): Outcome {
  const at = readDateTime(createdDate);
  if (at === null) return null;
  const ms = Date.parse(at);
  const slack = slackMs + zoneSlack(createdDate);
  const outcomes = wanted.sendings.map((sending) => {
    const asItIs = outcomeAt(sending, ms, slack, slack);
    if (wanted.aheadMs === null) return asItIs;
    const known = outcomeAt(sending, ms - wanted.aheadMs, slack, knownClockMs + zoneSlack(createdDate));
    return asItIs === known ? asItIs : 'doubtful';
  });
  const best = (['fits', null, 'doubtful'] as const).find((outcome) => outcomes.includes(outcome));
  if (best === undefined) return 'differs';
  return best === 'fits' && !hasZone(createdDate) ? null : best;
}

/** Null after the last sign of an attempt whose end nobody saw: the document may be its, and as well another one's. */
function outcomeAt({ departedMs, seenMs, overMs }: LostSending, ms: number, slack: number, before: number): Outcome {
  if (ms < departedMs - slack || ms > Math.max(seenMs, overMs) + slack) return 'differs';
  if (ms < departedMs - before) return 'doubtful';
  return ms <= seenMs + slack ? 'fits' : null;
}

const hasZone = (createdDate: string | null) => /(?:Z|[+-]\d{2}:\d{2})\s*$/i.test(createdDate ?? '');
const zoneSlack = (createdDate: string | null) => (hasZone(createdDate) ? 0 : anyZoneMs);
