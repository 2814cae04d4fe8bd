import type { ESignEntry } from '../../../../contract/compose.ts';
import type { ListWriter } from '../../database/list-writer.ts';
import type { Sql, SqlValue, Step } from '../../database/sql.ts';
import { staleOfDocuments, staleOfEntries, staleOfOpen, staleOfRows } from '../requests/compute-requests.ts';
import { connectionOfPlace, placeOf, type Range, rangeOfPlace } from './partitions.ts';

/** An entry as the service sent it, with values that the window does not show. */
export interface ArrivedEntry extends ESignEntry {
  /** Identifies the entry in the next reading and in other lists. */
  readonly entryKey: string;
  /** Hash of all values of the entry: equal as long as none of them changes. */
  readonly fingerprint: string;
  /** Its secret word, sealed. Null with `hasSecretWord`: the team's copy of a list has no words, and the one that is stored stays. */
  readonly secret: string | null;
}

/** The stored values of an entry. */
export interface EntryRow {
  readonly document_name: string | null;
  readonly created_date: string | null;
  readonly created_at: string | null;
  readonly document_id: string | null;
  readonly orig_document_id: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly has_secret_word: number;
}

export function entryOf(row: EntryRow): ESignEntry {
  return {
    documentName: row.document_name,
    createdDate: row.created_date,
    createdAt: row.created_at,
    documentId: row.document_id,
    origDocumentId: row.orig_document_id,
    email: row.email,
    name: row.name,
    hasSecretWord: row.has_secret_word === 1,
  };
}

/** The values of an entry in the order of the parameters of `upsert`. */
export function valuesOf(entry: ArrivedEntry): SqlValue[] {
  return [
    entry.entryKey,
    entry.fingerprint,
    entry.documentName,
    entry.createdDate,
    entry.createdAt,
    entry.documentId,
    entry.origDocumentId,
    entry.email,
    entry.name,
    entry.hasSecretWord ? 1 : 0,
    entry.secret,
  ];
}

/** True for an entry that was in another list meanwhile. One that only a list of limited length did not show has not moved, and was seen first when it was. */
const cameBack = `(tracked.gone_at IS NOT NULL AND EXISTS (SELECT 1 FROM tracked AS o WHERE o.connection = tracked.connection
  AND o.entry_key = tracked.entry_key AND o.list_type <> tracked.list_type AND o.first_seen_at >= tracked.gone_at))`;

const elsewhere = 'FROM tracked AS o WHERE o.connection = ?12 AND o.entry_key = ?1 AND o.list_type <> ?13';
/** Most entries are in no other list: to see that takes less time than to sort nothing. */
const movedFrom = `iif(EXISTS (SELECT 1 ${elsewhere}), (SELECT o.list_type ${elsewhere}
  AND (o.gone_at IS NOT NULL OR o.first_seen_at < ?16) ORDER BY o.first_seen_at DESC, o.seq DESC LIMIT 1), NULL)`;

/**
 * An entry that is in another list, or was in it until it was gone from there, has moved; an entry that was added to another list only since this list was last read is new
 * in both (a list may contain the entries of others). On the first reading of a list (no ?16) nothing counts as new. The values are no query: its rows would wait in a table of
 * their own for each entry, and pages would be kept as they were.
 */
const upsert = `
INSERT INTO tracked (entry_key, fingerprint, document_name, created_date, created_at, document_id, orig_document_id, email, name,
  has_secret_word, secret, connection, list_type, seq, first_seen_at, moved_from, mark)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,
  coalesce((SELECT max(seq) FROM tracked WHERE seq >= ?14 AND seq < ?15), ?14) + 1, ?17, ${movedFrom},
  iif(?16 IS NULL, NULL, iif(${movedFrom} IS NULL, 'new', 'moved')))
ON CONFLICT (connection, entry_key, list_type) DO UPDATE SET
  fingerprint = excluded.fingerprint, document_name = excluded.document_name, created_date = excluded.created_date,
  created_at = excluded.created_at, document_id = excluded.document_id, orig_document_id = excluded.orig_document_id,
  email = excluded.email, name = excluded.name, has_secret_word = excluded.has_secret_word,
  secret = iif(excluded.has_secret_word = 1, coalesce(excluded.secret, tracked.secret), NULL),
  mark = CASE WHEN tracked.gone_at IS NULL THEN tracked.mark WHEN ${cameBack} OR excluded.mark = 'new' THEN excluded.mark END,
  moved_from = iif(${cameBack}, excluded.moved_from, tracked.moved_from),
  first_seen_at = iif(${cameBack}, excluded.first_seen_at, tracked.first_seen_at), gone_at = NULL`;

/** A list that is being read. */
export interface Reading {
  readonly connectionId: string;
  readonly listType: number;
  readonly place: number;
  /** Time of the reading before; null if there was none. */
  readonly lastAsOf: string | null;
  /** Time at which its new entries were first seen. */
  readonly seenAt: string;
}

export function readingOf(sql: Sql, connectionId: string, listType: number, seenAt: string): Reading {
  const text = 'SELECT as_of FROM tracked_lists WHERE connection_id = ? AND list_type = ?';
  const lastAsOf = sql.get<{ as_of: string }>(text, connectionId, listType)?.as_of ?? null;
  return { connectionId, listType, place: placeOf(sql, connectionId, listType), lastAsOf, seenAt };
}

const keysSql =
  't.connection = ? AND t.entry_key IN (SELECT value FROM json_each(?)) AND t.list_type = ? AND t.gone_at IS NULL';
const idsSql = `replace(coalesce(t.orig_document_id, ''), '-', '') ||
  iif(t.document_id IS t.orig_document_id, '', ' ' || replace(coalesce(t.document_id, ''), '-', ''))`;

const index = 'INSERT OR REPLACE INTO tracked_search (rowid, name, email, document_name, ids)';
const indexed = `SELECT t.seq, t.name, t.email, t.document_name, ${idsSql} FROM tracked AS t`;

export const indexOfEntries = `${index} ${indexed} WHERE t.gone_at IS NULL ORDER BY t.seq`;

/** The statement that writes the rows of new and changed entries, and nothing that follows from them. */
export function rowSteps(reading: Reading, entries: readonly (readonly SqlValue[])[]): Step[] {
  const { listType, place, lastAsOf, seenAt } = reading;
  const { first, end }: Range = rangeOfPlace(place);
  const rest = [connectionOfPlace(place), listType, first, end, lastAsOf, seenAt];
  return [[upsert, entries.map((values) => [...values, ...rest])]];
}

/** Statements that write new and changed entries, also into the search index. */
export function upsertSteps(reading: Reading, entries: readonly (readonly SqlValue[])[]): Step[] {
  const { connectionId, listType, place } = reading;
  const these = [connectionOfPlace(place), JSON.stringify(entries.map(([entryKey]) => entryKey)), listType];
  return [
    ...rowSteps(reading, entries),
    [`${index} ${indexed} INDEXED BY tracked_key WHERE ${keysSql} ORDER BY t.seq`, [these]],
    // The key of an entry begins with its document.
    [
      staleOfDocuments,
      [[connectionId, JSON.stringify(entries.map(([entryKey]) => String(entryKey).split('\n', 1)[0]))]],
    ],
  ];
}

/** A text, as the index refuses a bound number: SQLite takes it for a fraction. */
const searchOrder = (name: string, value: number): Step => [
  `INSERT INTO tracked_search (tracked_search, rank) VALUES ('${name}', ${value})`,
  [[]],
];
/** Each transaction is a piece of the search index. While many come they are merged by 64: each word is written twice, not once for each doubling. */
export const manyPieces: readonly Step[] = [searchOrder('automerge', 64), searchOrder('crisismerge', 256)];

/** Merges what `manyPieces` left, in transactions of some milliseconds: a search asks each piece. What a kill left is merged after the next long list. */
export async function mergePieces(writer: ListWriter): Promise<void> {
  await writer.write([searchOrder('automerge', 4), searchOrder('crisismerge', 16)]);
  // The order itself is one change.
  while ((await writer.write([searchOrder('merge', 100)])) > 1);
}

/** Rows whose search index and requests are written in one transaction. */
const followedAtOnce = 2_000;

/**
 * Writes what follows from the rows of a list that is not shown yet: in few large pieces of the search index it takes half of the time that it takes with the rows. All of it again after a
 * kill, as it is not known how far that came.
 */
export async function writeFollowing(sql: Sql, writer: ListWriter, { connectionId, place }: Reading): Promise<void> {
  const { first, end } = rangeOfPlace(place);
  const text = 'SELECT max(seq) AS last FROM tracked WHERE seq >= ? AND seq < ?';
  const last = sql.get<{ last: number | null }>(text, first, end)?.last ?? 0;
  await writer.write(manyPieces);
  for (let from = first, size = 0; from <= last; from += size) {
    size = writer.portion(followedAtOnce);
    const rows = [from, from + size];
    await writer.write([
      [`${index} ${indexed} WHERE t.seq >= ? AND t.seq < ? AND t.gone_at IS NULL ORDER BY t.seq`, [rows]],
      [staleOfRows, [[connectionId, ...rows]]],
    ]);
  }
  await mergePieces(writer);
}

/** Statements that mark entries as gone from the list. The rows stay for a while, so that an entry that appears in another list is recognized as moved. */
export function goneSteps({ connectionId, seenAt, lastAsOf }: Reading, seqs: readonly number[]): Step[] {
  const these = JSON.stringify(seqs);
  const gone = 'UPDATE tracked SET gone_at = ?, listed_until = ? WHERE seq IN (SELECT value FROM json_each(?))';
  return [
    [staleOfEntries, [[connectionId, these]]],
    ['DELETE FROM tracked_search WHERE rowid IN (SELECT value FROM json_each(?))', [[these]]],
    [gone, [[seenAt, lastAsOf, these]]],
  ];
}

/** Statements that publish a list with the time of its reading. */
export function listSteps(
  { connectionId, listType, seenAt }: Reading,
  { total, nilEntries, asOf }: { readonly total: number; readonly nilEntries: number; readonly asOf: string },
): Step[] {
  return [
    [
      `INSERT INTO tracked_lists (connection_id, list_type, total, nil_entries, as_of, first_read_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET total = excluded.total, nil_entries = excluded.nil_entries, as_of = excluded.as_of`,
      [[connectionId, listType, total, nilEntries, asOf, seenAt]],
    ],
    [staleOfOpen, [[connectionId]]],
  ];
}

export interface ListState {
  readonly total: number;
  readonly nilEntries: number;
  /** ISO 8601, UTC. */
  readonly asOf: string;
}
