import { basename } from 'node:path';
import type { BulkDownload, BulkDownloadTask, Download, FailedDownload } from '../../../contract/documents.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { Context } from '../context.ts';
import { type EarlierCopies, earlierCopies } from '../files/earlier-copies.ts';
import { freeNames } from '../files/free-names.ts';
import type { Target } from '../files/place-file.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { failureOf } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';
import type { RunningTask } from '../tasks/carry-out.ts';
import { recordDownload } from './downloads.ts';

/** Downloads many documents into one folder. Tasks are kept in memory only, because a download is a read and can be repeated. */
export interface BulkDownloads {
  /** If the task is stopped, complete files stay: begun again, it writes none of them a second time. */
  start(folder: string, documents: readonly DocumentKey[]): BulkDownloadTask;
  /** Throws not-found. */
  folderOf(taskId: string): string;
}

export interface DocumentKey {
  readonly connectionId: string;
  readonly documentId: string;
}

const parallel = 2;
const tries = 3;
/** Limit of saved and of failed downloads in the progress. */
const mostShown = 100;
/** Number of tasks kept; the oldest ended ones are dropped first. */
const known = 20;

export function createBulkDownloads(context: Context): BulkDownloads {
  const bulks = context.tasks.ofKind<'bulk-download', { readonly folder: string }>('bulk-download', { known });
  return {
    start: (folder, documents) =>
      bulks.start({ progress: initialProgress(folder, documents.length), data: { folder } }, (running) =>
        downloadAll(context, folder, documents, running),
      ).task,
    folderOf: (taskId) => bulks.get(taskId).data.folder,
  };
}

function initialProgress(folder: string, total: number): BulkDownload {
  const folderName = basename(folder) || folder;
  return { folderName, total, doneCount: 0, failedCount: 0, running: [], saved: [], failed: [] };
}

async function downloadAll(
  context: Context,
  folder: string,
  documents: readonly DocumentKey[],
  { signal, report, stop }: RunningTask<BulkDownload>,
): Promise<Partial<BulkDownload>> {
  const live = new Map<DocumentKey, Download>();
  const saved: Download[] = [];
  const failed: FailedDownload[] = [];
  const counts = { doneCount: 0, failedCount: 0 };
  const progress = () => ({ ...counts, running: [...live.values()], saved: [...saved], failed: [...failed] });
  const names = { ...freeNames(folder), earlier: earlierCopies(folder) };
  const left = documents.values();
  const fetchSome = async () => {
    for (const key of left) {
      if (signal.aborted) return;
      const { download, failure } = await fetchOne(context, key, names, signal, (now) => {
        live.set(key, now);
        report(progress);
      });
      live.delete(key);
      if (!failure) counts.doneCount = addTo(saved, download, counts.doneCount);
      else if (failure.code !== 'cancelled')
        counts.failedCount = addTo(failed, { ...download, failure }, counts.failedCount);
      report(progress);
      // The next download would fail for the same reason.
      if (failure?.code === 'storage-full' || failure?.detail === 'target-not-writable') stop();
    }
  };
  const workers = Array.from({ length: Math.min(parallel, context.settings.preferences().atOnce) }, fetchSome);
  // If one worker fails, the other is stopped and has ended before the task ends.
  await Promise.all(workers).catch(stop);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  signal.throwIfAborted();
  return {};
}

/** Keeps the last `mostShown` entries; returns the new count. */
function addTo<T>(shown: T[], one: T, count: number): number {
  shown.push(one);
  if (shown.length > mostShown) shown.shift();
  return count + 1;
}

/** Never rejects because of a failed download: the failure is in the result. */
async function fetchOne(
  context: Context,
  { connectionId, documentId }: DocumentKey,
  names: ReturnType<typeof freeNames> & { readonly earlier: EarlierCopies },
  signal: AbortSignal,
  onProgress: (download: Download) => void,
): Promise<{ readonly download: Download; readonly failure: Failure | null }> {
  const { connections, store, ports, targets } = context;
  const row = store.documents.byDocumentId(connectionId, documentId);
  const name = safeFileName(row?.fileName || row?.name || '', documentId);
  const path = await names.take(name);
  targets.note(path);
  let download: Download = { documentId, fileName: basename(path), receivedBytes: 0, totalBytes: null, sha256: null };
  onProgress(download);
  const onReceived = (receivedBytes: number, totalBytes: number | null) => {
    download = { ...download, receivedBytes, totalBytes };
    onProgress(download);
  };
  try {
    const client = await connections.client(connectionId);
    const onComplete: Target['onComplete'] = async (file) => {
      await recordDownload(context, { sha256: file.sha256, connectionId, documentId, name: row?.name || name });
      return names.earlier.take(name, file);
    };
    const target = { path, next: () => names.take(name), onComplete };
    const fetch = () => client.download(documentId, target, { signal, onReceived });
    // A large document may break off late.
    const done = await retryRead(fetch, { tries, signal, withinMs: Number.POSITIVE_INFINITY });
    const { sha256 } = done;
    return { download: { ...download, fileName: basename(done.path), sha256 }, failure: null };
  } catch (error) {
    return { download, failure: failureOf(error) ?? unexpectedFailure(error, { task: 'bulk-download' }, ports.log) };
  }
}
