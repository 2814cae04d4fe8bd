import type { DocumentDetails, DocumentRow, DocumentStatus } from '../../contract/documents.ts';
import type { Handlers } from '../../contract/index.ts';
import { retryRead } from '../core/backoff.ts';
import type { Context } from '../core/context.ts';
import type { Downloads } from '../core/downloads.ts';
import { failing } from '../core/failing.ts';
import type { Jobs } from '../core/jobs/jobs.ts';
import { registerOrders } from '../core/register-orders.ts';
import { safeFileName } from '../core/safe-file-name.ts';
import { acceptedText } from '../core/service-answers.ts';
import { readStatus } from '../soap/answers.ts';
import type { Reply } from '../soap/client.ts';

type Names =
  | 'documents.register'
  | 'documents.list'
  | 'documents.status'
  | 'documents.details'
  | 'documents.openById'
  | 'documents.download'
  | 'documents.cancelDownload'
  | 'documents.showDownload';

/** A person waits for these: asked twice, no more. */
const tries = 2;

export function documentCalls(context: Context, jobs: Jobs, downloads: Downloads): Pick<Handlers, Names> {
  const { connections, files, store, ports } = context;
  return {
    'documents.register': async ({ connectionId, intakeId, ...given }) => {
      const chosen = await files.intake(intakeId);
      if (chosen.length === 0)
        throw failing('bad-input', 'there is no usable file', { fields: { intakeId: 'is empty' } });
      // Without credentials nothing is begun.
      await connections.client(connectionId);
      const { batchId, jobIds } = await jobs.enqueue(connectionId, registerOrders(chosen, given));
      return { batchId, jobCount: jobIds.length };
    },
    'documents.list': async (query) => store.documents.list(query),
    'documents.status': ({ connectionId, documentId }) => askStatus(context, connectionId, documentId),
    'documents.details': ({ connectionId, documentId }) => askDetails(context, connectionId, documentId),
    'documents.openById': ({ connectionId, documentId }) => openById(context, connectionId, documentId),
    'documents.download': async ({ connectionId, documentId, suggestedName }) => {
      const row = store.documents.byDocumentId(connectionId, documentId);
      const name = suggestedName || row?.fileName || row?.name || '';
      const path = await ports.dialogs.chooseTarget(safeFileName(name, documentId));
      return path === null ? null : downloads.start(connectionId, documentId, path);
    },
    'documents.cancelDownload': async ({ downloadId }) => {
      downloads.cancel(downloadId);
      return null;
    },
    'documents.showDownload': async ({ downloadId }) => {
      await ports.desktop.showInFolder(downloads.finishedPath(downloadId));
      return null;
    },
  };
}

async function ask(
  { connections }: Context,
  connectionId: string,
  operation: 'GetDocumentStatus' | 'GetDocumentDetails',
  documentId: string,
): Promise<Reply> {
  const client = await connections.client(connectionId);
  return retryRead(() => client.invoke(operation, { ServiceDocumentID: documentId }), { tries });
}

async function askStatus(context: Context, connectionId: string, documentId: string): Promise<DocumentStatus> {
  const reply = await ask(context, connectionId, 'GetDocumentStatus', documentId);
  const raw = acceptedText(reply.raw);
  const status = { raw, answer: readStatus(raw), askedAt: new Date().toISOString() };
  const isKept = context.store.documents.putStatus(connectionId, documentId, status);
  if (isKept) context.emit('documents.changed', { connectionId });
  return status;
}

async function askDetails(context: Context, connectionId: string, documentId: string): Promise<DocumentDetails> {
  const { raw, record } = await ask(context, connectionId, 'GetDocumentDetails', documentId);
  acceptedText(raw);
  if ((raw ?? '').trim() === '')
    throw failing('service-refused', 'the service has no details of this document', { detail: 'empty-reply' });
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

async function openById(context: Context, connectionId: string, documentId: string): Promise<DocumentRow> {
  const details = await askDetails(context, connectionId, documentId);
  if (details.errors !== null && details.errors < 0)
    throw failing('service-refused', `the details record says ${details.errors}`, {
      detail: 'negative-code',
      serviceCode: String(details.errors),
      raw: details.raw.slice(0, 2_000),
    });
  if (details.errors === null && details.documentName === null && details.createdDate === null)
    throw failing('reply-unreadable', 'something else than details', {
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
    registeredAt: new Date().toISOString(),
  });
}
