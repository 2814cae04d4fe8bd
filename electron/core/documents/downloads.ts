import { basename } from 'node:path';
import type { DownloadTask } from '../../../contract/documents.ts';
import type { NewDownload } from '../../store/documents/downloads.ts';
import type { Context } from '../context.ts';
import type { Target } from '../files/place-file.ts';
import { failureOf } from '../foundation/app-error.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';

/** Downloads documents into files that a person or a host chose. Tasks are kept in memory only, because a download is a read and can be repeated. */
export interface Downloads {
  /** `name`: of the document, if it is known. Rejects with not-found or not-connected. */
  start(connectionId: string, documentId: string, target: Target, name?: string): Promise<DownloadTask>;
  /** Path of a finished download. Throws not-found or bad-input. */
  finishedPath(taskId: string): string;
}

/** Number of tasks kept; the oldest ended ones are dropped first. */
const known = 1_000;

export function createDownloads(context: Context): Downloads {
  const { tasks, connections } = context;
  const downloads = tasks.ofKind<'download', { path: string }>('download', { known });
  return {
    start: async (connectionId, documentId, target, name = '') => {
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
    finishedPath: (taskId) => downloads.finished(taskId).path,
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
