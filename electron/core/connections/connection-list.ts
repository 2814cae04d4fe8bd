import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Connection, type ConnectionSettings, connectionSettings } from '../../../contract/connections.ts';
import { isInterfaceElement } from '../../soap/element-names.ts';
import type { StoredConnection } from '../../store/connections/connections.ts';
import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';
import type { Log, RunningPractice } from '../foundation/ports.ts';

/** Far more than anybody needs; a window out of control must not fill the disk. */
const maxConnections = 500;

/** Id of the practice connection, which always exists. */
export const practiceId = 'practice';

/** Address of the practice connection while its service does not run: nothing listens there, and nothing is sent there. */
const stoppedAddress = {
  baseUrl: 'http://127.0.0.1',
  mainPath: '/service.asmx',
  easySignPath: '/easysign/v2/easysign.asmx',
  namespaceUri: 'https://practice.example/',
};

/** Key in the settings table. */
const currentKey = 'connections.current';

/** The stored connections, the practice connection first. Each write is on disk when the function returns. */
export interface ConnectionList {
  all(): readonly Connection[];
  /** Throws not-found. */
  find(id: string): Connection;
  /** Id of the connection in use; that of the practice connection if the chosen one no longer exists. */
  currentId(): string;
  choose(id: string): void;
  /**
   * Adds a connection (without id) or changes one. Returns its id. Throws not-found, and bad-input for a name that is
   * taken or an element name that is not in the interface.
   */
  put(id: string | undefined, settings: ConnectionSettings): string;
  /**
   * Returns the oldest connection with these settings, ignoring its name; if there is none, adds one in the same
   * transaction. Throws as `put` does.
   */
  findOrPut(settings: ConnectionSettings): { readonly id: string; readonly isNew: boolean };
  remove(id: string): void;
}

interface Needs {
  readonly store: Pick<Store, 'connections' | 'settings' | 'together'>;
  /** Tells where a connection's credentials are kept. */
  readonly whereabouts: (id: string) => Connection['credentials'];
  readonly practice: () => RunningPractice | null;
  readonly log: Log;
}

/** Opens the list of connections in the store. */
export function createConnectionList({ store, whereabouts, practice, log }: Needs): ConnectionList {
  const { connections: rows, settings, together } = store;
  const all = (): readonly Connection[] => {
    const stored = readableRows(rows.all(), log);
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
  const put = (existingId: string | undefined, wanted: ConnectionSettings): string => {
    if (existingId !== undefined) find(existingId);
    else if (rows.all().length >= maxConnections) throw appError('bad-input', 'there are too many connections');
    if (all().some(({ id, name }) => name === wanted.name && id !== existingId)) {
      throw appError('bad-input', 'the name is taken', { fields: { 'settings.name': 'is taken' } });
    }
    const stray = Object.keys(wanted.elementNames).find((name) => !isInterfaceElement(name));
    if (stray !== undefined) {
      const fields = { [`settings.elementNames.${stray}`]: `has ${stray}, which is no element of the interface` };
      throw appError('bad-input', 'the table of element names has a stray entry', { fields });
    }
    const id = existingId ?? randomUUID();
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
    // Checked and written in one transaction: another program may take the same name at the same time.
    put: (existingId, wanted) => together(() => put(existingId, wanted)),
    findOrPut: (wanted) =>
      together(() => {
        const same = readableRows(rows.all(), log).find((row) => row.id !== practiceId && isSame(row.settings, wanted));
        return same ? { id: same.id, isNew: false } : { id: put(undefined, wanted), isNew: true };
      }),
    remove: (id) => {
      rows.remove(id);
      if (settings.get(currentKey) === id) settings.remove(currentKey);
    },
  };
}

/** Compares parsed settings, so that a setting which an older program did not store has its default in both. */
function isSame(
  { name: _, ...settings }: ConnectionSettings,
  { name: _other, ...wanted }: ConnectionSettings,
): boolean {
  return isDeepStrictEqual(settings, wanted);
}

/**
 * Parses rows of older or newer programs: missing settings get their defaults. A row that cannot be parsed stays in
 * the database and is not shown.
 */
function readableRows(rows: readonly StoredConnection[], log: Log): StoredConnection[] {
  return rows.flatMap((row) => {
    const parsed = connectionSettings.safeParse(row.settings);
    if (parsed.success) return [{ ...row, settings: parsed.data }];
    log.error('a connection in the database is not readable', { connectionId: row.id });
    return [];
  });
}

/**
 * The practice connection's settings: those that a person may change come from `own`; the address is that of the
 * running service.
 */
function practiceSettings(own: ConnectionSettings | undefined, running: RunningPractice | null): ConnectionSettings {
  const basis = own ?? connectionSettings.parse({ name: 'Practice service', ...stoppedAddress });
  const { baseUrl, mainPath, easySignPath, namespaceUri } = running ?? stoppedAddress;
  // The practice service uses the element names of the interface, whatever was set.
  return { ...basis, baseUrl, mainPath, easySignPath, namespaceUri, elementNames: {}, proxy: { mode: 'none' } };
}
