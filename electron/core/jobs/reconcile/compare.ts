import type { ReconcileCandidate, ReconcileMark } from '../../../../contract/jobs.ts';
import { readDateTime } from '../../../soap/date-time.ts';

/** What a job in doubt would look like at the service. */
export interface Wanted {
  /** Lower case; empty where the request names no signers. */
  readonly emails: ReadonlySet<string>;
  /** As it was sent; empty where the request has none. */
  readonly documentName: string;
  readonly clientId: string;
  /** When the request began to leave and when it was given up, milliseconds since 1970. */
  readonly departedMs: number;
  readonly givenUpMs: number;
}

/** What the service said about one document. */
export interface Seen {
  readonly documentId: string;
  readonly documentName: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly createdDate: string | null;
  /** Undefined where it was not asked for. */
  readonly clientId?: string | null;
  readonly isTaken: boolean;
}

const minuteMs = 60_000;
/** Two clocks, and a service that takes its time. */
const slackMs = 15 * minuteMs;
/** A time without a zone may be the local time of anywhere. */
const anyZoneMs = 14 * 60 * minuteMs;

/** Marks that can be compared, each as fitting or differing. What is missing on either side is neither. */
export function compare(wanted: Wanted, seen: Seen): ReconcileCandidate {
  const marks: [ReconcileMark, boolean | null][] = [
    ['email', seen.email === null || wanted.emails.size === 0 ? null : wanted.emails.has(normal(seen.email))],
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

export function normal(text: string): string {
  return text.trim().toLowerCase();
}

function sameText(wanted: string, seen: string | null | undefined): boolean | null {
  if (wanted === '' || seen === undefined || seen === null || seen === '') return null;
  return normal(wanted) === normal(seen);
}

function sameTime({ departedMs, givenUpMs }: Wanted, createdDate: string | null): boolean | null {
  const at = readDateTime(createdDate);
  if (at === null) return null;
  const hasZone = /(?:Z|[+-]\d{2}:\d{2})\s*$/i.test(createdDate ?? '');
  const slack = slackMs + (hasZone ? 0 : anyZoneMs);
  const ms = Date.parse(at);
  return ms >= departedMs - slack && ms <= givenUpMs + slack;
}
