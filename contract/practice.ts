import { call } from './call.ts';
import { documentIdText, lineOf, localId } from './text.ts';

/** Calls for playing the other side on the practice connection; bad-input on others. */
export const practice = {
  /** Signs as one of the signers of a request; lists and statuses follow. If this is not possible, the note holds the `reason` in English. */
  'practice.signAs': call(() => ({
    connectionId: localId,
    documentId: documentIdText,
    email: lineOf(320),
  })).answers<null>(),
};
