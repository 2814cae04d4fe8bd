import type { Rest } from '../../../contract/jobs.ts';
import type { Failure } from '../../../contract/failure.ts';
import { backoffMs } from '../foundation/backoff.ts';

/**
 * What holds back the waiting jobs of a connection: after a failure to reach it nothing is tried until the pause is over, then one
 * job tries for all.
 */
export interface ConnectionGates {
  /** How many more jobs of the connection may start, given its limit and those that run. */
  room(connectionId: string, parallel: number, running: number): number;
  /** Why the connection's jobs wait; null where they simply wait their turn. */
  failure(connectionId: string): Failure | null;
  /** Connections of which the service could not be reached when it was tried last. */
  resting(): Rest[];
  shut(connectionId: string, failure: Failure): void;
  /** It was reached, or it is to be tried at once. True where it had been shut. */
  open(connectionId: string): boolean;
  stop(): void;
}

interface Gate {
  readonly failure: Failure;
  readonly attempt: number;
  resting: boolean;
  readonly timer: NodeJS.Timeout;
  readonly nextTryAt: string;
}

const pause = { baseMs: 1_000, capMs: 60_000 };

export function connectionGates(onRested: (connectionId: string) => void): ConnectionGates {
  const gates = new Map<string, Gate>();
  return {
    room: (connectionId, parallel, running) => {
      const gate = gates.get(connectionId);
      if (!gate) return parallel - running;
      return gate.resting ? 0 : 1 - running;
    },
    failure: (connectionId) => gates.get(connectionId)?.failure ?? null,
    resting: () => [...gates].map(([connectionId, { failure, nextTryAt }]) => ({ connectionId, failure, nextTryAt })),
    shut: (connectionId, failure) => {
      const last = gates.get(connectionId);
      // Several jobs ran when it happened: one pause for all of them.
      if (last?.resting) return;
      clearTimeout(last?.timer);
      const attempt = (last?.attempt ?? 0) + 1;
      const pauseMs = backoffMs(attempt, pause);
      const timer = setTimeout(() => {
        const gate = gates.get(connectionId);
        if (gate) gate.resting = false;
        onRested(connectionId);
      }, pauseMs);
      const nextTryAt = new Date(Date.now() + pauseMs).toISOString();
      gates.set(connectionId, { failure, attempt, resting: true, timer, nextTryAt });
    },
    open: (connectionId) => {
      clearTimeout(gates.get(connectionId)?.timer);
      return gates.delete(connectionId);
    },
    stop: () => {
      for (const gate of gates.values()) clearTimeout(gate.timer);
      gates.clear();
    },
  };
}
