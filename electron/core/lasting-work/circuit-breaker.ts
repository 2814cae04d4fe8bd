import { type Failure, isServiceAway } from '../../../contract/failure.ts';
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
  /** Closes the circuit: the service was reached, or other settings hold. Returns true if the circuit was open. */
  close(connectionId: string): boolean;
}

/** The breakers of all kinds of work in a program: what one kind finds out about a service holds for the others. */
export type CircuitBreakers = ReturnType<typeof createCircuitBreakers>;

interface Circuit {
  /** The last one: the reason may be another one than at first. */
  failure: Failure;
  attempt: number;
  /** The circuits of the kind that found it out. */
  readonly finder: Map<string, Circuit>;
  readonly nextTryAt: string;
  mayTry: 'nobody' | 'others' | 'all';
  timer: NodeJS.Timeout;
}

/** The other kinds try a little earlier than the one that found it out: what fails for that kind only must not hold back the others again and again. */
const othersShare = 0.9;

/** Creates breakers with all circuits closed. */
export function createCircuitBreakers(pauses: ServicePauses) {
  const all: All = { pauses, shared: new Map(), kinds: [], isStopped: false };
  const everywhere = () => [all.shared, ...all.kinds.map(({ own }) => own)];
  return {
    /** `onChange` is called when items of a connection may start again, or another kind found its service away. */
    ofKind: (onChange: (connectionId: string) => void): CircuitBreaker => {
      const kind = new KindBreaker(all, onChange);
      all.kinds.push(kind);
      return kind;
    },
    /** A person wants it tried: one item of each kind is the test at once, as after the pause, and no other while it runs. */
    tryNow: (connectionId: string): void => {
      for (const circuits of everywhere()) {
        const circuit = circuits.get(connectionId);
        if (!circuit) continue;
        clearTimeout(circuit.timer);
        Object.assign(circuit, { attempt: 0, mayTry: 'all' });
      }
      for (const { onChange } of all.kinds) onChange(connectionId);
    },
    stop: (): void => {
      all.isStopped = true;
      for (const circuits of everywhere()) for (const connectionId of circuits.keys()) remove(circuits, connectionId);
    },
  };
}

type ServicePauses = Pick<Pauses, 'serviceMs' | 'serviceMostMs'>;

/** What the breakers of all kinds have in common. */
interface All {
  readonly pauses: ServicePauses;
  /** Services that are away for every kind, by connection. */
  readonly shared: Map<string, Circuit>;
  readonly kinds: KindBreaker[];
  isStopped: boolean;
}

function remove(circuits: Map<string, Circuit>, connectionId: string): boolean {
  clearTimeout(circuits.get(connectionId)?.timer);
  return circuits.delete(connectionId);
}

class KindBreaker implements CircuitBreaker {
  readonly own = new Map<string, Circuit>();
  readonly onChange: (connectionId: string) => void;
  private readonly all: All;

  constructor(all: All, onChange: (connectionId: string) => void) {
    this.all = all;
    this.onChange = onChange;
  }

  private circuits(connectionId: string): readonly Circuit[] {
    return [this.all.shared.get(connectionId), this.own.get(connectionId)].filter((circuit) => circuit !== undefined);
  }

  private mayTry({ mayTry: who, finder }: Circuit): boolean {
    return who === 'all' || (who === 'others' && finder !== this.own);
  }

  room(connectionId: string, parallel: number, running: number): number {
    const circuits = this.circuits(connectionId);
    if (circuits.length === 0) return parallel - running;
    return circuits.every((circuit) => this.mayTry(circuit)) ? 1 - running : 0;
  }

  failure(connectionId: string): Failure | null {
    return this.circuits(connectionId)[0]?.failure ?? null;
  }

  backingOff(): Omit<BackingOff, 'openJobs'>[] {
    const circuits = [...new Map([...this.own, ...this.all.shared])];
    return circuits.map(([connectionId, circuit]) => {
      const { failure, nextTryAt } = circuit;
      return { connectionId, failure, nextTryAt: this.mayTry(circuit) ? null : nextTryAt };
    });
  }

  open(connectionId: string, failure: Failure): void {
    const { own, all } = this;
    // Others were answered since: they need not wait for what only this kind finds away.
    const isOwnAffair =
      failure.code === 'service-timeout' ||
      !isServiceAway(failure) ||
      own.get(connectionId)?.failure.code === failure.code;
    const circuits = isOwnAffair ? own : all.shared;
    const last = circuits.get(connectionId);
    // If several running items fail together, there is one pause for all of them.
    if (last) last.failure = failure;
    if (all.isStopped || last?.mayTry === 'nobody') return;
    clearTimeout(last?.timer);
    // Another program here holds the database: it was waited for already, and costs no service anything to be asked again.
    const attempt = failure.code === 'storage-busy' ? 1 : (last?.attempt ?? 0) + 1;
    const pauseMs = backoffMs(attempt, { baseMs: all.pauses.serviceMs, capMs: all.pauses.serviceMostMs });
    const othersMs = pauseMs * othersShare;
    const letTry = (mayTry: 'others' | 'all') => {
      circuit.mayTry = mayTry;
      this.tell(connectionId);
    };
    const timer = setTimeout(() => {
      circuit.timer = setTimeout(() => letTry('all'), pauseMs - othersMs);
      letTry('others');
    }, othersMs);
    const nextTryAt = new Date(Date.now() + pauseMs).toISOString();
    const circuit: Circuit = { failure, attempt, finder: own, nextTryAt, mayTry: 'nobody', timer };
    circuits.set(connectionId, circuit);
    if (!isOwnAffair) this.tell(connectionId);
  }

  close(connectionId: string): boolean {
    const { own, all } = this;
    const found = all.shared.get(connectionId);
    const wasOpen = remove(own, connectionId) || found !== undefined;
    if (found && found.finder !== own) {
      remove(found.finder, connectionId);
      found.finder.set(connectionId, found);
      all.shared.delete(connectionId);
    } else remove(all.shared, connectionId);
    if (wasOpen) this.tell(connectionId);
    return wasOpen;
  }

  private tell(connectionId: string): void {
    for (const { onChange } of this.all.kinds) onChange(connectionId);
  }
}
