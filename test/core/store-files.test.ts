import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectionSettings } from '../../contract/connections.ts';
import type { Failure, FailureDetail } from '../../contract/failure.ts';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import type { LedgerQuestions } from '../../electron/core/foundation/ports.ts';
import { openSql, type Sql } from '../../electron/store/database/sql.ts';
import { migrations } from '../../electron/store/schema/migrations.ts';
import { openStore, type Store } from '../../electron/store/store.ts';
import { invented } from '../faults/first-version.ts';

const log = { info: () => undefined, error: () => undefined };
let dataDir = '';
const open: Store[] = [];
const start = async (steps = migrations) => {
  const opened = await openStore({ dataDir, log, steps });
  open.push(opened.store);
  return opened;
};
const close = () => {
  for (const store of open.splice(0)) store.close();
};
const path = () => join(dataDir, 'sealdesk.db');

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sealdesk-store-'));
});
afterEach(() => {
  close();
  rmSync(dataDir, { recursive: true, force: true });
});

const settings = connectionSettings.parse({
  name: 'Head office',
  baseUrl: 'https://service.example',
  mainPath: '/main.asmx',
  namespaceUri: 'https://service.example/api/',
});

describe('a new database', () => {
  it('is durable: write-ahead log, every commit synced, foreign keys', async () => {
    const { store, setAside } = await start();
    expect(setAside).toBeNull();
    store.settings.put('current', 'practice');
    close();
    const sql = openSql(path());
    expect(sql.get('PRAGMA journal_mode')).toMatchObject({ journal_mode: 'wal' });
    sql.close();
  });

  it.skipIf(process.platform === 'win32')('is closed to others, also in a folder that was open to all', async () => {
    chmodSync(dataDir, 0o755);
    const { store } = await start();
    store.settings.put('current', 'practice');
    const files = readdirSync(dataDir).filter((name) => statSync(join(dataDir, name)).isFile());
    expect(files).toContain('sealdesk.db-wal');
    const open = () =>
      readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((name) => {
        const seen = statSync(join(dataDir, name));
        return seen.isFile() && (seen.mode & 0o077) !== 0;
      });
    expect(open()).toEqual([]);
    close();
    expect(readdirSync(dataDir)).toContain('sealdesk.db.closed');
    expect(open()).toEqual([]);
  });

  it('keeps connections in their order and settings by name', async () => {
    const { store } = await start();
    store.connections.put({ id: 'b', kind: 'service', settings });
    store.connections.put({ id: 'a', kind: 'service', settings });
    store.connections.put({ id: 'b', kind: 'service', settings: { ...settings, name: 'Branch' } });
    store.settings.put('current', 'a');
    store.settings.put('current', 'b');
    close();
    const again = (await start()).store;
    expect(again.connections.all().map(({ id, settings }) => [id, settings.name])).toEqual([
      ['b', 'Branch'],
      ['a', 'Head office'],
    ]);
    expect(again.settings.get('current')).toBe('b');
    again.connections.remove('b');
    again.settings.remove('current');
    expect(again.connections.all()).toHaveLength(1);
    expect(again.settings.get('current')).toBeNull();
  });
});

function fill({ settings, together }: Store): void {
  together(() => {
    for (let n = 0; n < 500; n++) settings.put(`key ${n}`, 'x'.repeat(500));
  });
}

/** Questions that are always answered in the same way. */
const answering = (answer: 'quit' | 'retry' | 'set-aside') => {
  const asked: Failure[] = [];
  const ask: LedgerQuestions = {
    trouble: async (failure) => {
      asked.push(failure);
      return answer;
    },
    mended: async () => false,
  };
  return { ask, asked };
};

/** Every file below the data folder with its bytes. Locks are empty; SQLite's index of the log is left out, as it is no data. */
function everything(folder = dataDir): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((one) => !/-shm$/.test(one));
  return Object.fromEntries(
    paths.map((one) => [
      relative(folder, one),
      `${statSync(one).mtimeMs} ${createHash('sha256').update(readFileSync(one)).digest('hex')}`,
    ]),
  );
}

/** A data folder with all files of a database, as a killed program leaves it: with a log, a note of a departure and a copy of a document. */
async function used(): Promise<void> {
  const { store } = await start();
  fill(store);
  await store.jobs.depart('nobody', departure);
  const sql = openSql(path());
  sql.get('PRAGMA wal_checkpoint(TRUNCATE)');
  sql.close();
  store.settings.put('in the log', 'only');
  const killed = mkdtempSync(join(tmpdir(), 'sealdesk-store-'));
  cpSync(dataDir, killed, { recursive: true });
  close();
  rmSync(dataDir, { recursive: true });
  dataDir = killed;
  for (const name of readdirSync(join(dataDir, 'runs'))) {
    if (name.includes('.lock')) rmSync(join(dataDir, 'runs', name));
  }
  mkdirSync(join(dataDir, 'spool'));
  writeFileSync(join(dataDir, 'spool', 'job.document'), 'the only copy');
  writeFileSync(join(dataDir, 'settings.json'), 'no settings');
}

const departure = {
  program: '1.0.0',
  connection: { name: '', address: '', namespaceUri: '', soapVersion: '1.1' },
  certificateFingerprint: null,
  certificateIssuer: null,
};

const overwrite = (at: number, bytes: Buffer) => {
  const file = readFileSync(path());
  bytes.copy(file, at);
  writeFileSync(path(), file);
};

const damages: [string, FailureDetail, () => void][] = [
  ['random bytes', 'database-damaged', () => writeFileSync(path(), randomBytes(50_000))],
  ['some text', 'database-damaged', () => writeFileSync(path(), 'no database')],
  ['a header overwritten', 'database-damaged', () => overwrite(0, randomBytes(40))],
  ['pages of random bytes', 'database-damaged', () => overwrite(100_000, randomBytes(40_000))],
  ['a page zeroed', 'database-damaged', () => overwrite(40_960, Buffer.alloc(4_096))],
  ['cut in half', 'database-damaged', () => truncateSync(path(), Math.floor(statSync(path()).size / 8_192) * 4_096)],
  ['cut to nothing', 'database-missing', () => truncateSync(path(), 0)],
  ['gone', 'database-missing', () => rmSync(path())],
  [
    'gone with its log',
    'database-missing',
    () => {
      for (const end of ['', '-wal', '-shm']) rmSync(path() + end);
    },
  ],
  [
    'a folder in its place',
    'database-unreadable',
    () => {
      rmSync(path());
      mkdirSync(path());
    },
  ],
];

describe('an unusable database', () => {
  it.each(damages)('is left unchanged, with all files beside it: %s', async (_what, detail, harm) => {
    await used();
    harm();
    const before = everything();
    const error = await start().catch((error: unknown) => error);
    expect(failureOf(error)).toMatchObject({ code: 'storage-unusable', detail });
    expect(failureOf(error)?.note).toContain(dataDir);
    expect(everything()).toEqual(before);
    const { ask, asked } = answering('quit');
    const quit = await openStore({ dataDir, log, ask }).catch((error: unknown) => error);
    expect(failureOf(quit)?.code).toBe('cancelled');
    expect(asked).toMatchObject([{ detail }]);
    expect(everything()).toEqual(before);
  });

  it.each(damages)(
    'is set aside with all files that belong to it, if a person decides so: %s',
    async (_what, _detail, harm) => {
      await used();
      harm();
      const before = everything();
      const { setAside, store } = await openStore({ dataDir, log, ask: answering('set-aside').ask });
      open.push(store);
      store.settings.put('still', 'usable');
      expect(setAside).toMatch(/^set-aside.\d{8}T\d{6}Z$/);
      // The mark of what was opened stays: in the other folder every page is checked.
      const { 'settings.json': settings, 'sealdesk.db.opened': mark, ...moved } = before;
      expect(everything()['sealdesk.db.opened']).not.toBe(mark);
      expect(everything(join(dataDir, setAside ?? ''))).toMatchObject(moved);
      expect(everything()['settings.json']).toBe(settings);
      expect(readdirSync(dataDir)).not.toContain('spool');
      expect(store.settings.get('in the log')).toBeNull();
    },
  );

  it('is opened without another question once it is put back', async () => {
    await used();
    const kept = readFileSync(path());
    overwrite(0, randomBytes(40));
    let asked = 0;
    const trouble = async () => {
      asked += 1;
      writeFileSync(path(), kept);
      return 'retry' as const;
    };
    const { store, setAside } = await openStore({ dataDir, log, ask: { trouble, mended: async () => false } });
    open.push(store);
    expect([asked, setAside, store.settings.get('in the log')]).toEqual([1, null, 'only']);
  });

  it('is found damaged also after an orderly end', async () => {
    const { store } = await start();
    fill(store);
    close();
    expect(readdirSync(dataDir)).toContain('sealdesk.db.closed');
    await start();
    expect(readdirSync(dataDir)).not.toContain('sealdesk.db.closed');
    close();
    overwrite(statSync(path()).size - 60_000, randomBytes(40_000));
    const before = everything();
    expect(failureOf(await start().catch((error: unknown) => error))?.detail).toBe('database-damaged');
    expect(everything()).toEqual(before);
  });

  it('is not moved while another program uses it', async () => {
    const { store } = await start();
    const { ask, asked } = answering('set-aside');
    rmSync(path());
    const questions = {
      ...ask,
      trouble: async (failure: Failure) => (asked.push(failure) === 2 ? 'quit' : 'set-aside'),
    };
    await store.jobs.depart('nobody', departure);
    await openStore({ dataDir, log, ask: questions as LedgerQuestions }).catch(() => undefined);
    expect(asked).toHaveLength(2);
    expect(readdirSync(join(dataDir, 'set-aside'))).toEqual([]);
  });
});

describe('an index that has not what its table has', () => {
  const documents = 500;
  const list = { search: '', sort: 'name', descending: false, offset: 0, limit: documents } as const;
  const fillDocuments = async () => {
    const { store } = await start();
    store.documents.putAll(Array.from({ length: documents }, (_each, n) => invented(n)));
    close();
  };
  /** The register in doubt, with other bytes after a text in the pages of an index or a table. */
  const damage = (owner: string, text: string, bytes: readonly number[]) => {
    const sql = openSql(path());
    const pages = sql.all<{ pageno: number }>('SELECT pageno FROM dbstat WHERE name = ?', owner);
    sql.close();
    const file = readFileSync(path());
    const places = pages.map(({ pageno }) => file.indexOf(text, (pageno - 1) * 4_096));
    const at = places.find((place, n) => place >= 0 && Math.floor(place / 4_096) === (pages[n]?.pageno ?? 0) - 1) ?? -1;
    expect(at).toBeGreaterThan(0);
    overwrite(at + text.length, Buffer.from(bytes));
    rmSync(`${path()}.closed`, { force: true });
    const harmed = openSql(path());
    expect(harmed.get('PRAGMA quick_check')).toMatchObject({ quick_check: 'ok' });
    expect(harmed.get('PRAGMA integrity_check')).not.toMatchObject({ integrity_check: 'ok' });
    harmed.close();
  };

  const enlarge = () => {
    const sql = openSql(path());
    sql.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; CREATE TABLE large (bytes BLOB)');
    sql.exec('INSERT INTO large VALUES (zeroblob(140000000))');
    sql.close();
  };

  it('is rebuilt before anything is read, and a person is told', async () => {
    await fillDocuments();
    damage('documents_name', 'Lease 250', [0x7f, 0x7f, 0x7f, 0x7f]);
    const { store } = await start();
    const rows = store.documents.list(list).rows;
    expect(rows).toHaveLength(documents);
    expect(store.ledgerNotices.isPending('mended')).toBe(true);
    close();
    expect(readdirSync(dataDir)).toContain('sealdesk.db.closed');
  });

  it('is rebuilt in the copy before a migration, too', async () => {
    await fillDocuments();
    damage('documents_name', 'Lease 250', [0x7f, 0x7f, 0x7f, 0x7f]);
    await start([...migrations, { version: 98, sql: 'CREATE TABLE added (id INTEGER PRIMARY KEY)' }]);
    const copy = openSql(`${path()}.v${migrations.at(-1)?.version}.bak`);
    expect(copy.get('PRAGMA integrity_check')).toMatchObject({ integrity_check: 'ok' });
    copy.close();
  });

  it('of a large register is rebuilt while the program runs, which is in doubt until then', async () => {
    await fillDocuments();
    damage('documents_name', 'Lease 250', [0x7f, 0x7f, 0x7f, 0x7f]);
    enlarge();
    const { store } = await start();
    expect(store.documents.list(list).rows).toHaveLength(documents - 1);
    expect(readdirSync(dataDir)).not.toContain('sealdesk.db.opened');
    await store.indexesChecked;
    expect(store.documents.list(list).rows).toHaveLength(documents);
    expect(store.ledgerNotices.isPending('mended')).toBe(true);
    expect(readdirSync(dataDir)).toContain('sealdesk.db.opened');
  });

  it('of a large register that is upgraded is compared with its table before that, and not once more after it', async () => {
    await fillDocuments();
    damage('documents_name', 'Lease 250', [0x7f, 0x7f, 0x7f, 0x7f]);
    enlarge();
    const { store } = await start([...migrations, { version: 98, sql: 'CREATE TABLE added (id INTEGER PRIMARY KEY)' }]);
    expect(readdirSync(dataDir)).toContain('sealdesk.db.opened');
    expect(store.documents.list(list).rows).toHaveLength(documents);
  });

  it('is no reason to rebuild what a damaged table does not have: the register is damaged', async () => {
    await fillDocuments();
    // Another document has this ID.
    damage('documents', '00000', [...Buffer.from('011')]);
    expect(failureOf(await start().catch((error: unknown) => error))?.detail).toBe('database-damaged');
  });

  it.each<[string, (sql: Sql) => void, (store: Store) => unknown]>([
    [
      'documents',
      (sql) => sql.run('DELETE FROM documents_search WHERE rowid BETWEEN 100 AND 300'),
      ({ documents }) => documents.list({ ...list, search: 'lease', connectionId: 'office' }).total === 500,
    ],
    [
      'people',
      (sql) => sql.run("INSERT INTO people_search (people_search) VALUES ('delete-all')"),
      ({ people }) => people.list({ search: 'petrov', offset: 0, limit: 10 }).total === 1,
    ],
  ])('finds all again if it is a search index: %s', async (_what, harm, isFound) => {
    const { store } = await start();
    store.documents.putAll(Array.from({ length: documents }, (_each, n) => invented(n)));
    store.people.keep([{ email: 'ana@example.org', name: 'Ana Petrov' }]);
    expect(isFound(store)).toBe(true);
    close();
    const sql = openSql(path());
    harm(sql);
    sql.close();
    rmSync(`${path()}.closed`);
    expect(isFound((await start()).store)).toBe(true);
  });
});

describe('a database of a newer program', () => {
  const newer = [...migrations, { version: 99, sql: 'CREATE TABLE later (id INTEGER PRIMARY KEY)' }];
  const startNewer = async () => {
    const { store } = await openStore({ dataDir, log, steps: newer, program: '9.8.7' });
    open.push(store);
    return store;
  };

  it.each([
    ['closed in order', close],
    ['while the newer program runs', () => undefined],
  ])('is refused and left as it is, and the version that is needed is named: %s', async (_what, end) => {
    (await startNewer()).settings.put('written by', 'the newer program');
    // An older version does not lower it.
    const again = await openStore({ dataDir, log, steps: newer, program: '1.2.3' });
    again.store.close();
    end();
    writeFileSync(join(dataDir, 'settings.json'), 'no settings');
    const before = everything();
    const { ask, asked } = answering('set-aside');
    for (const given of [{}, { ask }]) {
      const error = await openStore({ dataDir, log, ...given }).catch((error: unknown) => error);
      const failure = failureOf(error);
      expect(failure).toMatchObject({ code: 'storage-unusable', detail: 'database-newer' });
      expect(failure?.note).toMatch(/data version 99, this program knows versions up to \d+\. /);
    }
    expect(asked).toEqual([]);
    expect(everything()).toEqual(before);
    close();
    const closed = failureOf(await openStore({ dataDir, log }).catch((error: unknown) => error));
    expect(closed?.note).toContain('Use Sealdesk 9.8.7 or newer');
    // Of the same version: the one that asks is none that helps.
    const same = failureOf(await openStore({ dataDir, log, program: '9.8.7' }).catch((error: unknown) => error));
    expect(same?.note).toContain('Use a newer version of Sealdesk');
    expect(same?.raw).toBeUndefined();
    expect((await startNewer()).settings.get('written by')).toBe('the newer program');
  });

  it('is damaged, and no newer program is asked for, with a version that none will have', async () => {
    (await start()).store.close();
    open.pop();
    const sql = openSql(path());
    sql.exec('PRAGMA user_version = 1696502097');
    sql.close();
    expect(failureOf(await start().catch((error: unknown) => error))?.detail).toBe('database-damaged');
  });

  it('is recognised while its version is only in the write-ahead log', async () => {
    const { store } = await start();
    const sql = openSql(path());
    sql.exec('PRAGMA user_version = 99');
    const killed = mkdtempSync(join(tmpdir(), 'sealdesk-store-'));
    for (const suffix of ['', '-wal']) copyFileSync(path() + suffix, join(killed, `sealdesk.db${suffix}`));
    sql.exec('PRAGMA user_version = 5');
    sql.close();
    store.close();
    open.pop();
    rmSync(dataDir, { recursive: true });
    dataDir = killed;
    const before = everything();
    expect(failureOf(await start().catch((error: unknown) => error))?.detail).toBe('database-newer');
    expect(everything()).toEqual(before);
  });
});

describe('a migration', () => {
  const added = { version: 19, sql: 'CREATE TABLE added (id INTEGER PRIMARY KEY); INSERT INTO added VALUES (7)' };

  it('runs once and keeps a copy of the file before it', async () => {
    (await start(migrations.slice(0, 1))).store.settings.put('kept', 'yes');
    close();
    expect((await start([...migrations.slice(0, 1), added])).store.settings.get('kept')).toBe('yes');
    close();
    await start([...migrations.slice(0, 1), added]);
    const copy = openSql(`${path()}.v18.bak`);
    expect(copy.get('PRAGMA user_version')).toMatchObject({ user_version: 18 });
    expect(copy.get("SELECT value FROM settings WHERE key = 'kept'")).toMatchObject({ value: 'yes' });
    copy.close();
  });

  it('changes nothing if it fails: the old program can still use the file', async () => {
    (await start()).store.settings.put('kept', 'yes');
    close();
    const broken = [
      ...migrations,
      { version: 98, sql: 'DELETE FROM settings; CREATE TABLE half (id); THIS IS NOT SQL' },
    ];
    const error = await start(broken).catch((error: unknown) => error);
    expect(failureOf(error)).toMatchObject({ code: 'storage-unusable' });
    const { store, setAside } = await start();
    expect(setAside).toBeNull();
    expect(store.settings.get('kept')).toBe('yes');
  });
});

describe('two programs on one folder', () => {
  it('see each other until one has ended', async () => {
    const first = (await start()).store;
    const second = (await start()).store;
    expect(second.run.isAlive(first.run.runId)).toBe(true);
    first.settings.put('from', 'the first');
    expect(second.settings.get('from')).toBe('the first');
    open.shift();
    first.close();
    expect(second.run.isAlive(first.run.runId)).toBe(false);
    expect(second.run.isAlive(second.run.runId)).toBe(true);
  });
});
