import { z } from 'zod';
import type { KeyValueTable } from '../../store/settings/key-values.ts';
import { appError } from '../foundation/app-error.ts';
import type { Query, QueryOptions, SqlParameter, TeamDatabase } from './database.ts';
import { databaseIdentity, schemaVersion } from './schema.ts';

/** A change that this program knows to be in the register. */
const change = z.object({ position: z.coerce.number().int().positive(), mark: z.uuid() });
export type Change = z.output<typeof change>;

/** No mark comes after it. */
export const lastMark = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * How far a program knows the register of its team. `epoch` grows by chance when a lead lets the team go on after a restore; 0: not known yet. All changes up to `followed`, and there
 * up to the mark, were brought here. `known` is the last change that it has read or written: if the register does not have exactly that one, it went back.
 */
const place = z.strictObject({
  epoch: z.int().min(0),
  followed: z.int().min(0),
  mark: z.uuid().default(lastMark),
  known: change.nullable(),
});
export type Place = z.output<typeof place>;

export const nowhere: Place = { epoch: 0, followed: 0, mark: lastMark, known: null };

/** The place of a connection in the feed of a team, kept for each team that it was in: what one team has says nothing about another. */
export type FeedPlace = ReturnType<typeof feedPlace>;

const placeKey = (connectionId: string, teamId: string) => `team.${connectionId}.feed.${teamId}`;

/** Forgets how far a team was followed: it is read from the beginning. */
export function followAnew(settings: KeyValueTable, connectionId: string, teamId: string): void {
  settings.remove(placeKey(connectionId, teamId));
}

export function feedPlace(settings: KeyValueTable, connectionId: string, teamId: string) {
  const key = placeKey(connectionId, teamId);
  let own: Change | null = null;
  /** Read each time: another program with this data folder may have gone on. */
  const stored = (): Place => place.safeParse(JSON.parse(settings.get(key) ?? 'null')).data ?? nowhere;
  const now = (): Place => {
    const { known, ...rest } = stored();
    return { ...rest, known: own && own.position > (known?.position ?? 0) ? own : known };
  };
  const put = (next: Place) => {
    const text = JSON.stringify(next);
    if (text !== settings.get(key)) settings.putUnsynced(key, text);
  };
  return {
    now,
    /** Takes note of a change that this program made, or was told of. It is stored with the next `put`. */
    saw: (made: readonly Change[]): void => {
      const last = change.safeParse(made.at(-1)).data;
      if (last && last.position > (own?.position ?? 0)) own = last;
    },
    put,
    /** Nothing is known any more but the epoch. */
    forget: (epoch: number): void => {
      own = null;
      put({ ...nowhere, epoch });
    },
  };
}

/**
 * The end of every statement that changes something for the team: gives each row of `listed` (kind, item) a position, and answers them by `SELECT … FROM changed`. The
 * feed's row is locked last and until the commit, so that positions are in the order of commits: whoever sees one sees all before it. `team`: its parameter.
 */
export const thenFed = (listed: string, team = '$1'): string => `taken AS (
       UPDATE sealdesk.feeds SET next_position = next_position + (SELECT count(*) FROM ${listed})
       WHERE team_id = ${team}::uuid AND EXISTS (SELECT 1 FROM ${listed}) RETURNING next_position
     ), changed AS (
       INSERT INTO sealdesk.changes (team_id, position, kind, item)
       SELECT ${team}::uuid, next_position - row_number() OVER (), kind, item FROM ${listed}, taken RETURNING position, mark, item
     )`;

/** SQL that adds to the events what the program `$2` of the team `$1` did, with kind, title and document: of the rows that `from` gives, each once by its ID. */
export const addEvents = (
  kind: string,
  title: string,
  documentId = 'NULL',
  from = '',
  id = 'gen_random_uuid()',
): string =>
  `INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title, document_id)
   SELECT ${id}::text, $1::uuid, $2::uuid, ${kind}, ${title}, ${documentId} ${from} ON CONFLICT (team_id, event_id) DO NOTHING`;

/** A register in use, and this program in its team. `place`: what it knows of the register; nothing is claimed or written in one that does not know it. */
export interface Joined {
  readonly database: Pick<TeamDatabase, 'query' | 'tell'>;
  readonly member: { readonly teamId: string; readonly programId: string; readonly place?: FeedPlace };
}

/**
 * Changes something for the team by one statement, and takes note of it. `parts`: what stands in its WITH; `listed` is the one of them with a row (kind, item) for each thing that
 * changes. Its parameters are the team, the program, and `values`. Answers the changes, with more `columns` of them. Colleagues are told then where `isTold`.
 */
export async function changeTeam<Row = unknown>(
  { database, member: { teamId, programId, place } }: Joined,
  listed: string,
  parts: string,
  values: readonly SqlParameter[],
  {
    columns = '',
    isTold = true,
    ...options
  }: QueryOptions & { readonly columns?: string; readonly isTold?: boolean } = {},
): Promise<(Change & Row)[]> {
  const made = await database.query<Change & Row>(
    `WITH ${parts}, ${thenFed(listed)} SELECT position, mark${columns} FROM changed ORDER BY position`,
    [teamId, programId, ...values],
    options,
  );
  place?.saw(made);
  if (isTold && made.length > 0) database.tell(teamId);
  return made;
}

/** Condition on a team: its register is in the database in which a lead let it begin or go on, and nobody has closed it. A database that was restored may have lost what no program that runs knows of. */
export const isOpen = (team: string): string =>
  `EXISTS (SELECT 1 FROM sealdesk.teams AS o WHERE o.team_id = ${team}::uuid AND NOT o.is_restored AND o.database_identity = ${databaseIdentity})`;

/** The title of the event by which a program `p` says that it has told a closed register all that it knows: another one in each epoch and database. */
const toldAll = `(SELECT epoch || ' ' || ${databaseIdentity} FROM sealdesk.teams WHERE team_id = p.team_id)`;

/** Condition on a program `p`: it has said so, itself. The event's ID says nothing, as anybody can take one that is known beforehand. */
export const hasToldAll = `EXISTS (SELECT 1 FROM sealdesk.events AS e WHERE e.kind = 'told-all' AND (e.team_id, e.program_id) = (p.team_id, p.program_id)
  AND e.database_user = p.database_user AND e.title = ${toldAll})`;

/** SQL by which the program `$2` of the team `$1` says so. */
export const sayAllIsTold = addEvents(
  "'told-all'",
  toldAll,
  'NULL',
  `FROM sealdesk.programs AS p WHERE team_id = $1::uuid AND program_id = $2::uuid AND NOT ${hasToldAll}`,
);

/** Condition of what a program may do only in the register that it knows: in its epoch, with the last change that it knows. The parameters are those of `placeValues`. */
export const isAt = (team: string, first: number): string =>
  `($${first}::bigint = 0 OR EXISTS (SELECT 1 FROM sealdesk.teams WHERE team_id = ${team}::uuid AND epoch = $${first}))
   AND ($${first + 1}::bigint = 0 OR EXISTS (SELECT 1 FROM sealdesk.changes AS k JOIN sealdesk.feeds AS n USING (team_id)
     WHERE team_id = ${team}::uuid AND k.position = $${first + 1} AND k.mark = $${first + 2}::uuid AND k.position < n.next_position))`;

export const placeValues = ({ epoch, known }: Place) => [epoch, known?.position ?? 0, known?.mark ?? null];

/** What is asked about a register before anything else is done with it. */
export interface RegisterState {
  readonly version: number;
  readonly is_restored: boolean;
  readonly epoch: number;
  /** False if the register does not have the last change that this program knows, or is in another database: it went back to an earlier state, or may have. */
  readonly is_known: boolean;
  readonly next_position: string;
  /** Automatic calls of the team in this hour. */
  readonly calls: number;
  /** The last change before the next position, as something to know; null before the first one. */
  readonly head: Change | null;
}

/** Columns of `RegisterState`, from `teams AS t` and `feeds AS f`. */
export const stateColumns = (first: number): string =>
  `t.is_restored, t.epoch::float8, f.next_position,
   (SELECT json_build_object('position', position, 'mark', mark) FROM sealdesk.changes WHERE team_id = t.team_id AND position < f.next_position
     ORDER BY position DESC, mark DESC LIMIT 1) AS head,
   coalesce((SELECT used FROM sealdesk.service_calls WHERE team_id = t.team_id AND hour = date_trunc('hour', now())), 0) AS calls, (SELECT max(version) FROM sealdesk.schema_versions) AS version,
   (t.database_identity = ${databaseIdentity} AND ($${first}::bigint < t.epoch OR ${isAt('t.team_id', first)})) AS is_known`;

/** Throws where the schema is another one: it is looked at alone, because with another schema every other statement may fail. */
export async function assertSchema(query: Query): Promise<void> {
  const [row] = await query<{ version: number | null }>('SELECT max(version) AS version FROM sealdesk.schema_versions');
  if (row?.version !== schemaVersion) throw otherSchema(row?.version ?? 0);
}

export const otherSchema = (version: number) =>
  appError('not-connected', `the register has schema ${version}, this program ${schemaVersion}`, {
    detail: version > schemaVersion ? 'team-newer' : 'team-older',
  });

/** The state of the register, by one row; throws where the schema is another one, or the team is gone. */
export async function readState(query: Query, teamId: string, at: Place, patienceMs?: number): Promise<RegisterState> {
  const rows = await query<RegisterState>(
    `SELECT ${stateColumns(2)} FROM sealdesk.teams AS t JOIN sealdesk.feeds AS f ON f.team_id = t.team_id WHERE t.team_id = $1::uuid`,
    [teamId, ...placeValues(at)],
    patienceMs === undefined ? {} : { patienceMs },
  );
  return stateOf(rows);
}

/** What the first row of an answer says of the register; throws as `readState`. */
export function stateOf<State extends RegisterState>([state]: readonly State[]): State {
  if (!state) throw appError('not-connected', 'the team is not in the register', { detail: 'team-missing' });
  if (state.version !== schemaVersion) throw otherSchema(state.version);
  return state;
}

export const closedError = () =>
  appError('not-connected', 'the register was restored, or its server changed', { detail: 'team-restored' });

/** Closes the register for the whole team, until a lead lets it go on, and tells all programs at once. */
export async function closeRegister({ query, tell }: Joined['database'], teamId: string, patienceMs: number) {
  const close = 'UPDATE sealdesk.teams SET is_restored = true WHERE team_id = $1::uuid AND NOT is_restored';
  await query(close, [teamId], { patienceMs });
  tell(teamId);
}

/** Throws as long as somebody keeps the rows locked that each change of the team needs. */
export async function assertFree(query: Query, teamId: string): Promise<void> {
  const rows =
    'SELECT 1 FROM sealdesk.teams AS t JOIN sealdesk.feeds AS f USING (team_id) WHERE team_id = $1::uuid FOR UPDATE OF f FOR KEY SHARE OF t';
  await query(rows, [teamId]);
}

/** Throws where nothing may be sent. What is read of the register from here on is known: if it goes back behind that, it is not this one any more. */
export async function assertOpen({ database, member: { teamId, place } }: Joined): Promise<void> {
  const at = place?.now() ?? nowhere;
  const state = await readState(database.query, teamId, at);
  if (state.is_restored || !state.is_known || (at.epoch !== 0 && at.epoch !== state.epoch)) throw closedError();
  if (state.head) place?.saw([state.head]);
}
