import { isDeepStrictEqual } from 'node:util';
import { type Connection, type ConnectionSettings, connectionSettings } from '../../../contract/connections.ts';
import type { ManagedConnection } from '../../../contract/settings.ts';
import type { TeamState } from '../../../contract/team.ts';
import { appError } from '../foundation/app-error.ts';
import { managed, type Policy } from '../settings/policy.ts';

/** Begins the local ID of a connection that a policy provided. */
const idPrefix = 'managed-';

type Fields = Partial<ConnectionSettings>;

/** What the organisation's policy says about connections. */
export type ManagedConnections = ReturnType<typeof createManagedConnections>;

/** Reads the policy each time: it may change at any moment. */
export function createManagedConnections(policy: Policy) {
  const entries = () => policy.organisation('connections');
  const entryOf = (id: string) => entries().find((entry) => idPrefix + entry.id === id);
  const locked = (id: string | undefined) => {
    const entry = id === undefined ? undefined : entryOf(id);
    return { ...fieldsForAll(policy), ...(entry ? fieldsOf(entry) : {}) };
  };
  /** Without the proxy of the organisation nothing may leave; without its list, nothing over connections that it may contain. */
  const isWayUnknown = () => policy.isUnreadable('proxy') || policy.isUnreadable('extraCa');
  const isUnknown = (id: string) =>
    isWayUnknown() ||
    (id.startsWith(idPrefix) &&
      !entryOf(id) &&
      policy.state().problems.some(({ kind }) => kind === 'unusable' || kind === 'wrong-value'));
  const isBlocked = (id: string) => isUnknown(id) || (!entryOf(id) && !policy.organisation('ownConnections'));
  return {
    ...providedBy(entries),
    /** The settings with those that the policy sets. */
    inForce: (id: string, stored: ConnectionSettings): ConnectionSettings => ({ ...stored, ...locked(id) }),
    /** For the connection as windows see it; empty if the policy says nothing about it. */
    partOf: (id: string): Pick<Connection, 'managed'> => {
      const part = { isProvided: entryOf(id) !== undefined, isBlocked: isBlocked(id), locked: namesOf(locked(id)) };
      return part.isProvided || part.isBlocked || part.locked.length > 0 ? { managed: part } : {};
    },
    /** Throws bad-input (managed) if the change is not allowed: `current` is the connection as it is, null for a new one. */
    assertAllowed: (id: string | undefined, current: Connection | null, wanted: ConnectionSettings) => {
      if (current?.kind === 'practice') return;
      if (current === null || id === undefined) {
        if (!policy.organisation('ownConnections')) throw managed('only connections of the policy are allowed');
        return assertUnlocked(wanted, locked(undefined));
      }
      const changed = namesOf(locked(id)).find((name) => !isDeepStrictEqual(wanted[name], current[name]));
      if (changed !== undefined) throw managedField(changed);
    },
    /** Throws bad-input (managed) if a new connection sets something that the policy sets otherwise. */
    assertFields: (wanted: ConnectionSettings) => assertUnlocked(wanted, locked(undefined)),
    /** What is stored of `wanted`: locked settings stay as they were stored, so that they are back when the policy goes. */
    withoutLocked: (id: string, stored: ConnectionSettings | undefined, wanted: ConnectionSettings) => {
      const kept = namesOf(locked(id)).map((name) => [name, (stored ?? { ...wanted, ...defaults })[name]]);
      return { ...wanted, ...(Object.fromEntries(kept) as Fields) };
    },
    /** Throws bad-input (managed) for a connection of the policy. */
    assertRemovable: (id: string) => {
      if (entryOf(id)) throw managed('the policy provides the connection');
    },
    /** Throws before anything is sent over a connection that may not be used. */
    assertUsable: ({ id, kind }: Connection) => {
      if (kind === 'practice') return;
      if (isUnknown(id)) throw unreadable();
      if (isBlocked(id))
        throw appError('not-connected', 'the policy does not allow the connection', { detail: 'managed' });
    },
    /** Proxy and certificates that the policy sets for a connection, or for a new one. Throws while they cannot be read: nothing may be sent. */
    wayFor: (id: string | undefined): Pick<Fields, 'proxy' | 'extraCa'> => {
      if (isWayUnknown()) throw unreadable();
      return locked(id);
    },
  };
}

function providedBy(entries: () => readonly ManagedConnection[]) {
  return {
    /** The connections to store, with what a person set before in settings that the policy leaves open. */
    provided: (before: (id: string) => ConnectionSettings | undefined) =>
      entries().map((entry) => {
        const id = idPrefix + entry.id;
        const merged = connectionSettings.safeParse({ ...before(id), ...fieldsOf(entry) });
        // What is stored may be of a newer version; the policy's own part was parsed.
        return { id, settings: merged.success ? merged.data : connectionSettings.parse(fieldsOf(entry)) };
      }),
    /** Connections of the policy in its order, then the others in theirs. */
    first: <T extends { readonly id: string }>(rows: readonly T[]): readonly T[] => {
      const provided = entries().flatMap((entry) => rows.find(({ id }) => id === idPrefix + entry.id) ?? []);
      return [...provided, ...rows.filter((row) => !provided.includes(row))];
    },
  };
}

/** Throws bad-input (managed) for a setting with another value than the policy's and the built-in one. */
function assertUnlocked(wanted: ConnectionSettings, locked: Fields): void {
  const other = namesOf(locked).find((name) =>
    [locked, defaults].every((allowed) => !isDeepStrictEqual(wanted[name], allowed[name])),
  );
  if (other !== undefined) throw managedField(other);
}

function unreadable() {
  return appError('not-connected', 'the policy cannot be read; nothing was sent', { detail: 'policy-broken' });
}

/** The values of a new connection for what a policy may set for all. */
const defaults: Fields = {
  proxy: { mode: 'system' },
  extraCa: '',
  parallel: connectionSettings.shape.parallel.parse(undefined),
  verifyPerMinute: undefined,
};

function fieldsForAll(policy: Policy): Fields {
  const [proxy, extraCa] = [policy.organisation('proxy'), policy.organisation('extraCa')];
  const [parallel, verifyPerMinute] = [policy.organisation('parallel'), policy.organisation('verifyPerMinute')];
  return {
    ...(proxy === null ? {} : { proxy: proxyOf(proxy) }),
    ...(extraCa === null ? {} : { extraCa }),
    ...(parallel === null ? {} : { parallel }),
    ...(verifyPerMinute === null ? {} : { verifyPerMinute }),
  };
}

function proxyOf(text: string): ConnectionSettings['proxy'] {
  return text === 'system' || text === 'none' ? { mode: text } : { mode: 'manual', address: text };
}

/** The team registers that the policy sets for its connections. */
export function providedTeams(policy: Policy): NonNullable<TeamState['provided']> {
  return policy
    .organisation('connections')
    .flatMap(({ id, team }) => (team ? [{ connectionId: idPrefix + id, place: team }] : []));
}

function fieldsOf({ id: _, team: _team, ...fields }: ManagedConnection): Fields {
  return fields as Fields;
}

function namesOf(fields: Fields): (keyof ConnectionSettings)[] {
  return Object.keys(fields) as (keyof ConnectionSettings)[];
}

function managedField(name: string) {
  const why = "is set by the organisation's policy";
  return appError('bad-input', `${name} ${why}`, { detail: 'managed', fields: { [`settings.${name}`]: why } });
}
