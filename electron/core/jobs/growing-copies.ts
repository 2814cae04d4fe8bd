import { createHash, type Hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Block, GrowingFile } from '../../soap/service/client.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { Context } from '../context.ts';
import { isOwnFile } from '../files/own-files.ts';
import type { CopyWatch } from './spool.ts';

/** Below this a file is copied before a connection to its service could be open. */
const leastBytes = 4 * 1024 * 1024;

/** Chunks that are kept in memory for a sender that is as fast as the disk. */
const keptChunks = 3;
/** So long a full memory waits for a sender to take the oldest of them, and at first until its connection is there. */
const [patienceMs, firstPatienceMs] = [20, 100];
/** A sender that was held up reads this much from the disk and catches up, as what is read again is hashed again; one that is farther behind reads all the rest from there. */
const nearBytes = 8 * 1024 * 1024;

/** A copy that is being made of a job's document, while the job is being sent. */
export interface FollowedCopy extends Pick<GrowingFile, 'path' | 'has' | 'take'> {
  /** Resolves, when copying has ended, with the job as it is being sent in the ledger, its bytes known; with null if it is not to be sent, or not now. */
  readonly admitted: Promise<StoredJob | null>;
}

interface OfferEvents {
  /** There is something to be sent. */
  onBegan(): void;
  /** The job is not to be sent now, although somebody has begun. */
  onVain(): void;
}

/** As `FollowedCopy`, for who makes the copy. */
export interface OfferedCopy extends FollowedCopy {
  readonly job: StoredJob;
  path: string;
  isFollowed: boolean;
  readonly watch: CopyWatch;
  /** From here on nobody begins to send the job as its copy grows; answers whether somebody did. */
  closeOffer(): boolean;
  /** Copying has ended; `sending`: the job, if it is admitted as being sent. What is under way of another is broken off. */
  end(sending: StoredJob | null): void;
}

/**
 * Copies whose jobs may be sent as they grow: the sender reads behind the writer, so that the original is read once. What could make the
 * request whole stays back until the job is admitted (send-job.ts); so only files are offered that can be no duplicates of what is known.
 */
export type GrowingCopies = ReturnType<typeof createGrowingCopies>;

export function createGrowingCopies({ store, team, ports }: Pick<Context, 'store' | 'team' | 'ports'>) {
  const offered = new Map<string, OfferedCopy>();
  /** What was broken off once takes the usual way: a disk that is full again and again must not make a service receive half a file each time. */
  const tried = new Set<string>();
  const isOffered = (job: StoredJob) =>
    job.sizeBytes >= leastBytes &&
    job.sourcePath !== null &&
    job.imagePath === null &&
    !tried.has(job.id) &&
    !isOwnFile(ports.dataDir, job.sourcePath) &&
    !team.asks(job.connectionId) &&
    store.jobs.goesUnhashed(job.id);
  return {
    /** The copy that staging begins of a job's document; undefined if the job has to wait for its end. */
    offer: (job: StoredJob, { onBegan, onVain }: OfferEvents): OfferedCopy | undefined => {
      if (!isOffered(job)) return undefined;
      const copy = growingCopy(job, {
        onVain,
        onBegan: () => {
          offered.set(job.id, copy);
          onBegan();
        },
        onClosed: () => offered.delete(job.id),
      });
      return copy;
    },
    /** A job of the connection to be sent as its copy grows. */
    take: (connectionId: string, mostBytes: number): StoredJob | undefined => {
      for (const copy of offered.values()) {
        if (copy.isFollowed || copy.job.connectionId !== connectionId || copy.job.sizeBytes > mostBytes) continue;
        copy.isFollowed = true;
        tried.add(copy.job.id);
        return copy.job;
      }
      return undefined;
    },
    /** The copy of a job that was taken, until copying has ended. */
    of: (jobId: string): FollowedCopy | undefined => offered.get(jobId),
  };
}

function growingCopy(job: StoredJob, on: OfferEvents & { onClosed(): void }): OfferedCopy {
  let written = 0;
  const memory = chunksInMemory(job.sizeBytes);
  let waiting: { readonly bytes: number; resolve(): void }[] = [];
  const admitted = Promise.withResolvers<StoredJob | null>();
  const tell = () => {
    for (const { bytes, resolve } of waiting) if (bytes <= written) resolve();
    waiting = waiting.filter(({ bytes }) => bytes > written);
  };
  const copy: OfferedCopy = {
    job,
    path: '',
    isFollowed: false,
    admitted: admitted.promise,
    watch: {
      began: (path) => {
        copy.path = path;
        on.onBegan();
      },
      wrote: async (bytes, last, hash) => {
        written = bytes;
        if (last && hash) memory.put(bytes - last.length, last, hash);
        tell();
        return memory.room(copy.isFollowed);
      },
    },
    take: memory.take,
    has: (bytes) =>
      bytes <= written
        ? undefined
        : new Promise((resolve) => {
            waiting.push({ bytes, resolve });
          }),
    closeOffer: () => {
      on.onClosed();
      return copy.isFollowed;
    },
    end: (sending) => {
      on.onClosed();
      if (!sending && copy.isFollowed) on.onVain();
      admitted.resolve(sending);
    },
  };
  return copy;
}

/** What a copy has last, with its hashes, for a sender; and the buffers that it gave back. */
function chunksInMemory(sizeBytes: number) {
  const [kept, free]: [(Required<Pick<Block, 'bytes' | 'hashes'>> & { readonly from: number })[], Buffer[]] = [[], []];
  let hashed: Hash = createHash('sha256');
  /** Where the sender goes on. */
  let sentTo = 0;
  let onTaken = () => {};
  return {
    put: (from: number, bytes: Buffer, hash: Hash) => {
      kept.push({ from, bytes, hashes: { before: hashed, after: hash } });
      hashed = hash;
    },
    /** A buffer for the next chunk, if there is one; waits a little for a sender that keeps up. */
    room: async (isFollowed: boolean) => {
      const oldest = kept[keptChunks] && kept[0];
      if (oldest && isFollowed && sentTo >= oldest.from - nearBytes)
        await Promise.race([
          new Promise<void>((resolve) => (onTaken = resolve)),
          sleep(oldest.from === 0 ? firstPatienceMs : patienceMs),
        ]);
      return kept[keptChunks] ? kept.shift()?.bytes : free.pop();
    },
    take: (position: number): Block | null => {
      sentTo = position;
      const found = kept.find(({ from, bytes }) => from <= position && position < from + bytes.length);
      if (!found || found.from + found.bytes.length >= sizeBytes) return null;
      kept.splice(kept.indexOf(found), 1);
      sentTo = found.from + found.bytes.length;
      onTaken();
      const hashes = position === found.from ? found.hashes : undefined;
      return { bytes: found.bytes.subarray(position - found.from), done: () => void free.push(found.bytes), hashes };
    },
  };
}
