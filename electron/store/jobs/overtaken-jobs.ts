import type { Sql } from '../database/sql.ts';
import { holdNumbers } from './job-rows.ts';
import { addStep } from './job-steps.ts';
import { sameJob } from './same-work.ts';

interface Overtaken {
  readonly id: string;
  readonly connection_id: string;
  readonly sha256: string;
}

/**
 * Holds jobs of a killed run whose files were given to another run before the jobs were taken over: sending them would register the same bytes
 * twice. Waiting jobs are held for a person's decision; jobs whose bytes are not known yet are checked once they are. `which`: a condition
 * on `j`, with its value. Call it within a transaction.
 */
export function holdOvertaken(sql: Sql, which: 'j.run_id = ?' | 'j.id = ?', value: string): void {
  const rows = sql.all<Overtaken>(
    `SELECT j.id, j.connection_id, j.sha256 FROM jobs AS j
     WHERE ${which} AND j.state = 'waiting' AND j.held = 0 AND j.operation = 'AddNewDocument' AND EXISTS (
       SELECT 1 FROM jobs AS o WHERE o.connection_id = j.connection_id AND o.sha256 = j.sha256 AND o.seq > j.seq
         AND o.state IN ('waiting', 'sending', 'in-doubt', 'done')
         -- One that waits for a decision about this very job has not overtaken it.
         AND o.held % ${holdNumbers.restored} <> ${holdNumbers.duplicate})
       AND NOT EXISTS (SELECT 1 FROM job_events AS e WHERE e.job_seq = j.seq AND e.kind = 'duplicate-decided')`,
    value,
  );
  for (const { id, connection_id, sha256 } of rows) {
    const same = sameJob(sql, connection_id, sha256, { jobId: id });
    sql.run(`UPDATE jobs SET held = ${holdNumbers.duplicate}, duplicate_of = ? WHERE id = ?`, JSON.stringify(same), id);
    addStep(sql, id, 'duplicate-found');
  }
  sql.run(
    `UPDATE jobs AS j SET duplicates = 'ask'
     WHERE ${which} AND j.state = 'prepared' AND j.duplicates = 'send' AND j.operation = 'AddNewDocument' AND EXISTS (
       SELECT 1 FROM jobs AS o WHERE o.connection_id = j.connection_id AND o.size_bytes = j.size_bytes
         AND o.source_path = j.source_path AND o.seq > j.seq AND o.state NOT IN ('refused', 'failed', 'cancelled'))`,
    value,
  );
}
