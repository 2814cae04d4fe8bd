import { basename } from 'node:path';
import type { BulkDownloadTask, Download, FailedDownload } from '../../../contract/documents.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { NewWorkItem, StoredWork, WorkItem } from '../../store/lasting-work/work-runs.ts';
import type { Context } from '../context.ts';
import { type EarlierCopies, earlierCopies } from '../files/earlier-copies.ts';
import type { Target } from '../files/place-file.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { freeNames } from '../files/target.ts';
import { createStoredRuns, type StoredRun } from '../lasting-work/stored-runs.ts';
import { recordDownload } from './downloads.ts';

/** Downloads many documents into one folder. If it is stopped, complete files stay: resumed or begun again, it writes none of them a second time. */
export interface BulkDownloads {
  /** What is being downloaded into this folder goes on with these documents too. */
  start(folder: string, documents: readonly NewWorkItem[]): BulkDownloadTask;
  /** Throws not-found. */
  folderOf(taskId: string): string;
}

/** Downloads over one connection at the same time: more would not be faster. */
const parallel = 2;
/** Limit of saved and of failed downloads in the progress. */
const mostShown = 100;

export function createBulkDownloads(context: Context, resumes: boolean): BulkDownloads {
  const runs = createStoredRuns<'bulk-download', { readonly folder: string }>('bulk-download', context, {
    resumes,
    isKept: true,
    open: (run, { folder }) => downloadsInto(context, folder, run),
    // Two into one folder would give the same file two names.
    isSame: (one, other) => one.folder === other.folder,
  });
  return {
    start: (folder, documents) => {
      const same = runs.same({ folder });
      return same ? runs.add(same.taskId, documents) : runs.start({ folder }, documents);
    },
    folderOf: (taskId) => runs.data(taskId).folder,
  };
}

function downloadsInto(context: Context, folder: string, stored: StoredWork): StoredRun<'bulk-download'> {
  const { connections, store, targets } = context;
  /** Looked for before the first file is placed: never, for a run that is only shown. */
  let copies: EarlierCopies | null = null;
  const names = freeNames(folder);
  /** The path of each item that was begun, which it keeps when it is repeated. */
  const paths = new Map<number, string>();
  const live = new Map<number, Download>();
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
        const done = await client.download(documentId, target, { signal, onReceived });
        const received = live.get(seq) ?? begun(item);
        return { state: 'done', result: { ...received, fileName: basename(done.path), sha256: done.sha256 } };
      } finally {
        live.delete(seq);
      }
    },
    // A full disk or a missing key stops all of them: they stay open.
    failed: (item, failure) =>
      concernsAll(failure)
        ? { stops: true }
        : { outcome: { state: 'failed', result: { ...begun(item), failure } satisfies FailedDownload } },
    summary: (waitsFor) => {
      const { total, done, failed } = store.work.counts(stored);
      return {
        ...{ folderName: basename(folder) || folder, total, doneCount: done, failedCount: failed, waitsFor },
        running: [...live.values()],
        saved: store.work.results<Download>(stored, 'done', mostShown),
        failed: store.work.results<FailedDownload>(stored, 'failed', mostShown),
      };
    },
  };
}

function savedNames({ store: { work } }: Context, stored: StoredWork): readonly string[] {
  return work.results<Download>(stored, 'done', Number.MAX_SAFE_INTEGER).map(({ fileName }) => fileName);
}

/** The next download would fail for the same reason. */
function concernsAll({ code, detail }: Failure): boolean {
  return code === 'storage-full' || detail === 'target-not-writable' || code === 'not-connected';
}
