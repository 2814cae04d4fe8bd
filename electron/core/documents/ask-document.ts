import type { DocumentDetails, DocumentRow } from '../../../contract/documents.ts';
import { isBlank } from '../../soap/reply/answers.ts';
import { readDateTime } from '../../soap/reply/date-time.ts';
import { acceptedText } from '../connections/service-answers.ts';
import type { Context } from '../context.ts';
import { appError } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';

/** Calls GetDocumentDetails. Rejects with service-refused (empty-reply) if the reply is empty. */
export async function askDetails(context: Context, connectionId: string, documentId: string): Promise<DocumentDetails> {
  const client = await context.connections.client(connectionId);
  const ask = () => client.invoke('GetDocumentDetails', { ServiceDocumentID: documentId });
  const { raw, record } = await retryRead(ask, { tries: 2 });
  acceptedText(raw);
  if (isBlank(raw))
    throw appError('service-refused', 'the service has no details of this document', { detail: 'empty-reply' });
  const errors = record?.Errors?.trim();
  return {
    documentName: record?.DocumentName ?? null,
    createdDate: record?.CreatedDate ?? null,
    description: record?.Description ?? null,
    clientId: record?.ClientID ?? null,
    pages: record?.Pages ?? null,
    originalDocumentName: record?.OriginalDocumentName ?? null,
    errors: errors !== undefined && /^[-+]?\d{1,10}$/.test(errors) ? Number(errors) : null,
    raw: raw ?? '',
    askedAt: new Date().toISOString(),
  };
}

/** Asks for the details of a document that was not sent from here and adds it to the register. Rejects with service-refused or reply-unreadable. */
export async function openById(context: Context, connectionId: string, documentId: string): Promise<DocumentRow> {
  const details = await askDetails(context, connectionId, documentId);
  if (details.errors !== null && details.errors < 0)
    throw appError('service-refused', `the details record says ${details.errors}`, {
      detail: 'negative-code',
      serviceCode: String(details.errors),
      raw: details.raw.slice(0, 2_000),
    });
  if (details.errors === null && details.documentName === null && details.createdDate === null)
    throw appError('reply-unreadable', 'something else than details', {
      detail: 'wrong-reply',
      raw: details.raw.slice(0, 2_000),
    });
  const known = context.store.documents.byDocumentId(connectionId, documentId);
  const row = known ?? putOpened(context, connectionId, documentId, details);
  context.emit('documents.changed', { connectionId });
  return row;
}

function putOpened(
  { store }: Context,
  connectionId: string,
  documentId: string,
  details: DocumentDetails,
): DocumentRow {
  return store.documents.put({
    connectionId,
    documentId,
    jobId: null,
    name: details.documentName ?? details.originalDocumentName ?? '',
    description: details.description ?? '',
    clientId: details.clientId ?? '',
    signers: '',
    fileName: null,
    sizeBytes: null,
    sha256: null,
    // Without the service's time only that of this moment is known.
    registeredAt: readDateTime(details.createdDate ?? '') ?? new Date().toISOString(),
  });
}
