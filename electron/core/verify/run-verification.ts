import { type Failure, type FailureCode, isServiceAway } from '../../../contract/failure.ts';
import type { VerificationTask, VerifyRun } from '../../../contract/verify.ts';
import type { StoredFile, StoredRun, Tally } from '../../store/verify/verify-rows.ts';
import { callInTurn } from '../connections/call-budget.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../foundation/app-error.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';
import type { Pace } from '../lasting-work/lanes.ts';
import type { LiveRun as EngineRun, Performing, ReadRun, ReadRuns } from '../lasting-work/read-runs.ts';
import type { RunningTask } from '../tasks/carry-out.ts';
import { resultView } from './result-view.ts';
import { putAnswers, type RunRecord, recount } from './run-record.ts';
import { type Asked, type VerifyContext, verifyFile } from './verify-file.ts';

/** After this many files in a row whose answers took too long the service is considered away, as it is at once where it says so. */
const lateInRow = 10;

/** Failures of the connection, independent of the file and of whether its service is away. */
const troubles: ReadonlySet<FailureCode> = new Set(['not-connected', 'credentials-rejected', 'not-found']);

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
  readonly isStopping: boolean;
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
  readonly pace: Pace;
  /** Why the service cannot be asked at all; otherwise null. */
  readonly trouble: Failure | null;
  /** True if the program started the run: its calls count against the budget of automatic calls. */
  readonly isPlanned: boolean;
  /** Called once, after the end was written. */
  readonly onEnd: () => void;
}

type Shown = VerificationTask['progress'];

export type VerifyEngine = ReadRuns<StoredFile, Asked, Shown>;

/**
 * Verifies all files of a run that have no answer. Where no service is, or can be, asked they stay without one, and what they themselves prove is read. Starts at once; rows and answers stay in the store. `ended` resolves
 * when no call is open and everything is written; it rejects if the run stopped before its end.
 */
export function runVerification(
  context: VerifyContext,
  engine: VerifyEngine,
  order: LiveRunOrder,
  task: RunningTask<Shown>,
): { readonly live: LiveRun; readonly ended: Promise<object> } {
  const live = new Verification(context, engine, order, task);
  const ended = live.work.ended.catch((error: unknown) => {
    // The next start of the program finds a run whose end could not be written and marks it as stopped.
    const { progress } = order.record;
    if (progress.state === 'running')
      Object.assign(progress, { state: 'stopped', endedAt: now(), trouble: progress.trouble ?? failureOf(error) });
    throw error;
  });
  return { live, ended: ended.finally(() => live.publishEnd()) };
}

class Verification implements LiveRun, ReadRun<StoredFile, Asked, Shown> {
  readonly effect = 'read';
  /** A call may cost something: where the service is away, a person asks again. */
  readonly isPatient = false;
  readonly connections: readonly string[];
  readonly parallel: number;
  readonly work: EngineRun;
  private readonly context: VerifyContext;
  private readonly engine: VerifyEngine;
  private readonly order: LiveRunOrder;
  private readonly task: RunningTask<Shown>;
  private readonly events: RunEvents;
  /** Files in a row about which nothing was answered. */
  private unanswered = 0;
  private hasAnswered = false;
  /** Files that stay open, as the service was away when they were asked about, with why. */
  private readonly leftOpen = new Map<number, Failure>();
  /** True while files are only looked at. */
  private isAway: boolean;
  /** The last row that was only looked at, as it stays pending. */
  private lookedAt = 0;

  constructor(context: VerifyContext, engine: VerifyEngine, order: LiveRunOrder, task: RunningTask<Shown>) {
    const { run, record, list } = order;
    this.context = context;
    this.engine = engine;
    this.order = order;
    this.task = task;
    this.connections = [run.connection_id];
    this.parallel = order.parallel;
    this.isAway = order.trouble !== null || run.connection_id === '';
    record.progress.trouble = order.trouble;
    this.events = createRunEvents(context, run, (seq) => this.isAsking(seq));
    this.work = engine.begin(this, task);
    if (list) void this.list(list);
  }

  get isListing(): boolean {
    return this.order.record.progress.listing;
  }

  view(): VerifyRun {
    return this.order.record.view();
  }

  get isStopping(): boolean {
    return this.task.signal.aborted;
  }

  isAsking(seq: number): boolean {
    return this.work.isRunning(seq);
  }

  flush(): void {
    this.work.flush();
    this.work.report();
  }

  change(work: (tally: Tally) => void): void {
    const { record, run } = this.order;
    this.work.flush();
    record.write(() => work(record.tally));
    this.unanswered = 0;
    this.leftOpen.clear();
    record.progress.trouble = null;
    this.turn(run.connection_id === '');
  }

  recount(): void {
    const { run, record } = this.order;
    const { verifyFiles } = this.context.store;
    const { total } = record.tally;
    recount(record.tally, verifyFiles.countsIn(run), verifyFiles.changedCounts(run));
    // Files that are not listed yet are already counted.
    record.tally.total = Math.max(total, record.tally.total);
    this.work.report();
  }

  /** Lists the files of the run; found files are verified at the same time. Never rejects. */
  private async list(list: Lister): Promise<void> {
    const { run, record } = this.order;
    const { signal } = this.task;
    const write = async (work: () => void) => {
      await this.work.store(() => record.write(work));
      this.work.lookAgain();
      this.work.report();
    };
    try {
      await list({ run, tally: record.tally, signal, write });
      record.progress.isListed = true;
    } catch (error) {
      // An incomplete list stays incomplete: resuming the run walks through the folder again.
      if (!signal.aborted)
        record.progress.trouble ??=
          failureOf(error) ?? unexpectedFailure(error, { task: 'verification' }, this.context.ports.log);
      this.task.stop();
    }
    record.progress.listing = false;
    this.work.lookAgain();
  }

  prepare(connectionId: string, limit: number): readonly StoredFile[] {
    const { order, leftOpen } = this;
    if (connectionId !== order.run.connection_id) return [];
    const after = this.isAway ? this.lookedAt : 0;
    const rows = this.context.store.verifyFiles.todo(order.run, limit + leftOpen.size, after);
    // To be asked last: what an earlier attempt left open must not hold up the others, should it be about that file.
    const isLast = ({ failure }: StoredFile) => Number(!this.isAway && failure !== null);
    return rows
      .filter(({ seq }) => !leftOpen.has(seq))
      .toSorted((one, other) => isLast(one) - isLast(other))
      .slice(0, limit);
  }

  async perform(row: StoredFile, { signal, report }: Performing): Promise<Asked | null> {
    const { isAway } = this;
    if (isAway) this.lookedAt = row.seq;
    this.events.mark([row]);
    report();
    const { run } = this.order;
    const asked = await verifyFile(this.context, {
      connectionId: run.connection_id,
      path: row.path,
      sizeBytes: row.size_bytes,
      signal,
      mayCall: isAway ? null : () => this.mayCall(signal),
    });
    if (asked === null) this.events.mark([row]);
    return asked === null || isAway ? asked : this.judge(row, asked);
  }

  failed(_row: StoredFile, failure: Failure): { readonly stops: true } {
    this.order.record.progress.trouble ??= failure;
    return { stops: true };
  }

  whyUnanswered({ answer, failure }: Asked): Failure | null | undefined {
    return failure ?? (answer ? null : undefined);
  }

  outcome(performed: readonly (readonly [StoredFile, Asked])[]): void {
    const { run, record } = this.order;
    this.events.mark(putAnswers(this.context, run, record, performed));
  }

  summary(): Shown {
    if (this.events.publish()) this.work.report();
    return { run: this.view(), ...this.engine.waiting(this.order.run.connection_id) };
  }

  end(trouble: Failure | null): Failure | null {
    const { record } = this.order;
    const { progress } = record;
    const before = { ...progress };
    if (trouble?.code !== 'cancelled') progress.trouble ??= trouble ?? [...this.leftOpen.values()][0] ?? null;
    const isUnfinished = trouble !== null || progress.trouble !== null;
    Object.assign(progress, { state: isUnfinished ? 'stopped' : 'finished', endedAt: now() });
    try {
      record.write(() => undefined);
    } catch (error) {
      Object.assign(progress, before);
      throw error;
    }
    return progress.trouble ?? trouble;
  }

  /** Call it before the task ends, because the store may be closed afterwards. Never throws: the task must end, and the results can be read in the store. */
  publishEnd(): void {
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

  /** From now on files are asked about, or only looked at. */
  private turn(isAway: boolean): void {
    this.isAway = isAway;
    this.lookedAt = 0;
    this.work.lookAgain();
    this.work.report();
  }

  /**
   * What an answer says about the service. Where it is away the file stays open, and the others are only looked at: a call may cost something. If it has answered
   * before, the next file is asked about first: it may be about that one.
   */
  private judge({ seq }: StoredFile, asked: Asked): Asked {
    const { failure } = asked;
    if (!failure) [this.unanswered, this.hasAnswered] = [0, true];
    const isOfConnection = failure !== null && troubles.has(failure.code);
    if (!failure || !(isOfConnection || isServiceAway(failure))) return asked;
    this.unanswered += 1;
    const isLate = failure.code === 'service-timeout';
    const most = isLate ? lateInRow : this.hasAnswered && !isOfConnection ? 2 : 1;
    if (this.unanswered >= most && !this.isAway) {
      this.order.record.progress.trouble ??= failure;
      this.turn(true);
    }
    // Its answer may have been on its way, and paid for.
    if (isLate) return asked;
    this.leftOpen.set(seq, failure);
    return { ...asked, answer: null, raw: null };
  }

  /** Awaited before each call. */
  private async mayCall(signal: AbortSignal): Promise<() => Promise<void>> {
    const { run, record, pace, perMinute, isPlanned } = this.order;
    if (isPlanned) await callInTurn(this.context, run.connection_id, signal);
    await pace.turn(run.connection_id, perMinute, signal);
    return record.countCall((count) => this.work.store(count));
  }
}

function now(): string {
  return new Date().toISOString();
}

/** Maximum of results per event; more results go with the next event. */
const resultsPerEvent = 500;

/** Publishes the changed results of a run in `verify.answered`. Its task decides when. */
type RunEvents = ReturnType<typeof createRunEvents>;

function createRunEvents(context: Context, run: StoredRun, isAsking: (seq: number) => boolean) {
  const view = resultView(context.store, run);
  const marked = new Map<number, StoredFile>();
  return {
    mark: (rows: readonly StoredFile[]): void => {
      for (const row of rows) marked.set(row.idx, row);
    },
    /** Publishes some of the marked results. True if others are left. */
    publish: (): boolean => {
      if (marked.size === 0) return false;
      const rows = [...marked.values()].slice(0, resultsPerEvent);
      for (const { idx } of rows) marked.delete(idx);
      const results = rows.map((row) => view(row, isAsking(row.seq)));
      context.emit('verify.answered', { runId: run.id, results });
      return marked.size > 0;
    },
  };
}
