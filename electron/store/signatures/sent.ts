import type { JobState } from '../../../contract/jobs.ts';
import { requestOperations } from '../../../contract/operation.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { readJob, readJobs } from '../jobs/job-rows.ts';
import { inOtherBatch } from '../jobs/same-work.ts';

type SentOperation = 'AddQuickNote' | (typeof requestOperations)[keyof typeof requestOperations];

const ofRequests = Object.values(requestOperations)
  .map((operation) => `'${operation}'`)
  .join(', ');

const ofConnection = `FROM jobs INDEXED BY jobs_operation WHERE operation IN (${ofRequests}) AND connection_id = ?`;

/** The fields of an earlier request that are needed to recognize it. */
export interface EarlierRequest {
  readonly sha256: string | null;
  readonly TemplateID: string | null;
  readonly XMLData: string | null;
  readonly emails: string;
  readonly jobId: string;
  readonly batchId: string;
  readonly state: JobState;
  readonly at: string;
}

export interface SentQuery {
  readonly operations: readonly SentOperation[];
  readonly connectionId?: string;
  readonly offset: number;
  readonly limit: number;
}

/** Sent requests, read from the table of jobs; includes dismissed jobs. */
export function sentTable(sql: Sql) {
  return {
    list: ({ operations, connectionId, offset, limit }: SentQuery) => {
      const values: SqlValue[] = [...operations];
      let where = `operation IN (${operations.map(() => '?').join(', ')})`;
      if (connectionId !== undefined) {
        where += ' AND connection_id = ?';
        values.push(connectionId);
      }
      const total = sql.get<{ n: number }>(`SELECT count(*) AS n FROM jobs WHERE ${where}`, ...values)?.n ?? 0;
      const jobs = readJobs(sql, `WHERE ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`, ...values, limit, offset);
      return { jobs, total };
    },
    get: (jobId: string) => readJob(sql, jobId),
    /** The number of the last step of any job: a higher one is never given twice. */
    lastStep: (): number => sql.get<{ n: number | null }>('SELECT max(seq) AS n FROM job_events')?.n ?? 0,
    /** Whether something happened to a signature request of a connection after this step. Only what happened since is read. */
    hasStepAfter: (connectionId: string, step: number): boolean =>
      sql.get(
        `SELECT 1 FROM job_events AS e CROSS JOIN jobs AS j ON j.seq = e.job_seq
         WHERE e.seq > ? AND j.operation IN (${ofRequests}) AND j.connection_id = ? LIMIT 1`,
        ...[step, connectionId],
      ) !== undefined,
    /** Whether another batch has the same, sent, in doubt or waiting, later than `after`. */
    isInOther: (row: Parameters<typeof inOtherBatch>[1], after: string): boolean =>
      inOtherBatch(sql, row, after) !== null,
    /** Signature requests of a connection that were sent, may have been sent, or will be sent: of the same, what is known best is last. */
    requests: (connectionId: string): EarlierRequest[] =>
      sql
        .all<Omit<EarlierRequest, 'emails'> & { readonly emails: string | null }>(
          `SELECT sha256, args ->> 'TemplateID' AS TemplateID, args ->> 'XMLData' AS XMLData, args ->> 'Emails' AS emails, id AS jobId, batch_id AS batchId, state, at
           ${ofConnection} AND state IN ('prepared', 'waiting', 'sending', 'done', 'in-doubt')
           ORDER BY state = 'done', state = 'in-doubt', seq`,
          connectionId,
        )
        .map((row) => ({ ...row, emails: row.emails ?? '' })),
  };
}
