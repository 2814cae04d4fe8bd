import { emailKey } from '../../../../contract/email.ts';
import type { ReconcileCandidate, ReconcileMark } from '../../../../contract/jobs.ts';
import { readDateTime } from '../../../soap/date-time.ts';

/** How the document of a job in doubt would appear at the service. */
export interface Wanted {
  /** Signers' addresses in lower case; empty if the request names no signers. */
  readonly emails: ReadonlySet<string>;
  /** The name as it was sent; empty if the request has none. */
  readonly documentName: string;
  readonly clientId: string;
  /** When the request began to leave, milliseconds since 1970. */
  readonly departedMs: number;
  /** When it was last seen under way: its end, unless its program was killed before. */
  readonly seenMs: number;
  /** When it certainly was over. */
  readonly overMs: number;
}

/** What the service reported about one document. */
export interface Seen {
  readonly documentId: string;
  readonly documentName: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly createdDate: string | null;
  /** Undefined if the service was not asked for it. */
  readonly clientId?: string | null;
  readonly isTaken: boolean;
}

const minuteMs = 60_000;
/** Allows for two different clocks and a slow service. */
const slackMs = 15 * minuteMs;
/** A time without a zone may be local time in any zone. */
const anyZoneMs = 14 * 60 * minuteMs;

/** Compares the marks that both sides have; each fits or differs. A mark that is missing on either side does neither. */
export function compare(wanted: Wanted, seen: Seen): ReconcileCandidate {
  const marks: [ReconcileMark, boolean | null][] = [
    ['email', seen.email === null || wanted.emails.size === 0 ? null : wanted.emails.has(emailKey(seen.email))],
    ['document-name', sameText(wanted.documentName, seen.documentName)],
    ['time', sameTime(wanted, seen.createdDate)],
    ['client-reference', sameText(wanted.clientId, seen.clientId)],
  ];
  return {
    documentId: seen.documentId,
    documentName: seen.documentName,
    email: seen.email,
    name: seen.name,
    createdDate: seen.createdDate,
    createdAt: readDateTime(seen.createdDate),
    clientId: seen.clientId ?? null,
    fits: marks.filter(([, fits]) => fits === true).map(([mark]) => mark),
    differs: marks.filter(([, fits]) => fits === false).map(([mark]) => mark),
    isTaken: seen.isTaken,
  };
}

/** A text without surrounding spaces and in lower case, for comparison. */
export function normal(text: string): string {
  return text.trim().toLowerCase();
}

function sameText(wanted: string, seen: string | null | undefined): boolean | null {
  if (wanted === '' || seen === undefined || seen === null || seen === '') return null;
  return normal(wanted) === normal(seen);
}

/** Null after the last sign of an attempt whose end nobody saw: the document may be its, and as well another one's. */
function sameTime({ departedMs, seenMs, overMs }: Wanted, createdDate: string | null): boolean | null {
  const at = readDateTime(createdDate);
  if (at === null) return null;
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})\s*$/i.test(createdDate ?? '');
  const slack = slackMs + (hasZone ? 0 : anyZoneMs);
  const ms = Date.parse(at);
  if (ms < departedMs - slack || ms > Math.max(seenMs, overMs) + slack) return false;
  return ms <= seenMs + slack ? true : null;
}
