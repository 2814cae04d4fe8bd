import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StatusGroup } from '../../../../contract/answers.ts';
import type { ConnectionSettings } from '../../../../contract/connections.ts';
import { emailKey } from '../../../../contract/email.ts';
import type { JobState } from '../../../../contract/jobs.ts';
import type { RequestState, TrackedStatus } from '../../../../contract/tracking.ts';
import { isBusy } from '../../../core/foundation/retry-while-busy.ts';
import type { Sql } from '../../database/sql.ts';
import { nameDocument, putDocument } from '../../documents/documents.ts';
import { goesOn } from '../../jobs/job-lists.ts';
import { documentOfJob, readJob } from '../../jobs/job-rows.ts';
import { lastStatuses } from '../tracking/tracked-statuses.ts';
import {
  type AskedPerson,
  isInProgress,
  lastOf,
  type ReadLists,
  type SeenEntry,
  type SignerSources,
  type StoredSigner,
  signersOf,
  stateOfSigners,
  unreadOf,
} from './request-signers.ts';

/** What of a connection the state of a request depends on. */
export interface RequestNeeds extends Pick<ConnectionSettings, 'lists' | 'separator'> {
  readonly connectionId: string;
}

interface StaleRow {
  readonly seq: number;
  readonly job_id: string | null;
  readonly request_document: string | null;
  readonly sent_at: string;
  readonly job_state: JobState | null;
  readonly job_document: string | null;
  readonly dismissed: number | null;
  readonly superseded_by: string | null;
  readonly goes_on: number | null;
  readonly departed_at: string | null;
  readonly created_at: string | null;
  readonly emails: string | null;
  readonly names: string | null;
  readonly owner: number | null;
  readonly sent_name: string | null;
  readonly job_name: string | null;
  readonly title: string | null;
  readonly document_name: string | null;
  readonly document_signers: string | null;
}

/** Requests that are computed in one transaction: some milliseconds. */
const requestsPerTurn = 100;
/** A list that began to be read shortly before the request was sent may already have it. */
const clockMarginMs = 60_000;
/** Allows for two clocks of which nothing is known, and for a slow service. */
export const slackMs = 15 * 60_000;
/** A time without a zone may be local time in any zone. */
export const anyZoneMs = 14 * 60 * 60_000;
/** Entries of one document that are looked at: as many as two lists can have of the longest request. */
const mostEntries = 2_000;

const columns = `r.seq, r.job_id, r.document_id AS request_document, r.sent_at, j.state AS job_state, j.document_id AS job_document, j.dismissed, j.superseded_by, ${goesOn} AS goes_on,
  coalesce(j.departed_at, (SELECT max(e.at) FROM job_events AS e WHERE e.job_seq = j.seq AND e.kind = 'departed')) AS departed_at,
  j.created_at, j.args ->> '$.Emails' AS emails, j.args ->> '$.Names' AS names, j.args ->> '$.ReqOwnerESign' AS owner,
  j.args ->> '$.DocumentName' AS sent_name, j.record ->> '$.name' AS job_name, j.title, d.name AS document_name, d.signers AS document_signers`;
const sources = `requests AS r LEFT JOIN jobs AS j ON j.id = r.job_id
  LEFT JOIN documents AS d ON r.job_id IS NULL AND d.connection_id = r.connection_id AND d.document_id = r.document_id`;

/** Marks what is to be computed again after a change of a document's entries; for the writers of lists. */
export const staleOfDocuments =
  'UPDATE requests SET is_stale = 1 WHERE is_stale = 0 AND connection_id = ? AND document_id IN (SELECT value FROM json_each(?))';
/** As `staleOfDocuments`, of the entries with these row numbers. */
export const staleOfEntries = `UPDATE requests SET is_stale = 1 WHERE is_stale = 0 AND connection_id = ? AND document_id IN (
  SELECT substr(entry_key, 1, instr(entry_key, char(10)) - 1) FROM tracked WHERE seq IN (SELECT value FROM json_each(?)))`;
/** As `staleOfDocuments`, of the entries with row numbers from one to before another. Most connections whose lists are read for the first time have no request. */
export const staleOfRows = `UPDATE requests SET is_stale = 1 WHERE is_stale = 0 AND connection_id = ?1 AND EXISTS (SELECT 1 FROM requests WHERE connection_id = ?1)
  AND document_id IN (SELECT substr(entry_key, 1, instr(entry_key, char(10)) - 1) FROM tracked WHERE seq >= ?2 AND seq < ?3)`;
/** Marks what may be another way after a reading, whatever it brought. */
export const staleOfOpen = 'UPDATE requests SET is_stale = 1 WHERE connection_id = ? AND is_open = 1';

/**
 * Computes the requests of a connection of which something changed, in slices. While another program writes to the database they stay as they were.
 */
export async function computeRequests(sql: Sql, needs: RequestNeeds): Promise<void> {
  try {
    computeAnewIfSettingsChanged(sql, needs);
    for (; hasStale(sql, needs.connectionId); await nextTurn()) sql.transaction(() => computeSome(sql, needs));
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

function hasStale(sql: Sql, connectionId: string): boolean {
  const text = 'SELECT 1 FROM requests INDEXED BY requests_stale WHERE connection_id = ? AND is_stale = 1 LIMIT 1';
  return sql.get(text, connectionId) !== undefined;
}

/** What a list means and how addresses are separated is a setting; the first reading of a list tells of those whom it does not have; `rules` is another number where states follow otherwise from the same signers. */
function computeAnewIfSettingsChanged(sql: Sql, needs: RequestNeeds): void {
  const { connectionId, lists, separator } = needs;
  const [key, rules] = [`requests.${connectionId}`, 15];
  const unread = unreadOf(lists, readLists(sql, needs)).map(({ value }) => value);
  const value = JSON.stringify([rules, separator, lists.map((list) => [list.value, list.meaning]), unread]);
  if (sql.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value === value) return;
  sql.transaction(() => {
    sql.run('UPDATE requests SET is_stale = 1 WHERE connection_id = ?', connectionId);
    sql.run('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)', key, value);
    if (lookedUntil(sql, connectionId) === null) lookAtRequests(sql, connectionId);
  });
}

const lookedKey = (connectionId: string) => `requests-looked.${connectionId}`;

/** The time of the last signature that a person has looked at; null before the connection's requests were ever computed. */
export function lookedUntil(sql: Sql, connectionId: string): string | null {
  const text = 'SELECT value FROM settings WHERE key = ?';
  return sql.get<{ value: string }>(text, lookedKey(connectionId))?.value ?? null;
}

/** Records that a person has looked at all signatures that are known. The entries' own marks say it of those that a list has. */
export function lookAtRequests(sql: Sql, connectionId: string): void {
  sql.run(
    `INSERT OR REPLACE INTO settings (key, value)
     SELECT ?1, coalesce(max(signed_at), '') FROM requests INDEXED BY requests_signed WHERE connection_id = ?2 AND signed_at IS NOT NULL AND state IS NOT NULL`,
    lookedKey(connectionId),
    connectionId,
  );
}

/** How many signers of `r` signed since a person looked last, and have no entry in a list, whose mark would say so. Its one value is `lookedUntil`. */
export const unlistedChanges = `(SELECT count(*) FROM json_each(r.signers) AS s
  WHERE s.value ->> '$.seq' IS NULL AND s.value ->> '$.state' = 'signed' AND s.value ->> '$.at' > ?)`;

function computeSome(sql: Sql, needs: RequestNeeds): void {
  const { connectionId } = needs;
  const rows = sql.all<StaleRow>(
    `SELECT ${columns} FROM ${sources} WHERE r.connection_id = ? AND r.is_stale = 1 ORDER BY r.seq LIMIT ${requestsPerTurn}`,
    connectionId,
  );
  const lists = readLists(sql, needs);
  const connection = connectionNumber(sql, connectionId);
  const isSignedUnread = unreadOf(needs.lists, lists).some(({ meaning }) => meaning === 'signed');
  for (const row of rows) compute(sql, { ...needs, readLists: lists, isSignedUnread, connection }, row);
}

/** The lists that were read completely: half a list would look complete. */
export function readLists(sql: Sql, { connectionId, lists }: Omit<RequestNeeds, 'separator'>): ReadLists {
  const rows = sql.all<{ list_type: number; as_of: string; first_read_at: string }>(
    'SELECT list_type, as_of, first_read_at FROM tracked_lists WHERE connection_id = ?',
    connectionId,
  );
  return new Map(
    rows.map(({ list_type, as_of, first_read_at }) => {
      const meaning = lists.find(({ value }) => value === list_type)?.meaning ?? 'none';
      return [list_type, { meaning, asOf: as_of, firstReadAt: first_read_at }];
    }),
  );
}

/** The value of the entries' column `connection`; -1 before a list was read. */
export function connectionNumber(sql: Sql, connectionId: string): number {
  const text = 'SELECT place >> 10 AS connection FROM tracked_places WHERE connection_id = ? LIMIT 1';
  return sql.get<{ connection: number }>(text, connectionId)?.connection ?? -1;
}

interface Computing extends RequestNeeds {
  readonly readLists: ReadLists;
  readonly isSignedUnread: boolean;
  readonly connection: number;
}

function compute(sql: Sql, needs: Computing, row: StaleRow): void {
  const { readLists: lists } = needs;
  const own = askedOf(row, needs.separator);
  const isSent = row.job_state === null || row.job_state === 'done';
  const documentId = row.job_document ?? row.request_document ?? (isSent ? recognised(sql, needs, row, own) : null);
  if (row.job_state === 'done' && row.job_id !== null && row.job_document === null && documentId !== null)
    registerDocument(sql, needs.connectionId, documentId, row.job_id);
  // What never left has no time; what is sent again that of its last departure.
  const sentAt = row.departed_at ?? (isSent ? (row.created_at ?? row.sent_at) : '');
  const seen = documentId === null ? [] : entriesOf(sql, needs.connection, documentId);
  const others = documentId === null ? [] : otherRequests(sql, needs, documentId, row.seq);
  const asked = others.flatMap((one) => (one.seq < row.seq ? one.asked : []));
  const askedLater = others.flatMap((one) => (one.seq > row.seq ? one.asked : []));
  // What was answered before another request of the document was sent is not about that one.
  const status =
    documentId === null ? undefined : lastStatuses(sql, needs.connectionId, [documentId]).get(documentId.toLowerCase());
  const answer = answered(status, lists, seen, others.length > 0 ? sentAt : '');
  const leftFromHere = row.departed_at !== null;
  const all = signersOf({ asked: [...asked, ...own, ...askedLater], seen, lists, ...answer, leftFromHere });
  // Several requests of one document share its entries: each has its own places, the last one those that nobody was asked for.
  const end = asked.length + own.length;
  const signers = all.slice(asked.length, askedLater.length === 0 ? all.length : end);
  // Their one answer is about those of which it is not known, if these are all of one request.
  const isOfOthers = all.some((signer) => signer.state !== 'signed' && !signers.includes(signer));
  const isAwaited = !isOfOthers && isInProgress(answer, all);
  const state = stateOf(row, () => stateOfSigners(signers, { isAwaited, isSignedUnread: needs.isSignedUnread }));
  const name = row.sent_name || row.job_name || row.title || row.document_name || '';
  sql.run(
    'UPDATE requests SET document_id = ?, name = ?, sent_at = ?, state = ?, signers = ?, signed_at = ?, is_open = ?, is_stale = 0 WHERE seq = ?',
    ...[documentId, name, sentAt, state, JSON.stringify(signers), signedAt(signers)],
    ...[isSent && documentId === null ? 1 : 0, row.seq],
  );
  sql.run('DELETE FROM requests_search WHERE rowid = ?', row.seq);
  sql.run(`${indexOfRequests} AND seq = ?`, row.seq);
}

/** What the search index has of requests, from their rows. */
export const indexOfRequests = `INSERT INTO requests_search (rowid, people, name, ids)
  SELECT seq, (SELECT group_concat(coalesce(value ->> 'name', '') || ' ' || coalesce(value ->> 'email', ''), ' ') FROM json_each(signers)),
    name, replace(coalesce(document_id, ''), '-', '') FROM requests WHERE state IS NOT NULL`;

/** A document that only the lists name was sent from here as any other. */
function registerDocument(sql: Sql, connectionId: string, documentId: string, jobId: string): void {
  nameDocument(sql, connectionId, jobId, documentId);
  const isThere = 'SELECT 1 FROM documents WHERE connection_id = ? AND document_id = ? AND job_id IS NOT NULL';
  if (sql.get(isThere, connectionId, documentId) !== undefined) return;
  const job = readJob(sql, jobId);
  const document = job && documentOfJob(job, documentId, job.at);
  if (document) putDocument(sql, document);
}

/** When the last signature was seen that was not there from the beginning. */
function signedAt(signers: readonly StoredSigner[]): string | null {
  return lastOf(signers.map(({ state, at }) => (state === 'signed' ? at : null)));
}

/** Null for what was neither sent nor waits for anything. */
function stateOf(row: StaleRow, ofSigners: () => RequestState): RequestState | null {
  switch (row.job_state) {
    case null:
    case 'done':
      return ofSigners();
    case 'refused':
    case 'failed':
    case 'in-doubt':
      if (row.dismissed === 0) return 'needs-you';
      // The service may have taken it beside its correction, and mailed people: nobody decides that any more.
      return row.job_state === 'in-doubt' && (row.superseded_by ?? row.job_id) !== row.job_id ? 'not-known' : null;
    case 'passed-over':
    case 'cancelled':
      return null;
    default:
      return row.goes_on === 0 ? 'needs-you' : 'not-sent';
  }
}

function askedOf(
  row: Pick<StaleRow, 'emails' | 'names' | 'owner' | 'document_signers'>,
  separator: string,
): AskedPerson[] {
  const split = (text: string | null) => (text ? text.split(separator).map((part) => part.trim()) : []);
  const names = split(row.names);
  // Of a colleague's request the team knows addresses and names in one line.
  const emails = row.document_signers?.split(/\s+/).filter((word) => word.includes('@')) ?? split(row.emails);
  const people = emails.filter((email) => email !== '').map((email, at) => ({ email, name: names[at] ?? '' }));
  return row.owner === 1 ? [...people, { email: '', name: '' }] : people;
}

/** Who was asked to sign a document, from here or by colleagues, in the order of the requests. */
export function askedFor(sql: Sql, connectionId: string, documentId: string, separator: string): AskedPerson[] {
  return sql
    .all<StaleRow>(
      `SELECT ${columns} FROM ${sources} WHERE r.connection_id = ?1 AND coalesce(j.state, 'done') = 'done' AND (r.document_id = ?2
         OR r.job_id IN (SELECT job_id FROM documents WHERE connection_id = ?1 AND document_id = ?2)) ORDER BY r.seq`,
      ...[connectionId, documentId],
    )
    .flatMap((row) => askedOf(row, separator));
}

/** The key of an entry begins with its document. */
function entriesOf(sql: Sql, connection: number, documentId: string): SeenEntry[] {
  const key = documentId.toLowerCase();
  return sql.all<SeenEntry>(
    `SELECT seq, entry_key, list_type, email, name, first_seen_at, moved_from, gone_at, listed_until FROM tracked INDEXED BY tracked_key
     WHERE connection = ? AND entry_key >= ? AND entry_key < ? ORDER BY seq LIMIT ${mostEntries}`,
    ...[connection, `${key}\n`, `${key}\v`],
  );
}

/** Other requests of the same document: the service answers each with an ID of its own, but need not. */
function otherRequests(
  sql: Sql,
  { connectionId, separator }: RequestNeeds,
  documentId: string,
  seq: number,
): { readonly seq: number; readonly asked: AskedPerson[] }[] {
  return sql
    .all<StaleRow>(
      `SELECT ${columns} FROM ${sources} WHERE r.connection_id = ? AND r.document_id = ? AND r.seq <> ? AND r.job_id IS NOT NULL ORDER BY r.seq`,
      ...[connectionId, documentId, seq],
    )
    .map((row) => ({ seq: row.seq, asked: askedOf(row, separator) }));
}

/** When the service answered last that the document is completed, or in progress; neither if a list has a signer of it who waits, or had since: also if that list was read before, as the next reading shows who is right. */
export function answered(
  status: TrackedStatus | undefined,
  lists: ReadLists,
  seen: readonly SeenEntry[],
  since = '',
): Pick<SignerSources, 'completedAt' | 'inProgressAt'> {
  const askedAt = status?.askedAt ?? '';
  const isListed = seen.some(
    ({ gone_at, listed_until, list_type }) =>
      (gone_at === null || (listed_until ?? '') > askedAt) && lists.get(list_type)?.meaning === 'waiting',
  );
  const at = (group: StatusGroup) => (!isListed && status?.answer.group === group && askedAt > since ? askedAt : null);
  return { completedAt: at('completed'), inProgressAt: at('in-progress') };
}

interface Candidate {
  readonly document_key: string;
  readonly email: string | null;
}

/** The document of a request whose answer names none (Easy Sign may answer an address): the first that a list had since, for these people, that no request has, and that is not certainly older. */
function recognised(
  sql: Sql,
  { connectionId, connection }: Computing,
  row: StaleRow,
  asked: readonly AskedPerson[],
): string | null {
  const before = (ms: number) => new Date(Date.parse(row.created_at ?? row.sent_at) - ms).toISOString();
  const sentName = row.sent_name || null;
  const emails = asked.flatMap(({ email }) => email || []);
  const [index, column, values] =
    emails.length > 0 ? ['tracked_email', 'email', emails] : ['tracked_document_name', 'document_name', [sentName]];
  const isSame = `connection = ?1 AND ${column} IN (SELECT value FROM json_each(?2)) AND first_seen_at >= ?3
    AND (?4 IS NULL OR document_name IS NULL OR document_name = ?4)
    AND (created_at IS NULL OR created_at >= iif(created_date GLOB '*[Zz]' OR created_date GLOB '*[+-][0-9][0-9]:[0-9][0-9]', ?6, ?7))`;
  const found = sql.all<Candidate>(
    `SELECT DISTINCT document_key FROM (
       SELECT substr(entry_key, 1, instr(entry_key, char(10)) - 1) AS document_key, first_seen_at, created_at, seq FROM (
         SELECT * FROM tracked INDEXED BY ${index} WHERE gone_at IS NULL AND ${isSame}
         UNION ALL SELECT * FROM tracked INDEXED BY tracked_gone WHERE gone_at >= ?3 AND ${isSame}))
     WHERE document_key <> ''
       AND NOT EXISTS (SELECT 1 FROM requests AS r WHERE r.connection_id = ?5 AND r.document_id = document_key)
       AND NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.connection_id = ?5 AND d.document_id = document_key
         AND (d.job_id IS NOT NULL OR d.by_person IS NOT NULL))
     ORDER BY created_at, first_seen_at, seq LIMIT 20`,
    ...[connection, JSON.stringify(values), before(clockMarginMs), sentName, connectionId],
    ...[before(slackMs), before(slackMs + anyZoneMs)],
  );
  const known = new Set(emails.map(emailKey));
  const fits = ({ document_key }: Candidate) => {
    const listed = new Set(entriesOf(sql, connection, document_key).map(({ email }) => emailKey(email ?? '')));
    return [...listed].every((email) => known.has(email) || row.owner === 1);
  };
  return found.find(fits)?.document_key ?? null;
}
