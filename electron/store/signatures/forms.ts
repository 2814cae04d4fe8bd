import type { Failure } from '../../../contract/failure.ts';
import type { FormJob, FormPlace } from '../../../contract/forms.ts';
import type { JobState } from '../../../contract/jobs.ts';
import { type RemovedRows, removeRows } from '../database/removed-rows.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { isBesideDoubt } from '../jobs/job-rows.ts';

/** A file of a draft. Its path never leaves the core. */
export interface KeptFile {
  readonly path: string;
  readonly name: string;
}

export interface StoredFormRow {
  readonly id: string;
  readonly place: FormPlace;
  /** Null: for every connection. */
  readonly connectionId: string | null;
  readonly name: string;
  /** JSON of what was entered, without tokens. */
  readonly content: string;
  readonly file: KeptFile | null;
  readonly image: KeptFile | null;
  /** Sealed. */
  readonly secret: string | null;
  readonly updatedAt: string;
  /** When a request with the template was last added to the queue. */
  readonly usedAt: string | null;
  /** The job that sent the draft; null if it was never sent, or the job was dismissed. */
  readonly job: FormJob | null;
}

export type NewForm = Omit<StoredFormRow, 'job' | 'usedAt'>;

/** Requests in every place where they are stored: drafts, presets, and templates. */
export type FormTable = ReturnType<typeof formTable>;

interface FormRow {
  readonly id: string;
  readonly place: FormPlace;
  readonly connection_id: string | null;
  readonly name: string;
  readonly content: string;
  readonly file: string | null;
  readonly image: string | null;
  readonly secret: string | null;
  readonly updated_at: string;
  readonly used_at: string | null;
  readonly job_id: string | null;
  readonly job_state: JobState | null;
  readonly job_failure: string | null;
  readonly is_beside_doubt: number;
}

const notUnderWay =
  "NOT EXISTS (SELECT 1 FROM jobs WHERE id = forms.job_id AND state IN ('prepared', 'waiting', 'sending'))";

export function formTable(sql: Sql) {
  const select = (where: string, ...values: SqlValue[]) => formsWhere(sql, where, values);
  return {
    /** Drafts last changed first, without those that a bulk sent; others by name. With a connection: its own and those for every connection. */
    list: (place: FormPlace, connectionId: string = '') =>
      select(
        "place = ? AND sent_at IS NULL AND (? = '' OR forms.connection_id IS NULL OR forms.connection_id = ?)",
        place,
        connectionId,
        connectionId,
      ),
    get: (id: string): StoredFormRow | null => select('forms.id = ?', id)[0] ?? null,
    ofJob: (jobId: string): StoredFormRow | null => select('forms.job_id = ?', jobId)[0] ?? null,
    /** `jobId`: the job that the draft was made of. False if that job already has a draft. */
    add: (form: NewForm, jobId?: string) =>
      sql.run(
        `INSERT INTO forms (id, place, job_id, connection_id, name, content, file, image, secret, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        ...[form.id, form.place, jobId ?? null, ...valuesOf(form)],
      ) === 1,
    /** False if it does not exist, or its job is waiting or being sent. */
    change: (form: NewForm) =>
      sql.run(
        `UPDATE forms SET connection_id = ?, name = ?, content = ?, file = ?, image = ?, secret = ?, updated_at = ?, sent_at = NULL
         WHERE id = ? AND ${notUnderWay}`,
        ...[...valuesOf(form), form.id],
      ) === 1,
    /** Ties the draft to the job that sends it; the draft is removed when the job is done. Call it within the transaction that writes the job. */
    bind: (id: string, jobId: string) => void sql.run('UPDATE forms SET job_id = ? WHERE id = ?', jobId, id),
    /**
     * A bulk sent the draft, as it was at `checkedAt`, to all of its rows: it is no longer listed, unless it was changed since or is changed again. It
     * can still be opened, so that another spreadsheet can be sent with it, until `removeSent`.
     */
    sentByBulk: (id: string, checkedAt: string) =>
      void sql.run(
        'UPDATE forms SET sent_at = ? WHERE id = ? AND job_id IS NULL AND updated_at <= ?',
        new Date().toISOString(),
        id,
        checkedAt,
      ),
    /** Removes the drafts that bulks of earlier runs sent. */
    removeSent: () => void sql.run('DELETE FROM forms WHERE sent_at IS NOT NULL'),
    /** Notes that a request with these templates was added to the queue. */
    usedTemplates: (connectionId: string, templateIds: readonly string[]) =>
      void sql.run(
        `UPDATE forms SET used_at = ? WHERE place = 'template' AND coalesce(connection_id, ?) = ?
           AND content ->> '$.templateId' IN (SELECT value FROM json_each(?))`,
        ...[new Date().toISOString(), connectionId, connectionId, JSON.stringify(templateIds)],
      ),
    /** Null if its job is waiting or being sent. */
    remove: (id: string): RemovedRows | null => {
      const removed = removeRows(sql, 'forms', `id = ? AND ${notUnderWay}`, id);
      return sql.get('SELECT 1 FROM forms WHERE id = ?', id) === undefined ? removed : null;
    },
  };
}

function formsWhere(sql: Sql, where: string, values: readonly SqlValue[]): StoredFormRow[] {
  return sql
    .all<FormRow>(
      `SELECT forms.*, jobs.state AS job_state, jobs.failure AS job_failure, ${isBesideDoubt} AS is_beside_doubt
       FROM forms LEFT JOIN jobs ON jobs.id = forms.job_id AND jobs.dismissed = 0
       WHERE ${where} ORDER BY iif(place = 'draft', forms.updated_at, '') DESC, name COLLATE NOCASE, forms.id`,
      ...values,
    )
    .map(formOf);
}

function valuesOf(form: NewForm): SqlValue[] {
  const { connectionId, name, content, file, image, secret, updatedAt } = form;
  const kept = (one: KeptFile | null) => one && JSON.stringify(one);
  return [connectionId, name, content, kept(file), kept(image), secret, updatedAt];
}

function formOf(row: FormRow): StoredFormRow {
  const parsed = <T>(json: string | null) => (json === null ? null : (JSON.parse(json) as T));
  return {
    id: row.id,
    place: row.place,
    connectionId: row.connection_id,
    name: row.name,
    content: row.content,
    file: parsed<KeptFile>(row.file),
    image: parsed<KeptFile>(row.image),
    secret: row.secret,
    updatedAt: row.updated_at,
    usedAt: row.used_at,
    job:
      row.job_id === null || row.job_state === null
        ? null
        : {
            ...{ id: row.job_id, state: row.job_state, failure: parsed<Failure>(row.job_failure) },
            ...(row.is_beside_doubt === 1 && { isBesideDoubt: true }),
          },
  };
}
