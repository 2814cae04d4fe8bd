/**
 * Built-in meanings of answers. The English texts equal those of electron/soap/reply/answers.ts, because locales/answer-meaning.ts finds them by the text.
 */
export const meanings = {
  processing: 'The service is working on the document',
  completed: 'The document is ready',
  unknown: 'The service does not know this document',
  unusable: 'The service could not use the document',
  confirmed: 'The service confirms the document',
  superseded: 'The service confirms the document, which has a newer version',
  notConfirmed: 'The service does not confirm the document',
  changed: 'The document is not as it was registered',
  documentId: 'The ID of the document',
  url: 'A web address',
  none: 'The service answered nothing',
} as const;
