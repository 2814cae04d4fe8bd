import type { Failure } from '../../../../contract/failure.ts';
import type { JobState } from '../../../../contract/jobs.ts';
import { type NotTaken, notTaken } from '../../../../contract/tracking.ts';
import type { Sql } from '../../database/sql.ts';
import { shownOf } from './partitions.ts';

/** A signature request in the ledger that is in no list of its service. */
export interface UnlistedJob {
  readonly id: string;
  readonly state: Extract<JobState, 'prepared' | 'waiting' | 'sending' | 'done' | NotTaken>;
  readonly documentName: string;
  readonly people: readonly { readonly name: string; readonly email: string }[];
  readonly at: string;
  readonly failure: Failure | null;
}

export interface UnlistedQuery {
  /** The connection's separator between addresses and between names. */
  readonly separator: string;
  /** Requests that were sent earlier are not looked for. */
  readonly sentSince: string;
}

interface JobRow {
  readonly id: string;
  readonly state: UnlistedJob['state'];
  readonly document_id: string | null;
  readonly created_at: string;
  readonly at: string;
  readonly emails: string | null;
  readonly names: string | null;
  /** The name that the service was told; without one it may list the document under any name. */
  readonly sent_name: string | null;
  readonly name: string | null;
  readonly title: string;
  readonly failure: string | null;
}

/** Only the newest jobs are considered, so that the query takes the same time however many requests were sent. */
const newestJobs = 100;
/** A reading that began shortly before the request was sent may already contain it. */
const clockMarginMs = 60_000;

const operations = ['AddNewDocumentESign', 'AddNewEasySignDocument', 'AddNewEasySignTemplate'];
const newestSql = operations
  .map(
    (operation) => `SELECT * FROM (SELECT seq FROM jobs INDEXED BY jobs_operation
       WHERE operation = '${operation}' AND connection_id = ?1 ORDER BY seq DESC LIMIT ${newestJobs})`,
  )
  .join(' UNION ALL ');

const notTakenSql = notTaken.map((state) => `'${state}'`).join(', ');

/**
 * Requests that were not taken and need a person, and those that are on their way or were sent since `sentSince` and that no list had yet, newest first. A request is recognised by the document ID that
 * the service answered: the key of an entry begins with it, also after the entry is gone.
 */
export function findUnlisted(sql: Sql, connectionId: string, { separator, sentSince }: UnlistedQuery): UnlistedJob[] {
  const connection = shownOf(sql, connectionId, null)?.connection ?? null;
  const rows = sql.all<JobRow>(
    `SELECT j.id, j.state, j.document_id, j.created_at, j.at, j.title, j.failure, j.args ->> '$.Emails' AS emails,
       j.args ->> '$.Names' AS names, j.args ->> '$.DocumentName' AS sent_name, j.record ->> '$.name' AS name
     FROM (${newestSql}) AS newest CROSS JOIN jobs AS j ON j.seq = newest.seq
     WHERE (j.state IN ('prepared', 'waiting', 'sending') OR j.state = 'done' AND j.at >= ?2
       OR j.state IN (${notTakenSql}) AND j.dismissed = 0)
       AND NOT (j.document_id IS NOT NULL AND EXISTS (SELECT 1 FROM tracked AS t INDEXED BY tracked_key WHERE t.connection = ?3
         AND t.entry_key >= lower(j.document_id) || char(10) AND t.entry_key < lower(j.document_id) || char(11)))
     ORDER BY j.seq DESC`,
    connectionId,
    sentSince,
    connection,
  );
  return rows.flatMap((row) => {
    const job = jobOf(row, separator);
    const hasNoId = connection !== null && row.state === 'done' && row.document_id === null;
    return hasNoId && isListedByPeople(sql, connection, row, job.people) ? [] : [job];
  });
}

function jobOf(row: JobRow, separator: string): UnlistedJob {
  const split = (text: string | null) => (text ? text.split(separator) : []);
  const names = split(row.names);
  const people = split(row.emails).map((email, at) => ({ email: email.trim(), name: (names[at] ?? '').trim() }));
  return {
    ...{ id: row.id, state: row.state, documentName: row.name || row.title, people, at: row.at },
    failure: row.failure === null ? null : (JSON.parse(row.failure) as Failure),
  };
}

/** For Easy Sign, whose answer may be an address instead of an ID: an entry for one of the signers that was first seen after the request was made. */
function isListedByPeople(
  sql: Sql,
  connection: number,
  { created_at, sent_name }: JobRow,
  people: UnlistedJob['people'],
): boolean {
  const since = new Date(Date.parse(created_at) - clockMarginMs).toISOString();
  const sentName = sent_name || null;
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
