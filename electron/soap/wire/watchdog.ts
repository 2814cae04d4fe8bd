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
