import type { Sql } from './sql.ts';

/** One step of the schema. Steps are never changed once released: a new one is added. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
  /** What SQL cannot do, afterwards and in the same transaction. */
  readonly finish?: (sql: Sql) => void;
}
