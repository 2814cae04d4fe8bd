import type { Sql } from '../database/sql.ts';
import { keyValueTable } from '../settings/key-values.ts';

/** State of the circuit breaker of a connection. */
export interface ConnectionBreaker {
  /** Adds in a row without a readable answer. */
  readonly doubtsInRow: number;
  /** Start of the hold, ISO 8601, UTC: since then nothing is sent to the connection; null if it is not held. */
  readonly heldSince: string | null;
}

export type ConnectionBreakers = Readonly<Record<string, ConnectionBreaker>>;

/** Stored in the settings, so that it survives a restart and applies to every program on this database. */
const settingKey = 'queue.doubts';

/** Circuit breakers by connection id; a connection without an entry has 0 doubts and is not held. An unreadable setting counts as empty. */
export function connectionBreakerTable(sql: Sql) {
  const settings = keyValueTable(sql);
  const text = () => settings.get(settingKey) ?? '{}';
  return {
    all: (): ConnectionBreakers => parsed(text()),
    /** The stored text, for noticing changes. */
    text,
    /** Ends the hold on a person's decision; the next add in doubt holds the connection again. */
    release: (connectionId: string, limit: number): void =>
      sql.transaction(() => {
        const before = parsed(text())[connectionId];
        // Those that were counted are lost still: the next one is one more in a row.
        if (before?.heldSince)
          put(sql, connectionId, { doubtsInRow: Math.max(before.doubtsInRow, limit - 1), heldSince: null });
      }),
    /** Removes the entry of a removed connection. */
    forget: (connectionId: string): void => {
      if (parsed(text())[connectionId]) sql.transaction(() => put(sql, connectionId, null));
    },
  };
}

/** Counts an add that left and got no readable answer. True if the connection is held from now on. Call it in the transaction that writes the job's end. */
export function countDoubt(sql: Sql, connectionId: string, limit: number): boolean {
  const before = breakerOf(sql, connectionId);
  const doubtsInRow = (before?.doubtsInRow ?? 0) + 1;
  const heldSince = before?.heldSince ?? (doubtsInRow >= limit ? new Date().toISOString() : null);
  put(sql, connectionId, { doubtsInRow, heldSince });
  return heldSince !== null && !before?.heldSince;
}

/** The service answered: resets the count of doubts. A held connection stays held until a person releases it. */
export function countAnswer(sql: Sql, connectionId: string): void {
  const before = breakerOf(sql, connectionId);
  if (before && before.heldSince === null) put(sql, connectionId, null);
}

function breakerOf(sql: Sql, connectionId: string): ConnectionBreaker | undefined {
  return parsed(keyValueTable(sql).get(settingKey) ?? '{}')[connectionId];
}

function put(sql: Sql, connectionId: string, breaker: ConnectionBreaker | null): void {
  const settings = keyValueTable(sql);
  const { [connectionId]: _before, ...others } = parsed(settings.get(settingKey) ?? '{}');
  settings.put(settingKey, JSON.stringify(breaker ? { ...others, [connectionId]: breaker } : others));
}

function parsed(text: string): ConnectionBreakers {
  try {
    return JSON.parse(text) as ConnectionBreakers;
  } catch {
    return {};
  }
}
