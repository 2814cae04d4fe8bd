import type { Failure, FailureCode } from '../../../contract/failure.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { StoredFile, StoredRun, Tally } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { isBusy } from '../foundation/retry-while-busy.ts';
import { automaticTurn, type CallPace } from './call-pace.ts';
import { createRunRecord, type RunRecord } from './run-record.ts';
import { createRunEvents, type RunEvents } from './run-telling.ts';
import { recount } from './tally.ts';
import { verifyFile } from './verify-file.ts';

/** Rows that are read ahead; the rest waits in the store, however many there are. */
const readAhead = 300;
/** Answers that are written at once at the latest. */
const writeAtOnce = 200;
/** So many files in a row without any answer: the service is away, and asking on would only call all others unanswered. */
const givesUpAfter = 10;
/** While another program has the database: a minute in all. */
const busyPauseMs = 250;
const mostBusyTimes = 240;

/** What stands between this computer and the service, whichever file is asked about. */
const troubles: ReadonlySet<FailureCode> = new Set([
  'service-unreachable',
  'service-timeout',
  'not-connected',
  'credentials-rejected',
  'not-found',
]);

/** What the one who lists the files of a run works with. */
export interface ListingContext {
  readonly run: StoredRun;
  readonly tally: Tally;
  readonly signal: AbortSignal;
  /** Writes rows and counts as one; then asking goes on. */
  write(work: () => void): void;
}

export type Lister = (desk: ListingContext) => Promise<void>;

/** A run at work. */
export interface LiveRun {
  readonly runId: string;
  view(): VerifyRun;
  isAsking(seq: number): boolean;
  /** Writes down what is known so far. */
  flush(): void;
  /** Changes rows that are not being asked about, then asks on. */
  change(work: (tally: Tally) => void): void;
  /** The rows were changed by others than this run. */
  recount(): void;
  stop(trouble?: Failure): void;
  /** Resolves when nothing is asked any more and all is written. */
  readonly ended: Promise<void>;
}

export interface LiveRunOrder {
  readonly run: StoredRun;
  readonly tally: Tally;
  /** Null where all files are listed. */
  readonly list: Lister | null;
  readonly parallel: number;
  readonly perMinute: number | undefined;
  readonly pace: CallPace;
  /** Begun by the program: its calls count against what it may ask by itself. */
  readonly isPlanned: boolean;
  /** Told once, after the end was written. */
  readonly onEnd: () => void;
}

/** Asks about all files of a run that have no answer, so many at the same time. Begins at once; rows and answers stay in the store. */
export function runVerification(context: Context, order: LiveRunOrder): LiveRun {
  const record = createRunRecord(context, order.run, order.tally, order.list === null);
  const work = createWork(context, order, record);
  const listed = order.list ? work.list(order.list) : Promise.resolve();
  // Not before the caller has the run: its first event would come too early.
  void listed.then(() => work.go());
  return {
    runId: order.run.id,
    view: record.view,
    isAsking: work.isAsking,
    flush: work.flush,
    change: work.change,
    recount: work.recount,
    stop: work.stop,
    ended: work.ended,
  };
}

function createWork(context: Context, order: LiveRunOrder, record: RunRecord) {
  const { run, tally, parallel } = order;
  const { verifyFiles } = context.store;
  const { progress } = record;
  const stopping = new AbortController();
  const asking = new Map<number, StoredFile>();
  let queue: StoredFile[] = [];
  let unanswered = 0;
  let busyTimes = 0;
  let announceEnd: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    announceEnd = resolve;
  });

  const flush = () => telling.mark(record.flush());
  const stop = (trouble?: Failure) => {
    progress.trouble ??= trouble ?? null;
    stopping.abort();
    end();
  };
  const orStop = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!isBusy(error) || !again(go)) stop(failureFor(context, error));
    }
  };
  /** Once more when the other program that has the database may have let it go. True where that is so, for as long as a minute. */
  const again = (work: () => void): boolean => {
    busyTimes += 1;
    if (busyTimes > mostBusyTimes) return false;
    setTimeout(work, busyPauseMs);
    return true;
  };
  const telling: RunEvents = createRunEvents(context, run, record, {
    isAsking: (seq) => asking.has(seq),
    beforeTelling: () => orStop(flush),
  });
  const next = (): StoredFile | undefined => {
    if (queue.length === 0) {
      flush();
      const rows = verifyFiles.todo(run.scope, readAhead);
      queue = rows.filter(({ seq }) => !asking.has(seq)).reverse();
    }
    return queue.pop();
  };
  const ask = async (row: StoredFile) => {
    const asked = await verifyFile(context, questionAbout(context, row, order, stopping.signal));
    asking.delete(row.seq);
    if (asked === null) return telling.mark([row]);
    record.put(row, asked);
    if (record.unwritten >= writeAtOnce) orStop(flush);
    if (asked.failure === null) unanswered = 0;
    else if (troubles.has(asked.failure.code)) unanswered += 1;
    if (asked.failure && unanswered >= givesUpAfter) stop(asked.failure);
  };
  const fill = () => {
    while (asking.size < parallel && !stopping.signal.aborted) {
      const row = next();
      if (!row) break;
      asking.set(row.seq, row);
      telling.mark([row]);
      void ask(row).finally(go);
    }
  };
  const go = () => {
    telling.request();
    orStop(fill);
    end();
  };
  const end = () => {
    if (asking.size > 0 || progress.listing || progress.state !== 'running') return;
    const at = new Date().toISOString();
    try {
      flush();
      const isWhole = !stopping.signal.aborted && verifyFiles.todo(run.scope, 1).length === 0;
      Object.assign(progress, { state: isWhole ? 'finished' : 'stopped', endedAt: at });
      record.write(() => undefined);
      busyTimes = 0;
    } catch (error) {
      Object.assign(progress, { state: 'running', endedAt: null });
      if (isBusy(error) && again(end)) return;
      // The next start finds a run that nobody works on, and calls it stopped too.
      progress.trouble ??= failureFor(context, error);
      Object.assign(progress, { state: 'stopped', endedAt: at });
    }
    telling.end();
    announceEnd();
    order.onEnd();
  };
  return {
    ended,
    flush,
    stop,
    go,
    isAsking: (seq: number) => asking.has(seq),
    change: (work: (tally: Tally) => void) => {
      flush();
      record.write(() => work(tally));
      queue = [];
      unanswered = 0;
      go();
    },
    recount: () => {
      const { total } = tally;
      recount(tally, verifyFiles.countsIn(run), verifyFiles.changedCounts(run));
      // Files that are not listed yet are counted already.
      tally.total = Math.max(total, tally.total);
      telling.request();
    },
    list: async (list: Lister) => {
      const write = (work: () => void) => {
        record.write(work);
        orStop(fill);
        telling.request();
      };
      try {
        await list({ run, tally, signal: stopping.signal, write });
        progress.isListed = true;
      } catch (error) {
        // A list that is not whole stays so: going on walks through the folder again.
        if (!stopping.signal.aborted) progress.trouble ??= failureFor(context, error);
        stopping.abort();
      }
      progress.listing = false;
    },
  };
}

function questionAbout(context: Context, row: StoredFile, order: LiveRunOrder, signal: AbortSignal) {
  const { run, tally, pace, perMinute } = order;
  let isCounted = false;
  return {
    connectionId: run.connection_id,
    path: row.path,
    sizeBytes: row.size_bytes,
    signal,
    mayCall: async () => {
      if (order.isPlanned) await automaticTurn(context, signal);
      await pace.turn(run.connection_id, perMinute, signal);
      if (!isCounted) tally.calls += 1;
      isCounted = true;
    },
  };
}

function failureFor(context: Context, error: unknown): Failure {
  const failure = failureOf(error);
  if (failure) return failure;
  context.ports.log.error('a verification stopped', { error: error instanceof Error ? error.name : typeof error });
  return appError('bug', 'the verification stopped in an unexpected way').failure;
}
