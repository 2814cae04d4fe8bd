import { stat } from 'node:fs/promises';
import { costOf } from './credits.ts';
import { type Answer, type Arguments, Refusal, type Service } from './operation-call.ts';
import type { Account, StoredDocument } from './records.ts';
import { register, requirePdf } from './register-document.ts';
import { dateTimeText } from './sign-list.ts';

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Finds the document. Throws -123 without an ID, -151 for no ID, -124 for an unknown one, -154 for neither owner nor reader. */
export function documentFor(
  service: Service,
  account: Account,
  args: Arguments,
  right: 'own' | 'read',
): StoredDocument {
  const id = args.text('ServiceDocumentID').trim();
  if (id === '') throw new Refusal(-123);
  if (!guid.test(id)) throw new Refusal(-151);
  const document = service.store.document(id);
  if (!document) throw new Refusal(-124);
  const allowed = right === 'own' ? document.ownerId === account.id : service.store.mayRead(account, document);
  if (!allowed) throw new Refusal(-154);
  return document;
}

export async function addNewDocument(service: Service, account: Account, args: Arguments): Promise<Answer> {
  const cost = costOf(args.int('creditType'), account, false);
  const pdf = await requirePdf(args.document('Document'));
  const id = await register(service, { account, operation: 'AddNewDocument', args, ...pdf, cost, request: null });
  return { kind: 'text', text: id };
}

/** Answers Processing for `processingMs` and until all have signed; an unknown ID is an answer, not an error. */
export function getDocumentStatus(service: Service, account: Account, args: Arguments): Answer {
  try {
    const document = documentFor(service, account, args, 'read');
    const signed = service.store.entriesOf(document.id).every((entry) => entry.signedMs !== null);
    return { kind: 'text', text: signed && isProcessed(service, document) ? 'Completed' : 'Processing' };
  } catch (error) {
    if (error instanceof Refusal && error.code === -124) return { kind: 'text', text: 'Not Found' };
    throw error;
  }
}

/** Answers an empty response while the document is processed. */
export async function getDocument(service: Service, account: Account, args: Arguments): Promise<Answer> {
  const document = documentFor(service, account, args, 'read');
  if (!isProcessed(service, document)) return { kind: 'nothing' };
  const path = service.store.documentPath(document.id);
  const { size } = await stat(path);
  if (size !== document.sealedBytes) throw new Error('the stored document is damaged');
  return { kind: 'file', path, sizeBytes: size };
}

export function getDocumentDetails(service: Service, account: Account, args: Arguments): Answer {
  const document = documentFor(service, account, args, 'own');
  const fields: Record<string, string> = {};
  if (document.name !== null) fields.DocumentName = document.name;
  fields.CreatedDate = dateTimeText(document.createdMs);
  if (document.description !== null) fields.Description = document.description;
  if (document.clientId !== null) fields.ClientID = document.clientId;
  if (document.pages !== null) fields.Pages = String(document.pages);
  if (document.name !== null) fields.OriginalDocumentName = document.name;
  return { kind: 'record', fields: { ...fields, Errors: '0' } };
}

function isProcessed(service: Service, document: StoredDocument): boolean {
  return Date.now() - document.createdMs >= service.processingMs;
}
