import type { Failure } from '../../../../contract/failure.ts';
import type { OperationName } from '../../../../contract/operation.ts';
import { isFault } from '../../../soap/reply/refusal.ts';
import type { Arguments, Credentials, ReplyShape, ServiceTarget } from '../../../soap/service/client.ts';
import { wireName } from '../../../soap/service/element-names.ts';
import { createSoapClient } from '../../../soap/soap-client.ts';
import { failureOf } from '../../foundation/app-error.ts';

/** An answer to a free question: a reply or a fault. */
export type Outcome = { readonly shape: ReplyShape } | { readonly fault: Failure };

export interface Questions {
  /** Rejects with every failure that is neither a reply nor a fault. */
  ask(args: Arguments): Promise<Outcome>;
  /**
   * Whether the service answers otherwise when a child is sent under a name that it cannot know. If so, it reads that
   * child under the connection's name. If not, nothing is known: services of this kind ignore unknown elements.
   */
  answersOtherwise(child: string, args: Arguments, usual: Outcome): Promise<boolean>;
  close(): void;
}

/** An element name that is in no schema. */
const noElement = 'SealdeskNoSuchElement';

/** Free questions that test the element names of one operation. */
export function nameQuestions(
  operation: OperationName,
  target: ServiceTarget,
  credentials: Credentials,
  signal: AbortSignal,
): Questions {
  const clients = [createSoapClient(target, credentials)];
  const through = async (client: (typeof clients)[number], args: Arguments): Promise<Outcome> => {
    try {
      return { shape: await client.shape(operation, args, { signal }) };
    } catch (error) {
      const failure = failureOf(error);
      if (failure && isFault(failure)) return { fault: failure };
      throw error;
    }
  };
  return {
    ask: (args) => through(clients[0] as (typeof clients)[number], args),
    answersOtherwise: async (child, args, usual) => {
      const elementNames = { ...target.elementNames, [`${operation}.${child}`]: noElement };
      const client = createSoapClient({ ...target, elementNames }, credentials);
      clients.push(client);
      const name = wireName(target.elementNames, operation, child);
      try {
        return formOf(await through(client, args), name) !== formOf(usual, name);
      } catch (error) {
        // If the service refuses the unknown name with an HTTP status, it distinguishes it from the real one.
        if (failureOf(error)?.code === 'reply-unreadable') return true;
        throw error;
      }
    },
    close: () => {
      for (const client of clients) client.close();
    },
  };
}

/**
 * The form by which two answers are compared: without the element's name, and in a fault without numbers that change
 * (times, lines).
 */
export function formOf(outcome: Outcome, name: string): string {
  if ('shape' in outcome) return JSON.stringify(outcome.shape);
  const { serviceCode = '', raw = '' } = outcome.fault;
  const words = raw.replaceAll(noElement, '_').replaceAll(name, '_').replaceAll(/\d+/g, '#');
  return `${serviceCode} ${words}`;
}
