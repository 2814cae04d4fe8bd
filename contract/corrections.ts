import { z } from 'zod';
import { call } from './call.ts';
import type { Failure } from './failure.ts';
import type { FileToken } from './files.ts';
import type { JobState } from './jobs.ts';
import { localId } from './text.ts';

/** How a job ended that may be corrected and sent as a new one: the service did not take it, or nobody knows (`in-doubt`). */
export const correctable = ['refused', 'failed', 'cancelled', 'in-doubt'] as const satisfies readonly JobState[];
export type Correctable = (typeof correctable)[number];

export function isCorrectable(state: JobState): state is Correctable {
  return correctable.some((one) => one === state);
}

interface OfJob {
  readonly jobId: string;
  readonly connectionId: string;
  readonly state: Correctable;
  readonly failure: Failure | null;
}

/** What was typed for a job, as it goes back into its form. */
export type Correction =
  /** A signature request, of a bulk's row too: a draft, in `drafts.get`. */
  | { readonly kind: 'request'; readonly draftId: string }
  | (OfJob & {
      readonly kind: 'register';
      /** The file where it was, or the queue's copy of it; null where both are gone. */
      readonly file: FileToken | null;
      readonly fileName: string;
      readonly name: string;
      readonly description: string;
      readonly clientId: string;
      readonly creditType: number | null;
    })
  | (OfJob & { readonly kind: 'note'; readonly message: string; readonly description: string });

export const corrections = {
  /**
   * What was typed for a job that was not taken. It is sent by the call that sent it first (`signatures.request` with the draft, `documents.register` or
   * `service.addQuickNote` with `corrects`) as a new job, which takes the old one off the list in the same step: never are both sent. Rejects with
   * not-found, and with bad-input where the job is under way or was taken.
   */
  'corrections.open': call(z.strictObject({ jobId: localId })).answers<Correction>(),
};
