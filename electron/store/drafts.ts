import { randomUUID } from 'node:crypto';
import type { Sql, SqlValue } from './sql.ts';

/** A file that a draft holds on to. Its path never leaves the core. */
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
}

export interface StoredPreset {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly updatedAt: string;
}

export interface DraftTable {
  /** Last changed first. */
  list(connectionId?: string): StoredDraft[];
  get(id: string): StoredDraft | null;
  put(draft: StoredDraft): void;
  remove(id: string): void;
  presets(): StoredPreset[];
  putPreset(id: string | undefined, name: string, content: string): StoredPreset;
  removePreset(id: string): boolean;
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
}

export function draftTable(sql: Sql): DraftTable {
  const select = (where: string, ...values: SqlValue[]) =>
    sql.all<DraftRow>(`SELECT * FROM drafts ${where} ORDER BY updated_at DESC, id`, ...values).map(draftOf);
  return {
    list: (connectionId) => (connectionId === undefined ? select('') : select('WHERE connection_id = ?', connectionId)),
    get: (id) => select('WHERE id = ?', id)[0] ?? null,
    put: (draft) => putDraft(sql, draft),
    remove: (id) => void sql.run('DELETE FROM drafts WHERE id = ?', id),
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
    removePreset: (id) => sql.run('DELETE FROM presets WHERE id = ?', id) === 1,
  };
}

function putDraft(sql: Sql, draft: StoredDraft): void {
  sql.run(
    'INSERT OR REPLACE INTO drafts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    draft.id,
    draft.connectionId,
    draft.title,
    draft.content,
    draft.file?.path ?? null,
    draft.file?.name ?? null,
    draft.image?.path ?? null,
    draft.image?.name ?? null,
    draft.secret,
    draft.updatedAt,
  );
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
  };
}
