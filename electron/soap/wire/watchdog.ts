import type { FailureDetail } from '../../../contract/failure.ts';
import { type AppError, appError } from '../../core/foundation/app-error.ts';
import { type Deadline, startDeadline } from '../../core/foundation/deadline.ts';

/** Calls `fail` once when time is up (service-timeout) or the signal aborts (cancelled). */
export function createWatchdog(fail: (error: AppError) => void, signal?: AbortSignal) {
  let deadline: Deadline | undefined;
  const onAbort = () => fail(appError('cancelled', 'cancelled'));
  signal?.addEventListener('abort', onAbort, { once: true });
  // Not synchronously: the caller does not have its watchdog yet.
  if (signal?.aborted) queueMicrotask(onAbort);
  return {
    /** Starts or restarts the clock: after `ms` without a touch the work fails with `detail`. */
    arm(ms: number, detail: FailureDetail) {
      deadline?.end();
      deadline = startDeadline(ms, () =>
        fail(appError('service-timeout', `nothing for ${Math.ceil(ms)} ms`, { detail })),
      );
    },
    touch() {
      deadline?.touch();
    },
    end() {
      deadline?.end();
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** The longest time a timer can run: no limit while the consumer holds the peer back. */
export const noLimitMs = 2 ** 31 - 1;
/**
 * Slowest speed of a body, averaged over two idle limits. One byte just before each idle limit would otherwise hold a call, and the place in the queue that
 * it takes, without end.
 */
const slowestBytesPerSecond = 1024;

/**
 * Calls `fail` once: with service-timeout after `idleMs` of silence (no-progress-in-time), below the slowest speed or `wholeMs` after the beginning
 * (reply-too-slow), or with cancelled. Time in which the consumer holds the peer back does not count. `wholeMs` is null for a body of any length.
 */
export function startBodyLimits(
  idleMs: number,
  wholeMs: number | null,
  fail: (error: AppError) => void,
  signal?: AbortSignal,
) {
  const silence = createWatchdog(fail, signal);
  const pace = createWatchdog(fail);
  const whole = createWatchdog(fail);
  const paceMs = idleMs * 2;
  const paceBytes = (paceMs * slowestBytesPerSecond) / 1000;
  let paceLeftMs = paceMs;
  let paceSince = 0;
  let bytesInPace = 0;
  let wholeLeftMs = wholeMs ?? noLimitMs;
  let wholeSince = 0;
  const armPace = () => {
    paceSince = performance.now();
    pace.arm(paceLeftMs, 'reply-too-slow');
  };
  const resume = () => {
    silence.arm(idleMs, 'no-progress-in-time');
    armPace();
    wholeSince = performance.now();
    whole.arm(wholeLeftMs, 'reply-too-slow');
  };
  resume();
  return {
    /** Call it for each chunk, before the chunk is passed on. */
    received(bytes: number) {
      silence.touch();
      bytesInPace += bytes;
      if (bytesInPace < paceBytes) return;
      bytesInPace = 0;
      paceLeftMs = paceMs;
      armPace();
    },
    /** No limit until `resume`: the consumer holds the peer back. */
    suspend() {
      silence.arm(noLimitMs, 'no-progress-in-time');
      pace.arm(noLimitMs, 'reply-too-slow');
      whole.arm(noLimitMs, 'reply-too-slow');
      // Less than nothing is left only if this process stood still: then the peer gets all of its time again.
      paceLeftMs -= performance.now() - paceSince;
      if (paceLeftMs <= 0) paceLeftMs = paceMs;
      if (wholeMs !== null) wholeLeftMs = Math.max(1, wholeLeftMs - (performance.now() - wholeSince));
    },
    resume,
    end() {
      for (const watchdog of [silence, pace, whole]) watchdog.end();
    },
  };
}
