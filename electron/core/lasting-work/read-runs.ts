import { type Failure, type FailureCode, isServiceAway } from '../../../contract/failure.ts';
import type { Waiting } from '../../../contract/jobs.ts';
import type { TaskKind } from '../../../contract/tasks.ts';
import { AppError, appError, failureOf } from '../foundation/app-error.ts';
import type { Log } from '../foundation/ports.ts';
import { asLongAsItTakes, isBusy, retryWhileBusy, untilAborted } from '../foundation/retry-while-busy.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';
import type { RunningTask } from '../tasks/carry-out.ts';
import type { CircuitBreakers } from './circuit-breaker.ts';
import { createLanes, type Lane } from './lanes.ts';

/** Items read from the store in advance; the others stay there. */
const readAhead = 300;
/** Outcomes after which they are stored without waiting for the next event. */
const writeAtOnce = 200;
/** How often an item is performed if the service answers about others meanwhile. */
const tries = 3;
/** For so long a stopped run tries to store its answers while another program holds the database; one that goes on has all the time. */
const stoppedLimitMs = 60_000;

/** A run of a kind that only reads: whatever fails may be performed again. Its items and their outcomes are in tables of the store. */
export interface ReadRun<Item extends { readonly seq: number }, Result, Progress> {
  /** No kind with the effect `add` fits here: the engine repeats what it performs, and an add is never repeated by the program. */
  readonly effect: 'read';
  /** Connections of the items that are left. */
  readonly connections: readonly string[];
  /** Most items at the same time over one connection. */
  readonly parallel: number;
  /** True while items are still being added: the run does not end before. */
  readonly isListing?: boolean;
  /** True if it waits for a service that is away, and repeats what was not answered. If false, the run tells the other kinds that the service is away, but does not wait itself. */
  readonly isPatient: boolean;
  /** Items without an outcome, in their order. */
  prepare(connectionId: string, limit: number): readonly Item[];
  /** Performs an item. Null if it has no outcome: it stays open. */
  perform(item: Item, how: Performing): Promise<Result | null>;
  /** The outcome of an item that failed, and whether all others would fail for the same reason: then the run stops. Without an outcome it stays open. */
  failed(item: Item, failure: Failure): { readonly outcome?: Result; readonly stops?: boolean };
  /** Why an item had no answer although it has a result; null if the service answered, undefined if nothing is known of it. Default: it answered. */
  whyUnanswered?(result: Result): Failure | null | undefined;
  /** Stores outcomes, all or none. */
  outcome(performed: readonly (readonly [Item, Result])[]): void;
  /** What is shown of the run now. */
  summary(): Progress;
  /** Stores the end. `trouble`: why it ended early, `cancelled` if it was stopped; answers it, or what else is to be said of the end. */
  end(trouble: Failure | null): Failure | null;
}

export interface Performing {
  readonly signal: AbortSignal;
  /** To be called when the summary changed without an outcome. */
  readonly report: () => void;
}

/** A run that is going on. */
export interface LiveRun {
  /** Resolves when nothing is left and everything is stored; rejects with the reason if the run ended early. */
  readonly ended: Promise<object>;
  isRunning(seq: number): boolean;
  /** Stores all outcomes so far. Throws storage-busy. */
  flush(): void;
  /** Stores something else, once no other program holds the database; the run says meanwhile that it waits. Rejects as `write` does, and with storage-busy if it was stopped. */
  store<T>(write: () => T | Promise<T>): Promise<T>;
  /** Publishes the summary with the next event. */
  report(): void;
  /** Looks for items anew, after they were changed or added. */
  lookAgain(): void;
}

interface Needs {
  readonly kind: TaskKind;
  /** Most items at the same time over all connections; read before each, so that a change holds for the next. */
  readonly atOnce: () => number;
  readonly breakers: Pick<CircuitBreakers, 'ofKind'>;
  readonly log: Log;
}

export const goesOn: Waiting = { waitsFor: null, away: null };

/** The engine for all runs of one kind. */
export interface ReadRuns<Item extends { readonly seq: number }, Result, Progress> {
  begin(run: ReadRun<Item, Result, Progress>, task: RunningTask<Progress>): LiveRun;
  /** Whether nothing is performed over a connection: its service cannot be reached, or another program holds the database, so that answers cannot be stored. */
  waiting(connectionId: string): Waiting;
}

export function createReadRuns<Item extends { readonly seq: number }, Result, Progress>({
  kind,
  atOnce,
  breakers,
  log,
}: Needs): ReadRuns<Item, Result, Progress> {
  type Live = RunAtWork<Item, Result, Progress>;
  type Taken = { readonly live: Live; readonly item: Item; readonly connectionId: string };
  const lives = new Set<Live>();
  const circuit = breakers.ofKind((connectionId) => {
    for (const live of lives) live.report();
    if (lives.size > 0) lanes.kick(connectionId);
  });
  const isPatient = () => [...lives].some(({ run }) => run.isPatient);
  const failureFor = (error: unknown) => failureOf(error) ?? unexpectedFailure(error, { task: kind }, log);
  const room = ({ connectionId, running }: Lane<Taken>) => {
    const parallel = Math.max(0, ...[...lives].map(({ run }) => run.parallel));
    const total = lanes.all().reduce((sum, lane) => sum + lane.running.size, 0);
    const left = isPatient() ? circuit.room(connectionId, parallel, running.size) : parallel - running.size;
    return Math.min(left, atOnce() - total);
  };
  const take = (connectionId: string): Taken | null => {
    // The run with the fewest items goes first, so that none waits for ever.
    for (const live of [...lives].sort((one, other) => one.running.size - other.running.size)) {
      const item = live.next(connectionId);
      if (item) return { live, item, connectionId };
    }
    return null;
  };
  const lanes = createLanes<Taken>({
    // Runs end by themselves: each has its own signal.
    signal: new AbortController().signal,
    limitMs: () => ([...lives].some(({ isStopped }) => !isStopped) ? asLongAsItTakes : stoppedLimitMs),
    fill: (lane) => {
      while (room(lane) > 0) {
        const taken = take(lane.connectionId);
        if (!taken) break;
        lane.start(taken);
      }
      for (const live of lives) if (live.endIfDone()) lives.delete(live);
    },
    perform: async ({ live, item, connectionId }) => {
      const away = await live.perform(item);
      if (away) circuit.open(connectionId, away);
      else if (away === null) circuit.close(connectionId);
    },
    // By then the lane was filled again: nobody sees the last item done in a run that goes on.
    onEnded: ({ live }) => live.report(),
    onTrouble: (_connectionId, error) => {
      for (const live of lives) if (live.giveUp(failureFor(error))) lives.delete(live);
    },
  });
  return {
    begin: (run, task) => {
      const kick = () => {
        for (const connectionId of new Set([...run.connections, ''])) lanes.kick(connectionId);
      };
      const live: Live = new RunAtWork(run, task, kick, failureFor);
      lives.add(live);
      task.signal.addEventListener('abort', kick, { once: true });
      // Starts after the caller received the run.
      queueMicrotask(kick);
      return live;
    },
    waiting: (connectionId) => {
      const waitsFor = [...lives].find(({ heldBy }) => heldBy !== null)?.heldBy;
      if (waitsFor) return { waitsFor, away: null };
      const away = isPatient() && circuit.backingOff().find((one) => one.connectionId === connectionId);
      return away ? { waitsFor: away.failure, away } : goesOn;
    },
  };
}

/** Failures that are answers of the service. */
const answers: ReadonlySet<FailureCode> = new Set(['service-refused', 'credentials-rejected', 'reply-unreadable']);

class RunAtWork<Item extends { readonly seq: number }, Result, Progress> implements LiveRun {
  readonly ended: Promise<object>;
  readonly run: ReadRun<Item, Result, Progress>;
  /** By their number in the store. */
  readonly running = new Map<number, Item>();
  private readonly task: RunningTask<Progress>;
  private readonly kick: () => void;
  private readonly failureFor: (error: unknown) => Failure;
  private readonly ahead = new Map<string, Item[]>();
  private unwritten: (readonly [Item, Result])[] = [];
  /** How often an item failed, and how many had succeeded before. */
  private readonly failures = new Map<number, { readonly times: number; readonly successes: number }>();
  private successes = 0;
  private trouble: Failure | null = null;
  /** Why outcomes cannot be stored for now. */
  heldBy: Failure | null = null;
  private settle: (trouble: Failure | null) => void = () => undefined;

  constructor(
    run: ReadRun<Item, Result, Progress>,
    task: RunningTask<Progress>,
    kick: () => void,
    failureFor: (error: unknown) => Failure,
  ) {
    this.run = run;
    this.task = task;
    this.kick = kick;
    this.failureFor = failureFor;
    this.ended = new Promise((resolve, reject) => {
      this.settle = (trouble) => (trouble ? reject(new AppError(trouble)) : resolve({}));
    });
  }

  isRunning(seq: number): boolean {
    return this.running.has(seq);
  }

  flush(): void {
    if (this.unwritten.length === 0) return;
    try {
      this.run.outcome(this.unwritten);
    } catch (error) {
      // They were received and paid for: if they cannot be stored now, they are stored with the next ones.
      this.hold(error);
      throw error;
    }
    this.hold(null);
    this.unwritten = [];
  }

  private hold(error: unknown): void {
    this.heldBy = isBusy(error) ? failureOf(error) : null;
  }

  store<T>(write: () => T | Promise<T>): Promise<T> {
    const noted = async () => {
      try {
        const value = await write();
        this.hold(null);
        return value;
      } catch (error) {
        this.hold(error);
        throw error;
      } finally {
        this.report();
      }
    };
    return retryWhileBusy(noted, untilAborted(this.task.signal));
  }

  private flushUnlessBusy(): void {
    try {
      this.flush();
    } catch (error) {
      if (!isBusy(error)) throw error;
      this.kick();
    }
  }

  get isStopped(): boolean {
    return this.task.signal.aborted;
  }

  lookAgain(): void {
    this.ahead.clear();
    this.kick();
  }

  next(connectionId: string): Item | undefined {
    if (this.isStopped) return undefined;
    if (this.unwritten.length >= writeAtOnce) this.flush();
    const left = this.ahead.get(connectionId);
    if (left?.length) return left.pop();
    // What is not stored yet would be prepared again.
    this.flush();
    const timesOf = ({ seq }: Item) => this.failures.get(seq)?.times ?? 0;
    const ahead = this.run
      .prepare(connectionId, readAhead)
      .filter(({ seq }) => !this.running.has(seq))
      .sort((one, other) => timesOf(one) - timesOf(other))
      .reverse();
    this.ahead.set(connectionId, ahead);
    return ahead.pop();
  }

  /** Never rejects. Answers why the service is away, null if it answered, undefined if nothing is known of it. */
  async perform(item: Item): Promise<Failure | null | undefined> {
    this.running.set(item.seq, item);
    this.report();
    let [outcome, failed] = [null as Result | null | undefined, undefined as Failure | null | undefined];
    try {
      outcome = await this.run.perform(item, { signal: this.task.signal, report: () => this.report() });
      this.successes += 1;
      if (outcome !== null) failed = this.run.whyUnanswered ? this.run.whyUnanswered(outcome) : null;
    } catch (error) {
      failed = this.failureFor(error);
      if (!this.isToRepeat(item, failed) && !this.isStopped) outcome = this.afterFailure(item, failed);
    }
    this.running.delete(item.seq);
    if (outcome !== null && outcome !== undefined) this.unwritten.push([item, outcome]);
    return failed && (isServiceAway(failed) ? failed : answers.has(failed.code) ? null : undefined);
  }

  /** A service that is away is waited for. One that answers about other items has had enough tries for this one. */
  private isToRepeat(item: Item, failure: Failure): boolean {
    if (this.isStopped || !this.run.isPatient || !isServiceAway(failure)) return false;
    const before = this.failures.get(item.seq);
    const times = (before?.times ?? 0) + 1;
    const successes = before?.successes ?? this.successes;
    this.failures.set(item.seq, { times, successes });
    return times < tries || (failure.code !== 'service-timeout' && successes === this.successes);
  }

  private afterFailure(item: Item, failure: Failure): Result | undefined {
    const { outcome, stops } = this.run.failed(item, failure);
    if (stops) this.stop(failure);
    return outcome;
  }

  /** Ends the run if nothing is left of it. */
  endIfDone(): boolean {
    const { run, isStopped } = this;
    if (this.running.size > 0 || run.isListing) return false;
    this.flush();
    if (!isStopped && run.connections.some((connectionId) => run.prepare(connectionId, 1).length > 0)) return false;
    const trouble = this.trouble ?? (isStopped ? appError('cancelled', 'it was stopped').failure : null);
    this.settle(run.end(trouble));
    return true;
  }

  /** The store cannot be read or written: ends the run without storing its end, once nothing is performed any more. */
  giveUp(failure: Failure): boolean {
    this.stop(failure);
    if (this.running.size > 0) return false;
    this.settle(this.trouble);
    return true;
  }

  private stop(failure: Failure): void {
    this.trouble ??= failure;
    this.task.stop();
  }

  /** With the next event outcomes are stored, and what is shown is read. */
  report(): void {
    this.task.report(() => {
      try {
        this.flushUnlessBusy();
        return this.run.summary();
      } catch (error) {
        // The lane repeats it while another program holds the database.
        if (isBusy(error)) this.kick();
        else this.stop(this.failureFor(error));
        return {};
      }
    });
  }
}
