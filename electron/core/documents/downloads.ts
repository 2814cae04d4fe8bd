import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Connection } from '../../../contract/connections.ts';
import type { BulkDownloadTask, Download, FailedDownload, SavedDownload } from '../../../contract/documents.ts';
import type { Failure, FailureCode } from '../../../contract/failure.ts';
import type { NewDownload } from '../../store/documents/downloads.ts';
import type { NewWorkItem, StoredWork, WorkItem } from '../../store/lasting-work/work-runs.ts';
import type { Context } from '../context.ts';
import { hashFile } from '../files/hash-file.ts';
import type { Target } from '../files/place-file.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { freeNames } from '../files/target.ts';
import { appError, failureOf, orNotFound } from '../foundation/app-error.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { createStoredRuns, type StoredRun } from '../lasting-work/stored-runs.ts';

/** Downloads documents into files that a person or a host chose. Tasks are kept in memory only, because a download is a read and can be repeated. */
export type Downloads = ReturnType<typeof createDownloads>;

/** Number of tasks kept; the oldest ended ones are dropped first. */
const known = 1_000;

export function createDownloads(context: Context) {
  const { tasks, connections } = context;
  const downloads = tasks.ofKind<'download', { path: string }>('download', { known });
  return {
    /** `name`: of the document, if it is known. Rejects with not-found or not-connected. */
    start: async (connectionId: string, documentId: string, target: Target, name: string = '') => {
      const client = await connections.client(connectionId);
      const data = { path: target.path };
      const fileName = basename(target.path);
      const progress = { documentId, fileName, receivedBytes: 0, totalBytes: null, sha256: null };
      return downloads.start({ progress, data }, async ({ signal, report }) => {
        const onReceived = (receivedBytes: number, totalBytes: number | null) => report({ receivedBytes, totalBytes });
        const onComplete: Target['onComplete'] = async ({ sha256 }) => {
          await recordDownload(context, { sha256, connectionId, documentId, name: name || fileName });
          return null;
        };
        const done = await client.download(documentId, { ...target, onComplete }, { signal, onReceived });
        data.path = done.path;
        return { sha256: done.sha256, fileName: basename(done.path) };
      }).task;
    },
    /** Path of a finished download. Throws not-found or bad-input. */
    finishedPath: (taskId: string): string => downloads.finished(taskId).path,
  };
}

/** Stores the hash of a downloaded file, by which a verification recognises it, before the file has its name: a kill leaves none unknown. Never throws: the file is complete without it. */
export async function recordDownload(
  { store, ports }: Context,
  download: Omit<NewDownload, 'downloadedAt'>,
): Promise<void> {
  try {
    await retryWhileBusy(() => store.downloads.put({ ...download, downloadedAt: new Date().toISOString() }));
  } catch (error) {
    ports.log.error('a download was not recorded', { code: failureOf(error)?.code });
  }
}

/** Downloads many documents into one folder. If it is stopped, complete files stay: resumed or begun again, it writes none of them a second time. */
export type BulkDownloads = ReturnType<typeof createBulkDownloads>;

/** Downloads over one connection at the same time: more would not be faster. */
const parallel = 2;
/** Limit of saved and of failed downloads in the progress. */
const mostShown = 100;

interface BulkOrder {
  readonly folder: string;
  /** Addresses of the services, by connection, when it began: what another service has is another document. Without them in runs of earlier versions. */
  readonly services?: Readonly<Record<string, string>>;
}

const serviceOf = ({ kind, baseUrl }: Connection): string => (kind === 'practice' ? kind : baseUrl);

export function createBulkDownloads(context: Context, resumes: boolean) {
  const runs = createStoredRuns<'bulk-download', BulkOrder>('bulk-download', context, {
    resumes,
    isKept: true,
    open: (run, order) => downloadsInto(context, order, run),
    // Two into one folder would give the same file two names. What leads to other services than the run has goes on by itself: it would be another's documents.
    isSame: (going, { folder, services = {} }) =>
      going.folder === folder && Object.entries(services).every(([id, service]) => going.services?.[id] === service),
  });
  return {
    /** What is being downloaded into this folder goes on with these documents too. */
    start: async (folder: string, documents: readonly NewWorkItem[]): Promise<BulkDownloadTask> => {
      const services: Record<string, string> = {};
      for (const id of new Set(documents.map(({ connectionId }) => connectionId)))
        services[id] = serviceOf(await context.connections.get(id));
      const order = { folder, services };
      const same = runs.same(order);
      return same ? runs.add(same.taskId, documents) : runs.start(order, documents);
    },
    /** What an ended one has left: all, where its folder is gone. Throws not-found. */
    left: (taskId: string): readonly NewWorkItem[] => {
      const { work } = context.store;
      const run = orNotFound(work.get('bulk-download', taskId), 'it is not kept any more');
      const open = work.connections(run).flatMap((id) => work.open(run, id, Number.MAX_SAFE_INTEGER));
      return existsSync(runs.data(taskId).folder) ? open : [...work.doneItems(run), ...open];
    },
    /** Throws not-found. */
    folderOf: (taskId: string): string => runs.data(taskId).folder,
  };
}

function downloadsInto(context: Context, order: BulkOrder, stored: StoredWork): StoredRun<'bulk-download'> {
  const { connections, store, targets } = context;
  const { folder, services } = order;
  /** Looked for before the first file is placed: never, for a run that is only shown. */
  let copies: EarlierCopies | null = null;
  const names = freeNames(folder);
  /** The path of each item that was begun, which it keeps when it is repeated. */
  const paths = new Map<number, string>();
  const live = new Map<number, Download>();
  /** Files that had other bytes when it was resumed, by document. */
  const changed = new Map<string, string>();
  const begun = ({ seq, documentId }: WorkItem): Download => {
    const fileName = basename(paths.get(seq) ?? '');
    return { documentId, fileName, receivedBytes: 0, totalBytes: null, sha256: null };
  };
  return {
    effect: 'read',
    parallel,
    isPatient: true,
    perform: async (item, { signal, report }) => {
      const { seq, connectionId, documentId } = item;
      const row = store.documents.byDocumentId(connectionId, documentId);
      const name = safeFileName(row?.fileName || row?.name || '', documentId);
      const path = paths.get(seq) ?? (await names.take(name));
      paths.set(seq, path);
      targets.note(path);
      live.set(seq, begun(item));
      report();
      try {
        const client = await connections.client(connectionId);
        const service = services?.[connectionId];
        if (service !== undefined && service !== serviceOf(await connections.get(connectionId)))
          throw appError('bad-input', 'the connection leads to another service now', { detail: 'service-changed' });
        const onComplete: Target['onComplete'] = async (file) => {
          await recordDownload(context, { sha256: file.sha256, connectionId, documentId, name: row?.name || name });
          copies ??= earlierCopies(folder, savedNames(context, stored));
          return copies.take(name, file);
        };
        const onReceived = (receivedBytes: number, totalBytes: number | null) => {
          live.set(seq, { ...begun(item), receivedBytes, totalBytes });
          report();
        };
        const target = { path, next: () => names.take(name), onComplete };
        const { path: placed, sha256 } = await client.download(documentId, target, { signal, onReceived });
        const saved = { fileName: basename(placed), sha256, changed: changed.get(documentId) };
        return { state: 'done', result: { ...(live.get(seq) ?? begun(item)), ...saved } satisfies SavedDownload };
      } finally {
        live.delete(seq);
      }
    },
    isStillDone: (result, signal) => isThere(folder, result as SavedDownload, changed, signal),
    // A full disk or a missing key stops all of them: they stay open.
    failed: (item, failure) =>
      concernsAll(failure)
        ? { stops: true }
        : { outcome: { state: 'failed', result: { ...begun(item), failure } satisfies FailedDownload } },
    summary: (waiting) => ({ ...summaryOf(context, folder, stored), ...waiting, running: [...live.values()] }),
  };
}

function summaryOf({ store: { work } }: Context, folder: string, stored: StoredWork) {
  const { total, done, failed } = work.counts(stored);
  return {
    folderName: basename(folder) || folder,
    total,
    doneCount: done,
    failedCount: failed,
    saved: work.results<SavedDownload>(stored, 'done', mostShown),
    failed: work.results<FailedDownload>(stored, 'failed', mostShown),
  };
}

/** Whether a saved file is as it was; one that has other bytes now is noted in `changed`. */
async function isThere(
  folder: string,
  { documentId, fileName, sha256 }: SavedDownload,
  changed: Map<string, string>,
  signal: AbortSignal,
): Promise<boolean> {
  const file = await hashFile(join(folder, fileName), signal).catch(() => null);
  // Without its folder nothing can be written: the run stops, and its files may be back with it.
  if (!file) return !existsSync(folder);
  if (file.sha256 !== sha256) changed.set(documentId, fileName);
  return file.sha256 === sha256;
}

function savedNames({ store: { work } }: Context, stored: StoredWork): readonly string[] {
  return work.results<Download>(stored, 'done', Number.MAX_SAFE_INTEGER).map(({ fileName }) => fileName);
}

/** The next download would fail for the same reason. */
function concernsAll({ code, detail }: Failure): boolean {
  const codes: readonly FailureCode[] = ['storage-full', 'not-connected', 'credentials-rejected'];
  return codes.includes(code) || detail === 'target-not-writable' || detail === 'service-changed';
}

/** Finds files that are in a folder already, so that a download that is begun again writes none of them a second time. */
type EarlierCopies = ReturnType<typeof earlierCopies>;

/** As file systems that do not distinguish case compare names, without the number that `freeNames` adds. */
const keyOf = (name: string) =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/ \(\d+\)(?=\.[^.]*$|$)/, '');

function grouped(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const group = groups.get(keyOf(name)) ?? [];
    group.push(name);
    groups.set(keyOf(name), group);
  }
  return groups;
}

/** The files that are in the folder now, but those with the names of `others`: they are the copies of other documents. One that cannot be read has no equal. */
function earlierCopies(folder: string, others: readonly string[] = []) {
  const listed = readdir(folder).then(grouped, () => grouped([]));
  const sizes = new Map<string, Promise<number | null>>();
  const hashes = new Map<string, Promise<string | null>>();
  const once = <T>(known: Map<string, Promise<T | null>>, path: string, read: () => Promise<T>) => {
    const value = known.get(path) ?? read().catch(() => null);
    known.set(path, value);
    return value;
  };
  const taken = new Set(others.map((name) => join(folder, name)));
  return {
    /** The path of a file of this name, or of the name with a number, that has these bytes. Each is answered once: two documents may have the same bytes. */
    take: async (
      name: string,
      { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string },
    ): Promise<string | null> => {
      for (const one of (await listed).get(keyOf(name)) ?? []) {
        const path = join(folder, one);
        if (taken.has(path)) continue;
        if ((await once(sizes, path, async () => (await stat(path)).size)) !== sizeBytes) continue;
        if ((await once(hashes, path, async () => (await hashFile(path)).sha256)) !== sha256 || taken.has(path))
          continue;
        taken.add(path);
        return path;
      }
      return null;
    },
  };
}
