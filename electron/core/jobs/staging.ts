import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '../../../contract/failure.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { ownFolders } from '../files/own-files.ts';
import { type Room, roomFor } from '../files/storage-room.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { createLanes, type Lane } from '../lasting-work/lanes.ts';
import { clearUp } from './kept-copies.ts';
import { type LiveJob, newLiveJob, type QueueContext, writeDown } from './queue-context.ts';
import type { CopySource, CopyWatch, SpoolPart } from './spool.ts';

/** Files copied at the same time: more large ones would not be faster on one disk; small ones wait for it together. Of node's four threads one syncs, and one is left to what is being sent. */
const parallelCopies = { large: 2, small: 3 } as const;
const smallBytes = 1024 * 1024;
/** If room is scarce, at most so many of a connection's jobs are copied ahead of those being sent. */
const aheadWhenScarce = 4;
/** How many jobs are marked as changed at once when they begin or stop waiting for the disk. */
const markedWhenWaiting = 200;

type OnWaiting = (connectionId: string) => void;

/**
 * Copies the files of prepared jobs into the spool; then the jobs wait for their turn. A failure of the spool itself
 * (full disk, read-only disk, too many open files) fails no job: the jobs stay prepared, show the reason, and are
 * tried again. `onWaiting` is called when there is something to send for a connection: a copy that is complete, or one that may be sent as it grows.
 */
export function startStaging(queue: QueueContext, onWaiting: OnWaiting) {
  // One lane for all connections: they share the disk.
  const lanes = createLanes<StoredJob>({
    signal: queue.closing,
    fill: (lane) => fill(queue, lane),
    perform: (job) => stage(queue, job, onWaiting),
    onEnded: ({ connectionId }) => onWaiting(connectionId),
    onTrouble: (_lane, error) => {
      queue.context.ports.log.error('copying was interrupted', { code: failureOf(error)?.code });
      void sleep(queue.context.pauses.stagingMs, undefined, { signal: queue.closing }).then(kick, () => undefined);
    },
  });
  const kick = () => lanes.kick('');
  return {
    /** Starts copying if there is something to copy. */
    kick,
    /** A job has ended: there may be room again. */
    roomMayBeBack: () => {
      queue.spoolBreaker.roomMayBeBack();
      kick();
    },
    /** Resolves when no file is being copied. */
    idle: lanes.idle,
  };
}

async function fill(queue: QueueContext, { running, start }: Lane<StoredJob>): Promise<void> {
  const { store, ports } = queue.context;
  const most = () => parallelCopies[[...running].some(isLarge) ? 'large' : 'small'];
  while (!queue.closing.aborted && running.size < most() && !queue.spoolBreaker.isBackingOff()) {
    const promised = [...running].reduce((sum, job) => sum + bytesOf(job), 0);
    const room = await roomFor(ports.dataDir, promised);
    if (queue.closing.aborted) return;
    const except = [...running].map(({ id }) => id);
    const job = nextJob(queue, room, except);
    if (!job) {
      if (store.jobs.prepared({ limit: 1, except }).length === 0) return waitNoMore(queue);
      const { failure } = appError('storage-full', 'there is no room for the copy beside what the ledger needs');
      return waitForSpool(queue, failure);
    }
    if (isLarge(job) && running.size >= parallelCopies.large) return;
    start(job);
  }
}

const bytesOf = ({ sizeBytes, imageBytes }: StoredJob) => sizeBytes + imageBytes;
const isLarge = (job: StoredJob) => bytesOf(job) > smallBytes;

/** The oldest job for which there is room. */
function nextJob(queue: QueueContext, room: Room, except: readonly string[]): StoredJob | undefined {
  const { store, ports } = queue.context;
  const ownPrefixes = ownFolders(ports.dataDir);
  const mostBytes = queue.spoolBreaker.fullAtBytes() - 1;
  const oldest = (bytes: number, exceptConnections: readonly string[] = []) =>
    store.jobs.prepared({
      limit: 1,
      except,
      maxBytes: Math.min(bytes, mostBytes),
      ownPrefixes,
      exceptConnections,
    })[0];
  const job = oldest(room.plentyBytes);
  if (job) return job;
  const farAhead = store.jobs
    .waitingConnections()
    .filter((id) => store.jobs.waiting(id, { order: 'old', limit: aheadWhenScarce }).length === aheadWhenScarce);
  return oldest(room.usableBytes, farAhead);
}

/** Holds back copying, and marks the waiting jobs so that the reason is shown. */
function waitForSpool(queue: QueueContext, failure: Failure, neededBytes?: number): void {
  if (queue.spoolBreaker.open(failure, neededBytes)) markPrepared(queue);
}

function waitNoMore(queue: QueueContext): void {
  if (queue.spoolBreaker.close()) markPrepared(queue);
}

/** Never throws: a ledger that cannot be written may not be readable either, and copying goes on when it is back. */
function markPrepared(queue: QueueContext): void {
  try {
    for (const { id } of queue.context.store.jobs.prepared({ limit: markedWhenWaiting })) queue.changes.mark(id);
  } catch {
    queue.changes.mark();
  }
}

async function stage(queue: QueueContext, job: StoredJob, onWaiting: OnWaiting): Promise<void> {
  const { store, ports } = queue.context;
  const live = newLiveJob();
  queue.live.set(job.id, live);
  const signal = AbortSignal.any([live.controller.signal, queue.closing]);
  const growing = queue.growing.offer(job, {
    onBegan: () => onWaiting(job.connectionId),
    onVain: () => live.controller.abort(),
  });
  let isAdmitted = false;
  /** The job, if it is being sent already. */
  let sending: StoredJob | null = null;
  try {
    const change = await spoolFiles(queue, job, signal, growing?.watch);
    await writeDown(
      queue,
      () =>
        store.grouped(() => {
          isAdmitted = store.jobs.admit(job.id, change) !== false;
          if (growing?.closeOffer() && mayLeave(queue, job)) store.jobs.claim(job.id);
          // As it is read: where the disk did not answer, an earlier try may have been written.
          const now = growing?.isFollowed ? store.jobs.get(job.id) : null;
          sending = now?.state === 'sending' && now.runId === job.runId ? now : null;
        }),
      (failure) => showUnwritten(queue, job, live, failure),
    );
    if (live.unwritten || queue.spoolBreaker.failure()?.code === 'storage-unusable') waitNoMore(queue);
  } catch (error) {
    // If the job was cancelled, its state is already recorded. If the program ends, the file is copied again at the
    // next start.
    if (signal.aborted) return;
    const failure = failureOf(error) ?? appError('bug', 'copying failed in an unexpected way').failure;
    if (failure.code === 'storage-full' || failure.code === 'storage-unusable') {
      ports.log.error('the spool cannot be written', { code: failure.code, note: failure.note });
      return waitForSpool(queue, failure, bytesOf(job));
    }
    if (failure.code === 'bug') ports.log.error('copying failed', { jobId: job.id, error: String(error) });
    await writeDown(
      queue,
      () => void store.jobs.move(job.id, ['prepared'], 'failed', { failure }),
      (trouble) => showUnwritten(queue, job, live, trouble),
    );
  } finally {
    growing?.end(sending);
    if (!growing?.isFollowed && queue.live.get(job.id) === live) queue.live.delete(job.id);
    // The job may have been dismissed while it was copied, before the copy existed.
    if (!isAdmitted) await clearUp(queue, job.id).catch(() => undefined);
    queue.changes.mark(job.id);
  }
}

/** As of any job that is about to leave: everything may be paused by now, or its connection held. */
function mayLeave({ pause, doubtBreaker }: QueueContext, { connectionId }: StoredJob): boolean {
  return !pause.isOn() && doubtBreaker.failure(connectionId) === null;
}

/** Shows that the job waits because the ledger cannot be written; the other prepared jobs wait for the same. */
function showUnwritten(queue: QueueContext, job: StoredJob, live: LiveJob, failure: Failure | null): void {
  live.unwritten = failure;
  if (failure) waitForSpool(queue, failure);
  queue.changes.mark(job.id);
}

async function spoolFiles(
  queue: QueueContext,
  job: StoredJob,
  signal: AbortSignal,
  watch: CopyWatch | undefined,
): Promise<{ sha256?: string; imageSha256?: string }> {
  const copy = (part: SpoolPart, source: CopySource) => queue.spool.copyIn(job.id, part, source, signal, watch);
  const image =
    job.imagePath !== null &&
    (await copy('image', {
      path: job.imagePath,
      sizeBytes: job.imageBytes,
      modifiedMs: job.imageModifiedMs,
      identity: job.imageIdentity,
      sha256: job.imageSha256,
    }));
  const known = image ? { imageSha256: image.sha256 } : {};
  if (job.sourcePath === null) return known;
  const { sizeBytes, modifiedMs, identity, sha256 } = job;
  const copied = await copy('document', { path: job.sourcePath, sizeBytes, modifiedMs, identity, sha256 });
  return { ...known, sha256: copied.sha256 };
}
