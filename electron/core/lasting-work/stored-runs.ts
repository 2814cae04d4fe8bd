import { randomUUID } from 'node:crypto';
import type { Waiting } from '../../../contract/jobs.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { NewWorkItem, StoredWork, WorkItem, WorkOutcome } from '../../store/lasting-work/work-runs.ts';
import type { Store } from '../../store/store.ts';
import { appError, failureOf, orNotFound } from '../foundation/app-error.ts';
import type { Log } from '../foundation/ports.ts';
import type { Removals } from '../foundation/removals.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import type { SomeTask } from '../tasks/carry-out.ts';
import type { Tasks, TasksOfKind } from '../tasks/tasks.ts';
import type { CircuitBreakers } from './circuit-breaker.ts';
import { createReadRuns, goesOn, type LiveRun, type ReadRun } from './read-runs.ts';

/** Kinds of work on documents whose runs are in the engine's own table. */
export type StoredKind = 'bulk-download' | 'status-refresh';

/** What a kind says of one of its runs; the engine does the rest. */
export interface StoredRun<K extends StoredKind>
  extends Pick<
    ReadRun<WorkItem, WorkOutcome, Task<K>['progress']>,
    'effect' | 'parallel' | 'isPatient' | 'perform' | 'failed'
  > {
  summary(waiting: Waiting): Task<K>['progress'];
  /** Whether what an item came to is still there, looked at when the run goes on after it had ended; without it the item is performed again. */
  isStillDone?(result: unknown, signal: AbortSignal): Promise<boolean>;
}

/** Runs of one kind, each a task while it is going on. They outlive the program: the next one on the data folder goes on with them. One that was stopped, or that has failed, can be resumed. */
export interface StoredRuns<K extends StoredKind, Data> {
  start(data: Data, items: readonly NewWorkItem[]): Task<K>;
  /** Adds items to a run that is going on. */
  add(taskId: string, items: readonly NewWorkItem[]): Task<K>;
  /** The run that is going on and is the same as one with this data. */
  same(data: Data): Task<K> | undefined;
  /** Throws not-found. */
  data(taskId: string): Data;
}

interface Needs {
  readonly tasks: Tasks;
  readonly removals: Removals;
  readonly store: Pick<Store, 'work'>;
  readonly settings: { preferences(): { readonly atOnce: number } };
  readonly breakers: CircuitBreakers;
  readonly ports: { readonly log: Log };
}

/** Number of tasks kept; the oldest ended ones are dropped first. */
const known = 20;

interface Kind<K extends StoredKind, Data> {
  /** Goes on with the runs of programs that have ended. */
  readonly resumes: boolean;
  /** True if the next program still offers to resume what was stopped or has failed. */
  readonly isKept: boolean;
  open(run: StoredWork, data: Data): StoredRun<K>;
  /** True if a run that is going on takes up what another one would do: only one of them goes on. */
  isSame(going: Data, other: Data): boolean;
}

export function createStoredRuns<K extends StoredKind, Data>(
  kind: K,
  { tasks, removals, store: { work }, settings, breakers, ports: { log } }: Needs,
  { resumes, isKept, open, isSame }: Kind<K, Data>,
): StoredRuns<K, Data> {
  const ofKind: TasksOfKind<K, Data> = tasks.ofKind<K, Data>(kind, {
    known,
    again: {
      resume: (taskId) => {
        const run = orNotFound(work.get(kind, taskId), 'it is not kept any more');
        const going = sameAs(dataOf(run));
        if (going === taskId) return ofKind.get(taskId).task;
        if (!work.reopen(run)) throw appError('bad-input', 'another program works on it');
        if (going === undefined) return go(run, true);
        const { stored, lookAtDone } = liveOf(going);
        work.join(run, stored);
        lookAtDone();
        return shownOf(going);
      },
      hide: work.hide,
      forget: work.remove,
    },
  });
  const dataOf = (run: StoredWork) => JSON.parse(run.data) as Data;
  const atOnce = () => settings.preferences().atOnce;
  const runs = createReadRuns<WorkItem, WorkOutcome, Task<K>['progress']>({ kind, atOnce, breakers, log });
  const live = new Map<
    string,
    { readonly stored: StoredWork; readonly run: LiveRun; summary(): Task<K>['progress']; lookAtDone(): void }
  >();
  const liveOf = (taskId: string) => orNotFound(live.get(taskId), 'it is not going on any more');
  const shownOf = (taskId: string): Task<K> => ({ ...ofKind.get(taskId).task, progress: liveOf(taskId).summary() });
  const go = (stored: StoredWork, isAgain: boolean): Task<K> => {
    const data = dataOf(stored);
    const own = open(stored, data);
    const left = () => work.connections(stored);
    const done = doneOf(kind, own, stored, work, log, () => live.get(stored.id)?.run);
    const waits = () => left().map(runs.waiting);
    const summary = () => own.summary(waits().find(({ waitsFor }) => waitsFor) ?? goesOn);
    const run: ReadRun<WorkItem, WorkOutcome, Task<K>['progress']> = {
      effect: 'read',
      parallel: own.parallel,
      isPatient: own.isPatient,
      perform: own.perform,
      failed: own.failed,
      get connections() {
        return left();
      },
      get isListing() {
        return done.isLooking;
      },
      prepare: (connectionId, limit) => work.open(stored, connectionId, limit),
      outcome: work.put,
      summary,
      end: (trouble) => {
        // What the end of the program stopped goes on with the next one.
        const end = trouble === null ? 'done' : trouble.code === 'cancelled' ? 'stopped' : 'failed';
        if (end !== 'stopped' || !tasks.isClosing) work.end(stored, end);
        return trouble;
      },
    };
    return ofKind.start({ taskId: stored.id, progress: summary(), data }, (task) => {
      const begun = runs.begin(run, task);
      const { signal } = task;
      live.set(stored.id, { stored, run: begun, summary, lookAtDone: () => void done.look(signal) });
      if (isAgain) void done.look(signal);
      return begun.ended.finally(() => live.delete(stored.id));
    }).task;
  };
  const takeOver = async () => {
    await removals.endLeft(work.leftHidden(), work.remove);
    for (const run of await retryWhileBusy(() => work.takeOver(kind))) go(run, true);
    for (const run of isKept ? await retryWhileBusy(() => work.unfinished(kind)) : [])
      ofKind.recall({ taskId: run.id, progress: open(run, dataOf(run)).summary(goesOn), data: dataOf(run) });
  };
  const sameAs = (data: Data): string | undefined =>
    (ofKind.running() as readonly SomeTask[]).find(({ taskId }) => isSame(ofKind.get(taskId).data, data))?.taskId;
  const add = (taskId: string, items: readonly NewWorkItem[]): Task<K> => {
    const { stored, run } = liveOf(taskId);
    work.addItems(stored, items);
    run.lookAgain();
    return shownOf(taskId);
  };
  if (resumes)
    void takeOver().catch((error: unknown) => {
      log.error('work of an earlier run was not taken over', { kind, code: failureOf(error)?.code });
    });
  return {
    start: (data, items) => go(work.add({ id: randomUUID(), kind, data: JSON.stringify(data) }, items), false),
    add,
    same: (data) => {
      const going = sameAs(data);
      return going === undefined ? undefined : ofKind.get(going).task;
    },
    data: (taskId) => ofKind.get(taskId).data,
  };
}

/** Looks at what the items of a run came to when it had ended, and opens those again of which nothing is there any more. */
function doneOf<K extends StoredKind>(
  kind: K,
  run: StoredRun<K>,
  stored: StoredWork,
  work: Store['work'],
  log: Log,
  begun: () => LiveRun | undefined,
) {
  let looking = 0;
  return {
    get isLooking() {
      return looking > 0;
    },
    async look(signal: AbortSignal): Promise<void> {
      if (!run.isStillDone) return;
      looking += 1;
      try {
        for (const { seq, result } of work.doneItems(stored)) {
          const isThere = await run.isStillDone(result, signal);
          if (signal.aborted) return;
          if (isThere) continue;
          await begun()?.store(() => work.openAgain(seq));
          begun()?.lookAgain();
        }
      } catch (error) {
        log.error('what was done before was not looked at', { kind, code: failureOf(error)?.code });
      } finally {
        looking -= 1;
        begun()?.lookAgain();
      }
    },
  };
}
