import type { Answer } from '../../../contract/answers.ts';
import type { Bulk, BulkFilter, BulkMend, BulkProblem } from '../../../contract/bulk.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { JobState } from '../../../contract/jobs.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';

export interface StoredBulkRow extends NewBulkRow {
  readonly mended: readonly BulkMend[];
  readonly isTakenBack: boolean;
  readonly jobId: string | null;
  /** The state of its job; null if the row has none, or the job no longer exists. */
  readonly job: {
    readonly state: JobState;
    readonly raw: string | null;
    readonly answer: Answer | null;
    readonly documentId: string | null;
    readonly failure: Failure | null;
    readonly at: string;
    readonly dismissed: boolean;
  } | null;
}

/** Rows by severity and by the state of their jobs. */
export interface RowCounts {
  readonly rows: number;
  readonly errors: number;
  /** Rows without a job and without problems. */
  readonly leftClean: number;
  /** Rows without a job and with warnings. */
  readonly leftWarnings: number;
  /** Rows without a job that a person took back. */
  readonly takenBack: number;
  readonly jobs: Readonly<Partial<Record<JobState, number>>>;
  readonly sentLastMinute: number;
}

/** A row after a correction in the window. */
export interface MendedRow extends NewBulkRow {
  readonly mended: readonly BulkMend[];
}

/** A bulk as it was when a row of it was read. */
type BoundBulk = { readonly seq: number; readonly state: Bulk['state'] };

export interface BulkRowTable {
  addRows(bulkSeq: number, rows: readonly NewBulkRow[]): void;
  rows(
    bulkSeq: number,
    which: BulkFilter,
    includeWarnings: boolean,
    page: { readonly offset: number; readonly limit: number },
  ): { readonly rows: StoredBulkRow[]; readonly total: number };
  /** The next row without a job that may become one; null if there is none. */
  nextRow(bulkSeq: number, includeWarnings: boolean): StoredBulkRow | null;
  row(bulkSeq: number, row: number): StoredBulkRow | null;
  /** Rows whose plan contains one of the texts, regardless of case. */
  rowsNaming(bulkSeq: number, texts: readonly string[]): StoredBulkRow[];
  /** Replaces rows that have no job; ignores others. */
  mend(bulkSeq: number, rows: readonly MendedRow[]): void;
  /**
   * Ties a row to its job. Call it within the transaction that writes the job. False if the row already has one or was changed after it was read,
   * or the bulk no longer belongs to this run or has another state: it was paused or taken back.
   */
  bind(bulk: BoundBulk, row: Pick<NewBulkRow, 'row' | 'plan'>, jobId: string, batchId: string): boolean;
  /** The row that became this job, with its bulk. */
  rowOfJob(jobId: string): { readonly bulkId: string; readonly row: StoredBulkRow } | null;
  /** The sealed secret word of the job's row, or that for all rows. */
  secretOfJob(jobId: string): string | null;
  /** Replaces a row by its corrected values and the job that sends them. Call it within the transaction that writes that job. */
  correct(oldJobId: string, row: Pick<NewBulkRow, 'cells' | 'plan'>, jobId: string): void;
  /** Takes back those of these rows that have no job and no errors; answers them. They get no job until they are put back. */
  takeBack(bulkSeq: number, rows: readonly number[]): number[];
  putBack(bulkSeq: number, rows: readonly number[]): void;
  countRows(bulkSeq: number): RowCounts;
  /** Jobs of the batch that have not ended. */
  openJobs(batchId: string): number;
}

const sqlOf: Record<BulkFilter, string> = {
  all: 'true',
  errors: "r.severity = 'error'",
  warnings: "r.severity = 'warning' AND r.job_id IS NULL",
  ready: "r.job_id IS NULL AND (r.severity = '' OR (r.severity = 'warning' AND ?))",
  waiting: "j.state IN ('prepared', 'waiting', 'sending')",
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
}

const columns = `r.row, r.cells, r.plan, r.secret, r.problems, r.severity, r.mended, r.job_id, j.state, j.raw, j.answer, j.document_id, j.failure,
  j.at, j.dismissed FROM bulk_rows AS r LEFT JOIN jobs AS j ON j.id = r.job_id`;

export function bulkRowTable(sql: Sql, run: RunLock): BulkRowTable {
  const find = (bulkSeq: number, which: string, value: number) => {
    const row = sql.get<Row>(`SELECT ${columns} WHERE r.bulk_seq = ? AND ${which}`, bulkSeq, value);
    return row ? rowOf(row) : null;
  };
  return {
    addRows: (bulkSeq, rows) =>
      sql.transaction(() => {
        for (const row of rows) addRow(sql, bulkSeq, row);
      }),
    rows: (bulkSeq, which, includeWarnings, { offset, limit }) => {
      const where = `r.bulk_seq = ? AND ${sqlOf[which]}`;
      const values = which === 'ready' ? [bulkSeq, includeWarnings ? 1 : 0] : [bulkSeq];
      const total = sql.get<{ n: number }>(
        `SELECT count(*) AS n FROM bulk_rows AS r LEFT JOIN jobs AS j ON j.id = r.job_id WHERE ${where}`,
        ...values,
      );
      const found = sql.all<Row>(
        `SELECT ${columns} WHERE ${where} ORDER BY r.row LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      );
      return { rows: found.map(rowOf), total: total?.n ?? 0 };
    },
    nextRow: (bulkSeq, includeWarnings) =>
      find(bulkSeq, `${sqlOf.ready} ORDER BY r.row LIMIT 1`, includeWarnings ? 1 : 0),
    row: (bulkSeq, row) => find(bulkSeq, 'r.row = ?', row),
    rowsNaming: (bulkSeq, texts) => rowsNaming(sql, bulkSeq, texts),
    mend: (bulkSeq, rows) =>
      sql.transaction(() => {
        for (const row of rows) mendRow(sql, bulkSeq, row);
      }),
    bind: (bulk, row, jobId, batchId) => bind(sql, run, bulk, row, jobId, batchId),
    ...rowsOfJobs(sql),
    takeBack: (bulkSeq, rows) =>
      sql.transaction(() =>
        sql
          .all<{ row: number }>(
            `UPDATE bulk_rows SET severity = 'taken-back' WHERE bulk_seq = ? AND row IN (SELECT value FROM json_each(?))
               AND job_id IS NULL AND severity IN ('', 'warning') RETURNING row`,
            bulkSeq,
            JSON.stringify(rows),
          )
          .map(({ row }) => row),
      ),
    putBack: (bulkSeq, rows) =>
      void sql.run(
        `UPDATE bulk_rows SET severity = iif(json_array_length(problems) > 0, 'warning', '')
         WHERE bulk_seq = ? AND row IN (SELECT value FROM json_each(?)) AND severity = 'taken-back'`,
        bulkSeq,
        JSON.stringify(rows),
      ),
    countRows: (bulkSeq) => countRows(sql, bulkSeq),
  };
}

/** The rows that have a job. */
function rowsOfJobs(sql: Sql): Pick<BulkRowTable, 'rowOfJob' | 'secretOfJob' | 'correct' | 'openJobs'> {
  return {
    rowOfJob: (jobId) => {
      const row = sql.get<Row & { bulk_id: string }>(
        `SELECT (SELECT id FROM bulks WHERE seq = r.bulk_seq) AS bulk_id, ${columns} WHERE r.job_id = ?`,
        jobId,
      );
      return row ? { bulkId: row.bulk_id, row: rowOf(row) } : null;
    },
    secretOfJob: (jobId) =>
      sql.get<{ secret: string | null }>(
        `SELECT coalesce(r.secret, b.secret) AS secret FROM bulk_rows AS r JOIN bulks AS b ON b.seq = r.bulk_seq
         WHERE r.job_id = ?`,
        jobId,
      )?.secret ?? null,
    correct: (oldJobId, { cells, plan }, jobId) =>
      void sql.run(
        'UPDATE bulk_rows SET cells = ?, plan = ?, job_id = ? WHERE job_id = ?',
        JSON.stringify(cells),
        plan,
        jobId,
        oldJobId,
      ),
    openJobs: (batchId) =>
      sql.get<{ n: number }>(
        "SELECT count(*) AS n FROM jobs WHERE batch_id = ? AND state IN ('prepared', 'waiting', 'sending')",
        batchId,
      )?.n ?? 0,
  };
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

function severityOf(problems: readonly BulkProblem[]): string {
  const severities = problems.map(({ severity }) => severity);
  return severities.includes('error') ? 'error' : (severities[0] ?? '');
}

function mendRow(sql: Sql, bulkSeq: number, row: MendedRow): void {
  sql.run(
    `UPDATE bulk_rows SET cells = ?, plan = ?, secret = ?, problems = ?, severity = ?, mended = ?
     WHERE bulk_seq = ? AND row = ? AND job_id IS NULL AND severity <> 'taken-back'`,
    JSON.stringify(row.cells),
    row.plan,
    row.secret,
    JSON.stringify(row.problems),
    severityOf(row.problems),
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
    JSON.stringify(row.cells),
    row.plan,
    row.secret,
    JSON.stringify(row.problems),
    severityOf(row.problems),
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

function countRows(sql: Sql, bulkSeq: number): RowCounts {
  const severity = sql.all<{ severity: string; isLeft: number; n: number }>(
    `SELECT severity, job_id IS NULL AS isLeft, count(*) AS n FROM bulk_rows WHERE bulk_seq = ? GROUP BY severity, isLeft`,
    bulkSeq,
  );
  const states = sql.all<{ state: JobState; n: number; fresh: number }>(
    `SELECT j.state, count(*) AS n, sum(j.at > ?) AS fresh
     FROM bulk_rows AS r JOIN jobs AS j ON j.id = r.job_id WHERE r.bulk_seq = ? GROUP BY j.state`,
    new Date(Date.now() - 60_000).toISOString(),
    bulkSeq,
  );
  const sum = (fits: (row: { severity: string; isLeft: number }) => boolean) =>
    severity.filter(fits).reduce((total, { n }) => total + n, 0);
  return {
    rows: sum(() => true),
    errors: sum((row) => row.severity === 'error'),
    leftClean: sum((row) => row.severity === '' && row.isLeft === 1),
    leftWarnings: sum((row) => row.severity === 'warning' && row.isLeft === 1),
    takenBack: sum((row) => row.severity === 'taken-back'),
    jobs: Object.fromEntries(states.map(({ state, n }) => [state, n])),
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
    isTakenBack: row.severity === 'taken-back',
    jobId: row.job_id,
    job:
      row.state === null
        ? null
        : {
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
