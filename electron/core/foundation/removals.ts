import { randomUUID } from 'node:crypto';
import type { Removed } from '../../../contract/call.ts';
import { appError, failureOf } from './app-error.ts';
import type { Log } from './ports.ts';

/** What a person removed and can put back as it was, a little longer than the window offers it and while the program runs. */
export type Removals = ReturnType<typeof createRemovals>;

type Forget = () => void | Promise<void>;

export function createRemovals(keptMs: number, log: Log) {
  const kept = new Map<string, { readonly putBack: () => number; readonly timer: NodeJS.Timeout }>();
  const end = async (forget?: Forget) => {
    try {
      await forget?.();
    } catch (error) {
      log.error('what was removed stays until the next start', { code: failureOf(error)?.code });
    }
  };
  return {
    /**
     * `putBack` answers how many came back: none if something else has the place. `changed` is called now and then. `forget`: it cannot be put back any more; not called
     * when the program ends before.
     */
    keep: ({ putBack }: { putBack(): number }, changed: () => void, forget?: Forget): Removed => {
      const removal = randomUUID();
      const onTime = () => {
        kept.delete(removal);
        void end(forget);
      };
      const back = () => {
        const count = putBack();
        changed();
        return count;
      };
      kept.set(removal, { putBack: back, timer: setTimeout(onTime, keptMs).unref() });
      changed();
      return { removal };
    },
    /** Ends what was removed in runs that have ended (store/database/removed-rows.ts). Never rejects. */
    endLeft: async (ids: readonly string[], forget: (id: string) => void | Promise<void>): Promise<void> => {
      for (const id of ids) await end(() => forget(id));
    },
    /** Throws not-found if it is too late, or something else has the place. */
    putBack: (removal: string): void => {
      const one = kept.get(removal);
      if (!one?.putBack()) throw appError('not-found', 'it cannot be put back any more');
      clearTimeout(one.timer);
      kept.delete(removal);
    },
    close: (): void => {
      for (const { timer } of kept.values()) clearTimeout(timer);
    },
  };
}
