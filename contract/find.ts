import { z } from 'zod';
import { call } from './call.ts';
import type { Job } from './jobs.ts';
import { localId } from './text.ts';

/** A person to whom requests were sent, or could be sent. */
export interface FoundPerson {
  readonly name: string;
  readonly email: string;
  /** True if a list of the connection has an entry for this address, or a request was sent to it from here. */
  readonly hasRequests: boolean;
}

export interface FoundRequest {
  /** Null for an entry without a document: it is shown by itself; and for a request whose document is not known. */
  readonly origDocumentId: string | null;
  /** The entry that was found; null if no list has one. */
  readonly entryId: string | null;
  readonly documentName: string | null;
  readonly signerCount: number;
  readonly signedCount: number;
  /** As of `TrackedGroup`. */
  readonly hasUnknown: boolean;
  /** Names, else addresses, of the first signers. */
  readonly people: readonly string[];
}

export interface FoundDocument {
  readonly id: string;
  readonly connectionId: string;
  /** As of `DocumentRow`. */
  readonly documentId: string | null;
  /** By which the register has it (`documents.place`): its ID, without one that of its job. */
  readonly key: string;
  readonly name: string;
  readonly clientId: string;
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
