import type { CallInput } from '../../../contract/index.ts';
import {
  notesAtOnce,
  type TeamEvent,
  type TeamMember,
  type TeamNote,
  type TeamRequest,
  teamEventKinds,
} from '../../../contract/team.ts';
import type { Query } from './database.ts';
import { addEvents, changeTeam, hasToldAll, type Joined } from './feed.ts';
import { shownBy, shownPerson, shownText } from './shown-text.ts';

/** So many programs are named, of each login in turn: nobody hides the others behind programs that there never were. */
const mostPeople = 1_000;

/**
 * Everybody whose program has joined a team, by its ID or its name. `person`: SQL for the name; an assignment has the one alone that the person chose. `which`: a condition on
 * the programs `p`, `first`: of a login, those come before what was seen last. `order`: the rows.
 */
export async function readPeople<Row = TeamMember>(
  query: Query,
  team: string,
  { person = shownText('person'), which = 'true', first = 'true', order = '1, 2', columns = '' } = {},
): Promise<Row[]> {
  return await query<Row>(
    `SELECT ${person} AS person, ${shownText('computer')} AS computer, max(seen_at) AS "seenAt"${columns} FROM (
       SELECT p.*, count(*) OVER () AS found, row_number() OVER (PARTITION BY database_user ORDER BY ${first} DESC, seen_at DESC) AS turn
       FROM sealdesk.programs AS p WHERE team_id = (SELECT team_id FROM sealdesk.teams WHERE $1 IN (team_id::text, name)) AND ${which}
       ORDER BY turn, seen_at DESC LIMIT ${mostPeople}
     ) AS p GROUP BY 1, 2 ORDER BY ${order}`,
    [team],
  );
}

/**
 * Whose programs have not told everything since they were last asked (`askTeam`), those first that registered something, and how many `more` there are. Who joined after the
 * state that the register has now is not known to it.
 */
export async function notReported({ query }: Joined['database'], team: string) {
  const found = await readPeople<TeamMember & { readonly found?: number }>(query, team, {
    person: shownPerson(),
    which: `NOT ${hasToldAll}`,
    first: '(p.team_id, p.program_id) IN (SELECT d.team_id, d.program_id FROM sealdesk.documents AS d)',
    order: 'min(turn), max(seen_at) DESC, 1, 2',
    columns: ', max(found)::integer AS found',
  });
  const people = found.map(({ found: _found, ...one }): TeamMember => one);
  return { people, more: Math.max((found[0]?.found ?? 0) - mostPeople, 0) };
}

/** Longest title of an event that is shown. */
const longestTitle = 500;

/** What members did, newest first; without what only a newer version of the program writes. */
export async function readEvents(
  { database, member }: Joined,
  { before, limit, search = '', from, to }: Omit<CallInput<'team.events'>, 'connectionId'> & { readonly limit: number },
): Promise<TeamEvent[]> {
  return await database.query<TeamEvent>(
    `SELECT e.event_id AS "eventId", e.happened_at AS at, ${shownBy()} AS by, e.kind, ${shownText('e.title', longestTitle)} AS title,
       left(e.document_id, 1000) AS "documentId"
     FROM sealdesk.events AS e JOIN sealdesk.programs AS p USING (team_id, program_id)
     WHERE e.team_id = $1::uuid AND e.kind = ANY ($4)
       AND ($5::timestamptz IS NULL OR e.happened_at >= $5) AND ($6::timestamptz IS NULL OR e.happened_at <= $6)
       AND NOT EXISTS (SELECT 1 FROM unnest($7::text[]) AS w (word)
         WHERE strpos(lower(concat_ws(' ', e.title, e.document_id, ${shownPerson()})), lower(word)) = 0)
       AND ($2::text IS NULL OR
       (e.happened_at, e.event_id) < (SELECT b.happened_at, b.event_id FROM sealdesk.events AS b WHERE b.team_id = $1::uuid AND b.event_id = $2))
     ORDER BY e.happened_at DESC, e.event_id DESC LIMIT $3`,
    [
      ...[member.teamId, before ?? null, limit, teamEventKinds, from ?? null, to ?? null],
      search.split(/\s+/).filter(Boolean),
    ],
  );
}

/** What the team keeps about these requests, but for their notes. */
export async function readRequests(
  { database, member }: Joined,
  documentIds: readonly string[],
): Promise<TeamRequest[]> {
  return await database.query<TeamRequest>(
    `SELECT document_id AS "documentId", left(assignee, 200) AS assignee, due_on::text AS "dueOn" FROM sealdesk.requests
     WHERE team_id = $1::uuid AND document_id = ANY($2::text[])`,
    [member.teamId, documentIds],
  );
}

/** Notes about a request, newest first, from the one after `before` on. */
export async function readNotes(
  { database, member }: Joined,
  documentId: string,
  before?: string,
): Promise<TeamNote[]> {
  return await database.query<TeamNote>(
    `SELECT n.note_id AS "noteId", n.written_at AS at, ${shownBy()} AS by, left(n.note, 4000) AS text FROM (
       SELECT * FROM sealdesk.notes WHERE team_id = $1::uuid AND document_id = $2 AND ($3::uuid IS NULL
         OR (written_at, note_id) < (SELECT b.written_at, b.note_id FROM sealdesk.notes AS b WHERE b.note_id = $3::uuid))
       ORDER BY written_at DESC, note_id DESC LIMIT ${notesAtOnce}
     ) AS n LEFT JOIN sealdesk.programs AS p USING (team_id, program_id) ORDER BY n.written_at DESC, n.note_id DESC`,
    [member.teamId, documentId, before ?? null],
  );
}

/** Writes down that this person did something that concerns no document. */
export async function addEvent({ database, member }: Joined, kind: 'joined' | 'left'): Promise<void> {
  await database.query(addEvents('$3', "''"), [member.teamId, member.programId, kind]);
}

/** More requests than this are not told apart from those of others: nobody takes care of so many. */
const mostAssigned = 5_000;

/** Original documents of the requests that are assigned to a person. */
export async function readAssigned({ database, member }: Joined, person: string): Promise<string[]> {
  const rows = await database.query<{ document_id: string }>(
    'SELECT left(document_id, 1000) AS document_id FROM sealdesk.requests WHERE team_id = $1::uuid AND assignee = $2 ORDER BY changed_at DESC LIMIT $3',
    [member.teamId, person, mostAssigned],
  );
  return rows.map(({ document_id }) => document_id);
}

/** Assigns a request to a person (empty for nobody), or sets the date on which it is due (null for none). */
export async function changeRequest(
  joined: Joined,
  documentId: string,
  column: 'assignee' | 'due_on',
  value: string | null,
): Promise<void> {
  const insert = `INSERT INTO sealdesk.requests (team_id, document_id, ${column}) VALUES ($1::uuid, $3, ${column === 'due_on' ? '$4::date' : '$4::text'})
    ON CONFLICT (team_id, document_id) DO UPDATE SET ${column} = excluded.${column}, changed_at = now()`;
  await write(joined, insert, [documentId, value, column === 'due_on' ? 'due-changed' : 'assigned', value ?? '']);
}

/** Adds an internal note to a request. It cannot be changed or removed. */
export async function addNote(joined: Joined, documentId: string, text: string): Promise<void> {
  const insert =
    'INSERT INTO sealdesk.notes (note_id, team_id, document_id, program_id, note) VALUES (gen_random_uuid(), $1::uuid, $3, $2::uuid, $4)';
  await write(joined, insert, [documentId, text, 'note-added', '']);
}

/** Changes a request by one statement, with its event: the document, the value, and kind and title of the event are its parameters from the third on. */
async function write(
  joined: Joined,
  insert: string,
  values: readonly [documentId: string, value: string | null, kind: TeamEvent['kind'], title: string],
): Promise<void> {
  const parts = `written AS (${insert} RETURNING 'request' AS kind, document_id AS item), told AS (${addEvents('$5', '$6', '$3')})`;
  await changeTeam(joined, 'written', parts, values);
}
