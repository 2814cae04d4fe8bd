import { guidPattern, withoutBraces } from '../../../contract/text.ts';
import { appError } from './app-error.ts';

/**
 * The document ID that a person typed, for a decision that nothing at the service checks: what is mistyped would settle it with a document that does
 * not exist. Throws bad-input unless it is a GUID, and not the one of zeros, which software gives to nothing.
 */
export function givenDocumentId(given: string): string {
  const documentId = withoutBraces(given);
  if (guidPattern.test(documentId) && /[1-9a-f]/i.test(documentId)) return documentId;
  throw appError('bad-input', 'not a document ID: it has 32 hexadecimal digits with hyphens (8-4-4-4-12)', {
    detail: 'id-unusable',
    fields: { documentId: 'not a GUID' },
  });
}
