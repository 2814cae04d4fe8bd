import { setTimeout as sleep } from 'node:timers/promises';
import { appError, failureOf } from './app-error.ts';

/** Pauses that double from `baseMs` to `capMs`, each between half and the whole of it by chance, so that many do not come back at the same moment. */
export function backoffMs(attempt: number, { baseMs, capMs }: { baseMs: number; capMs: number }): number {
  const whole = Math.min(capMs, baseMs * 2 ** Math.max(0, attempt - 1));
  return whole * (0.5 + Math.random() / 2);
}

/**
 * For reads only: asks again where the service could not be reached or was too late. `tries` counts the first one. An add must never
 * go through here.
 */
export async function retryRead<T>(
  read: () => Promise<T>,
  { tries, signal, baseMs = 500 }: { tries: number; signal?: AbortSignal; baseMs?: number },
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const code = failureOf(error)?.code;
      const again = code === 'service-unreachable' || code === 'service-timeout';
      if (!again || attempt >= tries) throw error;
      await pause(backoffMs(attempt, { baseMs, capMs: 10_000 }), signal);
    }
  }
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw appError('cancelled', 'cancelled while waiting to ask again');
  }
}
