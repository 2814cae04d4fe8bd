import type { Connection } from '../../../contract/connections.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { ConnectionBreaker } from '../../store/jobs/connection-breakers.ts';
import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';

/**
 * A circuit breaker per connection that opens when several adds in a row got no answer: nothing more is sent until a
 * person allows it. The ledger holds the count (store/jobs/connection-breakers.ts); other programs on the same ledger
 * may open or release it too, so it is read every time.
 */
export type DoubtBreaker = ReturnType<typeof createDoubtBreaker>;

/** Opens the breaker on the counts in the ledger. */
export function createDoubtBreaker({ connectionBreakers, jobs }: Pick<Store, 'connectionBreakers' | 'jobs'>) {
  let known = connectionBreakers.text();
  const of = (connectionId: string): ConnectionBreaker =>
    connectionBreakers.all()[connectionId] ?? { doubtsInRow: 0, heldSince: null };
  return {
    /**
     * How many adds of the connection may be under way: no more than may still end in doubt before the connection is
     * held.
     */
    room: ({ id, parallel, doubtLimit }: Pick<Connection, 'id' | 'parallel' | 'doubtLimit'>): number => {
      const { doubtsInRow, heldSince } = of(id);
      if (heldSince !== null) return 0;
      // One add may always be sent: the limit may be lower now than when the lost answers were counted.
      return Math.min(parallel, Math.max(1, doubtLimit - doubtsInRow));
    },
    /** Why the connection's waiting jobs are held; null if the connection is not held. */
    failure: (connectionId: string): Failure | null => {
      const { doubtsInRow, heldSince } = of(connectionId);
      return heldSince === null ? null : heldFailure(doubtsInRow);
    },
    held: () =>
      Object.entries(connectionBreakers.all()).flatMap(([connectionId, { doubtsInRow, heldSince }]) =>
        heldSince === null
          ? []
          : [{ connectionId, doubtsInRow, since: heldSince, openJobs: jobs.onwardCount(connectionId) }],
      ),
    /** Releases a held connection by a person's decision; one add is sent first. */
    release: connectionBreakers.release,
    /** Forgets a removed connection. */
    forget: connectionBreakers.forget,
    /** Returns true once after each change, whichever program made it. */
    hasChanged: (): boolean => {
      const now = connectionBreakers.text();
      const changed = now !== known;
      known = now;
      return changed;
    },
  };
}

function heldFailure(doubtsInRow: number): Failure {
  const note = `held: the last ${doubtsInRow} adds over this connection got no answer; a person must let it go on`;
  return appError('service-unreachable', note, { detail: 'sending-held' }).failure;
}
