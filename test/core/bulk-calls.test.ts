import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bulk } from '../../contract/bulk.ts';
import type { CallInput } from '../../contract/index.ts';
import type { RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, pdf, scan, writePdfs } from './jobs-setup.ts';

async function ready() {
  const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
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
  more: { readonly intakeId?: string; readonly secretWord?: string } = {},
): Promise<Bulk> {
  const path = join(folder, 'people.csv');
  await writeFile(path, csv);
  const tableToken = (await core.core.acceptPath(path)).token;
  return core.must('bulk.check', { connectionId, tableToken, content, ...more });
}

async function finished(core: RunningCore, id: string, state: Bulk['state'] = 'finished'): Promise<Bulk> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    const bulk = await core.must('bulk.get', { id });
    if (bulk.state === state) return bulk;
    if (performance.now() > deadline) throw new Error(`the bulk is ${JSON.stringify(bulk)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const quick = { perMinute: 6000 };

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
    expect(given.service.control.requests().AddNewDocumentESign).toBeUndefined();
  });

  it('refuses a table without a column of addresses', async () => {
    const given = await ready();
    await expect(check(given, 'Name;Town\nAyla;Rome', { kind: 'plain' })).rejects.toThrow('tableToken');
    expect(await given.core.must('bulk.list', {})).toEqual([]);
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
    expect(Object.keys(byPerson[1] ?? {})).not.toContain('DocumentName');
    expect((await core.must('jobs.list', { batchId: done.batchId ?? '' })).jobs).toHaveLength(2);
    const target = join(folder, 'results.csv');
    core.dialogs.targets.push(target);
    expect(await core.must('bulk.saveResults', { id, format: 'csv' })).toEqual({ fileName: 'results.csv' });
    const lines = (await readFile(target, 'utf8')).split('\r\n');
    expect(lines[1]).toMatch(/^ayla@example\.com,Ayla,,,'=cmd,C-1,.*,2,Sent,[0-9A-Fa-f-]{36},/);
    expect(lines[3]).toMatch(/^broken,X,.*,4,Not sent: has problems,,,,email-invalid \(email1\),/);

    // The same table again: every sent row is recognised.
    const again = await check(given, csv, content);
    expect(again.counts).toMatchObject({ ready: 0, withWarnings: 2 });
    const { rows } = await core.must('bulk.rows', { id: again.id, which: 'warnings' });
    expect(rows.map(({ problems }) => problems[0]?.kind)).toEqual(['already-sent', 'already-sent']);
    await core.must('bulk.remove', { id: again.id });
    expect(await core.must('bulk.list', {})).toHaveLength(1);
  });

  it('with a template per row can be paused and resumed', async () => {
    const given = await ready();
    const { core, service } = given;
    const csv = [
      'email;template',
      ...Array.from({ length: 30 }, (_each, n) => `p${n}@example.com;TPL-100${1 + (n % 2)}`),
    ].join('\n');
    const { id } = await check(given, csv, { kind: 'easy-sign-template' });
    await core.must('bulk.send', { id, rows: 'all', perMinute: 600 });
    await expect.poll(async () => (await core.must('bulk.get', { id })).counts.queued).toBeGreaterThanOrEqual(3);
    await core.must('bulk.pause', { id });
    const { counts } = await finished(core, id, 'paused');
    expect(counts.queued).toBeGreaterThan(0);
    // At 600 per minute only a few can have left.
    expect(counts.queued).toBeLessThan(20);
    // By the pace the next row would leave a tenth of a second after the one before.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await core.must('bulk.get', { id })).counts.queued).toBe(counts.queued);
    await core.must('bulk.send', { id, rows: 'all', ...quick });
    expect((await finished(core, id)).counts).toMatchObject({ queued: 30, done: 30 });
    const templates = service.control.seen().filter(({ operation }) => operation === 'AddNewEasySignTemplate');
    expect(templates.map(({ children }) => `${children.Emails} ${children.TemplateID}`).sort()).toEqual(
      Array.from({ length: 30 }, (_each, n) => `p${n}@example.com TPL-100${1 + (n % 2)}`).sort(),
    );
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
});
