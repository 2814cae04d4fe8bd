import type { TeamDatabase } from '../../electron/core/team/database.ts';

/** What a register holds now, to be put back later while the connections of programs live on. `schema`: where the copies are. */
export async function backUp({ query }: TeamDatabase, schema = 'backup'): Promise<{ restore(): Promise<void> }> {
  const tables = await query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'sealdesk'::regnamespace AND relkind = 'r' AND relname <> 'schema_versions'",
  );
  await query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await query(`CREATE SCHEMA ${schema}`);
  for (const { name } of tables) await query(`CREATE TABLE ${schema}.${name} AS SELECT * FROM sealdesk.${name}`);
  return {
    // One statement, as one transaction: the constraints are looked at when it ends.
    restore: async () => {
      const all = tables.map(({ name }) => `sealdesk.${name}`).join(', ');
      const copies = tables
        .map(({ name }) => `INSERT INTO sealdesk.${name} SELECT * FROM ${schema}.${name};`)
        .join(' ');
      await query(`DO $$ BEGIN SET LOCAL session_replication_role = replica; TRUNCATE ${all}; ${copies} END $$`);
    },
  };
}
