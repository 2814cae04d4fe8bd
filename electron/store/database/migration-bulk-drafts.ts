import type { Migration } from './migration.ts';

/** The draft that a bulk was made of, and when a bulk sent the draft to every row. */
const sql = `
ALTER TABLE bulks ADD COLUMN draft_id TEXT;
ALTER TABLE drafts ADD COLUMN sent_at TEXT;
`;

export const bulkDraftsMigration: Migration = { version: 15, sql };
