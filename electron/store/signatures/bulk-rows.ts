import type { Answer } from '../../../contract/answers.ts';
import type { Bulk, BulkFilter, BulkMend, BulkProblem } from '../../../contract/bulk.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { JobState } from '../../../contract/jobs.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import type { PageQuery } from '../documents/document-search.ts';
import { needsDecision } from '../jobs/job-lists.ts';
import type { StoredJob } from '../jobs/job-rows.ts';

export interface StoredBulkRow extends NewBulkRow {
  readonly mended: readonly BulkMend[];
  readonly isTakenBack: boolean;
  readonly jobId: string | null;
  /** The state of its job; null if the row has none, or the job no longer exists. */
  readonly job: Pick<StoredJob, 'state' | 'raw' | 'answer' | 'documentId' | 'failure' | 'at' | 'dismissed'> | null;
  /** Its job is kept back until a person decides: it is a duplicate, or its countdown was stopped. */
  readonly isAsking: boolean;
}

/** A row after a correction in the window. */
export interface MendedRow extends NewBulkRow {
  readonly mended: readonly BulkMend[];
}

/** What a row sends, and which of its cells a person changed. */
export type RowValues = Pick<MendedRow, 'cells' | 'plan' | 'mended'>;

/** A bulk as it was when a row of it was read. */
type BoundBulk = { readonly seq: number; readonly state: Bulk['state'] };

/** The same of it is known to be sent; no text of a person is in the problems. */
const isBefore = `r.severity = 'warning' AND instr(r.problems, '"already-sent"') > 0`;

const sqlOf: Record<BulkFilter, string> = {
  all: 'true',
  errors: "r.severity = 'error'",
  warnings: `r.severity = 'warning' AND r.job_id IS NULL AND NOT (${isBefore})`,
  before: `(r.job_id IS NULL AND ${isBefore} OR j.state = 'passed-over')`,
  ready: "r.job_id IS NULL AND (r.severity = '' OR (r.severity = 'warning' AND ?))",
  asking: needsDecision,
  waiting: `j.state IN ('prepared', 'waiting', 'sending') AND NOT ${needsDecision}`,
  done: "j.state = 'done'",
  'in-doubt': "j.state = 'in-doubt'",
  refused: "j.state = 'refused'",
  failed: "j.state = 'failed'",
  cancelled: "(j.state = 'cancelled' OR r.severity = 'taken-back')",
};

interface Row {
  readonly row: number;
  readonly cells: string;
  readonly plan: string;
  readonly secret: string | null;
  readonly problems: string;
  readonly severity: string;
  readonly mended: string;
  readonly job_id: string | null;
  readonly state: JobState | null;
  readonly raw: string | null;
  readonly answer: string | null;
  readonly document_id: string | null;
  readonly failure: string | null;
  readonly at: string | null;
  readonly dismissed: number | null;
  readonly asks: number | null;
}

const columns = `r.row, r.cells, r.plan, r.secret, r.problems, r.severity, r.mended, r.job_id, j.state, j.raw, j.answer, j.document_id, j.failure,
  j.at, j.dismissed, ${needsDecision} AS asks FROM bulk_rows AS r LEFT JOIN jobs AS j ON j.id = r.job_id`;

export function bulkRowTable(sql: Sql, run: RunLock) {
  const find = (bulkSeq: number, which: string, value: number) => {
    const row = sql.get<Row>(`SELECT ${columns} WHERE r.bulk_seq = ? AND ${which}`, bulkSeq, value);
    return row ? rowOf(row) : null;
  };
  return {
    addRows: (bulkSeq: number, rows: readonly NewBulkRow[]): void =>
      sql.transaction(() => {
        for (const row of rows) addRow(sql, bulkSeq, row);
      }),
    rows: (bulkSeq: number, which: BulkFilter, includeWarnings: boolean, { offset, limit, among }: PageQuery) => {
      const where = `r.bulk_seq = ? AND ${sqlOf[which]}${among ? ' AND r.row IN (SELECT value FROM json_each(?))' : ''}`;
      const values = [
        bulkSeq,
        ...(which === 'ready' ? [includeWarnings ? 1 : 0] : []),
        ...(among ? [JSON.stringify(among.map(Number))] : []),
      ];
      const total = sql.get<{ n: number }>(
        `SELECT count(*) AS n FROM bulk_rows AS r LEFT JOIN jobs AS j ON j.id = r.job_id WHERE ${where}`,
        ...values,
      );
      if (among) return { rows: [], total: total?.n ?? 0 };
      const found = sql.all<Row>(
        `SELECT ${columns} WHERE ${where} ORDER BY r.row LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      );
      return { rows: found.map(rowOf), total: total?.n ?? 0 };
    },
    /** The next row without a job that may become one; null if there is none. */
    nextRow: (bulkSeq: number, includeWarnings: boolean) =>
      find(bulkSeq, `${sqlOf.ready} ORDER BY r.row LIMIT 1`, includeWarnings ? 1 : 0),
    row: (bulkSeq: number, row: number) => find(bulkSeq, 'r.row = ?', row),
    /** Rows whose plan contains one of the texts, regardless of case. */
    rowsNaming: (bulkSeq: number, texts: readonly string[]) => rowsNaming(sql, bulkSeq, texts),
    /** Replaces rows that have no job; ignores others. */
    mend: (bulkSeq: number, rows: readonly MendedRow[]): void =>
      sql.transaction(() => {
        for (const row of rows) mendRow(sql, bulkSeq, row);
      }),
    /**
     * Ties a row to its job. Call it within the transaction that writes the job. False if the row already has one or was changed after it was read,
     * or the bulk no longer belongs to this run or has another state: it was paused or taken back.
     */
    bind: (bulk: BoundBulk, row: Pick<NewBulkRow, 'row' | 'plan'>, jobId: string, batchId: string): boolean =>
      bind(sql, run, bulk, row, jobId, batchId),
    ...rowsOfJobs(sql),
    countRows: (bulkSeq: number) => countRows(sql, bulkSeq),
  };
}

/** The rows that have a job. */
function rowsOfJobs(sql: Sql) {
  return {
    /** The row that became this job, with its bulk. */
    rowOfJob: (jobId: string) => {
      const row = sql.get<Row & { bulk_id: string }>(
        `SELECT (SELECT id FROM bulks WHERE seq = r.bulk_seq) AS bulk_id, ${columns} WHERE r.job_id = ?`,
        jobId,
      );
      return row ? { bulkId: row.bulk_id, row: rowOf(row) } : null;
    },
    /** The sealed secret word of the job's row, or that for all rows. */
    secretOfJob: (jobId: string) =>
      sql.get<{ secret: string | null }>(
        `SELECT coalesce(r.secret, b.secret) AS secret FROM bulk_rows AS r JOIN bulks AS b ON b.seq = r.bulk_seq
         WHERE r.job_id = ?`,
        jobId,
      )?.secret ?? null,
    /** Ties a row to the job with which a person took it back. Call it within the transaction that writes that job. False if the row has a job or errors, or was changed. */
    takeBack: (bulkSeq: number, { row, plan }: Pick<NewBulkRow, 'row' | 'plan'>, jobId: string): boolean =>
      sql.run(
        `UPDATE bulk_rows SET job_id = ? WHERE bulk_seq = ? AND row = ? AND plan = ? AND job_id IS NULL AND severity IN ('', 'warning')`,
        jobId,
        bulkSeq,
        row,
        plan,
      ) === 1,
    /** Frees those of these rows that a person took back and that never left; answers the jobs that they had, which are to be dismissed. */
    putBack: (bulkSeq: number, rows: readonly number[]) =>
      sql.transaction(() => putBack(sql, bulkSeq, JSON.stringify(rows))),
    /** Replaces a row by its corrected values and the job that sends them. Call it within the transaction that writes that job. */
    correct: (oldJobId: string, { cells, plan, mended }: RowValues, jobId: string) =>
      void sql.run(
        'UPDATE bulk_rows SET cells = ?, plan = ?, mended = ?, job_id = ? WHERE job_id = ?',
        JSON.stringify(cells),
        plan,
        JSON.stringify(mended),
        jobId,
        oldJobId,
      ),
  };
}

/** `rows`: a JSON array. Rows that an earlier version took back have no job, but a mark. */
function putBack(sql: Sql, bulkSeq: number, rows: string): string[] {
  sql.run(
    `UPDATE bulk_rows SET severity = iif(json_array_length(problems) > 0, 'warning', '')
     WHERE bulk_seq = ? AND row IN (SELECT value FROM json_each(?)) AND severity = 'taken-back'`,
    bulkSeq,
    rows,
  );
  const had = (kind: string) => `EXISTS (SELECT 1 FROM job_events WHERE job_seq = j.seq AND kind = '${kind}')`;
  const taken = sql.all<{ id: string }>(
    `SELECT j.id FROM bulk_rows AS r JOIN jobs AS j ON j.id = r.job_id
     WHERE r.bulk_seq = ? AND r.row IN (SELECT value FROM json_each(?))
       AND j.state = 'cancelled' AND ${had('taken-back')} AND NOT ${had('departed')}`,
    bulkSeq,
    rows,
  );
  for (const { id } of taken) {
    sql.run('UPDATE bulk_rows SET job_id = NULL WHERE job_id = ?', id);
    // It comes back as another job: nobody took it off the list.
    sql.run('UPDATE jobs SET superseded_by = id WHERE id = ?', id);
  }
  return taken.map(({ id }) => id);
}

function rowsNaming(sql: Sql, bulkSeq: number, texts: readonly string[]): StoredBulkRow[] {
  if (texts.length === 0) return [];
  const isNamed = texts.map(() => 'instr(lower(r.plan), ?) > 0').join(' OR ');
  // SQLite changes the case of ASCII only: other texts are compared by the caller alone.
  const values = texts.map((text) => (/^[\x20-\x7E]*$/.test(text) ? text.toLowerCase() : '"'));
  return sql
    .all<Row>(`SELECT ${columns} WHERE r.bulk_seq = ? AND (${isNamed}) ORDER BY r.row`, bulkSeq, ...values)
    .map(rowOf);
}

/** Its columns cells, plan, secret, problems and severity. */
function valuesOf({ cells, plan, secret, problems }: NewBulkRow) {
  const severities = problems.map(({ severity }) => severity);
  const severity = severities.includes('error') ? 'error' : (severities[0] ?? '');
  return [JSON.stringify(cells), plan, secret, JSON.stringify(problems), severity] as const;
}

function mendRow(sql: Sql, bulkSeq: number, row: MendedRow): void {
  sql.run(
    `UPDATE bulk_rows SET cells = ?, plan = ?, secret = ?, problems = ?, severity = ?, mended = ?
     WHERE bulk_seq = ? AND row = ? AND job_id IS NULL AND severity <> 'taken-back'`,
    ...valuesOf(row),
    JSON.stringify(row.mended),
    bulkSeq,
    row.row,
  );
}

function addRow(sql: Sql, bulkSeq: number, row: NewBulkRow): void {
  sql.run(
    `INSERT INTO bulk_rows (bulk_seq, row, cells, plan, secret, problems, severity) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    bulkSeq,
    row.row,
    ...valuesOf(row),
  );
}

function bind(
  sql: Sql,
  run: RunLock,
  bulk: BoundBulk,
  { row, plan }: Pick<NewBulkRow, 'row' | 'plan'>,
  jobId: string,
  batchId: string,
): boolean {
  const isOwn = sql.run(
    'UPDATE bulks SET batch_id = ?, updated_at = ? WHERE seq = ? AND state = ? AND run_id = ? AND coalesce(batch_id, ?) = ?',
    batchId,
    new Date().toISOString(),
    bulk.seq,
    bulk.state,
    run.runId,
    batchId,
    batchId,
  );
  if (isOwn !== 1) return false;
  return (
    sql.run(
      'UPDATE bulk_rows SET job_id = ? WHERE bulk_seq = ? AND row = ? AND plan = ? AND job_id IS NULL AND severity <> ?',
      jobId,
      bulk.seq,
      row,
      plan,
      'taken-back',
    ) === 1
  );
}

/** Rows by severity and by the state of their jobs. */
function countRows(sql: Sql, bulkSeq: number) {
  const severity = sql.all<{ severity: string; isLeft: number; isBefore: number; n: number }>(
    `SELECT severity, job_id IS NULL AS isLeft, ${isBefore} AS isBefore, count(*) AS n FROM bulk_rows AS r
     WHERE bulk_seq = ? GROUP BY severity, isLeft, isBefore`,
    bulkSeq,
  );
  const states = sql.all<{ state: JobState; n: number; fresh: number; asking: number }>(
    `SELECT j.state, count(*) AS n, sum(j.at > ?) AS fresh, sum(${needsDecision}) AS asking
     FROM bulk_rows AS r JOIN jobs AS j ON j.id = r.job_id WHERE r.bulk_seq = ? GROUP BY j.state`,
    new Date(Date.now() - 60_000).toISOString(),
    bulkSeq,
  );
  const jobs: Partial<Record<JobState, number>> = Object.fromEntries(states.map(({ state, n }) => [state, n]));
  const sum = (fits: (row: (typeof severity)[number]) => boolean) =>
    severity.filter(fits).reduce((total, { n }) => total + n, 0);
  return {
    rows: sum(() => true),
    errors: sum((row) => row.severity === 'error'),
    /** Rows without a job and without problems. */
    leftClean: sum((row) => row.severity === '' && row.isLeft === 1),
    /** Rows without a job and with warnings. */
    leftWarnings: sum((row) => row.severity === 'warning' && row.isLeft === 1),
    leftBefore: sum((row) => row.isBefore === 1 && row.isLeft === 1),
    /** Rows without a job that a person took back, in an earlier version. */
    takenBack: sum((row) => row.severity === 'taken-back'),
    jobs,
    /** Jobs of its rows that have not ended. */
    open: (jobs.prepared ?? 0) + (jobs.waiting ?? 0) + (jobs.sending ?? 0),
    asking: states.reduce((total, { asking }) => total + asking, 0),
    sentLastMinute: states.find(({ state }) => state === 'done')?.fresh ?? 0,
  };
}

function rowOf(row: Row): StoredBulkRow {
  return {
    row: row.row,
    cells: JSON.parse(row.cells) as string[],
    plan: row.plan,
    secret: row.secret,
    problems: JSON.parse(row.problems) as BulkProblem[],
    mended: JSON.parse(row.mended) as BulkMend[],
    isTakenBack: row.state === 'cancelled' || row.severity === 'taken-back',
    jobId: row.job_id,
    isAsking: row.asks === 1,
    job: row.state && {
      state: row.state,
      raw: row.raw,
      answer: row.answer === null ? null : (JSON.parse(row.answer) as Answer),
      documentId: row.document_id,
      failure: row.failure === null ? null : (JSON.parse(row.failure) as Failure),
      at: row.at ?? '',
      dismissed: row.dismissed === 1,
    },
  };
}

export interface NewBulkRow {
  readonly row: number;
  /** As in the table; a secret word is not in it. */
  readonly cells: readonly string[];
  /** JSON of the values that the row sends. */
  readonly plan: string;
  /** Sealed. */
  readonly secret: string | null;
  readonly problems: readonly BulkProblem[];
}
