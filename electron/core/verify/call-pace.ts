import { setTimeout as sleep } from 'node:timers/promises';
import { takeCall } from '../connections/call-budget.ts';
import type { Context } from '../context.ts';
import { appError } from '../foundation/app-error.ts';

/** If a connection has a limit of calls a minute, spreads the calls of all its verifications evenly. */
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

/** Time between two checks of the budget, which frees calls by the minute, not by the second. */
const budgetCheckMs = 15_000;

/** For planned runs: resolves when the program may make one more automatic call. Rejects with cancelled. */
export async function automaticTurn(
  context: Pick<Context, 'budget' | 'team'>,
  connectionId: string,
  signal: AbortSignal,
): Promise<void> {
  while (!(await takeCall(context, connectionId))) {
    await sleep(budgetCheckMs, undefined, { signal }).catch(() => {
      throw appError('cancelled', 'cancelled while waiting for the hourly limit');
    });
  }
}
