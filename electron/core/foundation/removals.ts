import { randomUUID } from 'node:crypto';
import type { Removed } from '../../../contract/removals.ts';
import { appError } from './app-error.ts';

/** What a person removed and can put back as it was, for a minute and while the program runs. */
export type Removals = ReturnType<typeof createRemovals>;

/** Longer than the window offers it. */
const usualMs = 60_000;

export function createRemovals(keptMs = usualMs) {
  const kept = new Map<string, { readonly putBack: () => number; readonly timer: NodeJS.Timeout }>();
  return {
    /** `putBack` answers how many came back: none if something else has the place. `changed` is called now and then. `forget`: it cannot be put back any more. */
    keep: ({ putBack }: { putBack(): number }, changed: () => void, forget?: () => void): Removed => {
      const removal = randomUUID();
      const end = () => {
        kept.delete(removal);
        forget?.();
      };
      const back = () => {
        const count = putBack();
        changed();
        return count;
      };
      kept.set(removal, { putBack: back, timer: setTimeout(end, keptMs).unref() });
      changed();
      return { removal };
    },
    /** Throws not-found if it is too late, or something else has the place. */
    putBack: (removal: string): void => {
      const one = kept.get(removal);
      if (!one?.putBack()) throw appError('not-found', 'it cannot be put back any more');
      clearTimeout(one.timer);
      kept.delete(removal);
    },
  };
}
