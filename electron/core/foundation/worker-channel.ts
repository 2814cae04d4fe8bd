import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';
import type { Failure } from '../../../contract/failure.ts';
import { AppError, appError, codeOf, failureOf } from './app-error.ts';

/** Handlers of a worker's requests, by name. Inputs and answers are copied between the threads. */
export type WorkerActions = Readonly<Record<string, (...input: never[]) => unknown>>;

/** The main thread's end of a worker. It keeps the process from ending only while an answer or the end is awaited. */
export interface WorkerChannel<Actions extends WorkerActions> {
  /**
   * Requests are carried out and answered one by one, in order. Rejects with the failure that the action threw, with an Error of the same name, code
   * and message for any other error, and with bug if the worker ended before it answered.
   */
  ask<Name extends keyof Actions & string>(
    name: Name,
    ...input: Parameters<Actions[Name]>
  ): Promise<Awaited<ReturnType<Actions[Name]>>>;
  /** True once `end` was called or the worker ended by itself: further requests are rejected. */
  isOver(): boolean;
  /** Ends the worker after the requests made so far. Resolves when the thread is gone; never rejects. */
  end(): Promise<void>;
  /** Ends the worker at once, whatever it is doing: what it has not answered is rejected. Resolves when the thread is gone; never rejects. */
  kill(): Promise<void>;
}

type Request = readonly [name: string, ...input: unknown[]];
/** `null` ends the worker. */
type ToWorker = Request | null;
type Answer =
  | { readonly value: unknown }
  | { readonly failure: Failure }
  | { readonly name: string; readonly code: string; readonly message: string };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * Starts the worker of a source file, which calls `serveWorker`. `source` is `new URL('./NAME.ts', import.meta.url)`; in a built program the
 * worker is `dist/workers/NAME.js` beside the folder of the program. Takes 30 to 60 ms of another processor.
 */
export function startWorker<Actions extends WorkerActions>(
  source: URL,
  resourceLimits: ResourceLimits = {},
): WorkerChannel<Actions> {
  // Without the process's options: those of a debugger or a test runner would slow the start down.
  const worker = new Worker(fileOf(source), { execArgv: [], resourceLimits });
  worker.unref();
  const waiting: Waiting[] = [];
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let isOver = false;
  const rejectAll = () => {
    isOver = true;
    for (const { reject } of waiting.splice(0)) reject(appError('bug', `the worker ${nameOf(source)} ended`));
  };
  worker.on('error', rejectAll).on('exit', rejectAll);
  worker.on('message', (answer: Answer) => {
    const first = waiting.shift();
    if (waiting.length === 0 && !isOver) worker.unref();
    if ('value' in answer) first?.resolve(answer.value);
    else first?.reject(errorOf(answer));
  });
  return {
    ask: (name, ...input) =>
      new Promise((resolve, reject) => {
        if (isOver) return reject(appError('bug', `the worker ${nameOf(source)} has ended`));
        const request: ToWorker = [name, ...input];
        // Called first, as it throws if an input cannot be copied.
        worker.postMessage(request);
        if (waiting.length === 0) worker.ref();
        waiting.push({ resolve: resolve as Waiting['resolve'], reject });
      }),
    isOver: () => isOver,
    end: () => {
      isOver = true;
      worker.ref();
      worker.postMessage(null satisfies ToWorker);
      return ended;
    },
    kill: async () => {
      isOver = true;
      await worker.terminate();
      await ended;
    },
  };
}

/** The worker's end: carries out requests one after the other, also if an action answers with a promise. Call it once, in the worker's own file. */
export function serveWorker(actions: WorkerActions): void {
  const port = parentPort;
  if (!port) throw new Error('this file is started as a worker');
  const answer = async ([name, ...input]: Request) => {
    try {
      port.postMessage({ value: await actions[name]?.(...(input as never[])) } satisfies Answer);
    } catch (error) {
      port.postMessage(answerTo(error));
    }
  };
  let last: Promise<void> = Promise.resolve();
  port.on('message', (request: ToWorker) => {
    last = last.then(() => (request === null ? port.close() : answer(request)));
  });
}

function answerTo(error: unknown): Answer {
  const failure = failureOf(error);
  if (failure) return { failure };
  const { name, message } = error instanceof Error ? error : new Error(typeof error);
  return { name, code: codeOf(error), message };
}

function errorOf(answer: Exclude<Answer, { value: unknown }>): Error {
  if ('failure' in answer) return new AppError(answer.failure);
  const { message, ...nameAndCode } = answer;
  return Object.assign(new Error(message), nameAndCode);
}

function fileOf(source: URL): URL {
  const isSource = import.meta.filename.endsWith('.ts');
  return isSource ? source : new URL(`../workers/${nameOf(source)}.js`, import.meta.url);
}

/** `sql-worker` of `…/sql-worker.ts`. */
function nameOf(source: URL): string {
  return /([^/]+)\.ts$/.exec(source.pathname)?.[1] ?? source.pathname;
}
