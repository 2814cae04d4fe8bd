import type { TrackedStatus } from '../../../../contract/tracking.ts';
import { acceptedText } from '../../connections/service-answers.ts';
import type { Context } from '../../context.ts';
import { retryRead } from '../../foundation/backoff.ts';
import { retryWhileBusy, untilAborted } from '../../foundation/retry-while-busy.ts';

/**
 * Asks the status of a tracked document (GetDocumentStatus); the answer is stored with the entry and, if the register
 * has the document, there too.
 */
export async function askTrackedStatus(
  { connections, store, answers, emit }: Context,
  connectionId: string,
  documentId: string,
  { tries, signal }: { readonly tries: number; readonly signal?: AbortSignal },
): Promise<TrackedStatus> {
  const client = await connections.client(connectionId);
  const ask = () => client.invoke('GetDocumentStatus', { ServiceDocumentID: documentId }, { signal });
  const reply = await retryRead(ask, { tries, signal });
  const raw = acceptedText(reply.raw);
  const answer = answers.status(raw, connectionId);
  const askedAt = new Date().toISOString();
  // The answer is there: a program that holds the database must not make it a failure.
  const kept = <T>(put: () => T) => retryWhileBusy(put, untilAborted(signal));
  await kept(() => answers.saw('status', raw, connectionId));
  if (await kept(() => store.documents.putStatus(connectionId, documentId, { raw, answer, askedAt })))
    emit('documents.changed', { connectionId });
  return await kept(() => store.trackedStatuses.put(connectionId, documentId, raw, answer, askedAt));
}
