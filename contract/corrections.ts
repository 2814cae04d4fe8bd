import { call } from './call.ts';
import type { Failure } from './failure.ts';
import type { FileToken } from './files.ts';
import type { JobState } from './jobs.ts';
import { localId } from './text.ts';

/** States of a job that can be corrected and sent as a new one: the service did not take it, or this is unknown (`in-doubt`). */
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

/** The input of a job, for its form. */
export type Correction =
  /** A signature request, also of a bulk's row, as a draft for `drafts.get`. */
  | { readonly kind: 'request'; readonly draftId: string }
  | (OfJob & {
      readonly kind: 'register';
      /** The file in its place, or the queue's copy; null if neither exists. */
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
   * Returns the input of a job that the service did not take. It is sent by the call that sent it first (`signatures.request` with the draft,
   * `documents.register` or `service.addQuickNote` with `corrects`) as a new job, which takes the old one off the list in the same step, so that
   * never both are sent. Rejects with not-found, and with bad-input if the job is under way or was taken.
   */
  'corrections.open': call(() => ({ jobId: localId })).answers<Correction>(),
};
