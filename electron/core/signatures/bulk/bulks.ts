import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Bulk, BulkReview } from '../../../../contract/bulk.ts';
import type { Removed } from '../../../../contract/call.ts';
import type { Failure } from '../../../../contract/failure.ts';
import { isCorrectable } from '../../../../contract/forms.ts';
import type { CallParsed } from '../../../../contract/index.ts';
import type { Gate } from '../../../store/jobs/job-rows.ts';
import { workKey } from '../../../store/jobs/same-work.ts';
import type { StoredBulkRow } from '../../../store/signatures/bulk-rows.ts';
import type { StoredBulk } from '../../../store/signatures/bulks.ts';
import type { Context } from '../../context.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { retryWhileBusy, untilAborted } from '../../foundation/retry-while-busy.ts';
import { throttled } from '../../foundation/throttled.ts';
import type { JobOrder } from '../../jobs/enqueue.ts';
import type { Jobs } from '../../jobs/start-jobs.ts';
import { bulkView } from './bulk-view.ts';
import { warnOfSent } from './mend-cell.ts';
import { isOther, orderOfRow, rowOfJob, rowOrder } from './row-order.ts';

/** Sends bulks: one signature request per row of a table. */
export interface Bulks {
  /** Throws not-found. */
  get(id: string): StoredBulk;
  view(id: string): Bulk;
  /** Warns of what was sent before; where a paused bulk has nothing else left, it ends. Rejects with not-found. */
  recheck(id: string): Promise<BulkReview['sentBefore']>;
  /** Rejects with not-connected if credentials are missing. */
  send(id: string, how: Omit<CallParsed<'bulk.send'>, 'id'>): Promise<Bulk>;
  pause(id: string): Promise<Bulk>;
  /** Takes back those of these rows that have not begun to leave; resolves with them. */
  takeBack(id: string, rows: readonly number[]): Promise<readonly number[]>;
  /** Undoes that. The rows are sent by what sends others; where nothing else was left, a person sends them. */
  putBack(id: string, rows: readonly number[]): Promise<void>;
  /** Throws bad-input while it sends. Its rows, files and sealed words go when it cannot be put back any more. */
  remove(id: string): Removed;
  tell(id: string): void;
  /** Publishes the bulks whose jobs changed after all rows were given to the queue. */
  follow(jobIds: readonly string[]): void;
  /**
   * Binds a row to the job of its corrected request. Call within the transaction that writes that job; does nothing
   * if the old job belongs to no row.
   */
  correct(oldJobId: string, jobId: string, separator: string): void;
  close(): Promise<void>;
}

/** Rows of a bulk in the queue at the same time: enough to keep the connection busy. */
const queuedAtOnce = 12;
/** Rows that are taken back in one transaction. */
const takenAtOnce = 200;
const checkEveryMs = 50;
const publishEveryMs = 250;
/** All rows that are left of a bulk are compared with all requests of the connection. */
const lookEveryMs = 2_000;

interface BulkContext {
  readonly context: Context;
  readonly jobs: Jobs;
  readonly closing: AbortSignal;
  readonly failures: Map<string, Failure>;
  readonly publish: (id: string) => void;
  /** Bulks that a person has sent in this run, and sees counting. */
  readonly seen: Set<string>;
  /** Paused bulks that ended in this run because the rest of them was sent otherwise. */
  readonly ended: Set<string>;
}

/** `resumesQueue`: continues bulks that runs which have ended were sending. */
export function startBulks(context: Context, jobs: Jobs, resumesQueue: boolean): Bulks {
  const { store, ports } = context;
  const closing = new AbortController();
  const running = new Map<string, Promise<void>>();
  const [failures, seen, ended] = [new Map<string, Failure>(), new Set<string>(), new Set<string>()];
  const { publish, stop } = bulkEvents(context, failures);
  const bulkContext: BulkContext = { context, jobs, closing: closing.signal, failures, publish, seen, ended };
  const get = (id: string) => {
    const bulk = store.bulks.get(id);
    if (!bulk || bulk.isRemoved) throw appError('not-found', 'no such bulk');
    return bulk;
  };
  const view = (id: string) => bulkView(context, get(id), failures.get(id) ?? null);
  const run = (id: string) => {
    if (running.has(id)) return;
    const work = sendRows(bulkContext, id)
      .catch((error: unknown) => stopAfterError(bulkContext, id, error))
      .finally(() => {
        running.delete(id);
        publish(id);
        others.look();
        // A person may have started the bulk again while it was finishing, or that it stopped could not be stored.
        if (closing.signal.aborted || store.bulks.get(id)?.state !== 'sending') return;
        failures.delete(id);
        run(id);
      });
    running.set(id, work);
  };
  const values = rowValues(context, closing.signal);
  const others = sentOtherwise(bulkContext, resumesQueue, run);
  if (resumesQueue) {
    for (const id of store.bulks.adopt()) {
      ports.log.info('a bulk of an earlier run was resumed', { bulkId: id });
      run(id);
    }
    void context.removals.endLeft(store.bulks.leftHidden(), (id) => endRemoval(context, id));
  }

  return {
    get,
    tell: publish,
    view,
    ...bulkActions(bulkContext, { get, view }, { run, isRunning: (id) => running.has(id) }),
    follow: (jobIds) => {
      others.look();
      for (const jobId of jobIds) {
        const found = store.bulks.rowOfJob(jobId);
        if (found?.row.job && isCorrectable(found.row.job.state)) values.showOwnAgain(jobId);
        if (found) publish(found.bulkId);
      }
    },
    correct: values.correct,
    close: async () => {
      closing.abort();
      stop();
      await Promise.all([...running.values(), others.idle()]);
    },
  };
}

/** Keeps the values of a row those of its job. */
function rowValues({ store, connections, ports }: Context, closing: AbortSignal) {
  const correct = (oldJobId: string, jobId: string, separator: string) => {
    const found = store.bulks.rowOfJob(oldJobId);
    const bulk = found && store.bulks.get(found.bulkId);
    const job = store.jobs.get(jobId);
    if (!bulk || !job) return;
    const own = rowOfJob(bulk, found.row, job, separator);
    if (oldJobId !== jobId || isOther(own, found.row)) store.bulks.correct(oldJobId, own, jobId);
  };
  return {
    correct,
    /** After its correction was taken back; any other job has its values. */
    showOwnAgain: (jobId: string): void => {
      if (!store.jobs.history(jobId).some(({ kind }) => kind === 'corrected')) return;
      connections
        .get(store.jobs.get(jobId)?.connectionId ?? '')
        .then(({ separator }) => retryWhileBusy(() => correct(jobId, jobId, separator), untilAborted(closing)))
        .catch((error) => ports.log.error('a row of a bulk could not be written', { code: failureOf(error)?.code }));
    },
  };
}

/** Emits `bulk.changed` for the bulks that changed, a few times a second at most. */
function bulkEvents(context: Context, failures: BulkContext['failures']) {
  const { store, emit } = context;
  const waiting = new Set<string>();
  const emitChanges = throttled(publishEveryMs, () => {
    for (const id of waiting) {
      const bulk = store.bulks.get(id);
      if (bulk && !bulk.isRemoved) emit('bulk.changed', bulkView(context, bulk, failures.get(id) ?? null));
    }
    waiting.clear();
  });
  return {
    publish: (id: string) => {
      waiting.add(id);
      emitChanges.request();
    },
    stop: emitChanges.stop,
  };
}

const counts = ({ jobs }: BulkContext) => jobs.countdowns.secondsOf('AddNewDocumentESign') > 0;

/** Sends all rows that are left, after a countdown that they have together. `how`: what the person chose for it. */
function begin(
  bulkContext: BulkContext,
  id: string,
  run: (id: string) => void,
  how: Partial<Pick<StoredBulk, 'perMinute' | 'includeWarnings'>> = {},
): void {
  const begins = counts(bulkContext);
  bulkContext.context.store.bulks.change(id, { ...how, state: 'sending', begins });
  if (begins) bulkContext.seen.add(id);
  run(id);
}

/** What was paused, and of which nothing is left, has nothing that could be resumed: it ends with what is being sent. */
function endPaused({ context }: BulkContext, id: string, run: (id: string) => void): void {
  const { bulks } = context.store;
  const bulk = bulks.get(id);
  if (bulk?.state !== 'paused' || bulks.nextRow(bulk.seq, bulk.includeWarnings) !== null) return;
  bulks.change(id, { state: 'sending' });
  run(id);
}

async function recheck(bulkContext: BulkContext, bulk: StoredBulk, run: (id: string) => void) {
  const { context, ended, publish } = bulkContext;
  const { bulks } = context.store;
  const { known } = await warnOfSent(context, bulk);
  const { leftClean, leftWarnings, leftBefore } = bulks.countRows(bulk.seq);
  // Other warnings wait for a person.
  if (leftWarnings === leftBefore) {
    if (bulks.get(bulk.id)?.state === 'paused' && leftClean === 0) ended.add(bulk.id);
    endPaused(bulkContext, bulk.id, run);
  } else if (ended.has(bulk.id) && bulks.get(bulk.id)?.state === 'finished') bulks.change(bulk.id, { state: 'paused' });
  publish(bulk.id);
  return known;
}

/** Rechecks paused bulks whenever more is known of the requests of their connections: sent or decided by a person, another bulk or another program. */
function sentOtherwise(bulkContext: BulkContext, isWanted: boolean, run: (id: string) => void) {
  const { context, closing, ended } = bulkContext;
  const { store, ports } = context;
  const seen = new Map<string, number>();
  let looking = Promise.resolve();
  const lookAtAll = async () => {
    for (const bulk of store.bulks.list().filter(({ id, state }) => state === 'paused' || ended.has(id))) {
      const [before, last] = [seen.get(bulk.id) ?? -1, store.sent.lastStep()];
      seen.set(bulk.id, last);
      if (closing.aborted || before === last) continue;
      if (before >= 0 && !store.sent.hasStepAfter(bulk.connectionId, before)) continue;
      await patiently(bulkContext, () => recheck(bulkContext, bulk, run));
    }
  };
  const looks = throttled(lookEveryMs, () => {
    looking = looking.then(lookAtAll).catch((error) => {
      // The question before sending finds it.
      ports.log.error('bulks could not be checked again', { code: failureOf(error)?.code });
      looks.request();
    });
  });
  // The command line does not touch bulks.
  if (!isWanted) looks.stop();
  looks.request();
  closing.addEventListener('abort', looks.stop, { once: true });
  return { look: looks.request, idle: () => looking };
}

/** The actions of a person on a bulk. */
function bulkActions(
  bulkContext: BulkContext,
  { get, view }: Pick<Bulks, 'get' | 'view'>,
  runs: { readonly run: (id: string) => void; readonly isRunning: (id: string) => boolean },
): Pick<Bulks, 'recheck' | 'send' | 'pause' | 'takeBack' | 'putBack' | 'remove'> {
  const { context, jobs, failures, ended, publish } = bulkContext;
  const { bulks } = context.store;
  const endIfNothingIsLeft = (id: string) => endPaused(bulkContext, id, runs.run);
  return {
    recheck: (id) => recheck(bulkContext, get(id), runs.run),
    send: async (id, { rows, perMinute, includeWarnings, secretWord }) => {
      const { connectionId } = get(id);
      const [{ hasNews }] = await Promise.all([warnOfSent(context, get(id)), context.connections.client(connectionId)]);
      const how = { perMinute, includeWarnings: includeWarnings && !hasNews };
      if (secretWord !== undefined) bulks.change(id, { secret: await context.vault.seal(secretWord) });
      failures.delete(id);
      ended.delete(id);
      if (rows === 'first' && get(id).state !== 'sending') {
        bulks.change(id, { perMinute, includeWarnings: false, state: 'paused' });
        await sendNext(bulkContext, { ...get(id), ...how }, counts(bulkContext) ? 'counting' : 'open');
        endIfNothingIsLeft(id);
      } else if (rows === 'all') begin(bulkContext, id, runs.run, how);
      publish(id);
      return view(id);
    },
    pause: async (id) => {
      const { state, batchId } = get(id);
      if (state === 'sending') {
        bulks.change(id, { state: 'paused' });
        // What waits for its countdown or its turn is a row of the bulk again.
        if (batchId !== null) await jobs.takeBack({ batchId });
        endIfNothingIsLeft(id);
      }
      publish(id);
      return view(id);
    },
    takeBack: async (id, rows) => {
      const taken = await takeBack(bulkContext, get(id), rows);
      endIfNothingIsLeft(id);
      publish(id);
      return taken;
    },
    putBack: async (id, rows) => {
      const { seq, state, includeWarnings } = get(id);
      const isOver = ['sending', 'finished'].includes(state) && bulks.nextRow(seq, includeWarnings) === null;
      // While others are on their way, they go with them, after a countdown of their own; where all have ended, they wait for the person.
      const goesOn = isOver && bulks.countRows(seq).open > 0;
      const putBack = () => {
        const taken = bulks.putBack(seq, rows);
        if (isOver && !goesOn && bulks.nextRow(seq, includeWarnings) !== null) bulks.change(id, { state: 'paused' });
        return taken;
      };
      await jobs.dismiss(await patiently(bulkContext, putBack));
      if (goesOn) begin(bulkContext, id, runs.run);
      publish(id);
    },
    remove: (id) => removeBulk(context, get(id), runs.isRunning(id)),
  };
}

/**
 * Takes back rows that were not in the queue, so that they are in the log as others that were taken back, and of the others those that have not begun to leave.
 */
async function takeBack(
  bulkContext: BulkContext,
  bulk: StoredBulk,
  rows: readonly number[],
): Promise<readonly number[]> {
  const { context, jobs } = bulkContext;
  const { bulks } = context.store;
  const taken: number[] = [];
  const stored = (some: readonly number[]) => some.flatMap((row) => bulks.row(bulk.seq, row) ?? []);
  let batchId: string | null = null;
  for (let start = 0; start < rows.length; start += takenAtOnce) {
    const some = rows.slice(start, start + takenAtOnce);
    const free = stored(some).filter(({ jobId }) => jobId === null);
    const order = async (row: StoredBulkRow) => ({
      ...(await orderOfRow(context, bulk, row)),
      bind: (jobId: string) => bulks.takeBack(bulk.seq, row, jobId),
    });
    batchId = await jobs.addTakenBack(bulk.connectionId, await Promise.all(free.map(order)), batchId);
    const jobIds = stored(some).flatMap(({ jobId, isTakenBack }) => (isTakenBack ? [] : (jobId ?? [])));
    const back = jobIds.length > 0 ? (await jobs.takeBack({ jobIds })).jobIds : [];
    // Also those that were sent again, and stand as they did before.
    const isBack = ({ isTakenBack, jobId }: StoredBulkRow) => isTakenBack || (jobId !== null && back.includes(jobId));
    taken.push(...stored(some).flatMap((one) => (isBack(one) ? one.row : [])));
    await nextTurn();
  }
  return taken;
}

function removeBulk(context: Context, { id, seq, state }: StoredBulk, isRunning: boolean): Removed {
  const { bulks } = context.store;
  if (state === 'sending' || isRunning) throw appError('bad-input', 'a bulk that is sending cannot be removed');
  // The queue still copies from the bulk's own folder.
  if (bulks.countRows(seq).open > 0) throw appError('bad-input', 'requests of this bulk are still waiting');
  return context.removals.keep(
    bulks.hide(id),
    () => undefined,
    () => endRemoval(context, id),
  );
}

/** Its files first: after a kill the next start ends it. */
async function endRemoval({ store, ports }: Context, id: string): Promise<void> {
  await rm(join(ports.dataDir, 'bulk', id), { recursive: true, force: true });
  store.bulks.remove(id);
}

/**
 * Gives one row after another to the queue, at the chosen pace, until no row is left or a person pauses; then waits
 * until all jobs have ended.
 */
async function sendRows(bulkContext: BulkContext, id: string): Promise<void> {
  const { bulks, jobs } = bulkContext.context.store;
  let nextAt = 0;
  for (;;) {
    const bulk = bulks.get(id);
    if (bulkContext.closing.aborted || bulk?.state !== 'sending') return;
    if (bulk.begins) {
      await countDownRows(bulkContext, id);
      continue;
    }
    const { batchId } = bulk;
    const { open, moving } = batchId === null ? { open: 0, moving: 0 } : jobs.openOf(batchId);
    const waitsMs = moving >= queuedAtOnce ? checkEveryMs : nextAt - performance.now();
    if (waitsMs > 0) {
      await pause(bulkContext, Math.max(1, Math.min(checkEveryMs, waitsMs)));
      bulkContext.publish(id);
      continue;
    }
    const openNext = () => batchId !== null && bulkContext.jobs.countdowns.openNext(batchId);
    if ((await patiently(bulkContext, openNext)) || (await sendNext(bulkContext, bulk, 'open'))) {
      nextAt = Math.max(nextAt, performance.now() - 1_000) + 60_000 / bulk.perMinute;
      continue;
    }
    if (open === 0) return await patiently(bulkContext, () => finish(bulkContext, bulk));
    // What counts down, or waits for a person, may do so for hours.
    await pause(bulkContext, moving > 0 ? checkEveryMs : publishEveryMs);
  }
}

/**
 * Gives all rows to the queue: they have one countdown, during which they are copied and each can be taken back. If a person ends it, the others follow without. Where
 * the program ended in the middle of this, nobody sees a countdown: all rows wait for a person.
 */
async function countDownRows(bulkContext: BulkContext, id: string): Promise<void> {
  const { context, jobs, closing, seen } = bulkContext;
  const { bulks } = context.store;
  const gate = seen.has(id) ? 'counting-paced' : 'stopped-paced';
  for (let isFirst = true; ; isFirst = false) {
    const bulk = bulks.get(id);
    if (closing.aborted || bulk?.state !== 'sending') return;
    const isOver = gate === 'counting-paced' && (bulk.batchId === null || !jobs.countdowns.isRunning(bulk.batchId));
    if ((!isFirst && isOver) || !(await sendNext(bulkContext, bulk, gate))) break;
    await nextTurn();
  }
  await patiently(bulkContext, () => bulks.change(id, { begins: false }));
}

/** Every row that can be sent has ended: the form that they were made of is no draft any more. */
function finish({ context }: BulkContext, bulk: StoredBulk): void {
  const { bulks, forms } = context.store;
  if (bulk.draftId !== null) forms.sentByBulk(bulk.draftId, bulk.createdAt);
  bulks.change(bulk.id, { state: 'finished' });
  if (bulk.draftId !== null) context.emit('forms.changed', null);
}

/** Gives the next row to the queue. False if no row is left. */
async function sendNext(bulkContext: BulkContext, bulk: StoredBulk, gate: Gate): Promise<boolean> {
  const { context, jobs } = bulkContext;
  const { bulks } = context.store;
  const row = bulks.nextRow(bulk.seq, bulk.includeWarnings);
  if (!row) return false;
  const order = await rowOrder(context, bulk, row);
  if (await isSentSince(context, bulk, row, order)) return true;
  const bind = (jobId: string, batchId: string) => bulks.bind(bulk, row, jobId, batchId);
  await patiently(bulkContext, () =>
    jobs.enqueueBound(bulk.connectionId, order, { batchId: bulk.batchId, gate }, bind),
  );
  bulkContext.publish(bulk.id);
  return true;
}

/**
 * Whether the same as a row went elsewhere since a person was last told of it, or the bulk was compared with what was sent: by a person, another bulk or another program. It is warned of
 * like all others, and waits for a person, also where one had wanted it sent again.
 */
async function isSentSince(context: Context, bulk: StoredBulk, { row, problems }: StoredBulkRow, order: JobOrder) {
  const { bulks, sent } = context.store;
  const { file, expectedSha256 = '', operation } = order;
  const toldIn = (some: StoredBulkRow['problems'] = []) => some.find(({ sentAt }) => sentAt !== undefined)?.sentAt;
  const told = toldIn(problems);
  const sha256 = file ? expectedSha256 : null;
  const same = { ...bulk, operation, sha256, workKey: workKey({ ...order, sourcePath: file?.path ?? null }) };
  if (!sent.isInOther(same, told ?? '')) return false;
  await warnOfSent(context, bulk);
  return toldIn(bulks.row(bulk.seq, row)?.problems) !== told;
}

/** A bulk waits for the database as long as another program holds it. */
const patiently = <T>({ closing }: BulkContext, work: () => T | Promise<T>): Promise<T> =>
  retryWhileBusy(work, untilAborted(closing));

async function pause({ closing }: BulkContext, ms: number): Promise<void> {
  await sleep(ms, undefined, { signal: closing }).catch(() => undefined);
}

/** Stops the bulk after an error in one row: the same error is likely for all rows, so a person must look. */
async function stopAfterError(bulkContext: BulkContext, id: string, error: unknown): Promise<void> {
  const { context, jobs, closing, failures } = bulkContext;
  // The next start goes on with it.
  if (closing.aborted) return;
  const failure = failureOf(error) ?? appError('bug', 'the bulk stopped in an unexpected way').failure;
  context.ports.log.error('a bulk stopped', { bulkId: id, code: failure.code, note: failure.note });
  failures.set(id, failure);
  try {
    context.store.bulks.change(id, { state: 'paused' });
    const batchId = context.store.bulks.get(id)?.batchId ?? null;
    if (batchId !== null) await jobs.takeBack({ batchId });
  } catch {
    // The disk is full or the database unusable: it goes on from the state in the ledger once that can be written, or with the next start.
    await pause(bulkContext, context.pauses.spoolMs);
  }
}
