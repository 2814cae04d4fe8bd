import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { openDatabase } from '../../electron/store/database/open-database.ts';
import { openSql, type Sql } from '../../electron/store/database/sql.ts';
import { workKey } from '../../electron/store/jobs/same-work.ts';
import { migrations } from '../../electron/store/schema/migrations.ts';
import { sinceFirstSchema } from '../../electron/store/schema/since-first-schema.ts';
import { openStore } from '../../electron/store/store.ts';
import { answerOf, goneRank, groupOfRank, pendingRank, runView } from '../../electron/store/verify/verify-rows.ts';
import { newFolder } from './jobs-setup.ts';

const log = { info: () => undefined, error: () => undefined };
const older = migrations.slice(0, -1).map(({ version }) => version);
const upTo = (version: number) => migrations.filter((step) => step.version <= version);
/** The first that must still open. */
const first = 18;

/** Columns as a version had them, by table: `table_info` leaves out those that the database computes. */
type Columns = Readonly<Record<string, readonly string[]>>;
const tables = ['settings', 'connections', 'batches', 'jobs', 'documents'];

function columnsOf(sql: Sql): Columns {
  const names = (table: string) => sql.all<{ name: string }>(`PRAGMA table_info(${table})`).map(({ name }) => name);
  return Object.fromEntries(tables.map((table) => [table, names(table)]).filter(([, columns]) => columns?.length));
}

function rowsOf(sql: Sql, columns: Columns): unknown {
  const rows = (table: string, names: readonly string[]) =>
    sql.all(`SELECT ${names.join(', ')} FROM ${table} ORDER BY ${names[0]}`);
  return Object.entries(columns).map(([table, names]) => [table, rows(table, names)]);
}

/** The files as a kill leaves them, while the database is open. */
async function copyOf(path: string): Promise<string> {
  const folder = await newFolder();
  for (const suffix of ['', '-wal'])
    if (existsSync(path + suffix)) copyFileSync(path + suffix, join(folder, `sealdesk.db${suffix}`));
  return folder;
}

/** What a person must find again: work in every state that waits for a person or a service, documents, a connection. */
function fill(sql: Sql, columns: Columns): void {
  sql.exec(`
    INSERT INTO settings VALUES ('language', '"de"');
    INSERT INTO connections (id, kind, settings, position) VALUES ('office', 'own', '{"name":"Office"}', 1);
    INSERT INTO batches (id, run_id, complete, created_at) VALUES ('b', 'gone', 1, '2026-01-01T08:00:00.000Z');`);
  for (const [at, state] of ['done', 'in-doubt', 'waiting', 'refused', 'failed', 'cancelled'].entries()) {
    sql.run(
      `INSERT INTO jobs (id, batch_seq, batch_id, run_id, connection_id, operation, title, args, record, image_bytes, has_secret, size_bytes,
         sha256, state, document_id, created_at, updated_at)
       VALUES (?, 1, 'b', 'gone', 'office', 'AddNewDocument', ?, '{}', 'null', 0, 0, 7, ?, ?, ?, '2026-01-01T08:00:00.000Z', '2026-01-01T08:00:01.000Z')`,
      ...[`j${at}`, `Lease ${at}`, `${at}`.repeat(64), state, state === 'done' ? 'document-0' : null],
    );
  }
  sql.exec(`INSERT INTO documents (id, connection_id, document_id, job_id, name, description, client_id, signers, file_name, size_bytes, registered_at)
    VALUES ('d', 'office', 'document-0', 'j0', 'Lease 0', 'copy', 'C-1', '', 'lease.pdf', 7, '2026-01-01T08:00:01.000Z')`);
  if (columns.jobs?.includes('work_key'))
    sql.run('UPDATE jobs SET work_key = ?', workKey({ sourcePath: null, record: null, args: {} }));
}

describe('the register of an older version', () => {
  it.each(older)('%i is upgraded with every value that it had, and a copy of it is kept', async (version) => {
    const dataDir = await newFolder();
    const path = join(dataDir, 'sealdesk.db');
    const { sql: before } = await openDatabase(path, upTo(version));
    const columns = columnsOf(before);
    fill(before, columns);
    const rows = rowsOf(before, columns);
    before.close();

    const { store, setAside } = await openStore({ dataDir, log });
    store.close();
    expect(setAside).toBeNull();
    const after = openSql(path);
    expect(rowsOf(after, columns)).toEqual(rows);
    expect(after.get('PRAGMA user_version')).toMatchObject({ user_version: migrations.at(-1)?.version });
    after.close();
    expect(existsSync(`${path}.v${version}.bak`)).toBe(true);
  });

  it('has the keys of what a request from a template repeats anew', async () => {
    const dataDir = await newFolder();
    const path = join(dataDir, 'sealdesk.db');
    const { sql: before } = await openDatabase(path, upTo(41));
    fill(before, columnsOf(before));
    const args = { TemplateID: 'TPL-1', Emails: 'Ann@example.com', DocumentName: 'Lease' };
    before.run("UPDATE jobs SET args = ?, work_key = 'of all that is sent'", JSON.stringify(args));
    before.close();
    (await openStore({ dataDir, log })).store.close();
    const after = openSql(path);
    const work_key = workKey({
      sourcePath: null,
      record: null,
      args: { TemplateID: 'TPL-1', Emails: 'ann@example.com' },
    });
    expect(after.all('SELECT DISTINCT work_key FROM jobs')).toEqual([{ work_key }]);
    after.close();
  });

  it.each(older.filter((version) => version < 33))(
    '%i has its drafts, presets and templates in their places',
    async (version) => {
      const dataDir = await newFolder();
      const { sql: before } = await openDatabase(join(dataDir, 'sealdesk.db'), upTo(version));
      fill(before, columnsOf(before));
      const [at, preset] = ['2026-01-01T08:00:00.000Z', '{"kind":"plain","customSubject":"Lease"}'];
      before.exec(`
      INSERT INTO drafts VALUES ('refused', 'office', 'Lease 2027', '{"kind":"easy-sign"}', '/lease.pdf', 'lease.pdf', '/seal.png', NULL, 'sealed', '${at}', 'j3', NULL),
        ('sent', 'office', '', '{}', NULL, NULL, NULL, NULL, NULL, '${at}', NULL, '${at}'), ('plain', 'home', 'Deed', '{}', NULL, NULL, NULL, NULL, NULL, '2026-02-01', NULL, NULL);
      INSERT INTO presets VALUES ('p2', 'leases', '{}', '${at}'), ('p1', 'Leases', '${preset}', '${at}');
      INSERT INTO templates VALUES ('t1', '', 'TPL-1', 'zoo', 'of "all"', 'both', '${at}'), ('t2', 'office', 'TPL-1', 'Apple', '', 'elements', NULL);`);
      before.close();

      const { store } = await openStore({ dataDir, log });
      const { forms } = store;
      const nothing = { connectionId: null, file: null, image: null, secret: null, usedAt: null, job: null };
      expect(forms.list('draft', 'office')).toEqual([
        {
          ...nothing,
          id: 'refused',
          place: 'draft',
          connectionId: 'office',
          name: 'Lease 2027',
          content: '{"kind":"easy-sign"}',
          file: { path: '/lease.pdf', name: 'lease.pdf' },
          image: { path: '/seal.png', name: '' },
          secret: 'sealed',
          updatedAt: at,
          job: { id: 'j3', state: 'refused', failure: null },
        },
      ]);
      expect(forms.list('draft').map(({ id }) => id)).toEqual(['plain', 'refused']);
      expect(forms.get('sent')).toMatchObject({ place: 'draft', name: '' });
      expect(forms.list('preset')).toEqual([
        { ...nothing, id: 'p1', place: 'preset', name: 'Leases', content: preset, updatedAt: at },
        { ...nothing, id: 'p2', place: 'preset', name: 'leases', content: '{}', updatedAt: at },
      ]);
      const content = (note: string, use: string) => JSON.stringify({ templateId: 'TPL-1', note, use });
      expect(forms.list('template')).toMatchObject([
        { id: 't2', connectionId: 'office', name: 'Apple', content: content('', 'elements'), usedAt: null },
        { id: 't1', connectionId: null, name: 'zoo', content: content('of "all"', 'both'), usedAt: at },
      ]);
      expect(forms.list('template', 'home').map(({ id }) => id)).toEqual(['t1']);
      store.close();
    },
  );

  it('has what was passed over as that, and not as cancelled', async () => {
    const dataDir = await newFolder();
    const { sql: before } = await openDatabase(join(dataDir, 'sealdesk.db'), upTo(44));
    fill(before, columnsOf(before));
    before.exec(`UPDATE jobs SET state = 'cancelled', duplicate_of = '{"kind":"document"}', duplicates = iif(id = 'j3', 'skip', 'send') WHERE id IN ('j3', 'j4');
      INSERT INTO job_events (job_seq, at, kind) SELECT seq, updated_at, 'cancelled' FROM jobs WHERE state = 'cancelled'`);
    before.close();
    const { store } = await openStore({ dataDir, log });
    const { jobs } = store;
    expect(jobs.counts()).toMatchObject({ 'passed-over': 1, cancelled: 2 });
    expect(['j3', 'j4'].map((id) => jobs.history(id).map(({ kind }) => kind))).toEqual([
      ['passed-over'],
      ['cancelled'],
    ]);
    store.close();
  });

  it('counts in its verifications what is no PDF as that, in each run that has it', async () => {
    const dataDir = await newFolder();
    const { sql: before } = await openDatabase(join(dataDir, 'sealdesk.db'), upTo(36));
    const counts = (noAnswer: number, confirmed: number) =>
      JSON.stringify({ confirmed, 'confirmed-with-remark': 0, 'not-confirmed': 0, unclear: 0, 'no-answer': noAnswer });
    const at = '2026-01-01T08:00:00.000Z';
    for (const [id, given] of [
      ['one', counts(3, 1)],
      ['two', counts(2, 1)],
    ] as const)
      before.exec(`INSERT INTO verify_runs (id, scope, audit_id, connection_id, title, ask, state, owner, listing, total, answered, counts, changes, calls, left_out, active_ms, started_at)
        VALUES ('${id}', 'audit', 'audit', 'office', 'archive', 'changes', 'finished', 'gone', 0, 6, 5, '${given}', '{"new":0,"altered":0,"gone":0,"verdict-changed":0}', 4, 0, 1, '${at}')`);
    const file = (name: string, rank: number, code: string | null, signatures: string | null, toRun = 'NULL') =>
      before.exec(`INSERT INTO verify_files (scope, idx, from_run, to_run, path, name, folder, sort_key, size_bytes, rank, answer, raw, signatures)
        VALUES ('audit', (SELECT count(*) FROM verify_files), 1, ${toRun}, '${name}', '${name}', '', '${name}', 7, ${rank},
          ${code && `'{"kind":"code","group":"no-answer","meaning":"","code":"${code}"}'`}, ${code && `'${code}'`}, ${signatures && `'${signatures}'`})`);
    file('note.txt', 2, '-150', '{"answer":null}');
    file('altered.txt', 2, '-150', '{"answer":null}', '2');
    file('no credits.txt', 2, '-140', '{"answer":null}');
    file('gone.pdf', 3, null, null);
    file('fine.pdf', 5, null, '{"answer":{}}');
    file('pending.pdf', 6, null, null);
    before.close();

    const { store } = await openStore({ dataDir, log });
    const runs = store.verifyRuns.list({ offset: 0, limit: 9 }).rows.map((run) => runView(run));
    expect(
      runs.map((run) => [run.runId, run.counts['not-pdf'], run.counts['no-answer'], run.counts.confirmed]),
    ).toEqual([
      ['two', 1, 1, 1],
      ['one', 2, 1, 1],
    ]);
    const last = store.verifyRuns.get('two');
    if (!last) throw new Error('the run is gone');
    const { rows } = store.verifyFiles.page(last, { offset: 0, limit: 9 });
    expect(rows.map(({ name, rank }) => [name, groupOfRank(rank)])).toEqual([
      ['no credits.txt', 'no-answer'],
      ['note.txt', 'not-pdf'],
      ['gone.pdf', null],
      ['fine.pdf', 'confirmed'],
      ['pending.pdf', null],
    ]);
    expect(rows.map((row) => answerOf(row)?.group ?? null).slice(0, 3)).toEqual(['no-answer', 'not-pdf', null]);
    expect(rows.map(({ rank }) => rank)).toEqual([2, 3, goneRank, 6, pendingRank]);
    store.close();
  });

  it('is as it was if a kill ends the upgrade before its commit, and upgraded if it comes after it', async () => {
    const dataDir = await newFolder();
    const path = join(dataDir, 'sealdesk.db');
    const { sql: before } = await openDatabase(path, upTo(first));
    fill(before, columnsOf(before));
    const columns = columnsOf(before);
    const rows = rowsOf(before, columns);
    before.exec('PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN IMMEDIATE');
    before.exec(sinceFirstSchema.sql);
    const killed = [await copyOf(path)];
    before.exec('ROLLBACK');
    before.close();
    const { sql: upgraded } = await openDatabase(path, migrations);
    killed.push(await copyOf(path));
    upgraded.close();
    for (const folder of killed) {
      const left = openSql(join(folder, 'sealdesk.db'));
      const isUpgraded = folder === killed[1];
      expect(left.get('PRAGMA user_version')).toEqual({
        user_version: isUpgraded ? migrations.at(-1)?.version : first,
      });
      left.close();
      const { store, setAside } = await openStore({ dataDir: folder, log });
      store.close();
      expect(setAside).toBeNull();
      const after = openSql(join(folder, 'sealdesk.db'));
      expect(rowsOf(after, columns)).toEqual(rows);
      after.close();
    }
  });

  it('is refused as it is if it has a form that was never released', async () => {
    const dataDir = await newFolder();
    const path = join(dataDir, 'sealdesk.db');
    const { sql: before } = await openDatabase(path, upTo(first));
    before.exec('PRAGMA user_version = 25');
    before.close();
    const failure = failureOf(await openStore({ dataDir, log }).catch((error: unknown) => error));
    expect(failure).toMatchObject({ code: 'storage-unusable', note: expect.stringContaining('never released') });
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.bak'))).toEqual([]);
  });

  it('gives each job the time of its attempt, whatever changed it later; no end to one whose program was killed', async () => {
    const dataDir = await newFolder();
    const path = join(dataDir, 'sealdesk.db');
    const { sql: before } = await openDatabase(path, upTo(first));
    fill(before, columnsOf(before));
    const events: Record<string, readonly (readonly [string, string, string?])[]> = {
      j0: [
        ['departed', '08:10'],
        ['in-doubt', '08:11'],
        ['looked-for', '09:30'],
        ['done', '09:40'],
        ['accepted', '09:40'],
      ],
      j1: [
        ['departed', '08:20'],
        ['in-doubt', '08:21', 'no answer came'],
        ['looked-for', '09:50'],
      ],
      j3: [
        ['departed', '08:30'],
        ['in-doubt', '08:59', 'the program ended after the request had begun to leave and before its answer'],
      ],
    };
    const time = (at: string) => `2026-01-01T${at}:00.000Z`;
    for (const [id, steps] of Object.entries(events)) {
      for (const [kind, at, note] of steps)
        before.run(
          'INSERT INTO job_events (job_seq, at, kind, failure) SELECT seq, ?, ?, ? FROM jobs WHERE id = ?',
          ...[time(at), kind, note === undefined ? null : JSON.stringify({ note }), id],
        );
      before.run(
        'UPDATE jobs SET departed_at = ?, updated_at = ? WHERE id = ?',
        time(steps[0]?.[1] ?? ''),
        time('10:00'),
        id,
      );
    }
    before.close();
    const { store } = await openStore({ dataDir, log });
    const times = ['j0', 'j1', 'j3', 'j4'].map((id) => [store.jobs.get(id)?.attemptEndedAt, store.jobs.get(id)?.at]);
    store.close();
    expect(times).toEqual([
      [time('08:11'), time('08:11')],
      [time('08:21'), time('08:21')],
      [null, time('08:30')],
      [null, '2026-01-01T08:00:01.000Z'],
    ]);
  });

  it('keeps the times of a doubt that is sent again and taken back, cancelled, or cancelled on its way', async () => {
    const dataDir = await newFolder();
    const path = join(dataDir, 'sealdesk.db');
    const { sql: before } = await openDatabase(path, upTo(first));
    fill(before, columnsOf(before));
    const doubts: Record<string, string> = {
      j1: 'no answer came',
      j4: 'the program ended after the request had begun to leave and before its answer',
    };
    for (const [id, note] of Object.entries(doubts)) {
      const [left, over] = ['2026-01-01T08:20:00.000Z', '2026-01-01T08:59:00.000Z'];
      const failure = JSON.stringify({ code: 'outcome-unknown', note });
      before.run(
        "INSERT INTO job_events (job_seq, at, kind) SELECT seq, ?, 'departed' FROM jobs WHERE id = ?",
        ...[left, id],
      );
      before.run(
        "INSERT INTO job_events (job_seq, at, kind, failure) SELECT seq, ?, 'in-doubt', ? FROM jobs WHERE id = ?",
        ...[over, failure, id],
      );
      before.run(
        "UPDATE jobs SET state = 'in-doubt', departed_at = ?, failure = ?, sha256 = ? WHERE id = ?",
        ...[left, failure, id === 'j1' ? '1'.repeat(64) : '4'.repeat(64), id],
      );
    }
    before.close();
    const { store } = await openStore({ dataDir, log });
    const { jobs } = store;
    const times = () =>
      Object.keys(doubts).map((id) => {
        const { state, failure, departedAt, attemptEndedAt, raw } = jobs.get(id) ?? {};
        return { state, failure, departedAt, attemptEndedAt, raw };
      });
    const was = times();
    for (const id of Object.keys(doubts)) {
      const again = () =>
        expect(jobs.sendAgain([id], { from: ['in-doubt'], to: 'waiting', gateOf: () => 'open' })).toHaveLength(1);
      again();
      jobs.takeBack([id], [], null);
      expect(times()).toEqual(was);
      expect(jobs.accept(id, 'another', null, true)).not.toBeNull();
      jobs.undoAccept(id, {
        state: 'in-doubt',
        failure: jobs.history(id).findLast(({ kind }) => kind === 'in-doubt')?.failure ?? null,
        documentId: 'another',
        document: null,
      });
      again();
      jobs.moveAll([id], ['prepared', 'waiting'], 'cancelled', { failure: null });
      expect(times()).toEqual(was);
      again();
      jobs.move(id, ['prepared'], 'waiting');
      expect(jobs.claim(id)).toBe(true);
      const connection = { name: 'Office', address: '', namespaceUri: '', soapVersion: '1.1' as const };
      await jobs.depart(id, { program: '', connection, certificateFingerprint: null, certificateIssuer: null });
      const end = { connectionId: 'office', document: null, answer: null };
      jobs.end(id, 'cancelled', { failure: null, raw: 'too large' }, end);
      expect(times()).toEqual(was);
    }
    store.close();
  });

  it('finds people and duplicates by addresses in the form in which they are compared now', async () => {
    const dataDir = await newFolder();
    const path = join(dataDir, 'sealdesk.db');
    const { sql: before } = await openDatabase(path, upTo(first));
    fill(before, columnsOf(before));
    const [composed, decomposed, upper] = ['andr\u00E9@a.example', 'andre\u0301@a.example', 'ANDR\u00C9@a.example'];
    const sha256 = 'ab'.repeat(32);
    before.exec("DELETE FROM jobs WHERE id IN ('j2', 'j3', 'j4')");
    const request = (id: string, path: string | null, args: object, record: object, state: string) =>
      before.run(
        `INSERT INTO jobs (id, batch_seq, batch_id, run_id, connection_id, operation, title, args, record, source_path, image_bytes, has_secret,
           size_bytes, sha256, state, created_at, updated_at)
         VALUES (?, 1, 'b', 'gone', 'office', ?, 'Lease', ?, ?, ?, 0, 0, 7, ?, ?, '2026-01-01T08:00:00.000Z', '2026-01-01T08:00:01.000Z')`,
        id,
        path ? 'AddNewEasySignDocument' : 'AddNewEasySignTemplate',
        ...[JSON.stringify(args), JSON.stringify(record), path, path && sha256, state],
      );
    request('sent', '/lease.pdf', {}, { signers: composed }, 'done');
    request('same', '/lease.pdf', {}, { signers: decomposed }, 'failed');
    request('sent-template', null, { TemplateID: '7', Emails: upper }, { signers: upper }, 'done');
    request('same-template', null, { TemplateID: '7', Emails: composed }, { signers: composed }, 'failed');
    before.exec(
      "INSERT INTO job_events (job_seq, at, kind) SELECT seq, '2026-01-01', 'waiting' FROM jobs WHERE id LIKE 'same%'",
    );
    const person = 'INSERT INTO people (key, email, name, kept, uses, last_used_at) VALUES (?, ?, ?, ?, ?, ?)';
    before.run(person, composed, composed, '', 0, 2, '2026-01-01T08:00:00.000Z');
    before.run(person, decomposed, decomposed, 'Andr\u00E9', 1, 3, '2026-01-02T08:00:00.000Z');
    before.run(person, 'camin\u0303a@a.example', 'camin\u0303a@a.example', 'Cami\u00F1a', 1, 0, null);
    before.close();

    const { store } = await openStore({ dataDir, log });
    const ends = store.jobs.sendAgain(['same', 'same-template'], {
      from: ['failed'],
      to: 'waiting',
      gateOf: () => 'open',
    });
    const people = store.people.list({ search: '', offset: 0, limit: 9 }).people;
    const found = store.people.get('cami\u00F1a@a.example')?.name;
    store.close();
    expect(ends).toEqual([
      { id: 'same', end: 'asks' },
      { id: 'same-template', end: 'asks' },
    ]);
    expect(people).toEqual([
      { email: decomposed, name: 'Andr\u00E9', uses: 5, lastUsedAt: '2026-01-02T08:00:00.000Z' },
      { email: 'camin\u0303a@a.example', name: 'Cami\u00F1a', uses: 0, lastUsedAt: null },
    ]);
    expect(found).toBe('Cami\u00F1a');
  });

  it('finds a person by the domain as it is looked up, whose address was kept as it was typed', async () => {
    const dataDir = await newFolder();
    const { sql: before } = await openDatabase(join(dataDir, 'sealdesk.db'), upTo(first));
    const person = 'INSERT INTO people (key, email, name, kept, uses, last_used_at) VALUES (?, ?, ?, 1, 1, NULL)';
    before.run(person, 'ann@b\u00FCcher.example', 'ann@b\u00FCcher.example', 'Ann');
    before.run(person, 'ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example', '');
    before.close();

    const { store } = await openStore({ dataDir, log });
    const { people } = store.people.list({ search: '', offset: 0, limit: 9 });
    const found = store.people.get('Ann@XN--BCHER-KVA.example');
    store.close();
    expect(people).toEqual([{ email: 'ann@b\u00FCcher.example', name: 'Ann', uses: 2, lastUsedAt: null }]);
    expect(found?.name).toBe('Ann');
  });
});
