import { setTimeout as sleep } from 'node:timers/promises';
import { appError } from '../foundation/app-error.ts';

/** If a connection has a limit of calls a minute, spreads the calls of all its runs evenly. */
export type Pace = ReturnType<typeof createPace>;

export function createPace() {
  const nextAt = new Map<string, number>();
  return {
    /** Resolves when the next call may be made. Rejects with cancelled. */
    turn: async (connectionId: string, perMinute: number | undefined, signal: AbortSignal): Promise<void> => {
      if (perMinute === undefined) return;
      const now = performance.now();
      const at = Math.max(now, nextAt.get(connectionId) ?? 0);
      nextAt.set(connectionId, at + 60_000 / perMinute);
      if (at <= now) return;
      await sleep(at - now, undefined, { signal }).catch(() => {
        throw appError('cancelled', 'cancelled while waiting for its turn');
      });
    },
  };
}
