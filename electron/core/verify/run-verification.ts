import type { Failure, FailureCode } from '../../../contract/failure.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { StoredFile, StoredRun, Tally } from '../../store/verify/verify-rows.ts';
import { AppError, appError, failureOf } from '../foundation/app-error.ts';
import { createLaterTry, isBusy, retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';
import type { RunningTask } from '../tasks/carry-out.ts';
import { automaticTurn, type CallPace } from './call-pace.ts';
import { createRunEvents, type RunEvents } from './run-events.ts';
import type { RunRecord } from './run-record.ts';
import { recount } from './tally.ts';
import type { VerifyContext } from './verify-context.ts';
import { verifyFile } from './verify-file.ts';

/** Number of rows read in advance; the others stay in the store. */
const readAhead = 300;
/** Number of answers after which they are written. */
const writeAtOnce = 200;
/** After this many files in a row without any answer the service is considered away, and the others are only looked at: asking would mark all of them as unanswered. */
const givesUpAfter = 10;

/** Failures of the connection to the service, independent of the file. */
const troubles: ReadonlySet<FailureCode> = new Set([
  'service-unreachable',
  'service-timeout',
  'not-connected',
  'credentials-rejected',
  'not-found',
]);

/** The parameters of the function that lists the files of a run. */
export interface ListingContext {
  readonly run: StoredRun;
  readonly tally: Tally;
  readonly signal: AbortSignal;
  /** Writes rows and counts in one transaction, also if another program holds the database meanwhile; then verification continues. */
  write(work: () => void): Promise<void>;
}

export type Lister = (listing: ListingContext) => Promise<void>;

/** A running verification. Its task stops it. */
export interface LiveRun {
  view(): VerifyRun;
  isAsking(seq: number): boolean;
  /** Writes all answers received so far. */
  flush(): void;
  /** Changes rows that are not being verified, then continues. */
  change(work: (tally: Tally) => void): void;
  /** Recounts the rows after something else than this run changed them. */
  recount(): void;
}

export interface LiveRunOrder {
  readonly run: StoredRun;
  readonly record: RunRecord;
  /** Null if all files are listed. */
  readonly list: Lister | null;
  readonly parallel: number;
  readonly perMinute: number | undefined;
  readonly pace: CallPace;
  /** Why the service cannot be asked at all; otherwise null. */
  readonly trouble: Failure | null;
  /** True if the program started the run: its calls count against the budget of automatic calls. */
  readonly isPlanned: boolean;
  /** Called once, after the end was written. */
  readonly onEnd: () => void;
}

type RunTask = RunningTask<{ readonly run: VerifyRun }>;

/**
 * Verifies all files of a run that have no answer, `parallel` at the same time. Where no service is, or can be, asked they stay without one, and what they themselves prove is read. Starts at once; rows and answers stay in the store. `ended` resolves
 * when no call is open and everything is written; it rejects if the run stopped before its end.
 */
export function runVerification(
  context: VerifyContext,
  order: LiveRunOrder,
  task: RunTask,
): { readonly live: LiveRun; readonly ended: Promise<object> } {
  const live = new RunAtWork(context, order, task);
  const listed = order.list ? live.list(order.list) : Promise.resolve();
  // Starts after the caller received the run.
  void listed.then(() => live.askOn());
  return { live, ended: live.ended };
}

class RunAtWork implements LiveRun {
  readonly ended: Promise<object>;
  private readonly context: VerifyContext;
  private readonly order: LiveRunOrder;
  private readonly task: RunTask;
  private readonly events: RunEvents;
  /** By their number in the store. */
  private readonly asking = new Map<number, StoredFile>();
  private queue: StoredFile[] = [];
  private unanswered = 0;
  /** True while files are only looked at. */
  private isAway: boolean;
  /** The last row that was only looked at, as it stays pending. */
  private lookedAt = 0;
  private readonly later = createLaterTry(() => this.askOn());
  private settle: () => void = () => undefined;

  constructor(context: VerifyContext, order: LiveRunOrder, task: RunTask) {
    this.context = context;
    this.order = order;
    this.task = task;
    this.isAway = order.trouble !== null || order.run.connection_id === '';
    order.record.progress.trouble = order.trouble;
    this.events = createRunEvents(context, order.run, (seq) => this.asking.has(seq));
    this.ended = new Promise((resolve, reject) => {
      this.settle = () => {
        const { state, trouble } = order.record.progress;
        if (state === 'finished') resolve({});
        else reject(trouble ? new AppError(trouble) : appError('cancelled', 'the verification was stopped'));
      };
    });
    task.signal.addEventListener('abort', () => this.end(), { once: true });
  }

  view(): VerifyRun {
    return this.order.record.view();
  }

  isAsking(seq: number): boolean {
    return this.asking.has(seq);
  }

  flush(): void {
    this.writeDown();
    this.report();
  }

  change(work: (tally: Tally) => void): void {
    const { record, run } = this.order;
    this.writeDown();
    record.write(() => work(record.tally));
    this.unanswered = 0;
    this.turn(run.connection_id === '');
    record.progress.trouble = null;
    this.askOn();
  }

  recount(): void {
    const { run, record } = this.order;
    const { verifyFiles } = this.context.store;
    const { total } = record.tally;
    recount(record.tally, verifyFiles.countsIn(run), verifyFiles.changedCounts(run));
    // Files that are not listed yet are already counted.
    record.tally.total = Math.max(total, record.tally.total);
    this.report();
  }

  /** Lists the files of the run; found files are verified at the same time. Never rejects. */
  async list(list: Lister): Promise<void> {
    const { run, record } = this.order;
    const { signal } = this.task;
    const write = async (work: () => void) => {
      await retryWhileBusy(() => record.write(work), { signal });
      this.later.renew();
      this.orStop(() => this.fill());
      this.report();
    };
    try {
      await list({ run, tally: record.tally, signal, write });
      record.progress.isListed = true;
    } catch (error) {
      // An incomplete list stays incomplete: resuming the run walks through the folder again.
      if (!signal.aborted) record.progress.trouble ??= this.failureFor(error);
      this.task.stop();
    }
    record.progress.listing = false;
  }

  askOn(): void {
    this.report();
    this.orStop(() => this.fill());
    this.end();
  }

  private fill(): void {
    // Read each time: the person may change it meanwhile; what it then allows begins with the next answer.
    const atOnce = () => Math.min(this.order.parallel, this.context.settings.preferences().atOnce);
    while (this.asking.size < atOnce() && !this.task.signal.aborted) {
      const row = this.next();
      if (!row) break;
      this.asking.set(row.seq, row);
      this.mark(row);
      void this.ask(row).finally(() => this.askOn());
    }
  }

  private next(): StoredFile | undefined {
    if (this.queue.length === 0) {
      this.writeDown();
      this.queue = this.todo(readAhead)
        .filter(({ seq }) => !this.asking.has(seq))
        .reverse();
    }
    const row = this.queue.pop();
    if (row && this.isAway) this.lookedAt = row.seq;
    return row;
  }

  private todo(limit: number): StoredFile[] {
    return this.context.store.verifyFiles.todo(this.order.run.scope, limit, this.isAway ? this.lookedAt : 0);
  }

  /** From now on files are asked about, or only looked at. */
  private turn(isAway: boolean): void {
    this.isAway = isAway;
    this.lookedAt = 0;
    this.queue = [];
  }

  private async ask(row: StoredFile): Promise<void> {
    const { record } = this.order;
    const asked = await verifyFile(
      this.context,
      questionAbout(this.context, row, this.order, this.task.signal, this.isAway),
    );
    this.asking.delete(row.seq);
    if (asked === null) return this.mark(row);
    record.put(row, asked);
    if (record.unwritten >= writeAtOnce) this.orStop(() => this.writeDown());
    if (this.isAway) return;
    if (asked.failure === null) this.unanswered = 0;
    else if (troubles.has(asked.failure.code)) this.unanswered += 1;
    if (!asked.failure || this.unanswered < givesUpAfter) return;
    record.progress.trouble ??= asked.failure;
    this.turn(true);
  }

  private writeDown(): void {
    const { record } = this.order;
    const isAnything = record.unwritten > 0;
    this.events.mark(record.flush());
    if (isAnything) this.later.renew();
  }

  private mark(row: StoredFile): void {
    this.events.mark([row]);
    this.report();
  }

  /** Called with the next event: writes the received answers, publishes and counts them. */
  private report(): void {
    this.task.report(() => {
      this.orStop(() => {
        this.writeDown();
        if (this.events.publish()) this.report();
      });
      return { run: this.view() };
    });
  }

  private stop(trouble: Failure): void {
    this.order.record.progress.trouble ??= trouble;
    this.task.stop();
  }

  private orStop(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!isBusy(error) || !this.later.ask()) this.stop(this.failureFor(error));
    }
  }

  /** Ends the run if no file is being verified or listed. */
  private end(): void {
    const { record } = this.order;
    const { progress } = record;
    if (this.asking.size > 0 || progress.listing || progress.state !== 'running') return;
    const at = new Date().toISOString();
    try {
      this.writeDown();
      const isLeft = this.todo(1).length > 0;
      const isStopped = this.task.signal.aborted;
      // Another program held the database when these rows were to be read.
      if (isLeft && !isStopped && this.later.ask()) return;
      const isUnfinished = isLeft || isStopped || progress.trouble !== null;
      Object.assign(progress, { state: isUnfinished ? 'stopped' : 'finished', endedAt: at });
      record.write(() => undefined);
    } catch (error) {
      Object.assign(progress, { state: 'running', endedAt: null });
      if (isBusy(error) && this.later.ask()) return;
      // The next start of the program finds the run without a worker and marks it as stopped.
      progress.trouble ??= this.failureFor(error);
      Object.assign(progress, { state: 'stopped', endedAt: at });
    }
    this.later.stop();
    this.publishEnd();
    this.settle();
  }

  /** Call it before the task ends, because the store may be closed afterwards. Never throws: the task must end, and the results can be read in the store. */
  private publishEnd(): void {
    const publishAll = () => {
      while (this.events.publish());
    };
    for (const step of [publishAll, this.order.onEnd]) {
      try {
        step();
      } catch (error) {
        const code = failureOf(error)?.code ?? 'bug';
        this.context.ports.log.error('the end of a verification was not published', { code });
      }
    }
  }

  private failureFor(error: unknown): Failure {
    return failureOf(error) ?? unexpectedFailure(error, { task: 'verification' }, this.context.ports.log);
  }
}

function questionAbout(
  context: VerifyContext,
  row: StoredFile,
  order: LiveRunOrder,
  signal: AbortSignal,
  isAway: boolean,
) {
  const { run, record, pace, perMinute } = order;
  let isCounted = false;
  const mayCall = async () => {
    if (order.isPlanned) await automaticTurn(context, run.connection_id, signal);
    await pace.turn(run.connection_id, perMinute, signal);
    if (!isCounted) record.tally.calls += 1;
    isCounted = true;
  };
  return {
    connectionId: run.connection_id,
    path: row.path,
    sizeBytes: row.size_bytes,
    signal,
    mayCall: isAway ? null : mayCall,
  };
}
