import type { Sql } from '../database/sql.ts';
import { keyValueTable } from '../settings/key-values.ts';

/** State of the circuit breaker of a connection. */
export interface ConnectionBreaker {
  /** Adds in a row without a readable answer. */
  readonly doubtsInRow: number;
  /** Start of the hold, ISO 8601, UTC: since then nothing is sent to the connection; null if it is not held. */
  readonly heldSince: string | null;
  /** True from the release of a hold on, until the add that is sent ahead has ended. */
  readonly isProbing?: boolean;
}

export type ConnectionBreakers = Readonly<Record<string, ConnectionBreaker>>;

/** Stored in the settings, so that it survives a restart and applies to every program on this database. */
const settingKey = 'queue.doubts';

/** Circuit breakers by connection id; a connection without an entry has 0 doubts and is not held. An unreadable setting counts as empty. */
export function connectionBreakerTable(sql: Sql) {
  return {
    all: () => breakersOf(sql),
    /** The stored text, for noticing changes. */
    text: () => textOf(sql),
    /** Ends the hold on a person's decision; the next add in doubt holds the connection again, also where that is found out by a later program. */
    release: (connectionId: string, limit: number): void =>
      sql.transaction(() => {
        const before = breakersOf(sql)[connectionId];
        if (!before?.heldSince) return;
        // Those that were counted are lost still: the next one is one more in a row.
        const doubtsInRow = Math.max(before.doubtsInRow, limit - 1);
        put(sql, connectionId, { doubtsInRow, heldSince: null, isProbing: true });
      }),
    /** Removes the entry of a removed connection. */
    forget: (connectionId: string): void => {
      if (breakersOf(sql)[connectionId]) sql.transaction(() => put(sql, connectionId, null));
    },
  };
}

/** Counts an add that left and got no readable answer. True if the connection is held from now on. Call it in the transaction that writes the job's end. */
export function countDoubt(sql: Sql, connectionId: string, limit: number): boolean {
  const before = breakersOf(sql)[connectionId];
  const doubtsInRow = (before?.doubtsInRow ?? 0) + 1;
  const heldSince = before?.heldSince ?? (doubtsInRow >= limit ? new Date().toISOString() : null);
  put(sql, connectionId, { doubtsInRow, heldSince });
  return heldSince !== null && !before?.heldSince;
}

/** An add is in doubt for whose answer nobody waited, which says nothing about the service; but it was the one that could be sent without asking again. As `countDoubt`. */
export function countUnawaited(sql: Sql, connectionId: string): boolean {
  return breakersOf(sql)[connectionId]?.isProbing === true && countDoubt(sql, connectionId, 0);
}

/** The service answered: resets the count of doubts. A held connection stays held until a person releases it. */
export function countAnswer(sql: Sql, connectionId: string): void {
  const before = breakersOf(sql)[connectionId];
  if (before && before.heldSince === null) put(sql, connectionId, null);
}

function put(sql: Sql, connectionId: string, breaker: ConnectionBreaker | null): void {
  const { [connectionId]: _before, ...others } = breakersOf(sql);
  keyValueTable(sql).put(settingKey, JSON.stringify(breaker ? { ...others, [connectionId]: breaker } : others));
}

const textOf = (sql: Sql) => keyValueTable(sql).get(settingKey) ?? '{}';

function breakersOf(sql: Sql): ConnectionBreakers {
  try {
    return JSON.parse(textOf(sql)) as ConnectionBreakers;
  } catch {
    return {};
  }
}
