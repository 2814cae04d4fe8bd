import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Connection, type ConnectionSettings, connectionSettings } from '../../../contract/connections.ts';
import { isInterfaceElement } from '../../soap/element-names.ts';
import type { StoredConnection } from '../../store/connections/connections.ts';
import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';
import type { Log, RunningPractice } from '../foundation/ports.ts';
import { practiceId, practiceSettings } from './practice-connection.ts';

/** Nobody has that many; a window gone wild must not fill the disk. */
const maxConnections = 500;

/** In the settings table. */
const currentKey = 'connections.current';

/** The connections as they are kept, the practice connection first. Each write is on the disk when it returns. */
export interface ConnectionList {
  all(): readonly Connection[];
  /** Throws not-found. */
  find(id: string): Connection;
  /** The practice connection where the chosen one is gone. */
  currentId(): string;
  choose(id: string): void;
  /** Adds (without id) or changes; answers the id. Throws not-found, and bad-input for a name that is taken or an element nobody sends. */
  put(id: string | undefined, settings: ConnectionSettings): string;
  /** The oldest connection with these settings, whatever its name; made in the same transaction where there is none. Throws as `put` does. */
  findOrPut(settings: ConnectionSettings): { readonly id: string; readonly isNew: boolean };
  remove(id: string): void;
}

interface Needs {
  readonly store: Pick<Store, 'connections' | 'settings' | 'together'>;
  /** Where a connection's credentials are. */
  readonly whereabouts: (id: string) => Connection['credentials'];
  readonly practice: () => RunningPractice | null;
  readonly log: Log;
}

export function createConnectionList({ store, whereabouts, practice, log }: Needs): ConnectionList {
  const { connections: rows, settings, together } = store;
  const all = (): readonly Connection[] => {
    const stored = readable(rows.all(), log);
    const own = stored.find(({ id }) => id === practiceId)?.settings;
    const others = stored.filter(({ id }) => id !== practiceId);
    return [
      { ...practiceSettings(own, practice()), id: practiceId, kind: 'practice', credentials: 'this-run' },
      ...others.map(
        (row): Connection => ({
          ...row.settings,
          id: row.id,
          kind: 'service',
          credentials: whereabouts(row.id),
        }),
      ),
    ];
  };
  const find = (id: string): Connection => {
    const connection = all().find((one) => one.id === id);
    if (!connection) throw appError('not-found', 'no such connection');
    return connection;
  };
  const put = (given: string | undefined, wanted: ConnectionSettings): string => {
    if (given !== undefined) find(given);
    else if (rows.all().length >= maxConnections) throw appError('bad-input', 'there are too many connections');
    if (all().some(({ id, name }) => name === wanted.name && id !== given)) {
      throw appError('bad-input', 'the name is taken', { fields: { 'settings.name': 'is taken' } });
    }
    const stray = Object.keys(wanted.elementNames).find((name) => !isInterfaceElement(name));
    if (stray !== undefined) {
      const fields = { [`settings.elementNames.${stray}`]: `has ${stray}, which is no element of the interface` };
      throw appError('bad-input', 'the table of element names has a stray entry', { fields });
    }
    const id = given ?? randomUUID();
    rows.put({ id, kind: id === practiceId ? 'practice' : 'service', settings: wanted });
    return id;
  };
  return {
    all,
    find,
    currentId: () => {
      const wanted = settings.get(currentKey);
      return all().find(({ id }) => id === wanted)?.id ?? practiceId;
    },
    choose: (id) => settings.put(currentKey, find(id).id),
    // Looked at and written in one transaction: another program may be taking the same name.
    put: (given, wanted) => together(() => put(given, wanted)),
    findOrPut: (wanted) =>
      together(() => {
        const same = readable(rows.all(), log).find((row) => row.id !== practiceId && isSame(row.settings, wanted));
        return same ? { id: same.id, isNew: false } : { id: put(undefined, wanted), isNew: true };
      }),
    remove: (id) => {
      rows.remove(id);
      if (settings.get(currentKey) === id) settings.remove(currentKey);
    },
  };
}

/** Compared as parsed, so that a setting that came later is the same in both. */
function isSame(
  { name: _, ...settings }: ConnectionSettings,
  { name: _other, ...wanted }: ConnectionSettings,
): boolean {
  return isDeepStrictEqual(settings, wanted);
}

/** Rows of an older or newer program: defaults are filled in; what cannot be understood stays in the database, unseen. */
function readable(rows: readonly StoredConnection[], log: Log): StoredConnection[] {
  return rows.flatMap((row) => {
    const parsed = connectionSettings.safeParse(row.settings);
    if (parsed.success) return [{ ...row, settings: parsed.data }];
    log.error('a connection in the database is not readable', { connectionId: row.id });
    return [];
  });
}
