import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { appError } from '../foundation/app-error.ts';

/** Spreads the calls of all verifications on a connection over the time, where it has a limit. */
export interface CallPace {
  /** Resolves when the next call may be made. Rejects with cancelled. */
  turn(connectionId: string, perMinute: number | undefined, signal: AbortSignal): Promise<void>;
}

export function createCallPace(): CallPace {
  const nextAt = new Map<string, number>();
  return {
    turn: async (connectionId, perMinute, signal) => {
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

/** What is looked at anew this often: budgets grow by the minute, not by the second. */
const budgetLookMs = 15_000;

/** For a run that nobody asked for: resolves when the program may make one more call by itself. Rejects with cancelled. */
export async function automaticTurn({ budget }: Pick<Context, 'budget'>, signal: AbortSignal): Promise<void> {
  while (!budget.take('program')) {
    await sleep(budgetLookMs, undefined, { signal }).catch(() => {
      throw appError('cancelled', 'cancelled while waiting for the hourly limit');
    });
  }
}
