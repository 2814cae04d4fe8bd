import { randomUUID } from 'node:crypto';
import type { KeptTemplate } from '../../../contract/templates.ts';
import { type RemovedRows, removeRows } from '../database/removed-rows.ts';
import type { Sql } from '../database/sql.ts';

/** The fields of a template that a person enters. */
export type NewTemplate = Pick<KeptTemplate, 'connectionId' | 'templateId' | 'name' | 'note' | 'use'>;

export interface TemplateTable {
  /** Ordered by name; with a connection, its own templates and those for every connection. */
  list(connectionId?: string): KeptTemplate[];
  get(id: string): KeptTemplate | null;
  /** The template with this ID for exactly this connection (null: for every connection). */
  find(connectionId: string | null, templateId: string): KeptTemplate | null;
  put(id: string | undefined, template: NewTemplate): KeptTemplate;
  /** Adds or replaces many in one transaction; answers how many were new. */
  putAll(templates: readonly NewTemplate[]): { readonly added: number; readonly changed: number };
  remove(id: string): RemovedRows;
  /** Notes that a request with these templates was added to the queue. */
  used(connectionId: string, templateIds: readonly string[]): void;
}

interface TemplateRow {
  readonly id: string;
  readonly connection_id: string;
  readonly template_id: string;
  readonly name: string;
  readonly note: string;
  readonly use: KeptTemplate['use'];
  readonly last_used_at: string | null;
}

export function templateTable(sql: Sql): TemplateTable {
  const get = (id: string) => {
    const row = sql.get<TemplateRow>('SELECT * FROM templates WHERE id = ?', id);
    return row ? templateOf(row) : null;
  };
  const find = (connectionId: string | null, templateId: string) => {
    const row = sql.get<TemplateRow>(
      'SELECT * FROM templates WHERE connection_id = ? AND template_id = ?',
      connectionId ?? '',
      templateId,
    );
    return row ? templateOf(row) : null;
  };
  return {
    list: (connectionId) =>
      sql
        .all<TemplateRow>(
          `SELECT * FROM templates WHERE ? = '' OR connection_id IN (?, '') ORDER BY name COLLATE NOCASE, template_id`,
          connectionId ?? '',
          connectionId ?? '',
        )
        .map(templateOf),
    get,
    find,
    put: (id, template) => get(putTemplate(sql, id, template)) as KeptTemplate,
    putAll: (templates) =>
      sql.transaction(() => {
        let added = 0;
        for (const template of templates) {
          const known = find(template.connectionId, template.templateId);
          if (!known) added += 1;
          putTemplate(sql, known?.id, template);
        }
        return { added, changed: templates.length - added };
      }),
    remove: (id) => removeRows(sql, 'templates', 'id = ?', id),
    used: (connectionId, templateIds) => {
      for (const templateId of templateIds)
        sql.run(
          `UPDATE templates SET last_used_at = ? WHERE connection_id IN (?, '') AND template_id = ?`,
          new Date().toISOString(),
          connectionId,
          templateId,
        );
    },
  };
}

/** Adds a template, or replaces the one with the given id; answers its id. */
function putTemplate(sql: Sql, given: string | undefined, template: NewTemplate): string {
  const id = given ?? randomUUID();
  sql.run(
    `INSERT INTO templates VALUES (?, ?, ?, ?, ?, ?, NULL) ON CONFLICT (id) DO UPDATE SET
       connection_id = excluded.connection_id, template_id = excluded.template_id, name = excluded.name,
       note = excluded.note, use = excluded.use`,
    id,
    template.connectionId ?? '',
    template.templateId,
    template.name,
    template.note,
    template.use,
  );
  return id;
}

function templateOf(row: TemplateRow): KeptTemplate {
  return {
    id: row.id,
    connectionId: row.connection_id || null,
    templateId: row.template_id,
    name: row.name,
    note: row.note,
    use: row.use,
    lastUsedAt: row.last_used_at,
  };
}
