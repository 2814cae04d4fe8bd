import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../electron/store/database/open-database.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import { migrations } from '../../electron/store/schema/migrations.ts';
import { openStore, type Store } from '../../electron/store/store.ts';
import { leastProcessorMs } from '../harness/processor-time.ts';
import { newCore, newFolder } from './jobs-setup.ts';

const rows = 100_000;
const log = { info: () => undefined, error: () => undefined };
/** A register and lists of 100,000 rows each, and a full address book. */
async function fill(dataDir: string): Promise<void> {
  const { sql } = await openDatabase(join(dataDir, 'sealdesk.db'), migrations);
  sql.exec(`
    INSERT INTO tracked_places (place, connection_id, list_type) VALUES (1024, 'office', 1), (1025, 'office', 2);
    INSERT INTO tracked_lists (connection_id, list_type, total, nil_entries, as_of, first_read_at)
    SELECT 'office', value, ${rows / 2}, 0, '2026-11-20T08:00:00.000Z', '2026-11-19T08:00:00.000Z' FROM json_each('[1, 2]');
    CREATE TEMP TABLE n AS WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ${rows - 1}) SELECT n FROM n;
    INSERT INTO tracked (seq, connection, list_type, entry_key, document_name, created_at, document_id, orig_document_id, email, name,
      has_secret_word, first_seen_at)
    SELECT (1024 + n % 2) * 4294967296 + n, 1, 1 + n % 2, n, 'Agreement ' || (n / 4), strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + n * 60, 'unixepoch'),
      printf('%08X-0000-4000-8000-000000000000', n / 4), printf('%08X-0000-4000-8000-000000000000', n / 4),
      'person' || (n % 30000) || '@example.org', 'Given' || (n % 500) || ' Family' || (n % 7000), 0, '2026-11-19T08:00:00.000Z' FROM n;
    INSERT INTO tracked_search (rowid, name, email, document_name, ids) SELECT seq, name, email, document_name, replace(document_id, '-', '') FROM tracked;
    INSERT INTO documents (id, connection_id, document_id, name, description, client_id, signers, registered_at)
    SELECT 'd' || n, 'office', printf('%08X-0000-4000-8000-111111111111', n), 'Agreement ' || n, 'Description', 'CASE-' || n, '', '2026-11-20T08:00:00.000Z' FROM n;
    INSERT INTO documents_search (rowid, connection, name, description, client_id, document_id, signers, file_name)
    SELECT seq, 'office', name, description, client_id, document_id, '', '' FROM documents;
    INSERT INTO people (key, email, name, kept, uses, last_used_at)
    SELECT 'p' || n || '@example.org', 'p' || n || '@example.org', 'Given' || n || ' Family', 1, 0, NULL FROM n WHERE n < 20000;`);
  sql.close();
}

const office = {
  connectionId: 'office',
  separator: ';',
  lists: [
    { value: 1, name: 'Out', meaning: 'waiting' as const },
    { value: 2, name: 'Signed', meaning: 'signed' as const },
  ],
};

const searches = [
  'a',
  'p',
  'ag',
  'given',
  'agreement',
  'agreement 77',
  'person1',
  'family69',
  'case-99999',
  '0001869F',
  'nobody',
];

it('answers what was asked before the end of the program, which leaves the register as closed in order', async () => {
  const dataDir = await newFolder();
  (await openStore({ dataDir, log })).store.close();
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  sql.exec(`WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 60000)
    INSERT INTO documents (id, connection_id, document_id, name, description, client_id, signers, registered_at)
    SELECT 'd' || n, 'office', n, 'Agreement ' || n, '', '', '', '2026-11-20T08:00:00.000Z' FROM n`);
  sql.close();
  const core = await newCore({ dataDir });
  const query = { sort: 'name' as const, filters: { origin: 'opened' as const }, offset: 50_000, limit: 50 };
  const answer = core.ask('documents.list', query);
  await core.stop();
  expect(await answer).toMatchObject({ ok: true, value: { total: 60_001 } });
  expect(existsSync(join(dataDir, 'sealdesk.db.closed'))).toBe(true);
});

describe('the search of the whole program in 100,000 rows', () => {
  let store: Store;
  /** What reading all entries once takes on this machine now: a search that takes as long reads them all. */
  let scanMs = 0;
  beforeAll(async () => {
    const dataDir = await newFolder();
    await fill(dataDir);
    ({ store } = await openStore({ dataDir, log }));
    const sql = openSql(join(dataDir, 'sealdesk.db'));
    const readAll = () => sql.get("SELECT count(*) FROM tracked WHERE name || email || document_name LIKE '%nobody%'");
    scanMs = await leastProcessorMs(9, readAll);
    sql.close();
  }, 120_000);
  afterAll(() => store?.close());

  it.each([
    { search: 'agreement' },
    { search: 'agreement', descending: false },
    { search: 'case-9999', sort: 'name' as const },
    { filters: { origin: 'opened' as const }, offset: 70_000 },
    { search: 'nobody' },
  ])('answers documents beside other work, as in this thread: %j', async (asked) => {
    const query = { search: '', sort: 'registeredAt' as const, descending: true, offset: 0, limit: 50, ...asked };
    await Promise.resolve();
    const answering = store.documents.listAside(query);
    // Runs when no promise is left to go on: an answer from this thread would be there by then.
    expect(await Promise.race([answering, new Promise((go) => process.nextTick(go, 'other work'))])).toBe('other work');
    const answers = [await answering, await store.documents.listAside(query)];
    const here = store.documents.list(query);
    expect(answers).toEqual([here, here]);
  });

  it.each(searches)('reads a part of the rows only: %s', async (text) => {
    const parts = {
      people: () => store.people.list({ search: text, offset: 0, limit: 24 }),
      signers: () => store.tracked.findSigners('office', text, 24),
      requests: () => store.requests.findByText(office, text, 24),
      documents: () => store.documents.findByText(text, 24),
    };
    const times: (readonly [string, number])[] = [];
    for (const [part, read] of Object.entries(parts)) times.push([part, await leastProcessorMs(9, read)]);
    if (process.env.SEALDESK_FIGURES)
      console.log(text, scanMs.toFixed(1), Object.fromEntries(times.map(([part, ms]) => [part, ms.toFixed(1)])));
    expect(times.filter(([, ms]) => ms > scanMs)).toEqual([]);
  });

  it('finds the one that begins with the text among many newer ones that contain it', async () => {
    expect(store.documents.findByText('agreement 5', 6)[0]?.name).toBe('Agreement 5');
    const [request] = await store.requests.findByText(office, 'agreement 5', 6);
    expect(request?.request?.documentName).toBe('Agreement 5');
    expect(store.tracked.findSigners('office', 'person29999@', 6)).toMatchObject([
      { email: 'person29999@example.org' },
    ]);
  });
});
