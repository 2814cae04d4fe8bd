import type { HandlersOf } from '../../../contract/index.ts';
import type { Updates } from './updates.ts';

/** Calls about updates of the program itself. */
export function updatesCalls(updates: Updates): HandlersOf<'updates'> {
  return {
    'updates.state': async () => updates.state(),
    'updates.check': async () => updates.check(),
    'updates.restart': async () => updates.restart(),
  };
}
