import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { BulkDownload, Download } from '../../../contract/documents.ts';
import type { Context } from '../context.ts';
import { freeNames } from '../files/free-names.ts';
import { safeFileName } from '../files/safe-file-name.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';
import { throttled } from '../foundation/throttled.ts';

/** Many documents into one folder. In memory: a download is a read and is simply done again. */
export interface BulkDownloads {
  /** Answers at once; told in `documents.bulkDownloadProgressed`. */
  start(folder: string, documents: readonly DocumentKey[]): BulkDownload;
  /** What is there whole stays. Rejects with not-found. */
  stop(bulkId: string): void;
  /** Rejects with not-found. */
  folderOf(bulkId: string): string;
  close(): Promise<void>;
}

export interface DocumentKey {
  readonly connectionId: string;
  readonly documentId: string;
}

interface Running {
  view: BulkDownload;
  readonly folder: string;
  readonly controller: AbortController;
  ended: Promise<void>;
}

const progressEveryMs = 100;
const parallel = 2;
const tries = 3;
/** Of those that are there, and of those that failed. */
const mostShown = 100;
const keptBulks = 20;

export function createBulkDownloads(context: Context): BulkDownloads {
  const all = new Map<string, Running>();
  const known = (bulkId: string): Running => {
    const running = all.get(bulkId);
    if (!running) throw appError('not-found', 'no such bulk download');
    return running;
  };
  return {
    start: (folder, documents) => {
      const running: Running = {
        view: begun(folder, documents.length),
        folder,
        controller: new AbortController(),
        ended: Promise.resolve(),
      };
      for (const [id, { view }] of all) if (all.size >= keptBulks && view.state !== 'running') all.delete(id);
      all.set(running.view.bulkId, running);
      running.ended = run(context, running, documents);
      return running.view;
    },
    stop: (bulkId) => known(bulkId).controller.abort(),
    folderOf: (bulkId) => known(bulkId).folder,
    close: async () => {
      for (const { controller } of all.values()) controller.abort();
      await Promise.all([...all.values()].map(({ ended }) => ended));
    },
  };
}

function begun(folder: string, total: number): BulkDownload {
  return {
    bulkId: randomUUID(),
    state: 'running',
    folderName: basename(folder) || folder,
    total,
    doneCount: 0,
    failedCount: 0,
    running: [],
    saved: [],
    failed: [],
  };
}

async function run(context: Context, running: Running, documents: readonly DocumentKey[]): Promise<void> {
  const live = new Map<string, Download>();
  const tell = throttled(progressEveryMs, () => context.emit('documents.bulkDownloadProgressed', running.view));
  const change = (next: Partial<BulkDownload> = {}) => {
    running.view = { ...running.view, ...next, running: [...live.values()] };
    tell.request();
  };
  const names = freeNames(running.folder);
  const left = documents.values();
  const work = async () => {
    for (const key of left) {
      if (running.controller.signal.aborted) return;
      const ended = await fetchOne(context, running, key, names, (view) => {
        live.set(view.downloadId, view);
        change();
      });
      live.delete(ended.downloadId);
      const { doneCount, failedCount, saved, failed } = running.view;
      if (ended.state === 'done') change({ doneCount: doneCount + 1, saved: [...saved, ended].slice(-mostShown) });
      else if (ended.state === 'failed')
        change({ failedCount: failedCount + 1, failed: [...failed, ended].slice(-mostShown) });
      // The next one would end the same way.
      if (ended.failure?.code === 'storage-full' || ended.failure?.detail === 'target-not-writable')
        running.controller.abort();
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  change({ state: running.controller.signal.aborted ? 'stopped' : 'done' });
  tell.flush();
  tell.stop();
}

async function fetchOne(
  { connections, store, ports, targets }: Context,
  { controller }: Running,
  { connectionId, documentId }: DocumentKey,
  names: ReturnType<typeof freeNames>,
  tell: (view: Download) => void,
): Promise<Download> {
  const row = store.documents.byDocumentId(connectionId, documentId);
  const name = safeFileName(row?.fileName || row?.name || '', documentId);
  const path = await names.take(name);
  targets.note(path);
  let view: Download = {
    downloadId: randomUUID(),
    documentId,
    fileName: basename(path),
    state: 'running',
    receivedBytes: 0,
    totalBytes: null,
    sha256: null,
    failure: null,
  };
  tell(view);
  const { signal } = controller;
  const onReceived = (receivedBytes: number, totalBytes: number | null) => {
    view = { ...view, receivedBytes, totalBytes };
    tell(view);
  };
  try {
    const client = await connections.client(connectionId);
    const target = { path, next: () => names.take(name) };
    const download = () => client.download(documentId, target, { signal, onReceived });
    const done = await retryRead(download, { tries, signal });
    return { ...view, fileName: basename(done.path), state: 'done', sha256: done.sha256 };
  } catch (error) {
    const failure = failureOf(error) ?? appError('bug', 'downloading failed in an unexpected way').failure;
    if (failure.code === 'bug') ports.log.error('download failed', { error: error instanceof Error ? error.name : '' });
    return { ...view, state: failure.code === 'cancelled' ? 'cancelled' : 'failed', failure };
  }
}
