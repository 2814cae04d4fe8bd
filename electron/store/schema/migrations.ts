import type { Migration } from '../database/migrate.ts';
import { firstSchema } from './first-schema.ts';
import { workMigration } from './migration-work.ts';
import { sinceFirstSchema } from './since-first-schema.ts';

/** The schema of the first register that must still open, and what was added since. */
export const migrations: readonly Migration[] = [{ version: 18, sql: firstSchema }, sinceFirstSchema, workMigration];
