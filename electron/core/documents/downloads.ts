import { basename } from 'node:path';
import type { DownloadTask } from '../../../contract/documents.ts';
import type { Context } from '../context.ts';
import type { Target } from '../files/place-file.ts';

/** Downloads documents into files that a person or a host chose. Tasks are kept in memory only, because a download is a read and can be repeated. */
export interface Downloads {
  /** Rejects with not-found or not-connected. */
  start(connectionId: string, documentId: string, target: Target): Promise<DownloadTask>;
  /** Path of a finished download. Throws not-found or bad-input. */
  finishedPath(taskId: string): string;
}

/** Number of tasks kept; the oldest ended ones are dropped first. */
const known = 1_000;

export function createDownloads({ tasks, connections }: Context): Downloads {
  const downloads = tasks.ofKind<'download', { path: string }>('download', { known });
  return {
    start: async (connectionId, documentId, target) => {
      const client = await connections.client(connectionId);
      const data = { path: target.path };
      const fileName = basename(target.path);
      const progress = { documentId, fileName, receivedBytes: 0, totalBytes: null, sha256: null };
      return downloads.start({ progress, data }, async ({ signal, report }) => {
        const onReceived = (receivedBytes: number, totalBytes: number | null) => report({ receivedBytes, totalBytes });
        const { sha256, path } = await client.download(documentId, target, { signal, onReceived });
        data.path = path;
        return { sha256, fileName: basename(path) };
      }).task;
    },
    finishedPath: (taskId) => downloads.finished(taskId).path,
  };
}
