import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredJob } from '../../store/job-rows.ts';
import { failing, failureOf } from '../failing.ts';
import { isBusy } from '../patiently.ts';
import { type JobDesk, writeDown } from './job-desk.ts';
import type { SpoolPart } from './spool.ts';

/** Files copied at the same time: a disk gains nothing from more. */
const parallelCopies = 2;
/** After the ledger could not be read. */
const stumblePauseMs = 5_000;
/** After another program had the database. */
const busyPauseMs = 250;

export interface Preparing {
  /** There may be something to copy. */
  kick(): void;
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
}

/** Copies the files of prepared jobs into the spool; then the jobs wait for their turn. */
export function startPreparing(desk: JobDesk, onWaiting: (connectionId: string) => void): Preparing {
  const running = new Map<string, Promise<void>>();
  const kick = () => {
    if (desk.closing.aborted) return;
    try {
      fill();
    } catch (error) {
      desk.context.ports.log.error('copying stumbled', { code: failureOf(error)?.code });
      void sleep(isBusy(error) ? busyPauseMs : stumblePauseMs, undefined, { signal: desk.closing }).then(
        kick,
        () => undefined,
      );
    }
  };
  const fill = () => {
    const free = parallelCopies - running.size;
    if (free <= 0) return;
    const candidates = desk.context.store.jobs.prepared(parallelCopies + running.size);
    for (const job of candidates.filter(({ id }) => !running.has(id)).slice(0, free)) {
      const work = prepare(desk, job).finally(() => {
        running.delete(job.id);
        onWaiting(job.connectionId);
        kick();
      });
      running.set(job.id, work);
    }
  };
  return {
    kick,
    idle: async () => {
      await Promise.allSettled([...running.values()]);
    },
  };
}

async function prepare(desk: JobDesk, job: StoredJob): Promise<void> {
  const { store, ports } = desk.context;
  const live = { controller: new AbortController(), sentBytes: 0, totalBytes: 0, isCancelled: false };
  desk.live.set(job.id, live);
  const signal = AbortSignal.any([live.controller.signal, desk.closing]);
  try {
    const change = await spoolFiles(desk, job, signal);
    await writeDown(desk, () => {
      const to = store.jobs.admit(job, change);
      if (to !== 'waiting') void desk.spool.remove(job.id);
    });
  } catch (error) {
    // Cancelled: who cancelled has written it down. The program ends: the job is copied again at the next start.
    if (signal.aborted) return;
    const failure = failureOf(error) ?? failing('bug', 'copying failed in an unexpected way').failure;
    if (failure.code === 'bug') ports.log.error('copying failed', { jobId: job.id, error: String(error) });
    await writeDown(desk, () => void store.jobs.move(job.id, ['prepared'], 'failed', { failure }));
  } finally {
    desk.live.delete(job.id);
    desk.changes.mark(job.id);
  }
}

async function spoolFiles(
  desk: JobDesk,
  job: StoredJob,
  signal: AbortSignal,
): Promise<{ sizeBytes?: number; sha256?: string }> {
  const copy = (part: SpoolPart, path: string, sizeBytes: number) =>
    desk.spool.copyIn(job.id, part, { path, sizeBytes }, signal);
  if (job.imagePath !== null) await copy('image', job.imagePath, job.imageBytes);
  if (job.sourcePath === null) return {};
  const { sha256, sizeBytes } = await copy('document', job.sourcePath, job.sizeBytes);
  if (job.sha256 !== null && job.sha256 !== sha256) {
    await desk.spool.remove(job.id);
    throw failing('file-changed', 'the file is not the one that was sent before');
  }
  return { sha256, sizeBytes };
}
