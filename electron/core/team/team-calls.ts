import type { Handlers } from '../../../contract/index.ts';
import { appError } from '../foundation/app-error.ts';

type Names = Extract<keyof Handlers, `team.${string}`>;

/** Calls about team registers. */
export function teamCalls(): Pick<Handlers, Names> {
  const notJoined = async (): Promise<never> => {
    throw appError('not-connected', 'the connection has joined no team');
  };
  return {
    'team.state': async () => ({ links: [] }),
    'team.check': notJoined,
    'team.join': notJoined,
    'team.leave': notJoined,
    'team.tryNow': notJoined,
    'team.sendWithout': notJoined,
    'team.openClaims': notJoined,
    'team.declareInDoubt': notJoined,
    'team.settle': notJoined,
    'team.events': notJoined,
    'team.people': notJoined,
    'team.requests': notJoined,
    'team.assign': notJoined,
    'team.setDue': notJoined,
    'team.addNote': notJoined,
  };
}
