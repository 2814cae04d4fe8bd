import type { Handlers } from '../../../contract/index.ts';
import type { Context } from '../context.ts';
import { failing } from '../foundation/app-error.ts';
import type { PracticeLine } from '../connections/practice-supervisor.ts';

/** Playing the other side of the practice service. `signed` is told the connection whose lists follow. */
export function practiceCalls(
  { connections }: Context,
  practice: PracticeLine,
  signed: (connectionId: string) => void,
): Pick<Handlers, 'practice.signAs'> {
  return {
    'practice.signAs': async ({ connectionId, documentId, email }) => {
      const { kind } = await connections.get(connectionId);
      if (kind !== 'practice') throw failing('bad-input', 'signers are played in the practice service only');
      await practice.use(({ sign }) =>
        sign(documentId, email).catch((error: unknown) => {
          throw failing('bad-input', error instanceof Error ? error.message : 'there is nothing to sign');
        }),
      );
      signed(connectionId);
      return null;
    },
  };
}
