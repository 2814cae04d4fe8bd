import type { Sql } from '../database/sql.ts';
import { settingTable } from '../settings/settings.ts';

/** How many adds of a connection in a row were left without an answer that can be read. */
export interface ConnectionBreaker {
  readonly doubtsInRow: number;
  /** ISO 8601, UTC: since when nothing of it leaves; null where it is not held. */
  readonly heldSince: string | null;
}

export type ConnectionBreakers = Readonly<Record<string, ConnectionBreaker>>;

/** Kept in the settings, so that it survives a restart and holds for every program on this ledger. */
const settingKey = 'queue.doubts';

/** By connection; what is not in it is 0 and not held. What cannot be read counts as nothing. */
export interface ConnectionBreakerTable {
  all(): ConnectionBreakers;
  /** As text, to see whether anything changed. */
  text(): string;
  /** A person lets it go on: the next add in doubt holds it again. */
  release(connectionId: string, limit: number): void;
  /** The connection is gone. */
  forget(connectionId: string): void;
}

export function connectionBreakerTable(sql: Sql): ConnectionBreakerTable {
  const settings = settingTable(sql);
  const text = () => settings.get(settingKey) ?? '{}';
  return {
    all: () => parsed(text()),
    text,
    release: (connectionId, limit) =>
      sql.transaction(() => {
        if (parsed(text())[connectionId]?.heldSince)
          put(sql, connectionId, { doubtsInRow: limit - 1, heldSince: null });
      }),
    forget: (connectionId) => {
      if (parsed(text())[connectionId]) sql.transaction(() => put(sql, connectionId, null));
    },
  };
}

/** An add left and no answer of it can be read. True where that holds the connection. Belongs into the transaction that writes it down. */
export function countDoubt(sql: Sql, connectionId: string, limit: number): boolean {
  const before = brakeOf(sql, connectionId);
  const doubtsInRow = (before?.doubtsInRow ?? 0) + 1;
  const heldSince = before?.heldSince ?? (doubtsInRow >= limit ? new Date().toISOString() : null);
  put(sql, connectionId, { doubtsInRow, heldSince });
  return heldSince !== null && !before?.heldSince;
}

/** The service answered: the row of doubts is over. What is held stays so until a person lets it go on. */
export function countAnswer(sql: Sql, connectionId: string): void {
  const before = brakeOf(sql, connectionId);
  if (before && before.heldSince === null) put(sql, connectionId, null);
}

function brakeOf(sql: Sql, connectionId: string): ConnectionBreaker | undefined {
  return parsed(settingTable(sql).get(settingKey) ?? '{}')[connectionId];
}

function put(sql: Sql, connectionId: string, brake: ConnectionBreaker | null): void {
  const settings = settingTable(sql);
  const { [connectionId]: _before, ...others } = parsed(settings.get(settingKey) ?? '{}');
  settings.put(settingKey, JSON.stringify(brake ? { ...others, [connectionId]: brake } : others));
}

function parsed(text: string): ConnectionBreakers {
  try {
    return JSON.parse(text) as ConnectionBreakers;
  } catch {
    return {};
  }
}
