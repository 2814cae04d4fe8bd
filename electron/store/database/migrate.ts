import { appError, failureOf } from '../../core/foundation/app-error.ts';
import type { Sql } from './sql.ts';

/** One step of the schema. Steps are never changed once released: a new one is added. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
  /** What SQL cannot do, afterwards and in the same transaction. */
  readonly finish?: (sql: Sql) => void;
}

export function versionOf(sql: Sql): number {
  return sql.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

/** Throws storage-unusable for a database that stands between two steps: a form that was never released. */
export function assertUpgradable(version: number, steps: readonly Migration[]): void {
  if (version === 0 || steps.some((step) => step.version === version)) return;
  throw appError('storage-unusable', `the database has the form ${version}, which was never released`);
}

/** Updates the schema to the last version, all steps in one transaction. If one fails, nothing has changed. */
export function migrate(sql: Sql, steps: readonly Migration[]): void {
  sql.transaction(() => {
    const from = versionOf(sql);
    for (const step of steps) {
      if (step.version <= from) continue;
      try {
        sql.exec(step.sql);
        step.finish?.(sql);
      } catch (error) {
        // With room, or without the other program, the same step succeeds.
        if (failureOf(error)?.retryable) throw error;
        const failure = appError('storage-unusable', `migration ${step.version} of the database failed`);
        failure.cause = error;
        throw failure;
      }
      sql.exec(`PRAGMA user_version = ${step.version}`);
    }
  });
}
