import type { Migration } from '../database/migrate.ts';
import { firstSchema } from './first-schema.ts';
import { sinceFirstSchema } from './since-first-schema.ts';

/** Work on many documents that outlives the program: downloads into a folder, status refreshes. */
const lastingWork = `
-- data: what the kind stores with a run, as JSON. owner: the running program that works on it.
CREATE TABLE work_runs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, owner TEXT NOT NULL,
  state TEXT NOT NULL, data TEXT NOT NULL
) STRICT;
CREATE TABLE work_items (
  seq INTEGER PRIMARY KEY, run_seq INTEGER NOT NULL REFERENCES work_runs (seq) ON DELETE CASCADE,
  connection_id TEXT NOT NULL, document_id TEXT NOT NULL COLLATE NOCASE,
  state TEXT NOT NULL DEFAULT 'open', result TEXT,
  UNIQUE (run_seq, connection_id, document_id)
) STRICT;
CREATE INDEX work_items_by_state ON work_items (run_seq, state, seq);
`;

/** The schema of the first register that must still open, and what was added since. */
export const migrations: readonly Migration[] = [
  { version: 18, sql: firstSchema },
  sinceFirstSchema,
  { version: 32, sql: lastingWork },
];
