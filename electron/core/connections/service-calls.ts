import type { DocumentStatus } from '../../../contract/documents.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import { isBlank, negativeCode } from '../../soap/reply/answers.ts';
import { refusal } from '../../soap/reply/refusal.ts';
import type { Store } from '../../store/store.ts';
import { type AppError, appError } from '../foundation/app-error.ts';
import { retryRead } from '../foundation/backoff.ts';
import type { Emit } from '../foundation/event-emitter.ts';
import { retryWhileBusy, untilAborted } from '../foundation/retry-while-busy.ts';
import { hidden } from '../foundation/text-readings.ts';
import type { ConnectionRegistry, Connections } from './connections.ts';

/** Single calls to a service that need no feature of their own. `redact`: a client without credentials does not know them, but a service may repeat those of other calls. */
export function serviceCalls(
  connections: Connections,
  redact: (text: string) => string,
): Omit<HandlersOf<'service'>, 'service.addQuickNote'> {
  const read = async (connectionId: string, operation: 'GetVersion' | 'GetSchedule') => {
    const { raw } = await connections.publicClient(connectionId).invoke(operation, {});
    const text = acceptedText(raw);
    return { raw: text === null ? null : redact(text), askedAt: new Date().toISOString() };
  };
  return {
    'service.version': async ({ connectionId }) => read(connectionId, 'GetVersion'),
    'service.schedule': async ({ connectionId }) => read(connectionId, 'GetSchedule'),
    'service.testCredentials': async ({ connectionId }) => {
      await readAuthToken(connections, connectionId);
      return { accepted: true, askedAt: new Date().toISOString() };
    },
  };
}

/** True for a token that is not the one that the service made: a character was replaced in it, or a secret that it repeats is hidden. */
export function isAlteredToken(text: string): boolean {
  return text.includes('\ufffd') || text.includes(hidden);
}

/** GetAuthToken. For the person who asked for the token, and for a test of the connection that discards it. Rejects with empty-reply if there is none, with wrong-reply if it is not as the service made it. */
export async function readAuthToken(connections: Connections, connectionId: string): Promise<string> {
  const client = await connections.client(connectionId);
  const token = acceptedText((await client.invoke('GetAuthToken', {})).raw);
  if (token === null || isBlank(token)) {
    throw appError('reply-unreadable', 'GetAuthToken answered without a token', { detail: 'empty-reply' });
  }
  if (isAlteredToken(token))
    throw appError('reply-unreadable', 'GetAuthToken answered with no token that can be used', {
      detail: 'wrong-reply',
    });
  return token;
}

/** The refusal that an answer holds (a negative code in its text), or null. */
export function refusalIn(raw: string | null): AppError | null {
  const code = negativeCode(raw);
  return code === null ? null : refusal(code, raw ?? '');
}

/**
 * Returns the text of a reply to a read. Throws credentials-rejected or service-refused if the text is a negative
 * code: services of this kind refuse in the text of a successful reply.
 */
export function acceptedText(raw: string | null): string | null {
  const refused = refusalIn(raw);
  if (refused) throw refused;
  return raw;
}

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
