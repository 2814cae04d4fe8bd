import { randomUUID } from 'node:crypto';
import { type Answer, type StatusGroup, statusGroups } from '../../../contract/answers.ts';
import type { DocumentRow, DocumentStatus } from '../../../contract/documents.ts';
import { peopleKey } from '../../../contract/email.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { TeamPerson } from '../../../contract/team.ts';
import type { KnownHere } from '../../../contract/verify-result.ts';
import { startWorker, type WorkerChannel } from '../../core/foundation/worker-channel.ts';
import { inSlices, type ListWriter } from '../database/list-writer.ts';
import { runSteps, type Sql, type Step, versionOfData } from '../database/sql.ts';
import {
  type Counted,
  countBefore,
  type DocumentQuery,
  findDocuments,
  findDocumentsByText,
  type ListOrder,
  type Page,
} from './document-search.ts';
import type { SearchActions } from './search-worker.ts';
import { hasNoId, type StoredDocument } from './stored-document.ts';

export interface NewDocument
  extends Pick<DocumentRow, 'connectionId' | 'jobId' | 'name' | 'description' | 'clientId' | 'fileName'>,
    Pick<DocumentRow, 'sizeBytes' | 'sha256' | 'registeredAt'> {
  readonly documentId: string;
  /** Addresses and names of signers, for searching. */
  readonly signers: string;
  /** The colleague who registered it; absent for a document from here. */
  readonly by?: TeamPerson;
}

export type DocumentTable = ReturnType<typeof documentTable>;

export interface DocumentCopy {
  /**
   * As `putAll`, some pages at once: each transaction writes the pages of all indexes that it touches. While one is written the next ones can be read. `onWritten` is called when
   * these and all before them are written, unless later ones were given first; it has been, when the last ones resolve. With the next write of the main thread they are on the disk.
   */
  put(documents: readonly NewDocument[], isLast: boolean, onWritten: () => void): Promise<void>;
  /** Call it in any case. Never rejects. */
  end(): Promise<void>;
}

/** Some 200 ms, the longest time that another write has to wait. Half as many take a quarter more of the processor. */
const documentsPerWrite = 2_000;
/** The same in characters, far above what so many usual documents have: a colleague may write texts of any length. */
const charsPerWrite = 1_000_000;

function startCopy(writer: ListWriter): DocumentCopy {
  const waiting: NewDocument[] = [];
  let writing = Promise.resolve();
  return {
    put: async (documents, isLast, onWritten) => {
      waiting.push(...documents);
      if (waiting.length < documentsPerWrite && !isLast) return;
      await writing;
      const all = waiting.splice(0);
      const size = (from: number) => countWithin(all.slice(from), charsPerWrite);
      writing = inSlices(writer, all, documentSteps, size).then(onWritten);
      // It rejects with the next ones.
      writing.catch(() => undefined);
      if (isLast) await writing;
    },
    end: () => writing.catch(() => undefined).then(writer.end),
  };
}

/** How many of the first documents have so many characters, the one with the last of them included. */
export function countWithin(documents: readonly NewDocument[], chars: number): number {
  let left = chars;
  const last = documents.findIndex(({ name, description, signers }) => {
    left -= name.length + description.length + signers.length;
    return left <= 0;
  });
  return last === -1 ? documents.length : last + 1;
}

/** Names and references, by document ID in lower case. */
type SentAs = ReadonlyMap<string, { readonly name: string; readonly clientId: string }>;

export function documentTable(sql: Sql, path: string, newWriter: () => ListWriter) {
  const find = (connectionId: string, documentId: string) => findDocument(sql, connectionId, documentId);
  return {
    /** Adds a document, without an ID under its job (`hasNoId`); one that the connection already has keeps its id and gets the new values. */
    put: (document: NewDocument): DocumentRow => {
      runSteps(sql, documentSteps([document]));
      return documentRow(find(document.connectionId, document.documentId) as StoredDocument);
    },
    /** As `put`, for many in one transaction with `more`, which is on the disk with the next one: for what can be read again. */
    putAll: (documents: readonly NewDocument[], more?: () => void) =>
      sql.unsynced(() => [runSteps(sql, documentSteps(documents)), more?.()]),
    /** The same for so many that a worker writes them, slice by slice. */
    startCopy: (): DocumentCopy => startCopy(newWriter()),
    ...lists(sql, path),
    /** Null if the register does not have the document. IDs of the service are compared case-insensitively. */
    byDocumentId: (connectionId: string, documentId: string): DocumentRow | null => {
      const row = find(connectionId, documentId);
      return row ? documentRow(row) : null;
    },
    /** Names and references by document ID in lower case; documents that are not in the register are left out. */
    sentAs: (connectionId: string, documentIds: readonly string[]): SentAs => {
      if (documentIds.length === 0) return new Map();
      const rows = sql.all<{ id: string; name: string; clientId: string }>(
        'SELECT document_id AS id, name, client_id AS clientId FROM documents WHERE connection_id = ? AND document_id IN (SELECT value FROM json_each(?))',
        connectionId,
        JSON.stringify(documentIds),
      );
      return new Map(rows.map(({ id, ...sent }) => [id.toLowerCase(), sent]));
    },
    ...statuses(sql),
    /** Documents of a connection that were opened by ID, newest first: candidates for the document of a lost answer. */
    opened: (connectionId: string, limit: number) =>
      sql
        .all<StoredDocument>(
          'SELECT * FROM documents WHERE connection_id = ? AND job_id IS NULL AND by_person IS NULL ORDER BY seq DESC LIMIT ?',
          connectionId,
          limit,
        )
        .map(documentRow),
    /** True if another document of the connection has this client reference. */
    isReferenceOfOther: (connectionId: string, clientId: string, documentId: string): boolean => {
      const isThis = `d.connection_id = ? AND d.client_id = ? AND d.document_id <> ? AND NOT ${hasNoId}`;
      const values = [connectionId, clientId, documentId];
      // Its words are in the search index, if it has any: without that all documents of the connection would be looked at.
      if (!/[a-z0-9]/i.test(clientId) || clientId.includes('\0'))
        return sql.get(`SELECT 1 FROM documents AS d WHERE ${isThis} LIMIT 1`, ...values) !== undefined;
      const text = `SELECT 1 FROM documents_search AS s CROSS JOIN documents AS d ON d.seq = s.rowid
        WHERE documents_search MATCH ? AND ${isThis} LIMIT 1`;
      return sql.get(text, `client_id : "${clientId.replaceAll('"', '""')}"`, ...values) !== undefined;
    },
    /** A document with these bytes, preferably of this connection; null if there is none. */
    knownBySha256: (sha256: string, connectionId: string) => knownBySha256(sql, sha256, connectionId),
    /** All documents with these bytes, those of this connection first. */
    allKnownBySha256: (sha256: string, connectionId: string, limit: number) =>
      allKnownBySha256(sql, sha256, connectionId, limit),
    /** The latest document of this connection that was registered from a file of this name with other bytes; upper and lower case are equal. */
    namesake: (fileName: string, sha256: string, connectionId: string) => namesake(sql, fileName, sha256, connectionId),
  };
}

/** From so many documents on, a search or a filter takes longer than a frame. */
const manyDocuments = 50_000;

function lists(sql: Sql, path: string) {
  const counted: Counted = { key: '', total: 0 };
  const shown = ({ rows, total }: Page<StoredDocument>) => ({ rows: rows.map(documentRow), total });
  const list = (query: DocumentQuery): Page<DocumentRow> => shown(findDocuments(sql, query, counted));
  let worker: WorkerChannel<SearchActions> | null = null;
  let hasEnded = false;
  return {
    list,
    /** As `list`; what may look at many documents is answered by another thread. */
    listAside: async (query: DocumentQuery): Promise<Page<DocumentRow>> => {
      const { n } = sql.get<{ n: number }>('SELECT max(seq) AS n FROM documents') ?? { n: 0 };
      if (hasEnded || n < manyDocuments || (query.search === '' && !query.filters)) return list(query);
      if (!worker || worker.isOver()) worker = startWorker(new URL('./search-worker.ts', import.meta.url));
      return await worker.ask('find', path, query, versionOfData(sql)).then(shown, () => list(query));
    },
    /** Resolves when what was asked is answered and no other thread has the database open: one that is killed keeps it from being closed as whole. */
    endSearch: async (): Promise<void> => {
      hasEnded = true;
      await worker?.end();
    },
    isEmpty: (): boolean => sql.get('SELECT 1 FROM documents LIMIT 1') === undefined,
    /** Documents of all connections for a search while typing: a bounded number of rows is read, and nothing is counted. */
    findByText: (text: string, limit: number) => findDocumentsByText(sql, text, limit).map(documentRow),
    /** The number of documents before this one in a list without search and filters. */
    indexOf: (id: string, list: ListOrder): number => countBefore(sql, id, list),
  };
}

/** Those that come first of each group, and of each the never asked apart: the index has them in this order, where all together would be sorted. */
const unfinishedOfGroups = [...statusGroups, 'none']
  .filter((group) => group !== 'completed')
  .flatMap((group) =>
    ['IS NULL ORDER BY seq DESC', 'IS NOT NULL ORDER BY status_asked_at, seq DESC'].map(
      (
        asked,
      ) => `SELECT * FROM (SELECT document_id, status_asked_at, seq FROM documents AS d INDEXED BY documents_status_group
        WHERE status_group = '${group}' AND connection_id = ?1 AND NOT ${hasNoId} AND status_asked_at ${asked} LIMIT ?2)`,
    ),
  )
  .join(' UNION ALL ');

function statuses(sql: Sql) {
  return {
    /** Stores a status and adds it to the history; false if the document is not in the register. */
    putStatus: (connectionId: string, documentId: string, status: DocumentStatus): boolean => {
      const row = findDocument(sql, connectionId, documentId);
      if (row) sql.transaction(() => putStatus(sql, row, status));
      return row !== undefined;
    },
    /** Oldest first; equal statuses in a row are one entry. */
    statusHistory: (connectionId: string, documentId: string) =>
      sql
        .all<{ raw: string | null; answer: string; first_asked_at: string; last_asked_at: string }>(
          'SELECT raw, answer, first_asked_at, last_asked_at FROM statuses WHERE document_seq = ? ORDER BY seq',
          findDocument(sql, connectionId, documentId)?.seq ?? -1,
        )
        .map((row) => ({
          raw: row.raw,
          answer: statusAnswer(row.answer),
          firstAskedAt: row.first_asked_at,
          lastAskedAt: row.last_asked_at,
        })),
    /** IDs of a connection's documents that are not completed; those whose status was asked longest ago come first. */
    unfinished: (connectionId: string, limit: number) =>
      sql
        .all<{ document_id: string }>(
          `SELECT document_id FROM (${unfinishedOfGroups}) ORDER BY status_asked_at, seq DESC LIMIT ?2`,
          connectionId,
          limit,
        )
        .map((row) => row.document_id),
  };
}

/**
 * All documents by one statement: what each statement may have to undo is copied, page by page, which for each document by itself took a third of the time of many. What a
 * colleague says of a document changes none that left from here: its bytes are how it is known when they are registered again.
 */
const upsert = `INSERT INTO documents (id, connection_id, document_id, job_id, name, description, client_id, signers,
    file_name, size_bytes, sha256, registered_at, by_person, by_computer, signers_key)
  SELECT ${Array.from({ length: 15 }, (_each, at) => `value ->> ${at}`).join(', ')} FROM json_each(?) WHERE true
  ON CONFLICT (connection_id, document_id) DO UPDATE SET
    job_id = coalesce(excluded.job_id, job_id), name = excluded.name, description = excluded.description,
    client_id = excluded.client_id, signers = excluded.signers, signers_key = excluded.signers_key, file_name = coalesce(excluded.file_name, file_name),
    size_bytes = coalesce(excluded.size_bytes, size_bytes), sha256 = coalesce(excluded.sha256, sha256),
    by_person = excluded.by_person, by_computer = excluded.by_computer
  WHERE job_id IS NULL OR excluded.by_person IS NULL`;

/** Signers in the form in which they are compared; null where that is how they are written. */
export function signersKey(signers: string): string | null {
  const key = peopleKey(signers);
  return key === signers ? null : key;
}

/** A UUID (version 7) after those before it: of many documents each would otherwise change another page of the index. */
function orderedId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Values of `upsert`, in its order. */
const rowOf = (given: NewDocument) => [
  ...[orderedId(), given.connectionId, given.documentId, given.jobId],
  ...[given.name, given.description, given.clientId, given.signers, given.fileName, given.sizeBytes],
  ...[given.sha256, given.registeredAt, given.by?.person, given.by?.computer, signersKey(given.signers)],
];

/**
 * What the search index has of documents, from their rows. One statement for all as well: at the end of each one FTS5 writes what it has collected. In the order of the row
 * numbers, as it does the same where one is smaller than the last. Joined in this order: for the other one SQLite would look at all documents of the connection, each time.
 */
const index = `INSERT OR REPLACE INTO documents_search (rowid, connection, name, description, client_id, document_id, signers, file_name)
  SELECT seq, char(0xE000) || lower(hex(connection_id)), name, description, client_id, iif(${hasNoId}, '', document_id), signers, coalesce(file_name, '') FROM`;
const indexOfThese = `${index} json_each(?2) AS given CROSS JOIN documents AS d WHERE connection_id = ?1 AND document_id = given.value ORDER BY seq`;
export const indexOfDocuments = `${index} documents AS d ORDER BY seq`;

const indexed = (connectionId: string, documents: readonly { readonly documentId: string }[]) => [
  connectionId,
  JSON.stringify(documents.map(({ documentId }) => documentId)),
];

/** Writes documents as `DocumentTable.put` does. */
function documentSteps(documents: readonly NewDocument[]): readonly Step[] {
  const byConnection = Map.groupBy(documents, ({ connectionId }) => connectionId);
  return [
    [upsert, [[JSON.stringify(documents.map(rowOf))]]],
    [indexOfThese, [...byConnection].map(([connectionId, its]) => indexed(connectionId, its))],
  ];
}

/** See `DocumentTable.put`. Call it within a transaction. */
export function putDocument(sql: Sql, document: NewDocument): void {
  for (const [text, rows] of documentSteps([document])) for (const row of rows) sql.run(text, ...row);
}

/** A document that was replaced; `row` is null if it was new. */
export type ReplacedDocument = ReturnType<typeof replaceDocument>;

/** As `putDocument`, and answers what was there before. */
export function replaceDocument(sql: Sql, document: NewDocument) {
  const { connectionId, documentId } = document;
  const row = findDocument(sql, connectionId, documentId) ?? null;
  if (document.jobId !== null) nameDocument(sql, connectionId, document.jobId, documentId);
  putDocument(sql, document);
  return { connectionId, documentId, row };
}

/** Undoes `replaceDocument`; a status that was read meanwhile stays with a document that was there before. Call it within a transaction. */
export function putBackDocument(sql: Sql, { connectionId, documentId, row }: ReplacedDocument): void {
  const seq = findDocument(sql, connectionId, documentId)?.seq;
  if (seq === undefined) return;
  if (row === null) {
    remove(sql, seq);
    return;
  }
  sql.run(
    `UPDATE documents SET job_id = ?, name = ?, description = ?, client_id = ?, signers = ?, file_name = ?, size_bytes = ?, sha256 = ?,
     by_person = ?, by_computer = ? WHERE seq = ?`,
    ...[row.job_id, row.name, row.description, row.client_id, row.signers, row.file_name, row.size_bytes, row.sha256],
    ...[row.by_person, row.by_computer, seq],
  );
  sql.run(indexOfThese, ...indexed(connectionId, [{ documentId }]));
}

function remove(sql: Sql, seq: number): void {
  sql.run('DELETE FROM documents_search WHERE rowid = ?', seq);
  sql.run('DELETE FROM statuses WHERE document_seq = ?', seq);
  sql.run('DELETE FROM documents WHERE seq = ?', seq);
}

/** Gives the document that stands under its job the ID that became known: it keeps its place, but goes where the register has that ID already. Call it within a transaction. */
export function nameDocument(sql: Sql, connectionId: string, jobId: string, documentId: string): void {
  const unnamed = findDocument(sql, connectionId, jobId);
  if (!unnamed) return;
  if (findDocument(sql, connectionId, documentId)) remove(sql, unnamed.seq);
  else {
    sql.run('UPDATE documents SET document_id = ? WHERE seq = ?', documentId, unnamed.seq);
    sql.run(indexOfThese, ...indexed(connectionId, [{ documentId }]));
  }
}

function findDocument(sql: Sql, connectionId: string, documentId: string): StoredDocument | undefined {
  return sql.get<StoredDocument>(
    'SELECT * FROM documents WHERE connection_id = ? AND document_id = ?',
    connectionId,
    documentId,
  );
}

function putStatus(sql: Sql, row: StoredDocument, { raw, answer, askedAt }: DocumentStatus): void {
  const text = JSON.stringify(answer);
  sql.run(
    'UPDATE documents SET status_raw = ?, status_answer = ?, status_asked_at = ? WHERE seq = ?',
    raw,
    text,
    askedAt,
    row.seq,
  );
  const last = sql.get<{ seq: number; raw: string | null; answer: string }>(
    'SELECT seq, raw, answer FROM statuses WHERE document_seq = ? ORDER BY seq DESC LIMIT 1',
    row.seq,
  );
  if (last && last.raw === raw && last.answer === text)
    sql.run('UPDATE statuses SET last_asked_at = ? WHERE seq = ?', askedAt, last.seq);
  else
    sql.run(
      'INSERT INTO statuses (document_seq, raw, answer, first_asked_at, last_asked_at) VALUES (?, ?, ?, ?, ?)',
      row.seq,
      raw,
      text,
      askedAt,
      askedAt,
    );
}

function knownBySha256(sql: Sql, sha256: string, connectionId: string): KnownHere | null {
  return allKnownBySha256(sql, sha256, connectionId, 1)[0] ?? null;
}

type KnownRow = StoredDocument & { readonly operation: OperationName | null };

function allKnownBySha256(sql: Sql, sha256: string, connectionId: string, limit: number): KnownHere[] {
  return sql
    .all<KnownRow>(
      `SELECT d.*, j.operation FROM documents AS d LEFT JOIN jobs AS j ON j.id = d.job_id
       WHERE d.sha256 = ? ORDER BY d.connection_id = ? DESC, d.seq LIMIT ?`,
      sha256,
      connectionId,
      limit,
    )
    .map(knownHere);
}

function namesake(sql: Sql, fileName: string, sha256: string, connectionId: string): KnownHere | null {
  const row = sql.get<KnownRow>(
    `SELECT d.*, j.operation FROM documents AS d LEFT JOIN jobs AS j ON j.id = d.job_id
     WHERE d.connection_id = ? AND d.file_name = ? COLLATE NOCASE AND d.sha256 IS NOT NULL AND d.sha256 <> ?
     ORDER BY d.seq DESC LIMIT 1`,
    connectionId,
    fileName,
    sha256,
  );
  return row ? knownHere(row) : null;
}

function knownHere(row: KnownRow): KnownHere {
  return {
    documentId: row.document_id === row.job_id ? null : row.document_id,
    jobId: row.job_id,
    connectionId: row.connection_id,
    name: row.name,
    clientId: row.client_id,
    registeredAt: row.registered_at,
    operation: row.operation,
    sentTo: row.signers,
  };
}

function statusAnswer(text: string): Answer<StatusGroup> {
  return JSON.parse(text) as Answer<StatusGroup>;
}

function documentRow(row: StoredDocument): DocumentRow {
  const { status_answer, status_asked_at } = row;
  return {
    id: row.id,
    connectionId: row.connection_id,
    documentId: row.document_id === row.job_id ? null : row.document_id,
    name: row.name,
    description: row.description,
    clientId: row.client_id,
    sentTo: row.signers,
    fileName: row.file_name,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    registeredAt: row.registered_at,
    jobId: row.job_id,
    by: row.by_person === null ? null : { person: row.by_person, computer: row.by_computer ?? '' },
    status:
      status_answer && status_asked_at
        ? { raw: row.status_raw, answer: statusAnswer(status_answer), askedAt: status_asked_at }
        : null,
  };
}
