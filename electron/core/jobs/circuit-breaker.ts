import type { Failure } from '../../../contract/failure.ts';
import type { BackingOff } from '../../../contract/jobs.ts';
import { backoffMs } from '../foundation/backoff.ts';

/**
 * What holds back the waiting jobs of a connection: after a failure to reach it nothing is tried until the pause is over, then one
 * job tries for all.
 */
export interface CircuitBreaker {
  /** How many more jobs of the connection may start, given its limit and those that run. */
  room(connectionId: string, parallel: number, running: number): number;
  /** Why the connection's jobs wait; null where they simply wait their turn. */
  failure(connectionId: string): Failure | null;
  /** Connections of which the service could not be reached when it was tried last. */
  backingOff(): BackingOff[];
  open(connectionId: string, failure: Failure): void;
  /** It was reached, or it is to be tried at once. True where it had been shut. */
  close(connectionId: string): boolean;
  stop(): void;
}

interface Circuit {
  readonly failure: Failure;
  readonly attempt: number;
  resting: boolean;
  readonly timer: NodeJS.Timeout;
  readonly nextTryAt: string;
}

const pause = { baseMs: 1_000, capMs: 60_000 };

export function createCircuitBreaker(onRested: (connectionId: string) => void): CircuitBreaker {
  const circuitBreaker = new Map<string, Circuit>();
  return {
    room: (connectionId, parallel, running) => {
      const circuit = circuitBreaker.get(connectionId);
      if (!circuit) return parallel - running;
      return circuit.resting ? 0 : 1 - running;
    },
    failure: (connectionId) => circuitBreaker.get(connectionId)?.failure ?? null,
    backingOff: () =>
      [...circuitBreaker].map(([connectionId, { failure, nextTryAt }]) => ({ connectionId, failure, nextTryAt })),
    open: (connectionId, failure) => {
      const last = circuitBreaker.get(connectionId);
      // Several jobs ran when it happened: one pause for all of them.
      if (last?.resting) return;
      clearTimeout(last?.timer);
      const attempt = (last?.attempt ?? 0) + 1;
      const pauseMs = backoffMs(attempt, pause);
      const timer = setTimeout(() => {
        const circuit = circuitBreaker.get(connectionId);
        if (circuit) circuit.resting = false;
        onRested(connectionId);
      }, pauseMs);
      const nextTryAt = new Date(Date.now() + pauseMs).toISOString();
      circuitBreaker.set(connectionId, { failure, attempt, resting: true, timer, nextTryAt });
    },
    close: (connectionId) => {
      clearTimeout(circuitBreaker.get(connectionId)?.timer);
      return circuitBreaker.delete(connectionId);
    },
    stop: () => {
      for (const circuit of circuitBreaker.values()) clearTimeout(circuit.timer);
      circuitBreaker.clear();
    },
  };
}
