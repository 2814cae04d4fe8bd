import type { Failure } from '../../../contract/failure.ts';
import type { BackingOff } from '../../../contract/jobs.ts';
import { backoffMs } from '../foundation/backoff.ts';
import type { Pauses } from '../foundation/pauses.ts';

/**
 * Holds back the waiting jobs of a connection after its service could not be reached. Nothing is sent until the pause
 * is over; then one job is sent as a test for all.
 */
export interface CircuitBreaker {
  /** How many more jobs of the connection may start, given its limit (`parallel`) and the number that run. */
  room(connectionId: string, parallel: number, running: number): number;
  /** Why the connection's jobs wait; null if they wait only for their turn. */
  failure(connectionId: string): Failure | null;
  /** Connections whose service could not be reached at the last attempt. */
  backingOff(): Omit<BackingOff, 'openJobs'>[];
  open(connectionId: string, failure: Failure): void;
  /** Closes the circuit: the service was reached, or is to be tried at once. Returns true if the circuit was open. */
  close(connectionId: string): boolean;
  stop(): void;
}

interface Circuit {
  readonly failure: Failure;
  readonly attempt: number;
  isPausing: boolean;
  readonly timer: NodeJS.Timeout;
  readonly nextTryAt: string;
}

/** Creates a breaker with all circuits closed. `onPauseOver` is called when the pause of a connection is over. */
export function createCircuitBreaker(
  { serviceMs, serviceMostMs }: Pick<Pauses, 'serviceMs' | 'serviceMostMs'>,
  onPauseOver: (connectionId: string) => void,
): CircuitBreaker {
  const circuits = new Map<string, Circuit>();
  return {
    room: (connectionId, parallel, running) => {
      const circuit = circuits.get(connectionId);
      if (!circuit) return parallel - running;
      return circuit.isPausing ? 0 : 1 - running;
    },
    failure: (connectionId) => circuits.get(connectionId)?.failure ?? null,
    backingOff: () =>
      [...circuits].map(([connectionId, { failure, nextTryAt }]) => ({ connectionId, failure, nextTryAt })),
    open: (connectionId, failure) => {
      const last = circuits.get(connectionId);
      // If several running jobs fail together, there is one pause for all of them.
      if (last?.isPausing) return;
      clearTimeout(last?.timer);
      const attempt = (last?.attempt ?? 0) + 1;
      const pauseMs = backoffMs(attempt, { baseMs: serviceMs, capMs: serviceMostMs });
      const timer = setTimeout(() => {
        const circuit = circuits.get(connectionId);
        if (circuit) circuit.isPausing = false;
        onPauseOver(connectionId);
      }, pauseMs);
      const nextTryAt = new Date(Date.now() + pauseMs).toISOString();
      circuits.set(connectionId, { failure, attempt, isPausing: true, timer, nextTryAt });
    },
    close: (connectionId) => {
      clearTimeout(circuits.get(connectionId)?.timer);
      return circuits.delete(connectionId);
    },
    stop: () => {
      for (const circuit of circuits.values()) clearTimeout(circuit.timer);
      circuits.clear();
    },
  };
}
