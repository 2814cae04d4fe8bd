import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../electron/store/database/migrations.ts';
import { openDatabase } from '../../electron/store/database/open-database.ts';
import type { TrackedQuery } from '../../electron/store/signatures/tracking/tracked-row.ts';
import { openStore } from '../../electron/store/store.ts';
import { newFolder } from './jobs-setup.ts';

const log = { info: () => undefined, error: () => undefined };
const entries = 20_000;

/** Two lists of one connection and one of another, as version 4 stored them. */
async function fillVersion4(dataDir: string): Promise<void> {
  const sql = await openDatabase(join(dataDir, 'sealdesk.db'), migrations.slice(0, 4));
  // The migration recomputes what the trigger would write row by row.
  sql.exec('DROP TRIGGER tracked_came; CREATE TRIGGER tracked_came AFTER INSERT ON tracked BEGIN SELECT 1; END');
  sql.exec(`
    INSERT INTO tracked_lists VALUES ('office', 1, 7, ${entries - 1}, 0, '2026-11-20T08:00:00.000Z'),
      ('office', 2, 8, 1, 0, '2026-11-20T09:00:00.000Z'), ('branch', 1, 9, 1, 0, '2026-11-20T10:00:00.000Z');
    WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < ${entries - 1})
    INSERT INTO tracked (connection_id, list_type, entry_key, document_name, created_at, document_id, orig_document_id, email, name,
      has_secret_word, secret, first_seen_at, mark, moved_from, copy_id, gone_at)
    SELECT 'office', 1, 'document-' || n || char(10) || 'p' || n || '@example.com' || char(10), 'Lease ' || n,
      strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + n * 60, 'unixepoch'), 'document-' || n, 'document-' || n, 'p' || n || '@example.com',
      'Person ' || n, 0, NULL, '2026-11-19T08:00:00.000Z', iif(n = 5, 'new', NULL), NULL, 7, iif(n = 9, '2026-11-19T09:00:00.000Z', NULL) FROM n;
    INSERT INTO tracked (connection_id, list_type, entry_key, document_name, orig_document_id, has_secret_word, secret, first_seen_at, mark, moved_from, copy_id)
    VALUES ('office', 2, 'document-9' || char(10) || 'p9@example.com' || char(10), 'Lease 9', 'document-9', 1, 'sealed', '2026-11-20T09:00:00.000Z', 'moved', 1, 8),
      ('branch', 1, 'other', 'Lease of the branch', 'document-x', 0, NULL, '2026-11-20T10:00:00.000Z', NULL, NULL, 9);
    INSERT INTO due_dates VALUES ('office', 'document-7', '2026-11-21', 'call', NULL);`);
  sql.close();
}

const usual: TrackedQuery = {
  ...{ connectionId: 'office', listType: null, search: '', person: '', document: '', from: null, to: null },
  ...{ origDocumentId: null, status: null, changedOnly: false, dueOnly: false, offset: 0, limit: 10 },
  sort: 'createdAt',
  descending: true,
};

describe('tracked entries of an earlier version', () => {
  it('are complete after the migration, with marks, due dates and secret words, and are recognised at the next reading', async () => {
    const dataDir = await newFolder();
    await fillVersion4(dataDir);
    const { store, setAside } = await openStore({ dataDir, log });
    expect(setAside).toBeNull();
    const { tracked } = store;
    const find = (query: Partial<TrackedQuery>) => tracked.find({ ...usual, ...query });
    expect(tracked.listState('office', 1)).toEqual({
      ...{ total: entries - 1, nilEntries: 0, asOf: '2026-11-20T08:00:00.000Z' },
    });
    expect([find({}).total, find({ listType: 1 }).total, find({ listType: 2 }).total]).toEqual([
      entries,
      entries - 1,
      1,
    ]);
    expect(find({ connectionId: 'branch' })).toMatchObject({
      total: 1,
      rows: [{ document_name: 'Lease of the branch' }],
    });
    expect(find({ listType: 1 }).rows[0]).toMatchObject({ document_name: `Lease ${entries - 1}`, list_type: 1 });
    expect(find({ search: 'lease 1234' }).total).toBe(11);
    expect(find({ changedOnly: true }).rows.map(({ mark, moved_from }) => [mark, moved_from])).toEqual([
      ['new', null],
      ['moved', 1],
    ]);
    expect(find({ dueOnly: true }).rows).toMatchObject([{ document_name: 'Lease 7' }]);
    expect(find({ listType: 2 }).rows).toMatchObject([{ secret: 'sealed', has_secret_word: 1 }]);
    // The same list again: nothing is new, and an entry that had left is recognised.
    const reading = await tracked.begin('office', 2);
    const entry = { documentName: 'Lease 5', createdDate: null, createdAt: null, documentId: null, email: null };
    await reading.add([
      {
        ...{ ...entry, origDocumentId: 'document-5', name: null, hasSecretWord: false, secret: null, fingerprint: 'f' },
        entryKey: 'document-5\np5@example.com\n',
      },
    ]);
    const state = { total: 1, nilEntries: 0, asOf: '2026-11-21T08:00:00.000Z' };
    expect(await reading.publish(state)).toEqual({ fresh: 0, moved: 1, gone: 1 });
    await reading.end();
    store.close();
  });
});
