import { emailKey } from '../../../contract/email.ts';
import { signersKey } from '../documents/documents.ts';
import { workKey } from '../jobs/same-work.ts';
import type { Migration } from './migration.ts';
import type { Sql } from './sql.ts';

/** People in the form in which they are compared: SQLite's own functions know neither É as é nor the two ways to write either. */
const sql = `
-- signers_key: null where it is as signers.
ALTER TABLE documents ADD COLUMN signers_key TEXT;
ALTER TABLE jobs ADD COLUMN work_key TEXT NOT NULL DEFAULT '';
DROP INDEX jobs_sha256;
CREATE INDEX jobs_sha256 ON jobs (connection_id, sha256, work_key);
DROP INDEX jobs_same_order;
CREATE INDEX jobs_same_order ON jobs (connection_id, operation, work_key) WHERE source_path IS NULL;
`;

/** Rows that are read at once: a ledger may have a hundred thousand. */
const slice = 2_000;

function finish(sql: Sql): void {
  eachRow<{ seq: number; signers: string }>(sql, "documents WHERE signers <> ''", 'seq, signers', (row) => {
    const key = signersKey(row.signers);
    if (key !== null) sql.run('UPDATE documents SET signers_key = ? WHERE seq = ?', key, row.seq);
  });
  const jobs = "jobs WHERE (source_path IS NULL OR json_extract(record, '$.signers') <> '')";
  type Row = {
    readonly seq: number;
    readonly source_path: string | null;
    readonly record: string;
    readonly args: string;
  };
  eachRow<Row>(sql, jobs, 'seq, source_path, record, args', ({ seq, source_path, record, args }) => {
    const job = { sourcePath: source_path, record: JSON.parse(record), args: JSON.parse(args) };
    sql.run('UPDATE jobs SET work_key = ? WHERE seq = ?', workKey(job), seq);
  });
  eachRow<PersonRow>(sql, 'people WHERE true', '*', (row) => keyAnew(sql, row));
}

function eachRow<Row extends { readonly seq: number }>(
  sql: Sql,
  from: string,
  columns: string,
  change: (row: Row) => void,
): void {
  let last = -1;
  for (;;) {
    const rows = sql.all<Row>(`SELECT ${columns} FROM ${from} AND seq > ? ORDER BY seq LIMIT ${slice}`, last);
    for (const row of rows) change(row);
    if (rows.length < slice) return;
    last = rows.at(-1)?.seq ?? last;
  }
}

interface PersonRow {
  readonly seq: number;
  readonly key: string;
  readonly email: string;
  readonly name: string;
  readonly kept: number;
  readonly uses: number;
  readonly last_used_at: string | null;
}

/** Who was kept as two people becomes one, as last used. */
function keyAnew(sql: Sql, { seq, key: before, email, name, kept, uses, last_used_at }: PersonRow): void {
  const key = emailKey(email);
  if (key === before) return;
  const known = sql.get<PersonRow>('SELECT * FROM people WHERE key = ?', key);
  if (known) sql.run('DELETE FROM people WHERE seq = ?', known.seq);
  const isLater = !known || (last_used_at ?? '') >= (known.last_used_at ?? '');
  sql.run(
    'UPDATE people SET key = ?, email = ?, name = ?, kept = ?, uses = ?, last_used_at = ? WHERE seq = ?',
    key,
    isLater ? email : known.email,
    (isLater ? name || known?.name : known.name || name) ?? '',
    Math.max(kept, known?.kept ?? 0),
    uses + (known?.uses ?? 0),
    isLater ? last_used_at : known.last_used_at,
    seq,
  );
}

export const comparedMigration: Migration = { version: 27, sql, finish };

/** The same once more: since then domains are compared as they are looked up. */
export const domainsMigration: Migration = { version: 30, sql: '', finish };
