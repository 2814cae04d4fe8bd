import { z } from 'zod';
import { call } from './call.ts';
import { documentIdText, lineOf, localId } from './text.ts';

/** Playing the other side. Only on the practice connection: bad-input elsewhere. */
export const practice = {
  /** Signs as one of the signers of a request; lists and statuses follow. `reason` (English) in the note where it cannot be. */
  'practice.signAs': call(
    z.strictObject({ connectionId: localId, documentId: documentIdText, email: lineOf(320) }),
  ).answers<null>(),
};
