import { rowsOutOfView } from '../database/removed-rows.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';

/** A run of a kind that has no table of its own. */
export interface StoredWork {
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  /** What the kind stores with the run: JSON. */
  readonly data: string;
}

/** One item of a run: something about a document. */
export interface NewWorkItem {
  readonly connectionId: string;
  readonly documentId: string;
}

export interface WorkItem extends NewWorkItem {
  readonly seq: number;
}

/** What became of an item; `result` is the kind's own, as JSON. `open`: nothing; it comes behind the others. */
export interface WorkOutcome {
  readonly state: 'done' | 'failed' | 'open';
  readonly result: unknown;
}

const keptRuns = 20;

/** Runs and their items: one table for all kinds of work that only reads and has no table of its own. */
export function workTable(sql: Sql, lock: RunLock) {
  return {
    ...itemTable(sql),
    /** How many items that are done have each result, of those that are a word. */
    resultCounts: <T extends string>(run: StoredWork) => resultCounts<T>(sql, run),
    ...rowsOutOfView(sql, lock, 'work_runs'),
    /** Adds a run of this program; only the newest ended ones of a kind are kept. */
    add: ({ id, kind, data }: Omit<StoredWork, 'seq'>, items: readonly NewWorkItem[]) =>
      sql.transaction(() => {
        sql.run(
          `DELETE FROM work_runs WHERE kind = ?1 AND state <> 'running' AND seq <= (
             SELECT seq FROM work_runs WHERE kind = ?1 AND state <> 'running' ORDER BY seq DESC LIMIT 1 OFFSET ?2)`,
          kind,
          keptRuns,
        );
        const text = `INSERT INTO work_runs (id, kind, owner, state, data) VALUES (?, ?, ?, 'running', ?) RETURNING seq, id, kind, data`;
        const run = sql.get<StoredWork>(text, id, kind, lock.runId, data) as StoredWork;
        addItems(sql, run, items);
        return run;
      }),
    /** Makes the items of a run those of another one, which ends with all that either has done, and removes it. */
    join: (run: StoredWork, other: StoredWork) => sql.transaction(() => join(sql, run, other)),
    end: ({ seq }: StoredWork, state: 'done' | 'stopped' | 'failed') =>
      void sql.run('UPDATE work_runs SET state = ? WHERE seq = ?', state, seq),
    /** Null if it is not kept (any more). */
    get: (kind: string, id: string) =>
      sql.get<StoredWork>(
        'SELECT seq, id, kind, data FROM work_runs WHERE kind = ? AND id = ? AND removed_by IS NULL',
        kind,
        id,
      ) ?? null,
    /** Runs of a kind that were stopped or have failed, with items that are open. */
    unfinished: (kind: string) =>
      sql.all<StoredWork>(
        `SELECT seq, id, kind, data FROM work_runs WHERE kind = ? AND state IN ('stopped', 'failed') AND removed_by IS NULL
         AND EXISTS (SELECT 1 FROM work_items WHERE run_seq = work_runs.seq AND state = 'open') ORDER BY seq`,
        kind,
      ),
    /** Makes an ended run one of this program. False if another program works on it. One of this program that is still `running` is one whose end could not be stored. */
    reopen: ({ seq }: StoredWork) =>
      sql.run(
        "UPDATE work_runs SET state = 'running', owner = ?2 WHERE seq = ?1 AND (state <> 'running' OR owner = ?2)",
        ...[seq, lock.runId],
      ) === 1,
    remove: (id: string) => void sql.run('DELETE FROM work_runs WHERE id = ?', id),
    /** Makes this program the owner of a kind's running runs whose program has ended. */
    takeOver: (kind: string) => {
      const running = sql.all<StoredWork & { readonly owner: string }>(
        "SELECT seq, id, kind, data, owner FROM work_runs WHERE kind = ? AND state = 'running' ORDER BY seq",
        kind,
      );
      // Each is taken by one of two programs that start together.
      return running.filter(
        ({ seq, owner }) =>
          !lock.isAlive(owner) &&
          sql.run('UPDATE work_runs SET owner = ? WHERE seq = ? AND owner = ?', lock.runId, seq, owner) === 1,
      );
    },
  };
}

function itemTable(sql: Sql) {
  return {
    /** Adds the items that a run does not have; those that failed are open again. */
    addItems: (run: StoredWork, items: readonly NewWorkItem[]) => sql.transaction(() => addItems(sql, run, items)),
    /** Items of a connection without an outcome, in their order. */
    open: ({ seq }: StoredWork, connectionId: string, limit: number) =>
      sql.all<WorkItem>(
        `SELECT seq, connection_id AS connectionId, document_id AS documentId FROM work_items
         WHERE run_seq = ? AND state = 'open' AND connection_id = ? ORDER BY seq LIMIT ?`,
        ...[seq, connectionId, limit],
      ),
    /** Connections of the items without an outcome. */
    connections: ({ seq }: StoredWork) =>
      sql
        .all<{ id: string }>(
          "SELECT DISTINCT connection_id AS id FROM work_items WHERE run_seq = ? AND state = 'open'",
          seq,
        )
        .map(({ id }) => id),
    /** Stores outcomes in one transaction. */
    put: (outcomes: readonly (readonly [WorkItem, WorkOutcome])[]) =>
      sql.transaction(() => {
        for (const [{ seq }, { state, result }] of outcomes)
          if (state === 'open')
            sql.run('UPDATE work_items SET seq = (SELECT max(seq) + 1 FROM work_items) WHERE seq = ?', seq);
          else sql.run('UPDATE work_items SET state = ?, result = ? WHERE seq = ?', state, JSON.stringify(result), seq);
      }),
    counts: ({ seq }: StoredWork) => {
      const counts = { open: 0, done: 0, changed: 0, failed: 0 };
      for (const { state, n } of sql.all<{ state: keyof typeof counts; n: number }>(
        'SELECT state, count(*) AS n FROM work_items WHERE run_seq = ? GROUP BY state',
        seq,
      ))
        counts[state] = n;
      return { ...counts, total: Object.values(counts).reduce((sum, n) => sum + n) };
    },
    /** Results of the last items in this state, in their order. */
    results: <T>({ seq }: StoredWork, state: WorkOutcome['state'], limit: number) =>
      sql
        .all<{ result: string }>(
          'SELECT result FROM work_items WHERE run_seq = ? AND state = ? ORDER BY seq DESC LIMIT ?',
          ...[seq, state, limit],
        )
        .map(({ result }) => JSON.parse(result) as T)
        .reverse(),
    /** Items that are done, with their results, in their order. */
    doneItems: <T>({ seq }: StoredWork) =>
      sql
        .all<WorkItem & { readonly result: string }>(
          `SELECT seq, connection_id AS connectionId, document_id AS documentId, result FROM work_items
           WHERE run_seq = ? AND state = 'done' ORDER BY seq`,
          seq,
        )
        .map((row) => ({ ...row, result: JSON.parse(row.result) as T })),
    /** An item that is done is open again: what came of it is gone. */
    openAgain: (seq: number) => void sql.run("UPDATE work_items SET state = 'open', result = NULL WHERE seq = ?", seq),
  };
}

function resultCounts<T extends string>(sql: Sql, { seq }: StoredWork): Partial<Record<T, number>> {
  const words = `SELECT result ->> '$' AS word, count(*) AS n FROM work_items WHERE run_seq = ? AND state = 'done' AND json_type(result) = 'text' GROUP BY word`;
  const all = sql.get<{ counts: string }>(`SELECT json_group_object(word, n) AS counts FROM (${words})`, seq);
  return JSON.parse(all?.counts ?? '{}');
}

function join(sql: Sql, run: StoredWork, other: StoredWork): void {
  // Of a document that both have, what one has done or is doing counts.
  sql.run('UPDATE OR IGNORE work_items SET run_seq = ? WHERE run_seq = ?', other.seq, run.seq);
  const left = sql.all<NewWorkItem>(
    "SELECT connection_id AS connectionId, document_id AS documentId FROM work_items WHERE run_seq = ? AND state = 'open'",
    run.seq,
  );
  addItems(sql, other, left);
  sql.run('DELETE FROM work_runs WHERE seq = ?', run.seq);
}

function addItems(sql: Sql, { seq }: StoredWork, items: readonly NewWorkItem[]): void {
  for (const { connectionId, documentId } of items)
    sql.run(
      `INSERT INTO work_items (run_seq, connection_id, document_id) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET state = 'open', result = NULL WHERE state = 'failed'`,
      seq,
      connectionId,
      documentId,
    );
}
