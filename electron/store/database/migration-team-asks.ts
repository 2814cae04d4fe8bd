import type { Migration } from './migration.ts';

/**
 * The tokens with which this ledger asked for a claim, a JSON array, the last one last. The register has the token of the last request: one that is not in here was
 * made by a newer state of this data folder, or by a copy of it.
 */
const sql = "ALTER TABLE team_claims ADD COLUMN asks TEXT NOT NULL DEFAULT '[]';";

export const teamAsksMigration: Migration = { version: 18, sql };
