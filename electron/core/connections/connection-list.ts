import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Connection,
  type ConnectionSettings,
  type ConnectionsState,
  connectionSettings,
  holdsPrivateKey,
  nextInUse,
} from '../../../contract/connections.ts';
import { fieldReasons } from '../../../contract/failure.ts';
import type { Language } from '../../../contract/languages.ts';
import { builtInNames } from '../../../locales/built-in-names.ts';
import { loadTexts } from '../../../locales/load-texts.ts';
import { isInterfaceElement } from '../../soap/service/element-names.ts';
import type { StoredConnection } from '../../store/connections/connections.ts';
import type { Store } from '../../store/store.ts';
import { appError } from '../foundation/app-error.ts';
import type { RunningPractice } from '../foundation/ports.ts';
import type { ManagedConnections } from './managed-connections.ts';
import { leadsElsewhere } from './service-address.ts';

/** Far more than anybody needs; a window out of control must not fill the disk. */
const maxConnections = 500;

/** Id of the practice connection, which always exists. */
export const practiceId = 'practice';

/** What stands behind the name of the connection with this id in whatever is saved or printed: what practice is worth, and nothing for others. */
export async function practiceMarks(language: Language): Promise<(id: string) => string> {
  const worth = (await loadTexts(language, 'reports'))('practice');
  return (id) => (id === practiceId ? ` · ${worth}` : '');
}

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
  /** The practice connection, those of the policy, then all others. */
  all(): readonly Connection[];
  /** Null where none is in view. Of less work than `all`: each call to a service looks at its connection. */
  one(id: string): Connection | null;
  /** Throws not-found; not-connected for one that was removed and may come back, or cannot be read, so that what was given to it waits. */
  find(id: string): Connection;
  /**
   * The connection in use. If none was chosen: the first one that the policy provided when this run began, else the practice
   * connection; if the chosen one was removed, `nextInUse`. A policy that comes later moves nobody: it offers what would be in use if the program started now.
   */
  inUse(): Pick<ConnectionsState, 'currentId' | 'offeredId'>;
  choose(id: string): void;
  /** Throws as `put` does, and stores nothing. */
  check(id: string | undefined, settings: ConnectionSettings): void;
  /**
   * Adds a connection (without id) or changes one. Returns its id. Throws not-found, and bad-input for a name that is
   * taken, an element name that is not in the interface, or what the policy does not allow (managed).
   */
  put(id: string | undefined, settings: ConnectionSettings): string;
  /**
   * Returns the oldest connection with these settings, ignoring its name; if there is none, adds one in the same
   * transaction. Throws as `put` does.
   */
  findOrPut(settings: ConnectionSettings): { readonly id: string; readonly isNew: boolean };
  /** Throws bad-input (managed) for a connection of the policy. */
  assertRemovable(id: string): void;
  remove(id: string): void;
  /**
   * Stores the connections of the policy, so that they are found like all others. `onMoved` is called before one is stored that leads elsewhere than
   * before.
   */
  provide(onMoved: (id: string, before: ConnectionSettings, after: ConnectionSettings) => Promise<void>): Promise<void>;
}

interface Needs {
  readonly store: Pick<Store, 'connections' | 'settings' | 'together'>;
  /** What may be seen of a connection's secrets. */
  readonly secrets: (id: string) => Pick<Connection, 'credentials' | 'proxyLogin' | 'clientCertificate'>;
  readonly practice: () => RunningPractice | null;
  readonly managed: ManagedConnections;
  /** The language of built-in names. */
  readonly language: () => Language;
}

/** Opens the list of connections in the store. */
export function createConnectionList(needs: Needs): ConnectionList {
  const { managed } = needs;
  const { connections: rows, settings, together } = needs.store;
  together(() => removePrivateKeys(rows));
  const { all, one } = connectionsInForce(needs);
  /** In use since the policy was applied for the first time, while no person has chosen one; null before. */
  let held: string | null = null;
  const inUse = () => inUseOf(all(), settings.get(currentKey), held, rows.isHidden);
  const find = (id: string): Connection => {
    const connection = one(id);
    if (connection) return connection;
    if (rows.isKept(id)) throw appError('not-connected', 'it was removed and may come back, or cannot be read');
    throw appError('not-found', 'no such connection');
  };
  const check = (existingId: string | undefined, wanted: ConnectionSettings): void => {
    managed.assertAllowed(existingId, existingId === undefined ? null : find(existingId), wanted);
    if (existingId === undefined && rows.all().length >= maxConnections)
      throw appError('bad-input', 'there are too many connections');
    const others = all().filter(({ id }) => id !== existingId);
    assertNames(wanted, others);
  };
  const put = (existingId: string | undefined, wanted: ConnectionSettings): string => {
    check(existingId, wanted);
    const id = existingId ?? randomUUID();
    const before = rows.one(id)?.settings;
    const settings = asStored(managed.withoutLocked(id, before, wanted));
    if (id !== practiceId) rows.put({ id, kind: 'service', settings });
    else rows.put({ id, kind: 'practice', settings: { ...settings, name: practiceNameStored(wanted.name) } });
    return id;
  };
  return {
    all,
    one,
    find,
    inUse,
    check,
    choose: (id) => {
      settings.put(currentKey, find(id).id);
      held = id;
    },
    // Checked and written in one transaction: another program may take the same name at the same time.
    put: (existingId, wanted) => together(() => put(existingId, wanted)),
    findOrPut: (wanted) =>
      together(() => {
        managed.assertFields(wanted);
        const same = findSame(rows.all(), asStored(wanted), managed);
        return same ? { id: same.id, isNew: false } : { id: put(undefined, wanted), isNew: true };
      }),
    provide: async (onMoved) => {
      await putProvided(rows, managed, onMoved);
      held ??= inUse().currentId;
    },
    assertRemovable: managed.assertRemovable,
    remove: (id) => {
      rows.remove(id);
      if (settings.get(currentKey) === id) replaceChosen(settings, nextInUse(all(), id));
      if (held === id) held = inUse().currentId;
    },
  };
}

/** Practice is what is in use where nothing was chosen. */
function replaceChosen(settings: Store['settings'], next: Connection | undefined): void {
  if (next?.kind === 'service') settings.put(currentKey, next.id);
  else settings.remove(currentKey);
}

function inUseOf(
  known: readonly Connection[],
  wanted: string | null,
  held: string | null,
  isRemoved: (id: string) => boolean,
) {
  const chosen = known.find(({ id }) => id === wanted);
  const provided = known.find(({ managed }) => managed?.isProvided);
  const next = wanted !== null && isRemoved(wanted) ? nextInUse(known, wanted) : provided;
  const atStart = (chosen ?? next)?.id ?? practiceId;
  const currentId = (chosen ?? known.find(({ id }) => id === held))?.id ?? atStart;
  return { currentId, offeredId: currentId === atStart ? null : atStart };
}

function connectionsInForce(needs: Needs): Pick<ConnectionList, 'all' | 'one'> {
  const { connections: rows } = needs.store;
  return {
    all: () => {
      // Once for all: the system is asked for its languages.
      const [stored, spoken] = [rows.all(), needs.language()];
      const practice = stored.find(({ id }) => id === practiceId) ?? null;
      const others = needs.managed.first(stored.filter((row) => row !== practice));
      return [practiceInForce(practice, needs, spoken), ...others.map((row) => serviceInForce(row, needs, spoken))];
    },
    one: (id) => {
      const [stored, spoken] = [rows.one(id), needs.language()];
      if (id === practiceId) return practiceInForce(stored, needs, spoken);
      return stored && serviceInForce(stored, needs, spoken);
    },
  };
}

const practiceInForce = (stored: StoredConnection | null, { practice }: Needs, spoken: Language): Connection => ({
  ...inLanguage(spoken, practiceSettings(stored?.settings, practice())),
  name: practiceNameIn(spoken, stored?.settings.name ?? storedPracticeName),
  id: practiceId,
  kind: 'practice',
  credentials: 'this-run',
  proxyLogin: null,
  clientCertificate: null,
});

const serviceInForce = (
  { id, settings }: StoredConnection,
  { secrets, managed }: Needs,
  spoken: Language,
): Connection => ({
  ...inLanguage(spoken, managed.inForce(id, settings)),
  id,
  kind: 'service',
  ...secrets(id),
  ...managed.partOf(id),
});

/** Throws bad-input for a name that another connection has, and for an element that is not in the interface. */
function assertNames(wanted: ConnectionSettings, others: readonly Connection[]): void {
  if (others.some(({ name }) => name === wanted.name))
    throw appError('bad-input', 'the name is taken', { fields: { 'settings.name': fieldReasons.isTaken } });
  const stray = Object.keys(wanted.elementNames).find((name) => !isInterfaceElement(name));
  if (stray === undefined) return;
  const fields = { [`settings.elementNames.${stray}`]: `has ${stray}, which is no element of the interface` };
  throw appError('bad-input', 'the table of element names has a stray entry', { fields });
}

async function putProvided(
  rows: Store['connections'],
  managed: ManagedConnections,
  onMoved: Parameters<ConnectionList['provide']>[0],
): Promise<void> {
  const before = new Map(rows.all().map((row) => [row.id, row.settings]));
  for (const { id, settings } of managed.provided((id) => before.get(id))) {
    const earlier = before.get(id);
    if (earlier && isDeepStrictEqual(earlier, settings)) continue;
    if (earlier && leadsElsewhere(earlier, settings)) await onMoved(id, earlier, settings);
    rows.put({ id, kind: 'service', settings });
  }
}

/** Compares parsed settings, so that a setting which an older program did not store has its default in both. */
function findSame(rows: readonly StoredConnection[], wanted: ConnectionSettings, managed: ManagedConnections) {
  return rows.find(
    ({ id, settings }) =>
      id !== practiceId &&
      !managed.partOf(id).managed?.isBlocked &&
      isDeepStrictEqual({ ...settings, name: '' }, { ...wanted, name: '' }),
  );
}

/** Older versions stored the text of certificates as it was given, also with a private key. */
function removePrivateKeys(rows: Store['connections']): void {
  for (const row of rows.all()) if (row.settings.extraCa && holdsPrivateKey(row.settings.extraCa)) rows.put(row);
}

let builtIn: ConnectionSettings | undefined;

/**
 * The practice connection's settings: those that a person may change come from `own`; the address is that of the
 * running service.
 */
function practiceSettings(own: ConnectionSettings | undefined, running: RunningPractice | null): ConnectionSettings {
  builtIn ??= connectionSettings.parse({ name: storedPracticeName, ...stoppedAddress });
  const basis = own ?? builtIn;
  const { baseUrl, mainPath, easySignPath, namespaceUri } = running ?? stoppedAddress;
  // The practice service uses the element names of the interface, whatever was set.
  return { ...basis, baseUrl, mainPath, easySignPath, namespaceUri, elementNames: {}, proxy: { mode: 'none' } };
}

type Named = Pick<ConnectionSettings, 'lists' | 'creditTypes'>;
type Names = Readonly<Record<number, string>>;

/** The practice connection's name as it is stored until a person changes it. */
const storedPracticeName = builtInNames.en.practice;

/** The practice connection's name in a language, unless a person gave it another one. */
function practiceNameIn(language: Language, name: string): string {
  return name === storedPracticeName ? builtInNames[language].practice : name;
}

/** The practice connection's name as it is stored. */
function practiceNameStored(name: string): string {
  return Object.values(builtInNames).some(({ practice }) => practice === name) ? storedPracticeName : name;
}

/** The settings with the program's own names of lists and credits in a language. Names that a person gave stay. */
function inLanguage<S extends Named>(language: Language, settings: S): S {
  return renamed(settings, builtInNames.en, builtInNames[language]);
}

/** The settings as they are stored: the program's own names in English, in whichever language they were shown. */
function asStored<S extends Named>(settings: S): S {
  return Object.values(builtInNames).reduce((before, names) => renamed(before, names, builtInNames.en), settings);
}

interface BuiltIn {
  readonly lists: Names;
  readonly creditTypes: Names;
}

function renamed<S extends Named>(settings: S, from: BuiltIn, to: BuiltIn): S {
  return {
    ...settings,
    lists: renamedRows(settings.lists, from.lists, to.lists),
    creditTypes: renamedRows(settings.creditTypes, from.creditTypes, to.creditTypes),
  };
}

function renamedRows<R extends { readonly value: number; readonly name: string }>(
  rows: readonly R[],
  from: Names,
  to: Names,
): R[] {
  return rows.map((row) => ({ ...row, name: row.name === from[row.value] ? (to[row.value] ?? row.name) : row.name }));
}
