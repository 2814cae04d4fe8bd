import type { JobState } from '../../../../contract/jobs.ts';
import type { Sql } from '../../database/sql.ts';
import { shownOf } from './partitions.ts';

/** A signature request in the ledger that is in no list of its service. */
export interface UnlistedJob {
  readonly id: string;
  readonly state: Extract<JobState, 'prepared' | 'waiting' | 'sending' | 'done'>;
  readonly documentName: string;
  readonly people: readonly { readonly name: string; readonly email: string }[];
  readonly at: string;
}

export interface UnlistedQuery {
  /** The connection's separator between addresses and between names. */
  readonly separator: string;
  /** Requests that were sent earlier are not looked for. */
  readonly sentSince: string;
}

interface JobRow {
  readonly seq: number;
  readonly id: string;
  readonly state: UnlistedJob['state'];
  readonly document_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Only the newest jobs are considered, so that the query takes the same time however many requests were sent. */
const newestJobs = 100;
/** A reading that began shortly before the request was sent may already contain it. */
const clockMarginMs = 60_000;

const operations = ['AddNewDocumentESign', 'AddNewEasySignDocument', 'AddNewEasySignTemplate'];
const newestSql = operations
  .map(
    (
      operation,
    ) => `SELECT * FROM (SELECT seq, id, state, document_id, created_at, updated_at FROM jobs INDEXED BY jobs_operation
       WHERE operation = '${operation}' AND connection_id = ?1 ORDER BY seq DESC LIMIT ${newestJobs})`,
  )
  .join(' UNION ALL ');

/**
 * Requests that are on their way, and those sent since `sentSince` that no list had yet, newest first. A request is recognised by the document ID that
 * the service answered: the key of an entry begins with it, also after the entry is gone.
 */
export function findUnlisted(sql: Sql, connectionId: string, { separator, sentSince }: UnlistedQuery): UnlistedJob[] {
  const connection = shownOf(sql, connectionId, null)?.connection ?? null;
  const rows = sql.all<JobRow>(
    `SELECT * FROM (${newestSql}) AS j WHERE (j.state IN ('prepared', 'waiting', 'sending') OR j.state = 'done' AND j.updated_at >= ?2)
       AND NOT (j.document_id IS NOT NULL AND EXISTS (SELECT 1 FROM tracked AS t INDEXED BY tracked_key WHERE t.connection = ?3
         AND t.entry_key >= lower(j.document_id) || char(10) AND t.entry_key < lower(j.document_id) || char(11)))
     ORDER BY j.seq DESC`,
    connectionId,
    sentSince,
    connection,
  );
  return rows.flatMap((row) => {
    const { sentName, ...job } = jobOf(sql, row, separator);
    const hasNoId = connection !== null && row.state === 'done' && row.document_id === null;
    return hasNoId && isListedByPeople(sql, connection, row, { ...job, sentName }) ? [] : [job];
  });
}

function jobOf(sql: Sql, { seq, id, state, updated_at }: JobRow, separator: string): UnlistedJob & Sent {
  const texts = sql.get<{
    emails: string | null;
    names: string | null;
    sent_name: string | null;
    name: string | null;
    title: string;
  }>(
    `SELECT args ->> '$.Emails' AS emails, args ->> '$.Names' AS names, args ->> '$.DocumentName' AS sent_name,
       record ->> '$.name' AS name, title FROM jobs WHERE seq = ?`,
    seq,
  );
  const split = (text: string | null | undefined) => (text ? text.split(separator) : []);
  const names = split(texts?.names);
  const people = split(texts?.emails).map((email, at) => ({ email: email.trim(), name: (names[at] ?? '').trim() }));
  return {
    id,
    state,
    documentName: texts?.name || texts?.title || '',
    people,
    at: updated_at,
    sentName: texts?.sent_name || null,
  };
}

interface Sent {
  /** The name that the service was told; without one it may list the document under any name. */
  readonly sentName: string | null;
}

/** For Easy Sign, whose answer may be an address instead of an ID: an entry for one of the signers that was first seen after the request was made. */
function isListedByPeople(
  sql: Sql,
  connection: number,
  { created_at }: JobRow,
  { people, sentName }: UnlistedJob & Sent,
): boolean {
  const since = new Date(Date.parse(created_at) - clockMarginMs).toISOString();
  const emails = people.map(({ email }) => email);
  const [index, column, values] =
    emails.length > 0 ? ['tracked_email', 'email', emails] : ['tracked_document_name', 'document_name', [sentName]];
  const isSame = `connection = ? AND ${column} IN (SELECT value FROM json_each(?)) AND first_seen_at >= ?
    AND (? IS NULL OR document_name IS NULL OR document_name = ?)`;
  const given = [connection, JSON.stringify(values), since, sentName, sentName];
  const found = sql.get(
    `SELECT 1 FROM tracked INDEXED BY ${index} WHERE gone_at IS NULL AND ${isSame}
     UNION ALL SELECT 1 FROM tracked INDEXED BY tracked_gone WHERE gone_at >= ? AND ${isSame} LIMIT 1`,
    ...given,
    since,
    ...given,
  );
  return found !== undefined;
}
