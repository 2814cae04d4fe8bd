import type { Handlers } from '../../../contract/index.ts';
import type { PracticeSupervisor } from '../connections/practice-supervisor.ts';
import type { Context } from '../context.ts';
import { appError } from '../foundation/app-error.ts';

/**
 * Signs documents of the practice service in place of their signers. `signed` is called with the connection whose
 * lists change.
 */
export function practiceCalls(
  { connections }: Context,
  practice: PracticeSupervisor,
  signed: (connectionId: string) => void,
): Pick<Handlers, 'practice.signAs'> {
  return {
    'practice.signAs': async ({ connectionId, documentId, email }) => {
      const { kind } = await connections.get(connectionId);
      if (kind !== 'practice') throw appError('bad-input', 'signers are played in the practice service only');
      await practice.use(({ sign }) =>
        sign(documentId, email).catch((error: unknown) => {
          throw appError('bad-input', error instanceof Error ? error.message : 'there is nothing to sign');
        }),
      );
      signed(connectionId);
      return null;
    },
  };
}
