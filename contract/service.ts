import { z } from 'zod';
import { call } from './call.ts';
import { documentIdText, lineOf, localId, xmlText } from './text.ts';

/** A text that the service answered, as it came; null if the element was absent. */
export interface ServiceText {
  readonly raw: string | null;
  readonly askedAt: string;
}

const onConnection = z.strictObject({ connectionId: localId });

export const service = {
  'service.version': call(() => onConnection).answers<ServiceText>(),
  'service.schedule': call(() => onConnection).answers<ServiceText>(),
  /** GetAuthToken, used to test the credentials. The token itself is not answered. */
  'service.testCredentials': call(() => onConnection).answers<{ readonly accepted: true; readonly askedAt: string }>(),
  /** AddQuickNote: creates one job; may cost a note credit. */
  'service.addQuickNote': call(() => ({
    connectionId: localId,
    message: xmlText(100_000),
    description: xmlText(10_000).optional(),
    /** A note that was not taken (`corrections.open`): the new job replaces it. */
    corrects: localId.optional(),
  })).answers<{ readonly batchId: string; readonly jobId: string }>(),
};

/** Calls for playing the other side on the practice connection; bad-input on others. */
export const practice = {
  /** Signs as one of the signers of a request; lists and statuses follow. If this is not possible, the note holds the `reason` in English. */
  'practice.signAs': call(() => ({
    connectionId: localId,
    documentId: documentIdText,
    email: lineOf(320),
  })).answers<null>(),
};
