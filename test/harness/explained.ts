import type { Sql, SqlValue } from '../../electron/store/database/sql.ts';

/** A database whose every statement is explained before it is run; `plan` has the lines of all of them so far. */
export function explained(sql: Sql): { readonly sql: Sql; readonly plan: readonly string[] } {
  const plan: string[] = [];
  const first =
    (run: 'all' | 'get' | 'run') =>
    (text: string, ...values: SqlValue[]) => {
      plan.push(...sql.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...values).map(({ detail }) => detail));
      return sql[run](text, ...values) as never;
    };
  return { sql: { ...sql, all: first('all'), get: first('get'), run: first('run') }, plan };
}
