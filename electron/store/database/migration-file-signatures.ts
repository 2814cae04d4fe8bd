import type { Migration } from './migration.ts';

/**
 * signatures: what a file itself proves, as JSON with the number of the rules by which it was decided; null until it is looked at. own_verdict: its verdict, null where the
 * file is not signed.
 */
const sql = `
ALTER TABLE verify_files ADD COLUMN signatures TEXT;
ALTER TABLE verify_files ADD COLUMN own_verdict TEXT;
CREATE INDEX verify_files_own ON verify_files (scope, own_verdict, from_run, to_run) WHERE own_verdict IS NOT NULL;
`;

export const fileSignaturesMigration: Migration = { version: 28, sql };

/** A receipt asks what files with its bytes prove. */
export const examinedBytesMigration: Migration = {
  version: 31,
  sql: 'CREATE INDEX verify_files_bytes ON verify_files (sha256) WHERE signatures IS NOT NULL',
};
