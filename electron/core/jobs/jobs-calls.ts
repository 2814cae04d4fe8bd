import type { HandlersOf } from '../../../contract/index.ts';
import type { DuplicateRule } from '../../../contract/jobs.ts';
import { fillPattern, nameOfFile } from '../../../contract/text.ts';
import type { LocalFile } from '../files/local-file.ts';
import type { JobOrder } from './enqueue.ts';
import type { Jobs } from './start-jobs.ts';

/** Calls about the queue. */
export function activityCalls(jobs: Jobs): HandlersOf<'jobs'> {
  return {
    'jobs.list': async (query) => jobs.list(query),
    'jobs.read': async (which) => jobs.read(which),
    'jobs.takeOver': async ({ jobIds }) => ({ count: jobs.takeOver(jobIds) }),
    'jobs.release': async ({ jobIds }) => ({ count: jobs.release(jobIds) }),
    'jobs.batches': async (page) => jobs.batches(page),
    'jobs.history': async ({ jobId }) => jobs.history(jobId),
    'jobs.pause': async (scope) => jobs.pause(scope),
    'jobs.resume': (scope) => jobs.resume(scope),
    'jobs.tryNow': async ({ connectionId }) => jobs.tryNow(connectionId),
    'jobs.takeBack': (which) => jobs.takeBack(which),
    'jobs.sendNow': async ({ batchId, isStopped }) => jobs.countdowns.sendNow(batchId, isStopped),
    'jobs.cancel': ({ jobId }) => jobs.cancel(jobId),
    'jobs.sendAgain': ({ jobId, secretWord }) => jobs.sendAgain(jobId, secretWord),
    'jobs.previewAgain': (which) => jobs.previewAgain(which),
    'jobs.retryAll': ({ states, batchId }) => jobs.retryAll(states, batchId),
    'jobs.cancelWaiting': async (which) => ({ count: await jobs.cancelWaiting(which) }),
    'jobs.decide': ({ jobIds, decision }) => jobs.decide(jobIds, decision),
    'jobs.reconcile': ({ jobId, ...how }) => jobs.reconcile(jobId, how),
    'jobs.accept': ({ jobId, documentId, isUnchecked }) => jobs.accept(jobId, documentId, isUnchecked ?? false),
    'jobs.undoAccept': async ({ jobId }) => jobs.undoAccept(jobId),
    'jobs.dismiss': ({ jobIds }) => jobs.dismiss(jobIds),
    'jobs.restoreDismissed': async ({ jobIds }) => ({ count: jobs.restoreDismissed(jobIds) }),
  };
}

interface RegisterOptions {
  readonly creditType: number;
  readonly name: string;
  readonly description?: string;
  readonly clientId?: string;
  /** The patterns were filled in before: braces are ordinary text. */
  readonly isFilled?: boolean;
  /** What to do with files whose bytes were sent before, by file index. Files in `skip` are left out. */
  readonly duplicates?: {
    readonly otherwise: DuplicateRule;
    readonly skip: readonly number[];
    readonly send: readonly number[];
  };
}

/** Yields one AddNewDocument per file, with the patterns filled in for each. A document without a name is called like its file; other empty texts are left out. */
export function* registerOrders(files: readonly LocalFile[], given: RegisterOptions): Generator<JobOrder> {
  const { otherwise = 'ask', skip = [], send = [] } = given.duplicates ?? {};
  const [skipped, sent] = [new Set(skip), new Set(send)];
  let n = 0;
  for (const file of files) {
    n += 1;
    if (skipped.has(n - 1)) continue;
    const filled = (text = '') => (given.isFilled ? text : fillPattern(text, file, n));
    const [description, clientId] = [filled(given.description), filled(given.clientId)];
    const name = filled(given.name) || nameOfFile(file);
    yield {
      operation: 'AddNewDocument',
      title: file.name,
      args: {
        creditType: given.creditType,
        DocumentName: name,
        Description: description || undefined,
        ClientID: clientId || undefined,
      },
      file,
      duplicates: sent.has(n - 1) ? 'send' : otherwise,
      record: { name, description, clientId, signers: '', fileName: file.name },
    };
  }
}
