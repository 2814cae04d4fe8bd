import type { Handlers } from '../../../contract/index.ts';
import type { Updates } from './updates.ts';

type Names = Extract<keyof Handlers, `updates.${string}`>;

/** Calls about updates of the program itself. */
export function updatesCalls(updates: Updates): Pick<Handlers, Names> {
  return {
    'updates.state': async () => updates.state(),
    'updates.check': async () => updates.check(),
    'updates.restart': async () => updates.restart(),
  };
}
