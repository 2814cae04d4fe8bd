import type { Connection } from '../../../../contract/connections.ts';
import type { Failure } from '../../../../contract/failure.ts';
import type { ReconcileQuestion } from '../../../../contract/jobs.ts';
import type { RawESignEntry, SoapClient } from '../../../soap/client.ts';
import { acceptedText } from '../../connections/service-answers.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { retryRead } from '../../foundation/backoff.ts';
import type { QueueContext } from '../queue-context.ts';
import type { Seen } from './compare.ts';

/** Attempts per question: a person waits for the result, and it matters. */
const tries = 4;
/** More similar entries would help nobody. */
const keptSeen = 200;

/** The questions asked, and the entries worth comparing. */
export interface Asked {
  readonly questions: ReconcileQuestion[];
  readonly seen: Seen[];
}

/** Reads every list of the connection. A question that fails is recorded as one of the answers. */
export async function readLists(
  queue: QueueContext,
  { id, lists, maxItems }: Connection,
  isNear: (seen: Seen) => boolean,
): Promise<Asked> {
  const asked: Asked = { questions: [], seen: [] };
  for (const { value, name } of lists) {
    const about = name;
    const near: Seen[] = [];
    let withoutDocument = 0;
    const read = async (client: SoapClient) => {
      near.length = 0;
      withoutDocument = 0;
      return client.listESign(value, maxItems, (slice) => {
        for (const entry of slice) {
          const seen = seenOf(entry);
          if (!seen) withoutDocument += 1;
          else if (near.length < keptSeen && isNear(seen)) near.push(seen);
        }
      });
    };
    const { value: entries, failure } = await attempt(queue, id, read);
    // An entry without content (nil), or whose document has another element name, may be the one that is searched.
    const isCutOff = withoutDocument > 0 || (entries !== null && maxItems > 0 && entries >= maxItems);
    asked.questions.push({ operation: 'GetESignList', about, entries, isCutOff, failure });
    if (!failure) asked.seen.push(...near);
  }
  return asked;
}

/** Reads the details of each document. */
export async function askAbout(
  queue: QueueContext,
  connectionId: string,
  documentIds: readonly string[],
): Promise<Asked> {
  const asked: Asked = { questions: [], seen: [] };
  for (const documentId of documentIds) {
    const { value: reply, failure } = await attempt(queue, connectionId, async (client) => {
      const answered = await client.invoke('GetDocumentDetails', { ServiceDocumentID: documentId });
      acceptedText(answered.raw);
      const errors = answered.record?.Errors?.trim() ?? '';
      if (errors.startsWith('-') || !answered.record)
        throw appError('service-refused', 'the service has no details of this document', {
          detail: 'negative-code',
          serviceCode: errors || undefined,
        });
      // A text, or a record with other names, does not say whether this is the document that is searched.
      if (Object.keys(answered.record).length === 0)
        throw appError('reply-unreadable', 'a record with none of the known fields', { detail: 'wrong-reply' });
      return answered;
    });
    const question = { operation: 'GetDocumentDetails', about: documentId, entries: null, isCutOff: false } as const;
    asked.questions.push({ ...question, failure });
    const record = reply?.record;
    if (!record) continue;
    asked.seen.push({
      documentId,
      documentName: record.DocumentName ?? null,
      email: null,
      name: null,
      createdDate: record.CreatedDate ?? null,
      clientId: record.ClientID ?? null,
      isTaken: false,
    });
  }
  return asked;
}

async function attempt<T>(
  { context, closing }: QueueContext,
  connectionId: string,
  read: (client: SoapClient) => Promise<T>,
): Promise<{ readonly value: T | null; readonly failure: Failure | null }> {
  try {
    const client = await context.connections.client(connectionId);
    return { value: await retryRead(() => read(client), { tries, signal: closing }), failure: null };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { value: null, failure };
  }
}

const noGuid = /^[0-]*$/;

/** The document of an entry: the original document if the service names both the original and the signed one. */
function seenOf(entry: RawESignEntry): Seen | null {
  if (!entry) return null;
  const original = entry.OrigServiceDocumentID ?? '';
  const documentId = noGuid.test(original) ? (entry.ServiceDocumentID ?? '') : original;
  if (documentId.trim() === '') return null;
  return {
    documentId: documentId.trim(),
    documentName: entry.DocumentName ?? null,
    email: entry.Email ?? null,
    name: entry.Name ?? null,
    createdDate: entry.CreatedDate ?? null,
    isTaken: false,
  };
}
