import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import type { DocumentQuery } from '../../electron/store/documents/document-search.ts';
import { documentTable, type NewDocument } from '../../electron/store/documents/documents.ts';
import { sentTable } from '../../electron/store/signatures/sent.ts';
import { openStore, type Store } from '../../electron/store/store.ts';
import { explained } from '../harness/explained.ts';
import { atLength } from '../harness/test-length.ts';

const count = atLength({ short: 8_000, all: 20_000 });
const people = ['Ayla Öztürk', 'Björn Ångström', 'Chidi Okafor', 'Dana Müller'];
let dataDir = '';
let store: Store;

/** A reproducible, evenly spread number below `below` for each n. */
const spread = (n: number, below: number) => ((n * 2_654_435_761) >>> 0) % below;

function invented(n: number): NewDocument {
  return {
    connectionId: n % 4 === 0 ? 'branch' : 'head-office',
    documentId: `${n.toString(16).padStart(8, '0').toUpperCase()}-0000-4000-8000-000000000000`,
    jobId: null,
    name: `Lease ${spread(n, count)}`,
    description: n % 1000 === 0 ? 'with a rare remark' : 'signed copy',
    clientId: `CASE-${n % 100}/${n}`,
    signers: `${people[n % 4]} signer${n % 50}@example.com`,
    fileName: n % 10 === 0 ? null : `scan_${n}.pdf`,
    sizeBytes: n % 10 === 0 ? null : spread(n, 1_000_000),
    sha256: n.toString(16).padStart(64, '0'),
    registeredAt: new Date(1_700_000_000_000 + n * 1000).toISOString(),
  };
}

const all = Array.from({ length: count }, (_each, n) => invented(n));
const query = (more: Partial<DocumentQuery> = {}): DocumentQuery => ({
  search: '',
  sort: 'registeredAt',
  descending: true,
  offset: 0,
  limit: 50,
  ...more,
});
const ids = (rows: readonly { readonly documentId: string | null }[]) => rows.map(({ documentId }) => documentId);

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sealdesk-documents-'));
  store = (await openStore({ dataDir, log: { info: () => undefined, error: () => undefined } })).store;
  for (let from = 0; from < count; from += 2_000) store.documents.putAll(all.slice(from, from + 2_000));
});
afterAll(() => {
  store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** The expected result, from a plain sort in memory. */
function expected(given: DocumentQuery, fits: (document: NewDocument) => boolean): NewDocument[] {
  const key = (document: NewDocument) =>
    given.sort === 'name' ? document.name.toLowerCase() : (document.sizeBytes ?? -1);
  const sorted = all
    .map((document, n) => ({ document, n }))
    .filter(({ document }) => fits(document) && (!given.connectionId || document.connectionId === given.connectionId))
    .sort((a, b) => {
      if (given.sort === 'registeredAt') return a.n - b.n;
      const [one, other] = [key(a.document), key(b.document)];
      return one < other ? -1 : one > other ? 1 : a.n - b.n;
    })
    .map(({ document }) => document);
  return given.descending ? sorted.reverse() : sorted;
}

describe(`${count} documents`, () => {
  const searches: [string, (document: NewDocument) => boolean][] = [
    ['', () => true],
    // More matches than the limit for sorting in memory, and fewer.
    ['sign', () => true],
    ['lease signer7@', ({ signers }) => /signer7@/.test(signers)],
    ['rare', ({ description }) => description.includes('rare')],
  ];
  for (const sort of ['registeredAt', 'name', 'sizeBytes'] as const)
    for (const descending of [true, false])
      for (const connectionId of [undefined, 'branch'])
        it(`come in the right order by ${sort}${descending ? ' descending' : ''} ${connectionId ?? 'everywhere'}`, () => {
          for (const [search, fits] of searches) {
            const given = query({ sort, descending, connectionId, search });
            const right = expected(given, fits);
            for (const offset of [0, 7, Math.max(0, right.length - 3), right.length]) {
              const page = store.documents.list({ ...given, offset });
              expect(page.total, search).toBe(right.length);
              expect(ids(page.rows), `${search} from ${offset}`).toEqual(ids(right.slice(offset, offset + 50)));
            }
          }
        });

  it('are filtered by status and origin as a look at all of them finds, with a search and without, in every order', () => {
    const groupOf = (n: number) => (['none', 'completed', 'in-progress', 'none', 'none'] as const)[n % 5] ?? 'none';
    const isSent = (n: number) => n % 3 === 0;
    const askedAt = (n: number) => `2026-11-0${1 + (n % 7)}T08:00:00.000Z`;
    store.together(() => {
      for (const [n, { connectionId, documentId }] of all.entries()) {
        const group = groupOf(n);
        if (group === 'none') continue;
        const answer = { kind: 'text', group, meaning: '' } as const;
        store.documents.putStatus(connectionId, documentId, { raw: 'Closed', answer, askedAt: askedAt(n) });
      }
    });
    store.documents.putAll(
      all.filter((_each, n) => isSent(n)).map((one) => ({ ...one, jobId: `job-${one.documentId}` })),
    );
    const numbers = new Map(all.map((one, n) => [one, n]));
    const number = (one: NewDocument) => numbers.get(one) ?? 0;
    const some = store.documents.list(query({ limit: 40 })).rows;
    for (const statusGroups of [['none'], ['completed', 'in-progress'], undefined] as const)
      for (const origin of ['sent', 'opened', undefined] as const)
        for (const sort of ['registeredAt', 'name'] as const)
          for (const [search, connectionId] of [
            ['', undefined],
            ['', 'branch'],
            ['leas', undefined],
            ['signer7', 'head-office'],
          ] as const) {
            const filters = {
              ...(statusGroups ? { statusGroups: [...statusGroups] } : {}),
              ...(origin ? { origin } : {}),
            };
            const given = query({ sort, search, connectionId, filters });
            const right = expected(given, (one) => {
              const hasStatus = !statusGroups || (statusGroups as readonly string[]).includes(groupOf(number(one)));
              const isOfOrigin = !origin || (origin === 'sent') === isSent(number(one));
              return hasStatus && isOfOrigin && (search !== 'signer7' || number(one) % 50 === 7);
            });
            const what = JSON.stringify(given);
            for (const offset of [0, 60]) {
              const page = store.documents.list({ ...given, offset });
              expect(page.total, what).toBe(right.length);
              expect(ids(page.rows), what).toEqual(ids(right.slice(offset, offset + 50)));
            }
            const found = new Set(ids(right));
            expect(store.documents.list({ ...given, among: some.map(({ id }) => id) }).total, what).toBe(
              some.filter(({ documentId }) => found.has(documentId ?? '')).length,
            );
          }
    const open = expected(query({ connectionId: 'branch' }), (one) => groupOf(number(one)) !== 'completed');
    const asked = (one: NewDocument) => (groupOf(number(one)) === 'none' ? '' : askedAt(number(one)));
    const longestAgo = open.toSorted((one, other) =>
      asked(one) < asked(other) ? -1 : asked(one) > asked(other) ? 1 : 0,
    );
    for (const limit of [10, count])
      expect(store.documents.unfinished('branch', limit)).toEqual(ids(longestAgo).slice(0, limit));
  });

  it('stand by what a search matches: the name itself, its beginning, all in it, then the rest; each the newest first', () => {
    const { documents } = store;
    const at = '2030-01-01T00:00:00.000Z';
    const named = (n: number, name: string, clientId = '') => ({
      ...invented(n),
      documentId: `rank-${n}`,
      name,
      clientId,
      signers: '',
      fileName: null,
      registeredAt: at,
      connectionId: 'ranked',
    });
    const names = ['Übergabe Nord', 'Protokoll Übergabe', 'Übergabe', 'Protokoll', 'Übergabe Süd', 'Übergabe'];
    documents.putAll(names.map((name, n) => named(count + n, name, n === 3 ? 'Übergabe 7' : '')));
    const shown = (search: string, more: Partial<DocumentQuery> = {}) =>
      documents.list(query({ search, connectionId: 'ranked', ...more })).rows.map(({ name }) => name);
    const right = ['Übergabe', 'Übergabe', 'Übergabe Süd', 'Übergabe Nord', 'Protokoll Übergabe', 'Protokoll'];
    for (const search of ['Übergabe', ' ubergabe ']) expect(shown(search)).toEqual(right);
    expect([0, 2, 4].flatMap((offset) => shown('Übergabe', { offset, limit: 2 }))).toEqual(right);
    expect(shown('Übergabe', { sort: 'name' })).toEqual([...names].sort().reverse());
  });

  it.each([
    ['the beginning of a name', 'leas', count],
    ['an ID', '00000F0A-0000-4000', 1],
    ['an ID in small letters', '00000f0a', 1],
    ['a client reference', 'case-42/7942', 1],
    ['a file name', 'scan_7999', 1],
    ['a name without its accents', 'ozturk', count / 4],
    ['a signer address', 'signer3@example.com', count / 50],
    ['words of different columns', 'muller rare', 0],
    ['a word that is nowhere', 'zeppelin', 0],
    ['nothing but signs', '"*-', 0],
    ['the language of the search itself', 'lease" OR "scan', 0],
    ['the name of a connection', 'head-office', 0],
  ])('are found by %s', (_what, search, total) => {
    expect(store.documents.list(query({ search })).total).toBe(total);
  });

  it('are found by a digit of what people see, not of an ID, whose beginning takes four', () => {
    const seen = all.filter(({ name, description, clientId, signers, fileName }) =>
      `${name} ${description} ${clientId} ${signers} ${fileName ?? ''}`
        .split(/[^\p{L}\p{N}]+/u)
        .some((word) => word.startsWith('8')),
    );
    expect(seen.length).toBeLessThan(count / 2);
    expect(store.documents.list(query({ search: 'lease 8' })).total).toBe(seen.length);
    expect(store.documents.list(query({ search: 'lease 8000' })).total).toBe(count);
  });

  it('take a request of a colleague again as often as it comes, in this thread and in another', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-'));
    const { store: own } = await openStore({ dataDir: folder, log: { info: () => undefined, error: () => undefined } });
    const theirs = { ...invented(1), connectionId: 'office', by: { person: 'ana', computer: 'desk' } };
    for (const name of ['Lease', 'Lease 2']) own.documents.putAll([{ ...theirs, name }]);
    const copy = own.documents.startCopy();
    await copy.put([{ ...theirs, name: 'Lease 3' }], true, () => undefined);
    await copy.end();
    expect(own.documents.byDocumentId('office', theirs.documentId)).toMatchObject({ name: 'Lease 3' });
    own.close();
    const sql = openSql(join(folder, 'sealdesk.db'));
    expect(sql.all("SELECT document_id FROM requests WHERE connection_id = 'office'")).toHaveLength(1);
    sql.close();
    rmSync(folder, { recursive: true });
  });

  it('find a document by its bytes, preferably of the given connection', () => {
    const { sha256 } = invented(8);
    store.documents.put({ ...invented(8), connectionId: 'head-office', documentId: 'other', name: 'Copy' });
    expect(store.documents.knownBySha256(sha256 ?? '', 'head-office')).toMatchObject({ name: 'Copy' });
    expect(store.documents.knownBySha256(sha256 ?? '', 'branch')).toMatchObject({ documentId: invented(8).documentId });
    expect(store.documents.knownBySha256('f'.repeat(64), 'branch')).toBeNull();
  });

  it('are paged correctly if a row number is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealdesk-gap-'));
    const { store: gap } = await openStore({ dataDir: folder, log: { info: () => undefined, error: () => undefined } });
    gap.documents.putAll(all.slice(0, 10));
    const sql = openSql(join(folder, 'sealdesk.db'));
    sql.run('DELETE FROM documents WHERE seq = 4');
    sql.close();
    const right = ids(all.slice(0, 10).filter((_each, n) => n !== 3));
    for (const offset of [0, 2, 5, 8])
      expect(ids(gap.documents.list(query({ offset, limit: 3, descending: false })).rows)).toEqual(
        right.slice(offset, offset + 3),
      );
    gap.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('of one connection are listed alike while there is no other, and apart as soon as there is one', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'sealdesk-documents-'));
    const opened = await openStore({ dataDir: dir, log: { info: () => undefined, error: () => undefined } });
    const { documents } = opened.store;
    const here = all.slice(0, 100).map((document) => ({ ...document, connectionId: 'head-office' }));
    documents.putAll(here);
    const total = (connectionId: string, search: string) => documents.list(query({ connectionId, search })).total;
    const seen = () => ['', 'lease', 'case-7'].map((search) => [total('head-office', search), total('branch', search)]);
    expect(seen()).toEqual([
      [100, 0],
      [100, 0],
      [11, 0],
    ]);
    expect(ids(documents.list(query({ connectionId: 'head-office', offset: 60, limit: 5 })).rows)).toEqual(
      ids(here.slice(35, 40).reverse()),
    );
    documents.put({ ...invented(7), connectionId: 'branch' });
    expect(seen()).toEqual([
      [100, 1],
      [100, 1],
      [11, 1],
    ]);
    opened.store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('know whether another one of the connection has a reference, written exactly so', () => {
    const { isReferenceOfOther, putAll } = store.documents;
    const own = invented(4_242).documentId;
    putAll(
      ['§§', 'ÄÖ', 'a "b"c', '\u{1E922}'].map((clientId, n) => ({
        ...invented(count + 100 + n),
        connectionId: 'office',
        clientId,
      })),
    );
    for (const clientId of ['§§', 'ÄÖ', 'a "b"c', '\u{1E922}', 'b" OR "a', 'ä', 'a', 'a \0 b'])
      expect(isReferenceOfOther('office', clientId, own), clientId).toBe(
        !['b" OR "a', 'ä', 'a', 'a \0 b'].includes(clientId),
      );
    const { connectionId, clientId, documentId } = invented(4_243);
    expect(isReferenceOfOther(connectionId, clientId, documentId)).toBe(false);
    expect(isReferenceOfOther(connectionId, clientId, own)).toBe(true);
    expect(isReferenceOfOther('branch', clientId, own)).toBe(false);
    for (const other of [clientId.toLowerCase(), 'CASE-43', `${clientId}0`])
      expect(isReferenceOfOther(connectionId, other, own), other).toBe(false);
  });

  it('that left from here are changed by nothing that a colleague says of them', () => {
    const own = { ...invented(count + 9), jobId: 'a job' };
    store.documents.put(own);
    const by = { person: 'bo', computer: 'X' };
    store.documents.putAll([{ ...own, jobId: null, name: 'Bo’s', sha256: 'f'.repeat(64), by }]);
    expect(store.documents.byDocumentId(own.connectionId, own.documentId)).toMatchObject({ name: own.name, by: null });
    expect(store.documents.knownBySha256(own.sha256 ?? '', own.connectionId)).not.toBeNull();
    store.documents.put({ ...own, name: 'Named anew' });
    expect(store.documents.byDocumentId(own.connectionId, own.documentId)?.name).toBe('Named anew');
  });

  it('keep one row for an ID regardless of case, found only by its new words', () => {
    const document = { ...invented(count + 1), name: 'Before' };
    const before = store.documents.put(document);
    const after = store.documents.put({
      ...document,
      documentId: document.documentId.toLowerCase(),
      name: 'Afterwards',
    });
    expect(after.id).toBe(before.id);
    expect(store.documents.list(query({ search: 'afterw' })).total).toBe(1);
    expect(store.documents.list(query({ search: 'before' })).total).toBe(0);
  });

  it('keep the history of a status, with one entry for the same word in a row', () => {
    const { connectionId, documentId } = invented(5);
    const status = (raw: string, askedAt: string) => ({
      raw,
      answer: { kind: 'text', group: 'in-progress', meaning: '' } as const,
      askedAt,
    });
    for (const [raw, at] of [
      ['Processing', '1'],
      ['Processing', '2'],
      ['Completed', '3'],
    ] as const)
      expect(store.documents.putStatus(connectionId, documentId, status(raw, at))).toBe(true);
    expect(
      store.documents.statusHistory(connectionId, documentId).map(({ raw, lastAskedAt }) => [raw, lastAskedAt]),
    ).toEqual([
      ['Processing', '2'],
      ['Completed', '3'],
    ]);
    expect(store.documents.byDocumentId(connectionId, documentId)?.status?.raw).toBe('Completed');
    expect(store.documents.putStatus(connectionId, 'unknown', status('Completed', '4'))).toBe(false);
    expect(store.documents.list(query({ sort: 'status', limit: 1 })).rows[0]?.documentId).toBe(documentId);
  });
});

it('a document is written without a look at the others of its connection', () => {
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  const { sql: watched, plan } = explained(sql);
  const documents = documentTable({ ...sql, run: watched.run }, '', () => {
    throw new Error('no copy');
  });
  documents.put({ ...invented(1), documentId: 'planned' });
  expect(plan.filter((detail) => /(SEARCH|SCAN) (documents|d) /.test(detail))).toEqual([
    'SEARCH d USING INDEX documents_known (connection_id=? AND document_id=?)',
  ]);
  sql.close();
});

it('whether something happened to the requests of a connection is read from the steps since then, not from all requests', () => {
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  const { sql: watched, plan } = explained(sql);
  const sent = sentTable(watched);
  const batch = store.jobs.beginBatch();
  const add = (operation: 'AddNewDocument' | 'AddNewEasySignTemplate', connectionId: string) => {
    const rest = { record: null, sourcePath: null, imagePath: null, imageBytes: 0, hasSecret: false, sizeBytes: 0 };
    store.jobs.add(batch, [{ id: randomUUID(), connectionId, operation, title: '', args: {}, ...rest }]);
  };
  add('AddNewEasySignTemplate', 'c');
  const last = sent.lastStep();
  add('AddNewDocument', 'c');
  add('AddNewEasySignTemplate', 'other');
  expect([sent.lastStep() > last, sent.hasStepAfter('c', last)]).toEqual([true, false]);
  add('AddNewEasySignTemplate', 'c');
  expect(sent.hasStepAfter('c', last)).toBe(true);
  expect(plan.filter((detail) => /SCAN|jobs_/.test(detail))).toEqual([]);
  sql.close();
});
