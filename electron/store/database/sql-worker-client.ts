import { startWorker } from '../../core/foundation/worker-channel.ts';
import { type Step, storageFailing } from './sql.ts';
import type { SqlActions } from './sql-worker.ts';

/** A worker that writes to the database, so that long lists do not block the main thread. */
export interface SqlWorker {
  /** Runs all steps as one transaction. Rejects with storage-full or storage-unusable, then none of them is written; with bug if the worker ended. */
  write(steps: readonly Step[]): Promise<void>;
  /** Copies the log into the database file; reads and writes are not blocked meanwhile. */
  checkpoint(): Promise<void>;
  /** Closes the database and ends the worker. Rejects as `write`; the worker has ended in that case, too. */
  end(): Promise<void>;
}

/** Starts a worker on the database file `path`, which must exist. Rejects with storage-unusable, and with bug if the worker cannot load its modules. */
export async function startSqlWorker(path: string): Promise<SqlWorker> {
  const worker = startWorker<SqlActions>(new URL('./sql-worker.ts', import.meta.url));
  const guarded = (answer: Promise<void>) =>
    answer.catch((error: unknown) => {
      throw storageFailing(error);
    });
  try {
    await guarded(worker.ask('open', path));
  } catch (error) {
    await worker.end();
    throw error;
  }
  return {
    write: (steps) => guarded(worker.ask('write', steps)),
    checkpoint: () => guarded(worker.ask('checkpoint')),
    end: () => guarded(worker.ask('close')).finally(worker.end),
  };
}
