import { randomUUID } from 'node:crypto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Bulk } from '../../contract/bulk.ts';
import type { CallInput } from '../../contract/index.ts';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import type { RunningCore } from '../harness/core.ts';
import { bulkOf } from '../harness/find-bulk.ts';
import { connect, jobsOf, newCore, newFolder, newService, pdf, scan, until, writePdfs } from './jobs-setup.ts';

async function ready(setup: Parameters<typeof newCore>[0] = {}) {
  const [core, service, folder] = [await newCore(setup), await newService(), await newFolder()];
  const connectionId = await connect(core, service);
  const [path = ''] = await writePdfs(folder, ['lease.pdf']);
  const fileToken = (await core.core.acceptPath(path)).token;
  return { core, service, folder, connectionId, path, fileToken };
}
type Ready = Awaited<ReturnType<typeof ready>>;

async function check(
  { core, folder, connectionId }: Pick<Ready, 'core' | 'folder' | 'connectionId'>,
  csv: string,
  content: CallInput<'bulk.check'>['content'],
  more: Pick<CallInput<'bulk.check'>, 'intakeId' | 'secretWord' | 'draftId' | 'columns' | 'replaces'> = {},
): Promise<Bulk> {
  const path = join(folder, 'people.csv');
  await writeFile(path, csv);
  const tableToken = (await core.core.acceptPath(path)).token;
  return core.must('bulk.check', { connectionId, tableToken, content, ...more });
}

async function finished(core: RunningCore, id: string, state: Bulk['state'] = 'finished'): Promise<Bulk> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    const bulk = await bulkOf(core, id);
    if (bulk.state === state) return bulk;
    if (performance.now() > deadline) throw new Error(`the bulk is ${JSON.stringify(bulk)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const quick = { perMinute: 6000 };

const lockedKeychain = {
  get: async () => null,
  set: () => Promise.reject(new Error('locked')),
  remove: async () => undefined,
};

describe('the check of a table', () => {
  it('reports every problem by row, and sends nothing', async () => {
    const given = await ready();
    const files = await writePdfs(given.folder, ['one.pdf', 'two.pdf']);
    const { id: intakeId } = await scan(given.core, files);
    const csv = [
      'E-mail;Name;E-mail 2;File;Message;Remark',
      'ayla@example.com;Ayla;;one.pdf;;kept',
      'no-address;X;;one.pdf;;',
      'a@example.com;A;A@example.com;ONE.PDF;;',
      'b@example.com;;;missing.pdf;;',
      ';;;one.pdf;;',
      'AYLA@example.com;Ayla;;one.pdf;;',
      `c@example.com;C;;two.pdf;${'x'.repeat(10_001)};`,
      'd@example.com;D;;;;',
    ].join('\r\n');
    const bulk = await check(given, csv, { kind: 'plain', creditType: 2 }, { intakeId });
    expect(bulk).toMatchObject({
      state: 'checked',
      rowCount: 8,
      counts: { ready: 1, withErrors: 6, withWarnings: 1, queued: 0 },
    });
    expect(bulk.columns.map(({ column }) => column)).toEqual(['email1', 'name1', 'email2', 'file', 'message', null]);
    const { rows } = await given.core.must('bulk.rows', { id: bulk.id });
    expect(
      rows.map(({ row, state, problems }) => [row, state, problems.map(({ kind, column }) => `${kind} ${column}`)]),
    ).toEqual([
      [2, 'ready', []],
      [3, 'skipped', ['email-invalid email1']],
      [4, 'skipped', ['email-twice email2']],
      [5, 'skipped', ['file-missing file']],
      [6, 'skipped', ['nobody email1']],
      [7, 'skipped', ['row-twice null']],
      [8, 'skipped', ['cell-too-long message']],
      [9, 'skipped', ['file-none file']],
    ]);
    expect(rows[5]?.problems[0]).toMatchObject({ severity: 'warning', otherRow: 2 });
    expect((await given.core.must('bulk.rows', { id: bulk.id, which: 'errors' })).total).toBe(6);
    const among = { id: bulk.id, among: ['2', '3', '99'] };
    expect((await given.core.must('bulk.rows', among)).total).toBe(2);
    expect(await given.core.must('bulk.rows', { ...among, which: 'errors' })).toEqual({ rows: [], total: 1 });
    expect(given.service.control.requests().AddNewDocumentESign).toBeUndefined();
  });

  it('refuses a table without a column of addresses', async () => {
    const given = await ready();
    await expect(check(given, 'Name;Town\nAyla;Rome', { kind: 'plain' })).rejects.toThrow('tableToken');
    expect(await given.core.must('bulk.list', {})).toEqual([]);
  });
});

describe('a spreadsheet that is checked again', () => {
  const csv = 'E-mail;Name;File;Access code\nbroken;Ana;lost.pdf;plum-1\nbo@example.com;Bo;;';

  it('takes the place of its earlier check with what was mended there', async () => {
    const given = await ready();
    const { core, fileToken } = given;
    const content = { kind: 'plain', creditType: 2, fileToken } as const;
    const { id } = await check(given, csv, content);
    await core.must('bulk.mend', { id, row: 2, column: 'email1', value: 'ana@example.com' });
    await core.must('bulk.mend', { id, row: 2, column: 'file', value: '', fileToken });
    await core.must('bulk.mend', { id, row: 2, column: 'secretWord', value: 'plum-2' });
    await core.must('bulk.mend', { id, row: 3, column: 'name1', value: 'Bob' });
    const again = await check(given, csv, content, { replaces: id, columns: ['email1', null, 'file', 'secretWord'] });
    expect((await core.must('bulk.list', {})).map((bulk) => bulk.id)).toEqual([again.id]);
    const { rows } = await core.must('bulk.rows', { id: again.id });
    expect(rows.map(({ state, cells, mended }) => [state, cells, mended.map(({ column }) => column)])).toEqual([
      ['ready', ['ana@example.com', 'Ana', 'lease.pdf', ''], ['email1', 'file', 'secretWord']],
      ['ready', ['bo@example.com', 'Bo', '', ''], []],
    ]);
    await core.must('bulk.send', { id: again.id, rows: 'all', ...quick });
    await finished(core, again.id);
    expect(given.service.control.seen().map(({ children }) => children.SecretWord)).toContain('plum-2');
  });

  it("keeps a row's own access code, as it is sealed, also when the key of an earlier run is gone: it is asked for", async () => {
    const given = await ready({ dataDir: await newFolder(), keychain: lockedKeychain });
    const { id } = await check(given, csv, { kind: 'plain', creditType: 2, fileToken: given.fileToken });
    await given.core.must('bulk.mend', { id, row: 3, column: 'secretWord', value: 'plum-3' });
    await given.core.stop();
    const core = await newCore({ dataDir: given.core.dataDir, keychain: lockedKeychain });
    const fileToken = (await core.core.acceptPath(given.path)).token;
    const again = await check({ ...given, core }, csv, { kind: 'plain', creditType: 2, fileToken }, { replaces: id });
    const review = { id: again.id, rows: 'all', includeWarnings: false } as const;
    expect(await core.must('bulk.review', review)).toMatchObject({
      requests: 1,
      secretWords: { given: 0, lost: 1, lostInRows: 1 },
    });
    await core.must('bulk.mend', { id: again.id, row: 3, column: 'secretWord', value: 'plum-4' });
    expect((await core.must('bulk.review', review)).secretWords).toEqual({ given: 1, lost: 0, lostInRows: 0 });
  });

  it('leaves alone of what a row was sent or taken back', async () => {
    const given = await ready();
    const { core, fileToken } = given;
    const { id } = await check(given, csv, { kind: 'plain', creditType: 2, fileToken });
    expect(await core.must('bulk.takeBack', { id, rows: [3] })).toEqual({ rows: [3] });
    await check(given, csv, { kind: 'plain', creditType: 2, fileToken }, { replaces: id });
    expect(await core.must('bulk.list', {})).toHaveLength(2);
  });
});

describe('first and last names in columns of their own', () => {
  it('are sent as one name, and are one cell to mend', async () => {
    const given = await ready();
    const { core, fileToken } = given;
    const csv = 'First name;Last name;Email address\nAna;Petrov;ana@example.com\nBo;;bo@example.com';
    const { id } = await check(given, csv, { kind: 'easy-sign', fileToken });
    expect((await core.must('bulk.mend', { id, row: 3, column: 'name1', value: 'Bo Lindqvist' })).cells).toEqual([
      ...['Bo Lindqvist', 'Bo', '', 'bo@example.com'],
    ]);
    expect(await core.must('bulk.review', { id, rows: 'all', includeWarnings: false })).toMatchObject({ unnamed: 0 });
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    await finished(core, id);
    const names = given.service.control.seen().flatMap(({ children }) => children.Names ?? []);
    expect(names.sort()).toEqual(['Ana Petrov', 'Bo Lindqvist']);
    core.dialogs.targets.push(join(given.folder, 'results.csv'));
    await core.must('bulk.saveResults', { id, format: 'csv' });
    const lines = (await readFile(join(given.folder, 'results.csv'), 'utf8')).replace(/^\uFEFF/, '').split('\r\n');
    expect(lines.slice(0, 3).map((line) => line.split(',').slice(0, 4))).toEqual([
      ['First name', 'Last name', 'Email address', 'Row'],
      ['Ana', 'Petrov', 'ana@example.com', '2'],
      ['Bo Lindqvist', '', 'bo@example.com', '3'],
    ]);
  });
});

describe('the columns of a table', () => {
  it('are not read where nobody stands below them', async () => {
    const { core, folder } = await ready();
    const path = join(folder, 'empty.csv');
    await writeFile(path, 'Name;E-mail\n');
    const tableToken = (await core.core.acceptPath(path)).token;
    expect(await core.ask('bulk.columns', { tableToken })).toMatchObject({ failure: { detail: 'table-empty' } });
  });

  const csv = 'Alpha;Beta;Gamma;Delta;Name 2\nPetrov;Ana;ana@example.com;tide;\n;;bo@example.com;;';
  const said = ['name1', 'name1', 'email1', 'secretWord', null] as const;

  it('are shown with their first values and mean what a person says, who is told how many have no name', async () => {
    const given = await ready();
    const path = join(given.folder, 'people.csv');
    await writeFile(path, csv);
    const tableToken = (await given.core.core.acceptPath(path)).token;
    const found = await given.core.must('bulk.columns', { tableToken });
    expect(found.columns.map(({ heading, column }) => [heading, column])).toEqual([
      ['Alpha', null],
      ['Beta', null],
      ['Gamma', null],
      ['Delta', null],
      ['Name 2', 'name2'],
    ]);
    expect(found.columns[2]?.values).toEqual(['ana@example.com', 'bo@example.com']);
    const now = await given.core.must('bulk.columns', { tableToken, columns: [...said] });
    expect(now).toMatchObject({ rowCount: 2, unnamed: 1 });
    expect(now.columns[3]).toEqual({ heading: 'Delta', column: 'secretWord', values: [] });
    for (const wrong of [said.slice(1), ['email1', 'email1', null, null, null] as const])
      expect(await given.core.ask('bulk.columns', { tableToken, columns: [...wrong] })).toMatchObject({
        failure: { code: 'bad-input', fields: { columns: expect.any(String) } },
      });
  });

  it('without headings are sent from the first row on, which can be mended', async () => {
    const given = await ready();
    const { core, fileToken } = given;
    const columns = ['name1', 'email1'] as const;
    const text = 'Anna Alt;anna@example.com\nBo;bo@example.com';
    const { id } = await check(given, text, { kind: 'easy-sign', fileToken }, { columns: [...columns] });
    await core.must('bulk.mend', { id, row: 1, column: 'name1', value: 'Anna Neu' });
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    await finished(core, id);
    const names = given.service.control.seen().flatMap(({ children }) => children.Names ?? []);
    expect(names.sort()).toEqual(['Anna Neu', 'Bo']);
  });

  it('are sent as they are said', async () => {
    const given = await ready();
    const { core, fileToken } = given;
    await expect(check(given, csv, { kind: 'easy-sign', fileToken })).rejects.toThrow('tableToken');
    const columns = ['name1', 'name1', 'email1', null, null] as const;
    const { id } = await check(given, csv, { kind: 'easy-sign', fileToken }, { columns: [...columns] });
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    await finished(core, id);
    expect(given.service.control.seen().flatMap(({ children }) => children.Names ?? [])).toEqual(['Petrov Ana']);
  });
});

describe('the document of all rows', () => {
  const csv = 'E-mail;File\nana@example.com;\nbo@example.com; ';

  it('is asked for once if neither the request nor any row names one, and nothing is stored', async () => {
    const given = await ready();
    for (const text of [csv, 'E-mail\nana@example.com'])
      await expect(check(given, text, { kind: 'plain', creditType: 2 })).rejects.toThrow('fileToken');
    expect(await given.core.must('bulk.list', {})).toEqual([]);
    const template = await check(given, csv, { kind: 'easy-sign-template', templateId: 'TPL-1001' });
    expect(template.counts).toMatchObject({ ready: 2 });
  });

  it('is named before sending, or else that the rows have several', async () => {
    const given = await ready();
    const { core, fileToken } = given;
    const documentOf = async ({ id }: Bulk, rows: 'first' | 'all' = 'all') =>
      (await core.must('bulk.review', { id, rows, includeWarnings: false })).document;
    const content = { kind: 'plain', fileToken, creditType: 2 } as const;
    expect(await documentOf(await check(given, csv, content))).toEqual({ varies: false, text: 'lease.pdf' });
    const { id: intakeId } = await scan(core, await writePdfs(given.folder, ['one.pdf']));
    const mixed = await check(given, 'E-mail;File\nana@example.com;one.pdf\nbo@example.com;', content, { intakeId });
    expect(await documentOf(mixed)).toEqual({ varies: true });
    expect(await documentOf(mixed, 'first')).toEqual({ varies: false, text: 'one.pdf' });
    const template = { kind: 'easy-sign-template', templateId: 'TPL-1001' } as const;
    expect(await documentOf(await check(given, csv, template))).toEqual({ varies: false, text: 'TPL-1001' });
  });
});

describe('a cell that is changed in the window', () => {
  it('is checked by the same rules with its row and those that repeat it, and is marked in the results', async () => {
    const given = await ready();
    const { core, folder, fileToken } = given;
    const csv = 'E-mail;Name;Remark\nbroken;=Ana;kept\nbo@example.com;Bo;\nunknown;;';
    const { id, columns } = await check(given, csv, { kind: 'easy-sign', fileToken });
    expect(columns).toHaveLength(3);
    const problems = async () =>
      (await core.must('bulk.rows', { id })).rows.map((row) =>
        row.problems.map(({ kind, otherRow }) => `${kind} ${otherRow}`),
      );
    // Two rows of which nobody knows whom they ask do not ask the same.
    expect(await problems()).toEqual([['email-invalid undefined'], [], ['email-invalid undefined']]);
    await core.must('bulk.mend', { id, row: 4, column: 'email1', value: 'cy@example.com' });
    const mend = (row: number, column: 'email1' | 'name1' | 'cc', value: string) =>
      core.ask('bulk.mend', { id, row, column, value });
    expect(await mend(2, 'email1', 'still broken')).toMatchObject({
      ok: true,
      value: { state: 'skipped', problems: [{ kind: 'email-invalid', column: 'email1' }] },
    });
    expect(await mend(2, 'email1', ' BO@example.com ')).toMatchObject({
      ok: true,
      value: { state: 'ready', problems: [], cells: ['BO@example.com', '=Ana', 'kept'] },
    });
    expect(await problems()).toEqual([[], ['row-twice 2'], []]);
    await mend(2, 'email1', 'ana@example.com');
    expect(await problems()).toEqual([[], [], []]);
    await mend(3, 'name1', 'X');
    await mend(3, 'name1', 'Bo');
    expect((await core.must('bulk.rows', { id })).rows.map(({ mended }) => mended)).toEqual([
      [{ column: 'email1', was: 'broken' }],
      [],
      [{ column: 'email1', was: 'unknown' }],
    ]);
    expect(await mend(9, 'email1', 'a@example.com')).toMatchObject({ failure: { code: 'not-found' } });
    expect(await mend(2, 'cc', 'a@example.com')).toMatchObject({ failure: { code: 'bad-input' } });
    expect(await core.must('bulk.review', { id, rows: 'all', includeWarnings: false })).toMatchObject({
      requests: 3,
      people: 3,
      unnamed: 1,
      first: ['=Ana', 'Bo', 'cy@example.com'],
      subject: { varies: false, text: '' },
    });
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    await finished(core, id);
    expect(given.service.control.seen().flatMap(({ children }) => children.Emails ?? [])).toContain('ana@example.com');
    expect(await mend(2, 'email1', 'late@example.com')).toMatchObject({ failure: { code: 'bad-input' } });
    core.dialogs.targets.push(join(folder, 'mended.csv'));
    await core.must('bulk.saveResults', { id, format: 'csv' });
    const lines = (await readFile(join(folder, 'mended.csv'), 'utf8')).split('\r\n');
    expect(lines[1]).toMatch(/^ana@example\.com,'=Ana,kept,2,Sent,.*"E-mail, was: broken",/);
  });

  it('fills a column that the table lacks, chooses a file, and keeps an access code out of every answer', async () => {
    const given = await ready();
    const { core, path } = given;
    const csv = 'E-mail;File;Access code\nana@example.com;lost.pdf;plum-1';
    const { id, counts } = await check(given, csv, { kind: 'plain', creditType: 2 });
    expect(counts).toMatchObject({ ready: 0, withErrors: 1 });
    expect(await core.ask('bulk.mend', { id, row: 2, column: 'file', value: 'lease.pdf' })).toMatchObject({
      ok: false,
    });
    const fileToken = (await core.core.acceptPath(path)).token;
    const row = await core.must('bulk.mend', { id, row: 2, column: 'file', value: '', fileToken });
    expect(row).toMatchObject({ state: 'ready', document: 'lease.pdf', mended: [{ column: 'file', was: 'lost.pdf' }] });
    await core.must('bulk.mend', { id, row: 2, column: 'secretWord', value: 'plum-2' });
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    expect((await finished(core, id)).counts).toMatchObject({ done: 1, waiting: 0, sentLastMinute: 1 });
    expect(given.service.control.seen().at(-1)?.children.SecretWord).toBe('plum-2');
    expect(JSON.stringify([core.events, await core.must('bulk.rows', { id })])).not.toMatch(/plum-/);

    const other = await check(given, 'E-mail;Name;E-mail 2\na@example.com;Ana;b@example.com', {
      kind: 'easy-sign-template',
      templateId: 'TPL-1001',
    });
    expect(other.columns.at(-1)).toEqual({ heading: '', column: 'name2' });
    const filled = { id: other.id, row: 2, column: 'name2', value: 'Bo' } as const;
    expect(await core.must('bulk.mend', filled)).toMatchObject({ state: 'ready', people: [{}, { name: 'Bo' }] });
  });
});

describe('sending a table', () => {
  it('sends one row first, then the rest, each with its own texts, and saves the results beside the rows', async () => {
    const given = await ready();
    const { core, service, folder, fileToken } = given;
    const csv = [
      'E-mail,Name,E-mail 2,Name 2,Document name,Client ID,Message,Subject,Unique ID,Copy to',
      'ayla@example.com,Ayla,,,=cmd,C-1,Hello Ayla,Sub,U-1,"x@example.com; y@example.com"',
      'chidi@example.com,Chidi,dana@example.com,Dana,,C-2,,,,',
      'broken,X,,,,,,,,',
    ].join('\n');
    const content = { kind: 'easy-sign', fileToken, messageToSigners: 'Hello all', idVerify: false } as const;
    const { id } = await check(given, csv, content);
    const first = await core.must('bulk.send', { id, rows: 'first', ...quick });
    expect(first).toMatchObject({ state: 'paused', counts: { queued: 1, ready: 1 } });
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    const done = await finished(core, id);
    expect(done).toMatchObject({ counts: { queued: 2, done: 2, ready: 0, withErrors: 1 }, failure: null });
    const sent = service.control.seen().filter(({ operation }) => operation === 'AddNewEasySignDocument');
    const byPerson = sent
      .map(({ children }) => children)
      .sort((a, b) => (String(a.Emails) < String(b.Emails) ? -1 : 1));
    expect(byPerson).toMatchObject([
      {
        Emails: 'ayla@example.com',
        Names: 'Ayla',
        DocumentName: '=cmd',
        ClientID: 'C-1',
        MessageToSigners: 'Hello Ayla',
        CustomSubject: 'Sub',
        UniqueID: 'U-1',
        CCEmails: 'x@example.com;y@example.com',
        IDVerify: 'false',
      },
      { Emails: 'chidi@example.com;dana@example.com', Names: 'Chidi;Dana', MessageToSigners: 'Hello all' },
    ]);
    expect(byPerson[1]).toMatchObject({ DocumentName: 'lease' });
    expect((await core.must('jobs.list', { batchId: done.batchId ?? '' })).jobs).toHaveLength(2);
    const target = join(folder, 'results.csv');
    core.dialogs.targets.push(target);
    expect(await core.must('bulk.saveResults', { id, format: 'csv' })).toEqual({ fileName: 'results.csv' });
    const lines = (await readFile(target, 'utf8')).split('\r\n');
    expect(lines[0]).toMatch(/,Problems,Corrected,Time \(UTC\),Connection$/);
    // IDs as the window shows them.
    expect(lines[1]).toMatch(/^ayla@example\.com,Ayla,,,'=cmd,C-1,.*,2,Sent,[0-9A-F-]{36},/);
    expect(lines[3]).toMatch(/^broken,X,.*,4,Not sent: has problems,,,,E-mail: not a valid e-mail address,/);

    // The same table again: every sent row is recognised.
    const again = await check(given, csv, content);
    expect(again.counts).toMatchObject({ ready: 0, withWarnings: 2 });
    const { rows } = await core.must('bulk.rows', { id: again.id, which: 'before' });
    expect(rows.map(({ problems }) => problems[0]?.kind)).toEqual(['already-sent', 'already-sent']);
    core.dialogs.targets.push(join(folder, 'again.csv'));
    await core.must('bulk.saveResults', { id: again.id, format: 'csv' });
    expect((await readFile(join(folder, 'again.csv'), 'utf8')).split('\r\n')[1]).toMatch(
      /,2,Not sent: left out with a warning,,,,Already sent to the same people: 20[\dT:.-]+Z,/,
    );
    await core.must('bulk.remove', { id: again.id });
    expect(await core.must('bulk.list', {})).toHaveLength(1);
    const practised = await check({ ...given, connectionId: 'practice' }, csv, content);
    core.dialogs.targets.push(join(folder, 'practised.csv'));
    await core.must('bulk.saveResults', { id: practised.id, format: 'csv' });
    expect(await readFile(join(folder, 'practised.csv'), 'utf8')).toMatch(
      /,Practice service · PRACTICE: no legal meaning\r\n$/,
    );
  });

  it('warns of what was sent before also after one such row was sent, and after the same was sent since the check', async () => {
    const given = await ready();
    const { core, service, fileToken } = given;
    const csv = ['E-mail', 'ana@example.com', 'bo@example.com', 'cleo@example.com'].join('\n');
    const content = { kind: 'easy-sign', fileToken } as const;
    const [early, sent] = [await check(given, csv, content), await check(given, csv, content)];
    await core.must('bulk.send', { id: sent.id, rows: 'all', ...quick });
    await finished(core, sent.id);
    const mailed = () => service.control.requests().AddNewEasySignDocument;
    // Checked before the others left: nothing was said then.
    expect(early.counts).toMatchObject({ ready: 3, withWarnings: 0 });
    const review = { id: early.id, rows: 'all', includeWarnings: false } as const;
    expect(await core.must('bulk.review', review)).toMatchObject({ requests: 0, sentBefore: { 'already-sent': 3 } });
    expect((await bulkOf(core, early.id)).counts).toMatchObject({ ready: 0, withWarnings: 3 });
    await core.must('bulk.send', { id: early.id, rows: 'all', ...quick });
    await finished(core, early.id);
    expect(mailed()).toBe(3);
    // One of them, which a person wants sent again.
    await core.must('bulk.send', { id: early.id, rows: 'first', includeWarnings: true, ...quick });
    const { counts, includeWarnings } = await finished(core, early.id);
    expect([counts.done, counts.ready, counts.withWarnings, includeWarnings]).toEqual([1, 0, 2, false]);
    await core.must('bulk.send', { id: early.id, rows: 'all', ...quick });
    await finished(core, early.id);
    expect(mailed()).toBe(4);
  });

  it.each(['while it is sending', 'in a run that goes on with it'])(
    'sends no row of which the same went elsewhere %s',
    async (when) => {
      const given = await ready({ dataDir: await newFolder() });
      const { core, service, fileToken, connectionId } = given;
      const content = { kind: 'easy-sign', fileToken } as const;
      const csv = ['E-mail', 'ana@example.com', 'bo@example.com', 'cleo@example.com'].join('\n');
      const { id } = await check(given, csv, content);
      await core.must('bulk.send', { id, rows: 'all', includeWarnings: false, perMinute: 15 });
      await until(async () => (await bulkOf(core, id)).counts.done === 1, 15_000);
      await core.must('signatures.request', { ...content, connectionId, emails: ['cleo@example.com'] });
      await until(async () => (await jobsOf(core)).filter(({ state }) => state === 'done').length === 2, 15_000);
      if (when !== 'while it is sending') await core.stop();
      const after = when === 'while it is sending' ? core : await newCore({ dataDir: core.dataDir });
      const { apiKey, apiSig } = service;
      await after.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
      expect((await finished(after, id)).counts).toMatchObject({ done: 2, sentBefore: 1, ready: 0 });
      expect(service.control.requests().AddNewEasySignDocument).toBe(3);
    },
  );

  it('that was paused is ended once the rest of it was sent otherwise, and its counts add up to its rows', async () => {
    const given = await ready();
    const { core, service, fileToken, connectionId } = given;
    const names = ['ana', 'bo', 'cleo', 'dora', 'eli'];
    const csv = ['E-mail', ...names.map((name) => `${name}@example.com`)].join('\n');
    const content = { kind: 'easy-sign', fileToken } as const;
    const paused = async () => {
      const { id } = await check(given, csv, content);
      await core.must('bulk.send', { id, rows: 'first', ...quick });
      return id;
    };
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    const id = await paused();
    await expect.poll(async () => (await bulkOf(core, id)).counts.inDoubt).toBe(1);
    await core.must('bulk.send', { id, rows: 'first', ...quick });
    await expect.poll(async () => (await bulkOf(core, id)).counts.done).toBe(1);
    // One of them by hand, which only the next look at it finds: others still wait.
    await core.must('signatures.request', { ...content, connectionId, emails: ['cleo@example.com'] });
    await until(async () => (await jobsOf(core)).filter(({ state }) => state === 'done').length === 2, 15_000);
    const review = { id, rows: 'all', includeWarnings: false } as const;
    expect(await core.must('bulk.review', review)).toMatchObject({ requests: 2, sentBefore: { 'already-sent': 1 } });
    expect(await bulkOf(core, id)).toMatchObject({ state: 'paused', counts: { ready: 2, sentBefore: 1 } });
    // The rest of them from the same sheet, checked again.
    const again = await check(given, csv, content);
    expect(again.counts).toMatchObject({ ready: 2, withWarnings: 3, sentBefore: 2 });
    await core.must('bulk.send', { id: again.id, rows: 'all', ...quick });
    await finished(core, again.id);
    const { rowCount, counts } = await finished(core, id);
    expect(counts).toMatchObject({ done: 1, inDoubt: 1, sentBefore: 3, withWarnings: 3, ready: 0, withErrors: 0 });
    expect(counts.queued + counts.withWarnings).toBe(rowCount);
    expect((await core.must('bulk.rows', { id, which: 'before' })).rows.map(({ row }) => row)).toEqual([4, 5, 6]);
    expect((await core.must('bulk.rows', { id, which: 'warnings' })).total).toBe(0);
    expect(service.control.requests().AddNewEasySignDocument).toBe(5);
  });

  it.each(['here', 'by another program'])(
    'that was paused is ended as soon as the doubt about its last row is decided %s, and waits again if that is undone',
    async (where) => {
      const pauses = { undoMs: 60_000 };
      const given = await ready({ pauses });
      const { core, service, fileToken } = given;
      const content = { kind: 'easy-sign', fileToken } as const;
      const csv = 'E-mail\nana@example.com\nbo@example.com';
      const { id } = await check(given, csv, content);
      await core.must('bulk.send', { id, rows: 'first', ...quick });
      await expect.poll(async () => (await bulkOf(core, id)).counts.done).toBe(1);
      service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
      const other = await check(given, csv, content);
      await core.must('bulk.send', { id: other.id, rows: 'all', ...quick });
      await expect.poll(async () => (await bulkOf(core, id)).counts).toMatchObject({ withWarnings: 1, sentBefore: 0 });
      expect((await bulkOf(core, id)).state).toBe('paused');
      const doubts = async () => (await core.must('jobs.list', { states: ['in-doubt'] })).jobs;
      await expect.poll(doubts).toHaveLength(1);
      const [job] = await doubts();
      const beside = await newCore({ dataDir: core.dataDir, resumesQueue: false, pauses });
      const decides = where === 'here' ? core : beside;
      const jobId = job?.id ?? '';
      await decides.must('jobs.accept', { jobId, documentId: randomUUID(), isUnchecked: true });
      expect((await finished(core, id)).counts).toMatchObject({ withWarnings: 1, sentBefore: 1 });
      await decides.must('jobs.undoAccept', { jobId });
      expect((await finished(core, id, 'paused')).counts).toMatchObject({ withWarnings: 1, sentBefore: 0 });
    },
  );

  it('sends no row by an older tick that was sent elsewhere since: it is asked about again', async () => {
    const given = await ready();
    const { core, service, fileToken, connectionId } = given;
    const content = { kind: 'easy-sign', fileToken } as const;
    const [own = '', ...others] = ['account', 'bo', 'cleo', 'dora'].map((name) => `${name}@example.com`);
    await core.must('signatures.request', { ...content, connectionId, emails: [own] });
    await until(async () => (await jobsOf(core)).some(({ state }) => state === 'done'), 15_000);
    const { id } = await check(given, ['E-mail', own, ...others].join('\n'), content);
    const all = { id, rows: 'all', includeWarnings: true } as const;
    service.control.misbehave({ mischief: { kind: 'delay', ms: 60_000 }, times: 1 });
    await core.must('bulk.send', { ...all, perMinute: 1 });
    await expect.poll(() => service.control.requests().AddNewEasySignDocument).toBe(2);
    expect(await core.must('bulk.pause', { id })).toMatchObject({ includeWarnings: true });
    await core.must('signatures.request', { ...content, connectionId, emails: others.slice(0, 1) });
    await expect.poll(async () => (await bulkOf(core, id)).counts.sentBefore).toBe(1);
    expect(await bulkOf(core, id)).toMatchObject({ state: 'paused', includeWarnings: false });
    expect(service.control.requests().AddNewEasySignDocument).toBe(3);
  });

  it('sends no row by a tick of which more went elsewhere while others of it were sent', async () => {
    const given = await ready();
    const { core, service, fileToken, connectionId } = given;
    const content = { kind: 'easy-sign', fileToken } as const;
    const csv = ['E-mail', 'ana@example.com', 'bo@example.com', 'cleo@example.com'].join('\n');
    const before = await check(given, csv, content);
    await core.must('bulk.send', { id: before.id, rows: 'all', ...quick });
    await finished(core, before.id);
    const { id } = await check(given, csv, content);
    await core.must('bulk.send', { id, rows: 'all', includeWarnings: true, perMinute: 15 });
    await until(async () => (await bulkOf(core, id)).counts.done === 1, 15_000);
    await core.must('signatures.request', { ...content, connectionId, emails: ['cleo@example.com'] });
    await until(async () => (await jobsOf(core)).filter(({ state }) => state === 'done').length >= 5, 15_000);
    const { counts, includeWarnings } = await finished(core, id);
    expect([counts.done, counts.withWarnings, includeWarnings]).toEqual([2, 1, false]);
    expect(service.control.requests().AddNewEasySignDocument).toBe(6);
  });

  it('sends no row by a tick of which nobody knew then that it was sent elsewhere', async () => {
    // Only what is asked looks for it.
    const given = await ready({ resumesQueue: false });
    const { core, service, fileToken, connectionId } = given;
    const content = { kind: 'easy-sign', fileToken } as const;
    const { id } = await check(given, 'E-mail\nbo@example.com\ncleo@example.com', content);
    await core.must('signatures.request', { ...content, connectionId, emails: ['bo@example.com'] });
    await until(async () => (await jobsOf(core)).some(({ state }) => state === 'done'), 15_000);
    const all = { id, rows: 'all', includeWarnings: true, ...quick } as const;
    await core.must('bulk.send', all);
    const { includeWarnings, counts } = await finished(core, id);
    expect([includeWarnings, counts.done, counts.withWarnings]).toEqual([false, 1, 1]);
    await core.must('bulk.send', all);
    await expect.poll(() => service.control.requests().AddNewEasySignDocument).toBe(3);
  });

  it('says of rows without a clear answer that they are in doubt, and with which job, until that is decided', async () => {
    const given = await ready();
    const { core, service, fileToken } = given;
    const content = { kind: 'easy-sign', fileToken } as const;
    const lost = await check(given, 'E-mail\nana@example.com', content);
    const early = await check(given, 'E-mail\nana@example.com', content);
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    await core.must('bulk.send', { id: lost.id, rows: 'all', ...quick });
    await expect.poll(async () => (await bulkOf(core, lost.id)).counts.inDoubt).toBe(1);
    const [job] = (await core.must('jobs.list', { states: ['in-doubt'] })).jobs;
    const known = { severity: 'warning', sentAt: job?.at, job: { batchId: job?.batchId, jobId: job?.id } };
    const again = await check(given, 'E-mail\nana@example.com', content);
    const problemOf = async ({ id }: Bulk) => (await core.must('bulk.rows', { id })).rows[0]?.problems;
    expect(await problemOf(again)).toMatchObject([{ kind: 'maybe-sent', ...known }]);
    const review = (bulk: Bulk) => core.must('bulk.review', { id: bulk.id, rows: 'all', includeWarnings: false });
    const counts = { 'already-sent': 0, 'maybe-sent': 1, 'being-sent': 0 };
    for (const bulk of [early, again]) expect(await review(bulk)).toMatchObject({ requests: 0, sentBefore: counts });
    await core.must('jobs.accept', { jobId: job?.id ?? '', documentId: randomUUID(), isUnchecked: true });
    expect(await review(again)).toMatchObject({ sentBefore: { ...counts, 'already-sent': 1, 'maybe-sent': 0 } });
    expect(await problemOf(again)).toMatchObject([{ kind: 'already-sent' }]);
    await core.must('jobs.pause', { what: 'all' });
    const next = await check(given, 'E-mail\nbo@example.com', content);
    await core.must('bulk.send', { id: next.id, rows: 'all', ...quick });
    await expect.poll(async () => (await bulkOf(core, next.id)).counts.queued).toBe(1);
    expect(await problemOf(await check(given, 'E-mail\nbo@example.com', content))).toMatchObject([
      { kind: 'being-sent', severity: 'warning' },
    ]);
  });

  it('says in the results in words what came of a row, and which template two rows share', async () => {
    const given = await ready();
    const { core, service, folder } = given;
    const csv = ['E-mail,Document name', 'ana@example.com,One', 'bo@example.com,Two', 'bo@example.com,Three'].join(
      '\n',
    );
    const { id } = await check(given, csv, { kind: 'easy-sign-template', templateId: 'TPL-1001' });
    service.control.misbehave({ mischief: { kind: 'answer', text: '-152' }, times: 1 });
    await core.must('bulk.send', { id, rows: 'first', ...quick });
    await expect.poll(async () => (await bulkOf(core, id)).counts.refused).toBe(1);
    service.control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    await core.must('bulk.send', { id, rows: 'first', ...quick });
    await expect.poll(async () => (await bulkOf(core, id)).counts.inDoubt).toBe(1);
    core.dialogs.targets.push(join(folder, 'words.csv'));
    await core.must('bulk.saveResults', { id, format: 'csv' });
    const [, refused, lost, twice] = (await readFile(join(folder, 'words.csv'), 'utf8')).split('\r\n');
    expect(refused).toMatch(
      /,Refused by the service,,.*E-mail addresses are not valid or not separated by semicolons \(-152\),/,
    );
    expect(lost).toMatch(/,In doubt: no clear answer,,,No clear answer received,/);
    expect(twice).toMatch(/,Same people and template as row 3,/);
  });

  it('takes the draft off the list once every row is sent, but not one that was changed since, and tells rows apart', async () => {
    const { core, connectionId, ...given } = await ready();
    const content = { kind: 'easy-sign', fileToken: given.fileToken } as const;
    const draft = await core.must('forms.save', { place: 'draft', connectionId, content });
    const drafts = async () => (await core.must('forms.list', { place: 'draft', connectionId })).map(({ id }) => id);
    const csv = 'E-mail;Name\nayla@example.com;Ayla Demir\nbo@example.com;';
    const bulk = await check({ core, connectionId, ...given }, csv, content, { draftId: draft.id });
    await core.must('bulk.send', { id: bulk.id, rows: 'first', ...quick });
    expect(await drafts()).toEqual([draft.id]);
    expect(await bulkOf(core, bulk.id)).toMatchObject({ draftId: draft.id });
    await core.must('bulk.send', { id: bulk.id, rows: 'all', ...quick });
    const { batchId } = await finished(core, bulk.id);
    expect(await drafts()).toEqual([]);
    // Another spreadsheet can still be sent with it.
    expect((await core.must('forms.open', { id: draft.id })).id).toBe(draft.id);
    const { jobs } = await core.must('jobs.list', { batchId: batchId ?? '' });
    expect(jobs.map(({ sentTo }) => sentTo)).toEqual(['ayla@example.com Ayla Demir', 'bo@example.com']);
    expect((await core.must('jobs.batches', {})).batches[0]?.operation).toBe('AddNewEasySignDocument');
    const { rows } = await core.must('documents.list', { connectionId });
    expect(rows.map(({ sentTo }) => sentTo).sort()).toEqual(['ayla@example.com Ayla Demir', 'bo@example.com']);

    const next = 'E-mail\ncy@example.com';
    const again = await check({ core, connectionId, ...given }, next, content, { draftId: draft.id });
    await core.must('forms.save', {
      place: 'draft',
      id: draft.id,
      connectionId,
      content: { ...content, documentName: 'Lease 2' },
    });
    await core.must('bulk.send', { id: again.id, rows: 'all', ...quick });
    await finished(core, again.id);
    expect(await drafts()).toEqual([draft.id]);
  });

  it('with a template per row can be paused and resumed', async () => {
    const given = await ready();
    const { core, service } = given;
    const csv = [
      'email;template',
      ...Array.from({ length: 30 }, (_each, n) => `p${n}@example.com;TPL-100${1 + (n % 2)}`),
    ].join('\n');
    const { id } = await check(given, csv, { kind: 'easy-sign-template' });
    // Slower than the pace, so that rows wait for their turn in the queue.
    service.control.misbehave({ operation: 'AddNewEasySignTemplate', mischief: { kind: 'delay', ms: 300 } });
    await core.must('bulk.send', { id, rows: 'all', perMinute: 6000 });
    const requests = () => service.control.requests().AddNewEasySignTemplate ?? 0;
    await expect.poll(requests).toBeGreaterThanOrEqual(1);
    await core.must('bulk.pause', { id });
    // Only what is being sent goes on: by the pace and the speed of the service others would leave within this time.
    const { counts } = await finished(core, id, 'paused');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(requests()).toBe(counts.queued);
    expect((await bulkOf(core, id)).counts).toMatchObject({ queued: counts.queued, done: counts.queued });
    service.control.misbehave(null);
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    await expect.poll(requests).toBeGreaterThan(counts.queued);
    // The clock of the computer is set back by an hour: the pace is no matter of the time of day.
    const clock = vi
      .spyOn(Date, 'now')
      .mockImplementation(() => performance.timeOrigin + performance.now() - 3_600_000);
    expect((await finished(core, id)).counts).toMatchObject({ queued: 30, done: 30 });
    clock.mockRestore();
    // What the pause withdrew and others replaced was taken off the list by nobody.
    expect(await core.must('jobs.batches', {})).toMatchObject({ dismissedCount: 0 });
    expect(await core.must('jobs.list', { dismissed: true })).toMatchObject({ jobs: [], total: 0 });
    const templates = service.control.seen().filter(({ operation }) => operation === 'AddNewEasySignTemplate');
    expect(templates.map(({ children }) => `${children.Emails} ${children.TemplateID}`).sort()).toEqual(
      Array.from({ length: 30 }, (_each, n) => `p${n}@example.com TPL-100${1 + (n % 2)}`).sort(),
    );
  });

  it('leaves out the rows that a person takes back, while it is paused and while it runs, and can have them again', async () => {
    const given = await ready();
    const { core, service, folder, fileToken } = given;
    const csv = ['E-mail', ...Array.from({ length: 6 }, (_each, n) => `p${n}@example.com`)].join('\n');
    const { id } = await check(given, csv, { kind: 'easy-sign', fileToken });
    const takeBack = (...rows: number[]) => core.must('bulk.takeBack', { id, rows });
    await core.must('bulk.send', { id, rows: 'first', ...quick });
    await expect.poll(async () => (await bulkOf(core, id)).counts.done).toBe(1);
    expect(await takeBack(2, 3, 4, 5)).toEqual({ rows: [3, 4, 5] });
    await core.must('bulk.putBack', { id, rows: [2, 3, 5] });
    expect(await core.ask('bulk.mend', { id, row: 4, column: 'email1', value: '' })).toMatchObject({ ok: false });
    // So slow that only the next row is in the queue.
    await core.must('bulk.send', { id, rows: 'all', perMinute: 240 });
    expect((await takeBack(6)).rows).toEqual([6]);
    expect((await core.must('bulk.rows', { id, which: 'cancelled' })).rows.map(({ row }) => row)).toEqual([4, 6]);
    const { counts } = await finished(core, id);
    expect(counts).toMatchObject({ done: 4, cancelled: 2, ready: 0, inDoubt: 0 });
    const sent = service.control.seen().flatMap(({ children }) => children.Emails ?? []);
    expect(sent.sort()).toEqual([0, 1, 3, 5].map((n) => `p${n}@example.com`));
    core.dialogs.targets.push(join(folder, 'left.csv'));
    await core.must('bulk.saveResults', { id, format: 'csv' });
    expect((await readFile(join(folder, 'left.csv'), 'utf8')).split('\r\n')[3]).toMatch(/,4,Cancelled,/);

    const other = await check(given, csv.replaceAll('p', 'q'), { kind: 'easy-sign', fileToken });
    await core.must('bulk.send', { id: other.id, rows: 'first', ...quick });
    await core.must('bulk.takeBack', { id: other.id, rows: [3, 4, 5, 6, 7] });
    expect((await finished(core, other.id)).counts).toMatchObject({ done: 1, cancelled: 5, queued: 1 });
    // What is had again when nothing else was left waits for the person.
    await core.must('bulk.putBack', { id: other.id, rows: [3] });
    expect(await bulkOf(core, other.id)).toMatchObject({
      state: 'paused',
      counts: { ready: 1, done: 1 },
    });
    expect(await core.must('jobs.batches', {})).toMatchObject({ dismissedCount: 0 });

    // Paused when its last rows are being sent: nothing is left that could be resumed.
    service.control.misbehave({ operation: 'AddNewEasySignDocument', mischief: { kind: 'delay', ms: 500 } });
    const last = await check(given, 'E-mail\nr0@example.com', { kind: 'easy-sign', fileToken });
    await core.must('bulk.send', { id: last.id, rows: 'all', ...quick });
    await expect
      .poll(() => service.control.seen().some(({ children }) => children.Emails === 'r0@example.com'))
      .toBe(true);
    await core.must('bulk.pause', { id: last.id });
    expect((await finished(core, last.id)).counts).toMatchObject({ done: 1, ready: 0 });
  });

  it('has rows that were taken back before they were in the queue in the log and its list, until they are put back', async () => {
    const given = await ready();
    const { core, service, folder, fileToken } = given;
    const csv = 'E-mail,Access code\np0@example.com,heron\np1@example.com,\np2@example.com,';
    const { id } = await check(given, csv, { kind: 'plain', fileToken, creditType: 1 });
    const logged = async () => (await core.must('jobs.list', { states: ['cancelled'] })).jobs;
    const rows = async (which: 'cancelled' | 'ready') =>
      (await core.must('bulk.rows', { id, which })).rows.map(({ row }) => row);
    expect(await core.must('bulk.takeBack', { id, rows: [2, 3] })).toEqual({ rows: [2, 3] });
    const jobs = await logged();
    expect(jobs.map(({ sentTo }) => sentTo)).toEqual(['p0@example.com', 'p1@example.com']);
    const { batches } = await core.must('jobs.batches', {});
    expect(batches.map(({ counts }) => counts.cancelled)).toEqual([2]);
    for (const { id: jobId } of jobs) {
      const steps = await core.must('jobs.history', { jobId });
      expect(steps.map(({ kind }) => kind)).toEqual(['prepared', 'taken-back', 'cancelled']);
    }
    core.dialogs.targets.push(join(folder, 'log.csv'));
    await core.must('documents.saveBatch', { format: 'csv', language: 'en' });
    expect((await readFile(join(folder, 'log.csv'), 'utf8')).match(/Cancelled/g)).toHaveLength(2);
    // Its access code is not kept: it is asked for.
    expect(await core.ask('jobs.sendAgain', { jobId: jobs[0]?.id ?? '' })).toMatchObject({
      failure: { detail: 'secret-word-missing' },
    });
    await core.must('bulk.putBack', { id, rows: [2] });
    expect([await rows('ready'), await rows('cancelled'), (await logged()).length]).toEqual([[2, 4], [3], 1]);
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    expect((await finished(core, id)).counts).toMatchObject({ done: 2, cancelled: 1 });
    const sent = service.control.seen().flatMap(({ children }) => children.Emails ?? []);
    expect(sent.sort()).toEqual(['p0@example.com', 'p2@example.com']);
    const { people } = await core.must('people.list', {});
    expect(people.map(({ email }) => email).sort()).toEqual(sent);
  });

  it('is in the log and in its results with people, references and documents, also if the answers are links', async () => {
    const { core, service, folder, connectionId, fileToken } = await ready();
    service.control.setEasySignAnswer('AddNewEasySignDocument', 'url');
    const csv = 'E-mail,Name,Client reference\np0@example.com,Ana Ro,REF-0\np1@example.com,Ben Ro,REF-1';
    const { id } = await check({ core, folder, connectionId }, csv, { kind: 'easy-sign', fileToken });
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    await finished(core, id);
    await core.must('tracking.refresh', { connectionId });
    const ids = async () =>
      (await core.must('tracking.groups', { connectionId })).groups.flatMap(
        ({ origDocumentId }) => origDocumentId?.toUpperCase() ?? [],
      );
    await expect.poll(async () => (await ids()).length).toBe(2);
    const listed = (await ids()).sort();
    core.dialogs.targets.push(join(folder, 'results.csv'), join(folder, 'log.csv'));
    await core.must('bulk.saveResults', { id, format: 'csv' });
    const column = async (name: string, heading: string) => {
      const { headings, rows } = await readTable({ path: join(folder, name) }, 'en');
      return rows.map(({ cells }) => cells[headings.indexOf(heading)]).sort();
    };
    expect(await column('results.csv', 'Document ID')).toEqual(listed);
    await core.must('documents.saveBatch', { format: 'csv', language: 'en' });
    expect(core.dialogs.suggested.at(-1)).toBe('Activity.csv');
    expect(await column('log.csv', 'Document ID')).toEqual(listed);
    expect(await column('log.csv', 'Client reference')).toEqual(['REF-0', 'REF-1']);
    expect(await column('log.csv', 'Sent to')).toEqual(['p0@example.com Ana Ro', 'p1@example.com Ben Ro']);
    expect(await column('log.csv', 'Kind')).toEqual(['Easy Sign request', 'Easy Sign request']);
    expect(await column('log.csv', 'Document name')).toEqual(['lease', 'lease']);
    expect(await column('log.csv', 'Connection')).toEqual(['Service', 'Service']);
  });

  it('writes secret words to no file unencrypted, and does not send a row whose file was replaced', async () => {
    const given = await ready();
    const { core, service, folder, path, fileToken } = given;
    const csv = 'email;secret word\na@example.com;cucumber-1\nb@example.com;\n';
    const content = { kind: 'plain', fileToken, creditType: 2 } as const;
    const { id } = await check(given, csv, content, { secretWord: 'tomato-2' });
    for (const file of ['sealdesk.db', 'sealdesk.db-wal'])
      expect(/cucumber-1|tomato-2/.test((await readFile(join(core.dataDir, file))).toString('latin1'))).toBe(false);
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    await finished(core, id);
    const words = service.control.seen().flatMap(({ children }) => children.SecretWord ?? []);
    expect(words.sort()).toEqual(['cucumber-1', 'tomato-2']);
    core.dialogs.targets.push(join(folder, 'results.xlsx'));
    await core.must('bulk.saveResults', { id, format: 'xlsx' });
    expect(JSON.stringify([core.events, await core.must('bulk.rows', { id })])).not.toMatch(/cucumber-1|tomato-2/);

    const other = await check(given, 'email\nc@example.com\n', content);
    await writeFile(path, pdf('something else'));
    await core.must('bulk.send', { id: other.id, rows: 'all', ...quick });
    expect((await finished(core, other.id)).counts).toMatchObject({ failed: 1, done: 0 });
    const { rows } = await core.must('bulk.rows', { id: other.id });
    expect(rows[0]?.failure?.code).toBe('file-changed');
  });

  it('has the access code of the form that it was opened from, and asks for it once it was kept for a run that is over', async () => {
    const given = await ready({ dataDir: await newFolder(), keychain: lockedKeychain });
    const { core, service, connectionId, fileToken } = given;
    const content = { kind: 'plain', fileToken, creditType: 1 } as const;
    const saved = await core.must('forms.save', { place: 'draft', connectionId, content, secretWord: 'juniper-7' });
    const csv = 'email;secret word\na@example.com;\nb@example.com;own-8\nc@example.com;';
    const from = { draftId: saved.id };
    const codesOf = async (from: RunningCore, id: string, rows: 'first' | 'all' = 'all') =>
      (await from.must('bulk.review', { id, rows, includeWarnings: false })).secretWords;
    const none = await check(given, csv, content, { ...from, secretWord: '' });
    expect(await codesOf(core, none.id)).toEqual({ given: 1, lost: 0, lostInRows: 0 });
    const { id } = await check(given, csv, content, from);
    expect(await codesOf(core, id)).toEqual({ given: 3, lost: 0, lostInRows: 0 });
    await core.must('bulk.send', { id, rows: 'first', ...quick });
    await finished(core, id, 'paused');
    await expect.poll(() => service.control.seen().at(-1)?.children.SecretWord).toBe('juniper-7');
    await core.stop();

    const again = await newCore({ dataDir: core.dataDir, keychain: lockedKeychain });
    const { apiKey, apiSig } = service;
    await again.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
    const sent = service.control.seen().length;
    expect(await codesOf(again, id)).toEqual({ given: 0, lost: 2, lostInRows: 1 });
    await again.must('bulk.send', { id, rows: 'all', ...quick });
    expect((await finished(again, id, 'paused')).failure?.detail).toBe('secret-word-missing');
    expect(service.control.seen().length).toBe(sent);
    await again.must('bulk.mend', { id, row: 3, column: 'secretWord', value: 'own-9' });
    await again.must('bulk.send', { id, rows: 'all', ...quick, secretWord: 'juniper-9' });
    await finished(again, id);
    const words = service.control.seen().flatMap(({ children }) => children.SecretWord ?? []);
    expect(words.sort()).toEqual(['juniper-7', 'juniper-9', 'own-9']);
    expect(JSON.stringify([core.events, again.events, again.log])).not.toMatch(/juniper|own-/);
  });

  it('says before it is sent which credits it uses, and which filled columns its kind of request does not have', async () => {
    const given = await ready();
    const csv = 'email;name;message;secret word;template\na@example.com;Ana;Hello;plum-1;\nb@example.com;;;;';
    const content = { fileToken: given.fileToken, creditType: 2 } as const;
    const reviewOf = async (kind: 'plain' | 'easy-sign') => {
      const { id } = await check(given, csv, { ...content, kind });
      return given.core.must('bulk.review', { id, rows: 'all', includeWarnings: true });
    };
    expect(await reviewOf('plain')).toMatchObject({ credit: 'Prepaid credits', notSent: ['name1', 'message'] });
    expect(await reviewOf('easy-sign')).toMatchObject({ credit: null, notSent: ['secretWord'] });
  });

  it('does not send a row whose picture was replaced after the check', async () => {
    const given = await ready();
    const { core, service, folder, fileToken } = given;
    const picture = join(folder, 'seal.png');
    await writeFile(picture, 'checked');
    const imageToken = (await core.core.acceptPath(picture)).token;
    const { id } = await check(given, 'email\na@example.com\n', { kind: 'easy-sign', fileToken, imageToken });
    // A larger one than any picture is not even copied for a check.
    await truncate(picture, 256 * 1024 * 1024 + 1);
    const content = { kind: 'easy-sign' as const, fileToken, imageToken: (await core.core.acceptPath(picture)).token };
    await expect(check(given, 'email\na@example.com\n', content)).rejects.toThrow('256 MB');
    await writeFile(picture, 'another');
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    expect((await finished(core, id)).counts).toMatchObject({ failed: 1, done: 0 });
    expect((await core.must('bulk.rows', { id })).rows[0]?.failure?.code).toBe('file-changed');
    expect(service.control.requests().AddNewEasySignDocument).toBeUndefined();
  });

  it('does not send a row of which the copy, or that of its picture, was changed after it was hashed', async () => {
    const given = await ready();
    const { core, service, folder, fileToken } = given;
    await writeFile(join(folder, 'seal.png'), 'as it was chosen');
    const imageToken = (await core.core.acceptPath(join(folder, 'seal.png'))).token;
    const csv = 'email\na@example.com\nb@example.com\nc@example.com\n';
    const { id } = await check(given, csv, { kind: 'easy-sign', fileToken, imageToken });
    await core.must('jobs.pause', { what: 'all' });
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    const waiting = async () => (await jobsOf(core)).filter(({ state }) => state === 'waiting');
    await until(async () => (await waiting()).length === 3);
    for (const [index, part] of ['document', 'image'].entries())
      await writeFile(join(core.dataDir, 'spool', `${(await waiting())[index]?.id}.${part}`), 'changed', {
        flag: 'r+',
      });
    await core.must('jobs.resume', { what: 'all' });
    expect((await finished(core, id)).counts).toMatchObject({ failed: 2, done: 1 });
    const failures = (await core.must('bulk.rows', { id })).rows.flatMap(({ failure }) => failure?.detail ?? []);
    expect(failures).toEqual(['copy-changed', 'copy-changed']);
    expect(service.control.requests().AddNewEasySignDocument).toBe(1);
  });
});
