import type { HandlersOf } from '../../../contract/index.ts';
import { isBlank } from '../../soap/reply/answers.ts';
import { appError } from '../foundation/app-error.ts';
import { hidden } from '../foundation/text-readings.ts';
import type { Connections } from './connections.ts';
import { acceptedText } from './service-answers.ts';

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
