import { setTimeout as sleep } from 'node:timers/promises';
import { appError, failureOf } from './app-error.ts';

/** Pause before a retry in milliseconds: doubles from `baseMs` to `capMs`, times a random factor from 0.5 to 1, so that many clients do not retry at the same moment. */
export function backoffMs(attempt: number, { baseMs, capMs }: { baseMs: number; capMs: number }): number {
  const whole = Math.min(capMs, baseMs * 2 ** Math.max(0, attempt - 1));
  return whole * (0.5 + Math.random() / 2);
}

interface Repeating {
  readonly tries: number;
  readonly signal?: AbortSignal;
  readonly baseMs?: number;
  readonly withinMs?: number;
  readonly mayRepeat?: () => boolean;
}

/** Whoever waits has waited long enough for a service that took this long to fail. */
const longMs = 20_000;

/**
 * Repeats a read if the service could not be reached or did not answer in time. `tries` includes the first one; none begins later than `withinMs` after it, so that a
 * silent service is waited for once. `mayRepeat`: false once another try could cost something. Never use it for an add: it could register the document twice.
 */
export async function retryRead<T>(
  read: () => Promise<T>,
  { tries, signal, baseMs = 500, withinMs = longMs, mayRepeat = () => true }: Repeating,
): Promise<T> {
  const since = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      const code = failureOf(error)?.code;
      const again = code === 'service-unreachable' || code === 'service-timeout';
      if (!again || attempt >= tries || performance.now() - since > withinMs || !mayRepeat()) throw error;
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
