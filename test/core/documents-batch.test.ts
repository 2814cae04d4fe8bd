import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CallInput } from '../../contract/index.ts';
import { jobStates } from '../../contract/jobs.ts';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import { openDatabase } from '../../electron/store/database/open-database.ts';
import { downloadTable } from '../../electron/store/documents/downloads.ts';
import { migrations } from '../../electron/store/schema/migrations.ts';
import { needTool, outputOf } from '../harness/independent-tool.ts';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  scan,
  until,
  untilEnded,
  writePdfs,
} from './jobs-setup.ts';

async function registered(names: readonly string[]) {
  const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
  const connectionId = await connect(core, service);
  const batchId = await register(core, connectionId, await writePdfs(folder, names), { clientId: 'CASE-{n}' });
  const jobs = await untilEnded(core, batchId);
  return { core, folder, connectionId, batchId, ids: jobs.map(({ documentId }) => documentId ?? '') };
}

describe('the list of the documents of one batch', () => {
  it('is saved as CSV, XLSX and PDF, in the order of the batch', async () => {
    const { core, folder, batchId, ids } = await registered(['b.pdf', 'a.pdf']);
    for (const format of ['csv', 'xlsx', 'pdf'] as const) {
      const target = join(folder, `list.${format}`);
      core.dialogs.targets.push(target);
      expect(await core.must('documents.saveBatch', { batchId, format })).toEqual({
        fileName: `list.${format}`,
        rowCount: 2,
      });
      const bytes = await readFile(target);
      if (format === 'pdf') {
        expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
        continue;
      }
      const table = await readTable({ path: target }, 'en');
      expect(table.headings.slice(0, 4)).toEqual(['File', 'Document name', 'Document ID', 'Client reference']);
      expect(table.rows.map(({ cells }) => cells.slice(0, 5))).toEqual([
        ['b.pdf', 'b', ids[0], 'CASE-1', 'Registered'],
        ['a.pdf', 'a', ids[1], 'CASE-2', 'Registered'],
      ]);
    }
  });

  it('of everything has all that was sent, once each, also more than is read at once', async () => {
    const { core, folder, connectionId } = await registered(['b.pdf']);
    const more = Array.from({ length: 205 }, (_each, at) => `more ${at}.pdf`);
    await core.must('jobs.pause', { what: 'all' });
    await register(core, connectionId, await writePdfs(folder, more));
    const target = join(folder, 'all.csv');
    core.dialogs.targets.push(target);
    await core.must('documents.saveBatch', { format: 'csv' });
    const { rows } = await readTable({ path: target }, 'en');
    expect(rows.map(({ cells }) => cells[0])).toEqual(['b.pdf', ...more]);
    expect(rows[0]?.cells[4]).toBe('Registered');
  });

  it.for(['en', 'de'] as const)(
    'is printed with who made it and when, of which connection, pages of how many, and no ID or word broken (%s)',
    async (language, test) => {
      needTool(test, 'pdftotext');
      const names = Array.from({ length: 40 }, (_each, at) => `Employment contract no. ${at}, Harbour Street.pdf`);
      const { core, folder, batchId, ids } = await registered(names);
      const target = join(folder, 'list.pdf');
      await connect(core, await newService(), { name: 'Another archive' });
      core.dialogs.targets.push(target);
      await core.must('verify.setReporter', { person: 'Ana Petrov', organisation: 'Harbour & Co.' });
      await core.must('documents.saveBatch', { batchId, format: 'pdf', language });
      const text = outputOf(test, 'pdftotext', '-layout', target, '-');
      const pages = text.split('\f').filter((page) => page.trim() !== '');
      expect(pages.length).toBeLessThanOrEqual(5);
      const word = { en: 'Page', de: 'Seite' }[language];
      const of = { en: 'of', de: 'von' }[language];
      for (const [at, page] of pages.entries())
        expect(page).toMatch(new RegExp(`${word} ${at + 1} ${of} ${pages.length}\\b`));
      expect(pages[0]).toContain(new Date().toISOString().slice(0, 10));
      expect(pages[0]).toContain('Ana Petrov, Harbour & Co.');
      expect(text).not.toContain('Another archive');
      const sums = (await jobsOf(core, batchId)).map(({ sha256 }) => sha256 ?? '');
      for (const part of [...ids, ...names, ...sums, 'CASE-40', { en: 'Document name', de: 'Dokumentname' }[language]])
        expect(text).toContain(part);
    },
  );

  it('says of what is only practice that it is, on every page and in every row, and of nothing else', async (test) => {
    needTool(test, 'pdftotext');
    const core = await newCore();
    const folder = await newFolder();
    const names = Array.from({ length: 40 }, (_each, at) => `Employment contract no. ${at}.pdf`);
    await untilEnded(core, await register(core, 'practice', await writePdfs(folder, names)));
    const saved = async (given: CallInput<'documents.saveBatch'>) => {
      const target = join(folder, `list.${given.format}`);
      core.dialogs.targets.push(target);
      await core.must('documents.saveBatch', given);
      return target;
    };
    const pagesOf = async () => {
      const text = outputOf(test, 'pdftotext', '-layout', await saved({ format: 'pdf' }), '-');
      return text.split('\f').filter((page) => page.trim() !== '');
    };
    const isPractice = /PRACTICE: no legal meaning/;
    const pages = await pagesOf();
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page.trimEnd().split('\n').at(-1)).toMatch(isPractice);
    const connectionId = await connect(core, await newService());
    await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['Lease.pdf'])));
    for (const page of await pagesOf()) expect(page.trimEnd().split('\n').at(-1)).not.toMatch(isPractice);
    const { headings, rows } = await readTable({ path: await saved({ format: 'csv' }) }, 'en');
    const marked = rows.filter(({ cells }) => isPractice.test(cells[headings.indexOf('Connection')] ?? ''));
    expect(marked.map(({ cells }) => cells[0])).toEqual(names);
  });

  it('has the rows that are counted, for every state, filter and search, with a time for each', async () => {
    const { core, folder, connectionId, batchId } = await registered(['Lease a.pdf', 'Lease b.pdf']);
    const again = await scan(core, [join(folder, 'Lease a.pdf'), ...(await writePdfs(folder, ['Annex.pdf']))]);
    const given = { connectionId, intakeId: again.id, creditType: 1 };
    const duplicates = { otherwise: 'skip' } as const;
    const second = (await core.must('documents.register', { ...given, duplicates })).batchId;
    await untilEnded(core, second);
    await core.must('jobs.pause', { what: 'all' });
    await register(core, connectionId, [join(folder, 'Lease b.pdf')]);
    await until(async () => (await core.must('jobs.list', { limit: 1 })).askingCount === 1);
    const [dismissed] = await jobsOf(core, batchId);
    await core.must('jobs.dismiss', { jobIds: [dismissed?.id ?? ''] });
    const saved = async (filter: CallInput<'documents.saveBatch'>) => {
      const target = join(folder, 'log.csv');
      core.dialogs.targets.push(target);
      await core.must('documents.saveBatch', filter);
      return await readTable({ path: target }, 'en');
    };
    const { headings, rows } = await saved({ format: 'csv' });
    expect(headings).toContain('Time (UTC)');
    expect(rows.every(({ cells }) => Date.parse(cells[6] ?? '') > 0)).toBe(true);
    for (const where of [{}, { batchId }, { batchId: second }])
      for (const filter of [{}, { asking: true }, ...jobStates.map((state) => ({ states: [state] }))])
        for (const search of [undefined, 'Lease', 'Annex', 'none']) {
          const { jobs, total } = await core.must('jobs.list', { ...where, ...filter, search, limit: 500 });
          const { found } = await core.must('jobs.list', { ...where, search, limit: 1 });
          const list = await saved({ format: 'csv', ...where, ...filter, ...(search ? { search } : {}) });
          const titles = jobs.map(({ title }) => title).sort();
          expect([total, list.rows.map(({ cells }) => cells[0]).sort()]).toEqual([titles.length, titles]);
          const state = 'states' in filter ? filter.states[0] : undefined;
          const sum = Object.values(found?.counts ?? {}).reduce((all, count) => all + count, 0);
          const counted = state ? found?.counts[state] : 'asking' in filter ? found?.askingCount : sum;
          if (search) expect(counted).toBe(total);
        }
    const [passedOver, ...others] = (await saved({ format: 'csv', states: ['passed-over'] })).rows;
    expect([passedOver?.cells[4], others]).toEqual([`Not sent: same as ${dismissed?.documentId}`, []]);
  });

  it('is not saved if the person cancels', async () => {
    const { core, batchId } = await registered(['a.pdf']);
    expect(await core.must('documents.saveBatch', { batchId, format: 'csv' })).toBeNull();
  });
});

describe('a search among what was sent', () => {
  it('finds jobs by title and document, as it is typed, and counts them', async () => {
    const { core, ids } = await registered(['Lease 100%.pdf', 'lease_b.pdf', 'Annex.pdf']);
    const found = async (search: string) => {
      const { jobs, total } = await core.must('jobs.list', { search, limit: 2 });
      expect(total).toBe(jobs.length);
      return jobs.map(({ title }) => title);
    };
    expect(await found('LEASE')).toEqual(['Lease 100%.pdf', 'lease_b.pdf']);
    expect(await found('0%.')).toEqual(['Lease 100%.pdf']);
    expect(await found('e_b')).toEqual(['lease_b.pdf']);
    expect(await found(ids[2]?.slice(3, 20) ?? '-')).toEqual(['Annex.pdf']);
    expect(await found('none')).toEqual([]);
    expect((await core.must('jobs.list', { search: 'lease', states: ['refused'] })).total).toBe(0);
  });
});

describe('the place of a document in the list', () => {
  it('is its index in every order, and null outside of the scope', async () => {
    const { core, connectionId, ids } = await registered(['b.pdf', 'c.pdf', 'a.pdf']);
    for (const sort of ['registeredAt', 'name', 'sizeBytes', 'status'] as const)
      for (const descending of [true, false])
        for (const scope of [{}, { connectionId }]) {
          const { rows } = await core.must('documents.list', { sort, descending, ...scope });
          const places = await Promise.all(
            rows.map(({ documentId }) =>
              core.must('documents.place', {
                of: { connectionId, documentId: documentId ?? '' },
                sort,
                descending,
                ...scope,
              }),
            ),
          );
          expect(places.map((place) => place?.index)).toEqual([0, 1, 2]);
        }
    const order = { sort: 'name', descending: false } as const;
    const of = { connectionId, documentId: ids[0] ?? '' };
    expect(await core.must('documents.place', { of, ...order, connectionId: 'practice' })).toBeNull();
    const unknown = { connectionId, documentId: '11111111-2222-4333-8444-555555555555' };
    expect(await core.must('documents.place', { of: unknown, ...order })).toBeNull();
  });
});

describe('what a selection can be used for', () => {
  it('counts for requests only PDFs that were chosen by themselves, each once', async () => {
    const [core, folder] = [await newCore(), await newFolder()];
    const [lease = '', annex = ''] = await writePdfs(folder, ['lease.pdf', 'annexes/annex.pdf']);
    await writeFile(join(folder, 'empty.pdf'), '');
    await writeFile(join(folder, 'note.txt'), 'a note');
    await mkdir(join(folder, 'nothing'));
    const paths = [
      lease,
      join(folder, 'empty.pdf'),
      join(folder, 'note.txt'),
      join(folder, 'annexes'),
      join(folder, 'nothing'),
    ];
    const tokens = await Promise.all(paths.map(async (path) => (await core.core.acceptPath(path)).token));
    const found = await core.must('files.scanForAll', { tokens });
    expect(found.requestable).toEqual([tokens[0]]);
    expect(found.register.fileCount).toBe(2);
    const files = (await scan(core, [lease, annex])).files;
    expect(files.map(({ token }) => token === null)).toEqual([false, false]);
    expect(found.register.files.map(({ token }) => token)).toEqual([tokens[0], null]);
  });
});

describe('the hashes of downloads', () => {
  it('are bounded: the oldest are forgotten', async () => {
    const folder = await newFolder();
    const { sql } = await openDatabase(join(folder, 'sealdesk.db'), migrations);
    const downloads = downloadTable(sql, 3, 1);
    const hash = (n: number) => String(n).repeat(64);
    for (const n of [1, 2, 3, 4, 5])
      downloads.put({
        sha256: hash(n),
        connectionId: 'c',
        documentId: `d${n}`,
        name: `${n}`,
        downloadedAt: `2027-01-0${n}T00:00:00.000Z`,
      });
    expect([1, 2, 3, 4, 5].map((n) => downloads.bySha256(hash(n), 'c', 5).length)).toEqual([0, 0, 1, 1, 1]);
    sql.close();
  });
});
