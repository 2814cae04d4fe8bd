import { z } from 'zod';
import { call } from './call.ts';
import type { DocumentRow } from './documents.ts';
import type { Job } from './jobs.ts';
import { calendarDay, localId } from './text.ts';
import type { RequestProgress, TrackedGroup } from './tracking.ts';

/** A request with a signature that was seen since the person was last here. */
export interface SignedRequest extends RequestProgress, Pick<TrackedGroup, 'origDocumentId'> {
  readonly documentName: string;
  /** When the last of its signatures was seen, ISO 8601, UTC. */
  readonly at: string;
}

/** What waits and what happened on one connection. Requests are counted as in `tracking.state`. */
export interface HomeSummary {
  /** Nothing was ever sent with this ledger, and it knows no document. */
  readonly isEmpty: boolean;
  readonly waiting: {
    /** Requests that are waiting or partly signed; null as long as a list of waiting ones was never read. */
    readonly count: number | null;
    /** Those of them that were sent until the end of this day, two weeks ago. */
    readonly longCount: number;
    readonly longUntil: string;
    /** Requests of which it is not known whether they are signed, and that were sent until then. */
    readonly unknownLongCount: number;
  };
  readonly signed: {
    /** When the person was here before this visit, or the first one began; ISO 8601, UTC. Null if nobody was ever here. */
    readonly since: string | null;
    /** Requests with a signature that was seen since then; null as long as a list of signed ones was never read. */
    readonly count: number | null;
    /** The last of them. */
    readonly requests: readonly SignedRequest[];
  };
  /** What was sent today, as `jobs.list` lists it (`sent`); `taken`: the service has it. */
  readonly sent: { readonly count: number; readonly taken: number };
}

export const home = {
  /** `today`: the day at the person's place. `isHere`: the person sees the answer; half an hour without that ends a visit. `most`: how many signed requests are named. */
  'home.summary': call(() => ({
    connectionId: localId,
    today: calendarDay,
    isHere: z.boolean(),
    most: z.int().min(1).max(100).default(3),
  })).answers<HomeSummary>(),
};

/** A person to whom requests were sent, or could be sent. */
export interface FoundPerson {
  readonly name: string;
  readonly email: string;
  /** True if a list of the connection has an entry for this address, or a request was sent to it from here. */
  readonly hasRequests: boolean;
}

/** `origDocumentId` is null also for an entry without a document, which is shown by itself. */
export interface FoundRequest extends RequestProgress, Pick<TrackedGroup, 'origDocumentId' | 'documentName'> {
  /** The entry that was found; null if no list has one. */
  readonly entryId: string | null;
  /** The job of one that is known by no document. */
  readonly jobId: string | null;
  /** Names, else addresses, of the first signers. */
  readonly people: readonly string[];
}

interface FoundDocument extends Pick<DocumentRow, 'id' | 'connectionId' | 'documentId' | 'name' | 'clientId'> {
  /** By which the register has it (`documents.place`): its ID, without one that of its job. */
  readonly key: string;
}

/** A job that needs a person: the service did not take it, or it is not known whether it did. */
export type FoundJob = Pick<Job, 'id' | 'batchId' | 'title' | 'sentTo' | 'state'>;

/** The best matches of each kind, best first. */
export interface Found {
  readonly jobs: readonly FoundJob[];
  readonly people: readonly FoundPerson[];
  readonly requests: readonly FoundRequest[];
  readonly documents: readonly FoundDocument[];
}

export const find = {
  /**
   * What a person may look for while typing: people and requests of this connection, documents and jobs that need a person of all. Reads a bounded number of rows. Rejects with
   * cancelled if another search began.
   */
  'find.all': call(() => ({ connectionId: localId, text: z.string().min(1).max(200) })).answers<Found>(),
};
