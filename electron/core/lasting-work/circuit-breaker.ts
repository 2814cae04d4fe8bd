import type { Failure } from '../../../contract/failure.ts';
import type { BackingOff } from '../../../contract/jobs.ts';
import { backoffMs } from '../foundation/backoff.ts';
import type { Pauses } from '../foundation/pauses.ts';

/** Holds back what one kind of work has waiting on a connection, after something was found to be away. Nothing is performed until the pause is over; then one item is the test. */
export interface CircuitBreaker {
  /** How many more items of the connection may start, given its limit (`parallel`) and the number of this kind that run. */
  room(connectionId: string, parallel: number, running: number): number;
  /** Why the connection's items wait; null if they wait only for their turn. */
  failure(connectionId: string): Failure | null;
  /** Connections on which something was away at the last attempt. */
  backingOff(): Omit<BackingOff, 'openJobs'>[];
  /** A service that cannot be reached is away for every kind; whatever else failed holds back this kind only. */
  open(connectionId: string, failure: Failure): void;
  /** Closes the circuit: the service was reached, or is to be tried at once. Returns true if the circuit was open. */
  close(connectionId: string): boolean;
}

/** The breakers of all kinds of work in a program: what one kind finds out about a service holds for the others. */
export interface CircuitBreakers {
  /** `onChange` is called when items of a connection may start again, or another kind found its service away. */
  ofKind(onChange: (connectionId: string) => void): CircuitBreaker;
  stop(): void;
}

interface Circuit {
  readonly failure: Failure;
  readonly attempt: number;
  /** The circuits of the kind that found it out. */
  readonly finder: Map<string, Circuit>;
  readonly nextTryAt: string;
  mayTry: 'nobody' | 'others' | 'all';
  timer: NodeJS.Timeout;
}

/** The other kinds try a little earlier than the one that found it out: what fails for that kind only must not hold back the others again and again. */
const othersShare = 0.9;

/** Creates breakers with all circuits closed. */
export function createCircuitBreakers({
  serviceMs,
  serviceMostMs,
}: Pick<Pauses, 'serviceMs' | 'serviceMostMs'>): CircuitBreakers {
  const kinds: { readonly own: Map<string, Circuit>; readonly onChange: (connectionId: string) => void }[] = [];
  const shared = new Map<string, Circuit>();
  let isStopped = false;
  const tell = (connectionId: string) => {
    for (const { onChange } of kinds) onChange(connectionId);
  };
  const remove = (circuits: Map<string, Circuit>, connectionId: string) => {
    clearTimeout(circuits.get(connectionId)?.timer);
    return circuits.delete(connectionId);
  };
  const ofKind = (onChange: (connectionId: string) => void): CircuitBreaker => {
    const own = new Map<string, Circuit>();
    kinds.push({ own, onChange });
    const circuitsOf = (connectionId: string) =>
      [shared.get(connectionId), own.get(connectionId)].filter((circuit) => circuit !== undefined);
    return {
      room: (connectionId, parallel, running) => {
        const circuits = circuitsOf(connectionId);
        if (circuits.length === 0) return parallel - running;
        const mayTry = circuits.every(
          ({ mayTry: who, finder }) => who === 'all' || (who === 'others' && finder !== own),
        );
        return mayTry ? 1 - running : 0;
      },
      failure: (connectionId) => circuitsOf(connectionId)[0]?.failure ?? null,
      backingOff: () =>
        [...new Map([...own, ...shared])].map(([connectionId, { failure, nextTryAt }]) => ({
          ...{ connectionId, failure, nextTryAt },
        })),
      open: (connectionId, failure) => {
        const isOfService = failure.code === 'service-unreachable';
        // Others were answered since: they need not wait for what only this kind finds away.
        const isOwnAffair = !isOfService || own.get(connectionId)?.failure.code === failure.code;
        const circuits = isOwnAffair ? own : shared;
        const last = circuits.get(connectionId);
        // If several running items fail together, there is one pause for all of them.
        if (isStopped || last?.mayTry === 'nobody') return;
        clearTimeout(last?.timer);
        const attempt = (last?.attempt ?? 0) + 1;
        const pauseMs = backoffMs(attempt, { baseMs: serviceMs, capMs: serviceMostMs });
        const letTry = (mayTry: 'others' | 'all') => {
          circuit.mayTry = mayTry;
          tell(connectionId);
        };
        const othersMs = pauseMs * othersShare;
        const timer = setTimeout(() => {
          circuit.timer = setTimeout(() => letTry('all'), pauseMs - othersMs);
          letTry('others');
        }, othersMs);
        const nextTryAt = new Date(Date.now() + pauseMs).toISOString();
        const circuit: Circuit = {
          ...{ failure, attempt, finder: own, nextTryAt, mayTry: 'nobody', timer },
        };
        circuits.set(connectionId, circuit);
        if (!isOwnAffair) tell(connectionId);
      },
      close: (connectionId) => {
        const found = shared.get(connectionId);
        const wasOpen = remove(own, connectionId) || found !== undefined;
        shared.delete(connectionId);
        if (found && found.finder !== own) {
          remove(found.finder, connectionId);
          found.finder.set(connectionId, found);
        } else clearTimeout(found?.timer);
        if (wasOpen) tell(connectionId);
        return wasOpen;
      },
    };
  };
  return {
    ofKind,
    stop: () => {
      isStopped = true;
      for (const circuits of [shared, ...kinds.map(({ own }) => own)])
        for (const connectionId of circuits.keys()) remove(circuits, connectionId);
    },
  };
}
