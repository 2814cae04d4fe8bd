import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Download } from '../../../contract/documents.ts';
import type { Context } from '../context.ts';
import type { Target } from '../files/place-file.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { throttled } from '../foundation/throttled.ts';

/** Downloads of documents into files that a person or a host chose. In memory: a download is a read and is simply done again. */
export interface Downloads {
  /** Answers at once; how it goes is told in `documents.downloadProgressed`. Rejects with not-found or not-connected. */
  start(connectionId: string, documentId: string, target: Target): Promise<{ readonly downloadId: string }>;
  /** Rejects with not-found. One that has ended is left as it is. */
  cancel(downloadId: string): void;
  /** Where a finished download is. Rejects with not-found or bad-input. */
  finishedPath(downloadId: string): string;
  close(): Promise<void>;
}

interface Running {
  view: Download;
  /** Where it is, once it is done. */
  path: string;
  readonly controller: AbortController;
  ended: Promise<void>;
}

const progressEveryMs = 100;
/** The oldest ended ones are forgotten. */
const kept = 1_000;

export function createDownloads(context: Context): Downloads {
  const all = new Map<string, Running>();
  const known = (downloadId: string): Running => {
    const running = all.get(downloadId);
    if (!running) throw appError('not-found', 'no such download');
    return running;
  };
  return {
    start: async (connectionId, documentId, target) => {
      const client = await context.connections.client(connectionId);
      const running: Running = {
        view: begun(documentId, basename(target.path)),
        path: target.path,
        controller: new AbortController(),
        ended: Promise.resolve(),
      };
      forgetOldest(all);
      all.set(running.view.downloadId, running);
      running.ended = run(context, running, (options) => client.download(documentId, target, options));
      return { downloadId: running.view.downloadId };
    },
    cancel: (downloadId) => known(downloadId).controller.abort(),
    finishedPath: (downloadId) => {
      const { view, path } = known(downloadId);
      if (view.state !== 'done') throw appError('bad-input', 'the download is not finished');
      return path;
    },
    close: async () => {
      for (const { controller } of all.values()) controller.abort();
      await Promise.all([...all.values()].map(({ ended }) => ended));
    },
  };
}

function begun(documentId: string, fileName: string): Download {
  return {
    downloadId: randomUUID(),
    documentId,
    fileName,
    state: 'running',
    receivedBytes: 0,
    totalBytes: null,
    sha256: null,
    failure: null,
  };
}

function forgetOldest(all: Map<string, Running>): void {
  if (all.size < kept) return;
  for (const [id, { view }] of all) {
    if (view.state === 'running') continue;
    all.delete(id);
    return;
  }
}

async function run(
  { emit, ports }: Context,
  running: Running,
  download: (options: {
    signal: AbortSignal;
    onReceived: (receivedBytes: number, totalBytes: number | null) => void;
  }) => Promise<{ sha256: string; path: string }>,
): Promise<void> {
  const tell = throttled(progressEveryMs, () => emit('documents.downloadProgressed', running.view));
  const change = (change: Partial<Download>) => {
    running.view = { ...running.view, ...change };
  };
  try {
    const { sha256, path } = await download({
      signal: running.controller.signal,
      onReceived: (receivedBytes, totalBytes) => {
        change({ receivedBytes, totalBytes });
        tell.request();
      },
    });
    running.path = path;
    change({ state: 'done', sha256, fileName: basename(path) });
  } catch (error) {
    const failure = failureOf(error) ?? appError('bug', 'downloading failed in an unexpected way').failure;
    if (failure.code === 'bug') ports.log.error('download failed', { error: error instanceof Error ? error.name : '' });
    change({ state: failure.code === 'cancelled' ? 'cancelled' : 'failed', failure });
  }
  tell.stop();
  emit('documents.downloadProgressed', running.view);
}
