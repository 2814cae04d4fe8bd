import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { TeamPerson } from '../../../contract/team.ts';
import { appError } from '../foundation/app-error.ts';
import type { Pauses } from '../foundation/pauses.ts';
import { changeTeam, type Joined } from './feed.ts';
import { shownBy } from './shown-text.ts';

/** An entry as the team shares it: document, creation date, its ID, the ID of the original, address, name; and whether it has a secret word, which is not shared. */
const text = z.string().max(100_000).nullable();
const sharedEntry = z.tuple([text, text, text, text, text, text, z.boolean()]);
const sharedEntries = z.array(sharedEntry).max(1_000);
export type SharedEntry = z.output<typeof sharedEntry>;

/** A list as a program of the team read it from the service. */
export interface SharedCopy {
  readonly listType: number;
  readonly copyId: string;
  /** Equal for copies with the same entries. */
  readonly content: string;
  readonly total: number;
  readonly nilEntries: number;
  /** ISO 8601, UTC, by the database's clock. */
  readonly readAt: string;
  /** The colleague who read it; null if this program did. */
  readonly by: TeamPerson | null;
}

/** Entries in one piece, and about how many characters: one piece is in memory at a time. */
const entriesPerPiece = 500;
const charsPerPiece = 1_000_000;
/** A piece that is larger was not written by this program. */
const mostPieceBytes = 8_000_000;

/** The last copies of the team's lists. */
export async function readCopies({ database, member }: Joined): Promise<SharedCopy[]> {
  return await database.query<SharedCopy>(
    `SELECT l.list_type AS "listType", l.copy_id AS "copyId", left(l.content, 100) AS content, l.total, l.nil_entries AS "nilEntries",
       l.read_at AS "readAt", CASE WHEN l.read_by <> $2::uuid THEN ${shownBy()} END AS by
     FROM sealdesk.lists AS l JOIN sealdesk.programs AS p ON (p.team_id, p.program_id) = (l.team_id, l.read_by)
     WHERE l.team_id = $1::uuid AND l.copy_id IS NOT NULL ORDER BY l.list_type LIMIT 100`,
    [member.teamId, member.programId],
  );
}

/** The entries of a copy, piece by piece. Rejects if the copy was replaced meanwhile. */
export async function* readEntries(
  { database, member }: Joined,
  { listType, copyId }: SharedCopy,
): AsyncGenerator<readonly SharedEntry[]> {
  const [copy] = await database.query<{ pieces: string[] }>(
    `SELECT pieces FROM sealdesk.lists WHERE team_id = $1::uuid AND list_type = $2 AND copy_id = $3::uuid
     AND octet_length(array_to_string(pieces, '')) <= $4`,
    [member.teamId, listType, copyId, mostPieceBytes],
  );
  if (!copy) throw replaced();
  for (const piece of copy.pieces) {
    const [row] = await database.query<{ entries: string }>(
      `SELECT entries FROM sealdesk.list_pieces
       WHERE team_id = $1::uuid AND list_type = $2 AND piece = $3 AND octet_length(entries) <= $4`,
      [member.teamId, listType, piece, mostPieceBytes],
    );
    if (!row) throw replaced();
    yield parseEntries(row.entries);
  }
}

const replaced = () => appError('not-connected', 'the copy of the list was replaced', { detail: 'team-away' });

/** Texts and brackets of the most entries of a piece. */
const mostSigns = 9_002;

function parseEntries(json: string): SharedEntry[] {
  try {
    // What is nested deeper, or has more, takes hundreds of megabytes until it is found unreadable.
    let [depth, signs] = [0, 0];
    for (const [sign] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{]/g)) {
      depth += sign === '[' ? 1 : sign === ']' ? -1 : 0;
      if (sign === '{' || depth > 2 || ++signs > mostSigns) throw new Error('no entries');
    }
    return sharedEntries.parse(JSON.parse(json));
  } catch {
    throw appError('reply-unreadable', 'a piece of a list in the team register is not readable');
  }
}

/** A list that this program reads for the team, from its lease to its copy. */
export type SharedReading = ReturnType<typeof sharedReading>;

/** One from a time that is still to come is not: the clock of the database was set back, or a member wrote it. */
const isFresh = (at: string, seconds: string) =>
  `(${at} BETWEEN now() - make_interval(secs => ${seconds}::float8) AND now())`;

/**
 * Takes the lease of a list, which lets one program read it at a time. Refused while a colleague's program reads it (`being-read`), and if the team's copy is younger
 * than `freshCopyMs` (`fresh`). Ages are of the database's clock.
 */
export async function leaseList(
  joined: Joined,
  listType: number,
  { freshCopyMs, listLeaseMs }: Pick<Pauses, 'freshCopyMs' | 'listLeaseMs'>,
): Promise<SharedReading | 'being-read' | 'fresh'> {
  const { database, member } = joined;
  const [lease] = await database.query<{ pieces: string[]; copy_id: string | null }>(
    `INSERT INTO sealdesk.lists AS l (team_id, list_type, leased_by, leased_until)
     VALUES ($1::uuid, $2, $3::uuid, now() + make_interval(secs => $6::float8))
     ON CONFLICT (team_id, list_type) DO UPDATE SET leased_by = excluded.leased_by, leased_until = excluded.leased_until
     WHERE (l.leased_until IS NULL OR l.leased_until NOT BETWEEN now() AND excluded.leased_until OR l.leased_by = excluded.leased_by)
     AND (l.read_at IS NULL OR NOT ${isFresh('l.read_at', '$4')})
     RETURNING CASE WHEN octet_length(array_to_string(pieces, '')) <= $5 THEN pieces ELSE '{}' END AS pieces, copy_id`,
    [member.teamId, listType, member.programId, freshCopyMs / 1_000, mostPieceBytes, listLeaseMs / 1_000],
  );
  if (lease) return sharedReading(joined, listType, lease);
  const [found] = await database.query<{ fresh: boolean | null }>(
    `SELECT ${isFresh('read_at', '$3')} AS fresh FROM sealdesk.lists
     WHERE team_id = $1::uuid AND list_type = $2`,
    [member.teamId, listType, freshCopyMs / 1_000],
  );
  return found?.fresh ? 'fresh' : 'being-read';
}

function sharedReading(
  joined: Joined,
  listType: number,
  last: { readonly pieces: readonly string[]; readonly copy_id: string | null },
) {
  const { database, member } = joined;
  const known = new Set(last.pieces);
  let pieces: string[] = [];
  let waiting: string[] = [];
  let chars = 0;
  const put = async () => {
    if (waiting.length === 0) return;
    const entries = `[${waiting.join(',')}]`;
    const piece = hashOf(entries);
    waiting = [];
    chars = 0;
    pieces.push(piece);
    if (known.has(piece)) return;
    // In place of one of no copy: nobody may remove rows, and so lock their table.
    await database.query(
      `WITH old AS (
         SELECT p.piece FROM sealdesk.list_pieces AS p JOIN sealdesk.lists AS l USING (team_id, list_type)
         WHERE team_id = $1::uuid AND list_type = $2 AND NOT p.piece = ANY (l.pieces || $5::text[])
           AND NOT EXISTS (SELECT 1 FROM sealdesk.list_pieces AS e WHERE e.team_id = $1::uuid AND e.list_type = $2 AND e.piece = $3)
         LIMIT 1 FOR UPDATE OF p SKIP LOCKED
       ), used AS (
         UPDATE sealdesk.list_pieces AS p SET piece = $3, entries = $4 FROM old
         WHERE p.team_id = $1::uuid AND p.list_type = $2 AND p.piece = old.piece RETURNING 1
       ) INSERT INTO sealdesk.list_pieces (team_id, list_type, piece, entries)
         SELECT $1::uuid, $2, $3, $4 WHERE NOT EXISTS (SELECT 1 FROM used) ON CONFLICT DO NOTHING`,
      [member.teamId, listType, piece, entries, pieces],
    );
  };
  return {
    /** The reading begins again: what was added does not count. */
    restart: (): void => {
      pieces = [];
      waiting = [];
      chars = 0;
    },
    add: async (entries: readonly SharedEntry[]): Promise<void> => {
      for (const entry of entries) {
        const json = JSON.stringify(entry);
        waiting.push(json);
        chars += json.length;
        if (waiting.length >= entriesPerPiece || chars >= charsPerPiece) await put();
      }
    },
    /** The list is complete: it replaces the team's copy. */
    publish: async ({ total, nilEntries }: Pick<SharedCopy, 'total' | 'nilEntries'>): Promise<SharedCopy> => {
      await put();
      const [copyId, content] = [randomUUID(), hashOf(pieces.join())];
      const [made] = await changeTeam<{ read_at: string }>(
        joined,
        'published',
        `published AS (
           UPDATE sealdesk.lists SET copy_id = $4::uuid, content = $5, pieces = $6::text[], total = $7, nil_entries = $8,
             read_at = now(), read_by = $2::uuid, leased_by = NULL, leased_until = NULL
           WHERE team_id = $1::uuid AND list_type = $3 AND copy_id IS NOT DISTINCT FROM $9::uuid
           AND NOT EXISTS (SELECT 1 FROM unnest($6::text[]) AS u(piece) WHERE NOT EXISTS (
             SELECT 1 FROM sealdesk.list_pieces AS p WHERE p.team_id = $1::uuid AND p.list_type = $3 AND p.piece = u.piece))
           RETURNING 'list' AS kind, list_type::text AS item, read_at
         )`,
        [listType, copyId, content, pieces, total, nilEntries, last.copy_id],
        { columns: ', (SELECT read_at FROM published) AS read_at' },
      );
      // The lease expired, and a colleague read the list meanwhile.
      if (!made) throw replaced();
      return { listType, copyId, content, total, nilEntries, readAt: made.read_at, by: null };
    },
    /** Lets others read; call it at the end in any case. Never rejects. */
    end: async (): Promise<void> => {
      const release = `UPDATE sealdesk.lists SET leased_by = NULL, leased_until = NULL WHERE team_id = $1::uuid AND list_type = $2 AND leased_by = $3::uuid`;
      await database.query(release, [member.teamId, listType, member.programId]).catch(() => undefined);
    },
  };
}

const hashOf = (given: string) => createHash('sha256').update(given).digest('base64url');
