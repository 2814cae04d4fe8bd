import type { DocumentStatus } from '../../../contract/documents.ts';
import type { Store } from '../../store/store.ts';
import { retryRead } from '../foundation/backoff.ts';
import type { Emit } from '../foundation/event-emitter.ts';
import { retryWhileBusy, untilAborted } from '../foundation/retry-while-busy.ts';
import type { ConnectionRegistry } from './connections.ts';
import { acceptedText } from './service-answers.ts';

interface Needs {
  readonly connections: Pick<ConnectionRegistry, 'client'>;
  readonly store: Pick<Store, 'documents' | 'trackedStatuses'>;
  /** Meanings of answers. */
  readonly answers: {
    status(raw: string | null, connectionId: string): DocumentStatus['answer'];
    saw(kind: 'status', raw: string | null, connectionId: string): void;
  };
  readonly emit: Emit;
}

/** How many times to ask if the service cannot be reached. */
export interface Patience {
  readonly tries: number;
  readonly signal?: AbortSignal;
}

/** Calls GetDocumentStatus and stores the answer with the document, if the register has it; if it is one of a request (`isRequest`, or by the register), also with that, which it may show to be complete. */
export async function askStatus(
  { connections, store, answers, emit }: Needs,
  connectionId: string,
  documentId: string,
  { tries, signal }: Patience,
  isRequest = false,
): Promise<DocumentStatus> {
  const client = await connections.client(connectionId);
  const ask = () => client.invoke('GetDocumentStatus', { ServiceDocumentID: documentId }, { signal });
  const raw = acceptedText((await retryRead(ask, { tries, signal })).raw);
  const status = { raw, answer: answers.status(raw, connectionId), askedAt: new Date().toISOString() };
  // The answer is there: a program that holds the database must not make it a failure.
  const isKept = await retryWhileBusy(() => {
    answers.saw('status', raw, connectionId);
    const { answer, askedAt: at } = status;
    if (isRequest || store.documents.byDocumentId(connectionId, documentId)?.sentTo)
      store.trackedStatuses.put({ connectionId, documentId, raw, answer, at });
    return store.documents.putStatus(connectionId, documentId, status);
  }, untilAborted(signal));
  if (isKept) emit('documents.changed', { connectionId });
  return status;
}
