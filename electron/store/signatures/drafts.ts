import { randomUUID } from 'node:crypto';
import type { Failure } from '../../../contract/failure.ts';
import type { JobState } from '../../../contract/jobs.ts';
import { type RemovedRows, removeRows } from '../database/removed-rows.ts';
import type { Sql, SqlValue } from '../database/sql.ts';

/** A file of a draft. Its path never leaves the core. */
export interface KeptFile {
  readonly path: string;
  readonly name: string;
}

export interface StoredDraft {
  readonly id: string;
  readonly connectionId: string;
  readonly title: string;
  /** JSON of the screen's content, without tokens. */
  readonly content: string;
  readonly file: KeptFile | null;
  readonly image: KeptFile | null;
  /** Sealed. */
  readonly secret: string | null;
  readonly updatedAt: string;
  /** The job that sent the draft; null if it was never sent, or the job was dismissed. */
  readonly job: { readonly id: string; readonly state: JobState; readonly failure: Failure | null } | null;
}

export type NewDraft = Omit<StoredDraft, 'job'>;

export interface StoredPreset {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly updatedAt: string;
}

export interface DraftTable {
  /** Last changed first, without those that a bulk sent. */
  list(connectionId?: string): StoredDraft[];
  get(id: string): StoredDraft | null;
  ofJob(jobId: string): StoredDraft | null;
  /** `jobId`: the job that the draft was made of. False if that job already has a draft. */
  add(draft: NewDraft, jobId?: string): boolean;
  /** False if the draft does not exist, or its job is waiting or being sent. */
  change(draft: NewDraft): boolean;
  /** Ties the draft to the job that sends it; the draft is removed when the job is done. Call it within the transaction that writes the job. */
  bind(id: string, jobId: string): void;
  /**
   * A bulk sent the draft, as it was at `checkedAt`, to all of its rows: it is no longer listed, unless it was changed since or is changed again. It
   * can still be opened, so that another spreadsheet can be sent with it, until `removeSent`.
   */
  sentByBulk(id: string, checkedAt: string): void;
  /** Removes the drafts that bulks of earlier runs sent. */
  removeSent(): void;
  /** Null if its job is waiting or being sent. */
  remove(id: string): RemovedRows | null;
  presets(): StoredPreset[];
  putPreset(id: string | undefined, name: string, content: string): StoredPreset;
  removePreset(id: string): RemovedRows;
}

interface DraftRow {
  readonly id: string;
  readonly connection_id: string;
  readonly title: string;
  readonly content: string;
  readonly file_path: string | null;
  readonly file_name: string | null;
  readonly image_path: string | null;
  readonly image_name: string | null;
  readonly secret: string | null;
  readonly updated_at: string;
  readonly job_id: string | null;
  readonly job_state: JobState | null;
  readonly job_failure: string | null;
}

const notUnderWay =
  "NOT EXISTS (SELECT 1 FROM jobs WHERE id = drafts.job_id AND state IN ('prepared', 'waiting', 'sending'))";

export function draftTable(sql: Sql): DraftTable {
  const select = (where: string, ...values: SqlValue[]) =>
    sql
      .all<DraftRow>(
        `SELECT drafts.*, jobs.state AS job_state, jobs.failure AS job_failure
         FROM drafts LEFT JOIN jobs ON jobs.id = drafts.job_id AND jobs.dismissed = 0
         ${where} ORDER BY drafts.updated_at DESC, drafts.id`,
        ...values,
      )
      .map(draftOf);
  return {
    list: (connectionId) =>
      connectionId === undefined
        ? select('WHERE drafts.sent_at IS NULL')
        : select('WHERE drafts.sent_at IS NULL AND drafts.connection_id = ?', connectionId),
    get: (id) => select('WHERE drafts.id = ?', id)[0] ?? null,
    ofJob: (jobId) => select('WHERE drafts.job_id = ?', jobId)[0] ?? null,
    add: (draft, jobId) => addDraft(sql, draft, jobId ?? null),
    change: (draft) => changeDraft(sql, draft),
    bind: (id, jobId) => void sql.run('UPDATE drafts SET job_id = ? WHERE id = ?', jobId, id),
    sentByBulk: (id, checkedAt) =>
      void sql.run(
        'UPDATE drafts SET sent_at = ? WHERE id = ? AND job_id IS NULL AND updated_at <= ?',
        new Date().toISOString(),
        id,
        checkedAt,
      ),
    removeSent: () => void sql.run('DELETE FROM drafts WHERE sent_at IS NOT NULL'),
    remove: (id) => {
      const removed = removeRows(sql, 'drafts', `id = ? AND ${notUnderWay}`, id);
      return sql.get('SELECT 1 FROM drafts WHERE id = ?', id) === undefined ? removed : null;
    },
    presets: () =>
      sql
        .all<{ id: string; name: string; content: string; updated_at: string }>(
          'SELECT * FROM presets ORDER BY name, id',
        )
        .map(({ updated_at, ...row }) => ({ ...row, updatedAt: updated_at })),
    putPreset: (given, name, content) => {
      const preset = { id: given ?? randomUUID(), name, content, updatedAt: new Date().toISOString() };
      sql.run('INSERT OR REPLACE INTO presets VALUES (?, ?, ?, ?)', preset.id, name, content, preset.updatedAt);
      return preset;
    },
    removePreset: (id) => removeRows(sql, 'presets', 'id = ?', id),
  };
}

function addDraft(sql: Sql, draft: NewDraft, jobId: string | null): boolean {
  return (
    sql.run(
      `INSERT INTO drafts (id, connection_id, title, content, file_path, file_name, image_path, image_name, secret, updated_at, job_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      draft.id,
      draft.connectionId,
      ...valuesOf(draft),
      jobId,
    ) === 1
  );
}

function changeDraft(sql: Sql, draft: NewDraft): boolean {
  return (
    sql.run(
      `UPDATE drafts SET connection_id = ?, title = ?, content = ?, file_path = ?, file_name = ?, image_path = ?, image_name = ?,
         secret = ?, updated_at = ?, sent_at = NULL WHERE id = ? AND ${notUnderWay}`,
      draft.connectionId,
      ...valuesOf(draft),
      draft.id,
    ) === 1
  );
}

function valuesOf(draft: NewDraft): SqlValue[] {
  return [
    draft.title,
    draft.content,
    draft.file?.path ?? null,
    draft.file?.name ?? null,
    draft.image?.path ?? null,
    draft.image?.name ?? null,
    draft.secret,
    draft.updatedAt,
  ];
}

function draftOf(row: DraftRow): StoredDraft {
  const kept = (path: string | null, name: string | null) => (path === null ? null : { path, name: name ?? '' });
  return {
    id: row.id,
    connectionId: row.connection_id,
    title: row.title,
    content: row.content,
    file: kept(row.file_path, row.file_name),
    image: kept(row.image_path, row.image_name),
    secret: row.secret,
    updatedAt: row.updated_at,
    job:
      row.job_id === null || row.job_state === null
        ? null
        : {
            id: row.job_id,
            state: row.job_state,
            failure: row.job_failure === null ? null : (JSON.parse(row.job_failure) as Failure),
          },
  };
}
