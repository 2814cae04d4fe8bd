import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bulk } from '../../../../contract/bulk.ts';
import type { Failure } from '../../../../contract/failure.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { throttled } from '../../foundation/throttled.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { PreparedRequest } from '../compose/prepare-request.ts';
import { bulkView } from './bulk-view.ts';
import { correctedRow } from './correct-row.ts';
import { rowOrder } from './row-order.ts';

/** Tables of recipients on their way. */
export interface Bulks {
  /** Rejects with not-found. */
  get(id: string): StoredBulk;
  view(id: string): Bulk;
  /** Rejects with not-connected where there are no credentials. */
  send(
    id: string,
    how: { readonly rows: 'first' | 'all'; readonly perMinute: number; readonly includeWarnings: boolean },
  ): Promise<Bulk>;
  pause(id: string): Bulk;
  /** Rejects with bad-input while it sends. */
  remove(id: string): Promise<void>;
  tell(id: string): void;
  /** The job of a row changed after all rows were given to the queue. */
  follow(jobIds: readonly string[]): void;
  /** A row was corrected and goes as another job. Call within the transaction that writes that job; nothing happens where the old one was of no row. */
  correct(oldJobId: string, jobId: string, prepared: PreparedRequest): void;
  close(): Promise<void>;
}

/** Rows that wait in the queue at the same time: enough to keep the connection busy, few enough for a pause to mean something. */
const queuedAtOnce = 12;
const lookEveryMs = 50;
const tellEveryMs = 250;

interface Desk {
  readonly context: Context;
  readonly jobs: Jobs;
  readonly closing: AbortSignal;
  readonly failures: Map<string, Failure>;
  readonly tell: (id: string) => void;
}

/** `goesOn`: bulks that were sending in runs that are over go on. */
export function startBulks(context: Context, jobs: Jobs, goesOn: boolean): Bulks {
  const { store, emit, ports } = context;
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();
  const failures = new Map<string, Failure>();
  const waitingToTell = new Set<string>();
  const telling = throttled(tellEveryMs, () => {
    for (const id of waitingToTell) {
      const bulk = store.bulks.get(id);
      if (bulk) emit('bulk.changed', bulkView(context, bulk, failures.get(id) ?? null));
    }
    waitingToTell.clear();
  });
  const tell = (id: string) => {
    waitingToTell.add(id);
    telling.request();
  };
  const desk: Desk = { context, jobs, closing: closing.signal, failures, tell };
  const get = (id: string) => {
    const bulk = store.bulks.get(id);
    if (!bulk) throw appError('not-found', 'no such bulk');
    return bulk;
  };
  const view = (id: string) => bulkView(context, get(id), failures.get(id) ?? null);
  const run = (id: string) => {
    if (running.has(id)) return;
    const work = sendRows(desk, id)
      .catch((error: unknown) => stumble(desk, id, error))
      .finally(() => {
        running.delete(id);
        tell(id);
        // Begun anew while it was coming to its end.
        if (!closing.signal.aborted && store.bulks.get(id)?.state === 'sending') run(id);
      });
    running.set(id, work);
  };
  if (goesOn)
    for (const id of store.bulks.adopt()) {
      ports.log.info('a bulk of an earlier run goes on', { bulkId: id });
      run(id);
    }

  return {
    get,
    view,
    send: async (id, { rows, perMinute, includeWarnings }) => {
      await context.connections.client(get(id).connectionId);
      failures.delete(id);
      if (rows === 'first' && get(id).state !== 'sending') {
        store.bulks.change(id, { perMinute, includeWarnings, state: 'paused' });
        await sendNext(desk, get(id));
      } else if (rows === 'all') {
        store.bulks.change(id, { perMinute, includeWarnings, state: 'sending' });
        run(id);
      }
      tell(id);
      return view(id);
    },
    pause: (id) => {
      if (get(id).state === 'sending') store.bulks.change(id, { state: 'paused' });
      tell(id);
      return view(id);
    },
    remove: async (id) => {
      if (get(id).state === 'sending' || running.has(id))
        throw appError('bad-input', 'a bulk that is sending cannot be removed');
      const { batchId } = get(id);
      // The queue still copies from the bulk's own folder.
      if (batchId !== null && store.bulks.openJobs(batchId) > 0)
        throw appError('bad-input', 'requests of this bulk are still waiting');
      store.bulks.remove(id);
      await rm(join(ports.dataDir, 'bulk', id), { recursive: true, force: true });
    },
    tell,
    follow: (jobIds) => {
      for (const jobId of jobIds) {
        const found = store.bulks.rowOfJob(jobId);
        // One that is sending tells of itself.
        if (found && !running.has(found.bulkId)) tell(found.bulkId);
      }
    },
    correct: (oldJobId, jobId, prepared) => {
      const found = store.bulks.rowOfJob(oldJobId);
      if (found) store.bulks.correct(oldJobId, correctedRow(get(found.bulkId), found.row, prepared), jobId);
    },
    close: async () => {
      closing.abort();
      telling.stop();
      await Promise.all(running.values());
    },
  };
}

/** Gives row after row to the queue, at the pace that was asked for, until there is none left or somebody pauses it; then waits for their ends. */
async function sendRows(desk: Desk, id: string): Promise<void> {
  const { bulks } = desk.context.store;
  let nextAt = 0;
  for (;;) {
    const bulk = bulks.get(id);
    if (desk.closing.aborted || bulk?.state !== 'sending') return;
    const open = bulk.batchId === null ? 0 : bulks.openJobs(bulk.batchId);
    if (open >= queuedAtOnce || Date.now() < nextAt) {
      await pause(desk, Math.max(1, Math.min(lookEveryMs, open >= queuedAtOnce ? lookEveryMs : nextAt - Date.now())));
      desk.tell(id);
      continue;
    }
    nextAt = Math.max(nextAt, Date.now() - 1_000) + 60_000 / bulk.perMinute;
    if (await sendNext(desk, bulk)) continue;
    if (open === 0) return bulks.change(id, { state: 'finished' });
    await pause(desk, lookEveryMs);
    nextAt = 0;
  }
}

/** False where no row is left. */
async function sendNext(desk: Desk, bulk: StoredBulk): Promise<boolean> {
  const { context, jobs } = desk;
  const { bulks, people } = context.store;
  const row = bulks.nextRow(bulk.seq, bulk.includeWarnings);
  if (!row) return false;
  const order = await rowOrder(context, bulk, row);
  const taken = await jobs.enqueueBound(bulk.connectionId, order, bulk.batchId, (jobId, batchId) =>
    bulks.bind(bulk.seq, row.row, jobId, batchId),
  );
  if (taken) people.used((JSON.parse(row.plan) as { people: { email: string; name: string }[] }).people);
  desk.tell(bulk.id);
  return true;
}

async function pause({ closing }: Desk, ms: number): Promise<void> {
  await sleep(ms, undefined, { signal: closing }).catch(() => undefined);
}

/** What stands in the way of one row stands in the way of all: a person has to look. */
function stumble({ context, failures }: Desk, id: string, error: unknown): void {
  const failure = failureOf(error) ?? appError('bug', 'the bulk stopped in an unexpected way').failure;
  context.ports.log.error('a bulk stopped', { bulkId: id, code: failure.code, note: failure.note });
  failures.set(id, failure);
  try {
    context.store.bulks.change(id, { state: 'paused' });
  } catch {
    // The disk is full or the database unusable: the next start goes on where the ledger stands.
  }
}
