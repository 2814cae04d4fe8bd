import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import type { VerifyResult } from '../../contract/verify-result.ts';
import { createPdfReport } from '../../electron/core/output/pdf/pdf-report.ts';
import type { ReportSource } from '../../electron/core/verify/reports/report-source.ts';
import { writePdfReport } from '../../electron/core/verify/reports/verification-pdf.ts';
import { loadTexts } from '../../locales/load-texts.ts';
import { needTool, outputOf } from '../harness/independent-tool.ts';
import { atLength } from '../harness/test-length.ts';
import { type Archive, archiveOf, audited, reported } from './audit-setup.ts';
import { newCore, newFolder, scan, writePdfs } from './jobs-setup.ts';

const schema = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../docs/verify-report.schema.json'), 'utf8'));

const plainFiles = atLength({ short: 6, all: 30 });

/** Names that may be misread by a spreadsheet, a reader or a printer. */
const awkward = [
  '=HYPERLINK(1).pdf',
  '+1.pdf',
  '-2.pdf',
  '@SUM(A1).pdf',
  'comma, "quote" and\nline.pdf',
  '合同 договор عقد.pdf',
  'emoji 🖋️.pdf',
  ` leading and trailing .pdf `,
];

async function archiveWithAwkwardNames(): Promise<Archive> {
  const archive = await archiveOf(plainFiles);
  for (const [n, name] of awkward.entries()) {
    const path = archive.at(`archive/0/${name}`);
    await writeFile(path, n % 2 === 0 ? archive.known(n) : archive.unknown(n));
  }
  await writeFile(archive.at('archive/0/no pdf.txt'), 'plain text');
  archive.service.control.misbehave({ mischief: { kind: 'answer', text: '=cmd|calc' }, times: 1 });
  return archive;
}

async function storedResults({ core }: Archive, runId: string): Promise<readonly VerifyResult[]> {
  return (await core.must('verify.results', { runId, limit: 500 })).results;
}

const pathOf = ({ folder, name }: VerifyResult) => `${folder}/${name}`;

describe('reports read by other programs', () => {
  it('as JSON fit the schema and the store', async () => {
    const archive = await archiveWithAwkwardNames();
    const { runId } = await audited(archive);
    const report = JSON.parse((await reported(archive, runId, 'json')).bytes.toString());
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
    const fits = ajv.compile(schema);
    expect(fits(report), JSON.stringify(fits.errors)).toBe(true);
    const stored = await storedResults(archive, runId);
    expect(
      report.files.map((file: { path: string; group: string; raw: string }) => [file.path, file.group, file.raw]),
    ).toEqual(stored.map((result) => [pathOf(result), result.answer?.group, result.raw]));
    expect(report.run).toMatchObject({
      runId,
      total: plainFiles + awkward.length + 1,
      counts: { 'no-answer': 0, unclear: 1, 'not-pdf': 1 },
    });
    // A second run with a missing and an altered file.
    await rename(archive.at('archive/0/+1.pdf'), archive.at('archive/0/moved.pdf'));
    await writeFile(archive.at('archive/0/-2.pdf'), archive.unknown(99));
    const second = await audited(archive);
    const again = JSON.parse((await reported(archive, second.runId, 'json')).bytes.toString());
    expect(fits(again), JSON.stringify(fits.errors)).toBe(true);
    expect(again.run.changes).toMatchObject({ new: 1, gone: 1, altered: 1 });
    expect(fits({ ...again, files: [{ ...again.files[0], group: 'fake' }] })).toBe(false);
  });

  it('as CSV can be read cell by cell, and no cell is a formula', async () => {
    const archive = await archiveWithAwkwardNames();
    const { runId } = await audited(archive);
    const { bytes } = await reported(archive, runId, 'csv');
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const { data, errors } = Papa.parse<Record<string, string>>(bytes.toString('utf8').slice(1), {
      header: true,
      skipEmptyLines: true,
    });
    expect(errors).toEqual([]);
    const stored = await storedResults(archive, runId);
    expect(data.map(({ path, group, sha256 }) => [path, group, sha256])).toEqual(
      stored.map((result) => [pathOf(result), result.answer?.group, result.sha256 ?? '']),
    );
    for (const row of data) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^\s*[=+\-@]/);
    expect(data.find(({ group }) => group === 'unclear')?.raw).toBe("'=cmd|calc");
  });

  it('as PDF contain every name and every raw answer as text, with bookmarks and page numbers', async (test) => {
    needTool(test, 'pdftotext');
    const archive = await archiveWithAwkwardNames();
    const { runId } = await audited(archive);
    const { path, bytes } = await reported(archive, runId, 'pdf');
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.toString('latin1')).toContain('/Outlines');
    const text = outputOf(test, 'pdftotext', '-raw', path, '-');
    const flat = text.replace(/\s+/g, '');
    for (const result of await storedResults(archive, runId)) {
      if (!/[^\u0000-\u024F]/.test(result.name)) expect(flat).toContain(pathOf(result).replace(/\s+/g, ''));
      if (result.raw !== null) expect(flat).toContain(`“${result.raw.replace(/\s+/g, '')}”`);
      if (result.sha256 !== null) expect(flat).toContain(result.sha256);
    }
    expect(text).toContain('договор');
    expect(text).toMatch(/U\+5408/);
    expect(text).toMatch(/Verification of archive\s+Page 1 of \d\b/);
  });

  it('as PDF are in the requested language and tagged, with the answers of the service unchanged', async (test) => {
    needTool(test, 'pdftotext');
    const archive = await archiveWithAwkwardNames();
    const { runId } = await audited(archive);
    const { path } = await reported(archive, runId, 'pdf', 'de');
    const text = outputOf(test, 'pdftotext', '-raw', path, '-');
    const info = outputOf(test, 'pdfinfo', '-struct-text', path);
    expect(text).toContain('Prüfung von archive');
    expect(text).toMatch(/^Kein PDF \(1\)$/m);
    expect(text).toContain('„Valid“');
    expect(text.replaceAll(/\s+/g, ' ')).toContain('Der Dienst bestätigt das Dokument');
    expect(text).not.toMatch(/Verification|Confirmed|Answer of the service|The service|The document/);
    expect(info).toMatch(/H1 \(block\)\s+"Prüfung von archive"/);
    expect(info).toMatch(/H2 \(block\)\s+"Kein PDF \(1\)"/);
  });

  it('say in every format, and on every page, that the practice service was asked', async (test) => {
    needTool(test, 'pdftotext');
    const [core, folder] = [await newCore(), await newFolder()];
    const paths = await writePdfs(
      folder,
      Array.from({ length: 60 }, (_each, n) => `${n}.pdf`),
    );
    const { id: intakeId } = await scan(core, paths, 'verify');
    const { runId } = await core.must('verify.start', { connectionId: 'practice', intakeId });
    await core.untilTask('verification', ({ progress: { run } }) => run.runId === runId && run.state === 'finished');
    const { path } = await reported({ core, folder }, runId, 'pdf');
    const pages = outputOf(test, 'pdftotext', '-raw', path, '-').split('\f').filter(Boolean);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page).toContain('PRACTICE: no legal meaning');
    const json = JSON.parse((await reported({ core, folder }, runId, 'json')).bytes.toString());
    expect(json.run.isPractice).toBe(true);
    const csv = (await reported({ core, folder }, runId, 'csv')).bytes.toString('utf8').slice(1);
    const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
    expect(data.map((row) => row.isPractice)).toEqual(paths.map(() => 'true'));
  });

  it('let other work in between any two files, also in an audit in which no file has changed', async () => {
    const archive = await archiveOf(plainFiles);
    await audited(archive);
    const run = await audited(archive);
    const results = await storedResults(archive, run.runId);
    const happened: string[] = [];
    const source: ReportSource = {
      run,
      connectionName: 'Service',
      serviceAddress: null,
      isPractice: false,
      reporter: null,
      computer: 'here',
      account: '',
      version: '1',
      madeAt: new Date().toISOString(),
      *results() {
        for (const result of results) {
          happened.push('file');
          yield result;
        }
      },
      *leftOut() {},
    };
    const target = { path: archive.at('turns.pdf') };
    const options = { title: '', footer: '', language: 'en', assetsDir: resolve('assets'), pageOf: '' } as const;
    const report = createPdfReport(target, options);
    const pacer = { step: async () => void happened.push('turn') };
    await writePdfReport({ source, report, t: await loadTexts('en', 'reports'), pacer }, () => undefined);
    await report.discard();
    expect(run.changes).toMatchObject({ unchanged: plainFiles });
    expect(happened.filter((one) => one === 'file')).toHaveLength(3 * plainFiles);
    expect(happened.join(' ')).not.toContain('file file');
  });

  it('say of each file whether the service was asked, and no more in their head, where only some were sent', async (test) => {
    needTool(test, 'pdftotext');
    const archive = await archiveOf(8, 2);
    const { core, service, connectionId } = archive;
    const files = archive.paths.map(archive.at);
    service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'ValidateDocument' });
    const { id: intakeId } = await scan(core, files, 'verify');
    const { runId } = await core.must('verify.start', { connectionId, intakeId });
    await core.untilTask('verification', ({ progress: { run } }) => run.runId === runId && run.state === 'stopped');
    const results = await storedResults(archive, runId);
    const asked = results.filter(({ askedAt }) => askedAt !== null).length;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(8);
    const { path } = await reported(archive, runId, 'pdf');
    const text = outputOf(test, 'pdftotext', '-raw', path, '-').replace(/\s+/g, ' ');
    expect(text).toContain(`ValidateDocument of the service: ${asked} of 8.`);
    expect(text).toContain('Files with an answer of the service: 0 of 8.');
    expect(text).not.toMatch(/sent the file to|gave the quoted answer|answer about each file/);
    expect(text.match(/The service was not asked/g)).toHaveLength(8 - asked);
    // All of them are known here, which is no answer of the service.
    expect(text.match(/ID: [-0-9A-F]{36}/g)).toHaveLength(8);
    const csv = (await reported(archive, runId, 'csv')).bytes.toString('utf8').slice(1);
    const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
    expect(data.map((row) => row.asked)).toEqual(results.map(({ askedAt }) => String(askedAt !== null)));
  });

  it('are refused while the run is going on, and leave nothing behind if they are cancelled or cannot be written', async () => {
    const archive = await archiveOf(40);
    const { core, auditId } = archive;
    archive.service.control.misbehave({ mischief: { kind: 'delay', ms: 20 } });
    const { runId } = await core.must('audits.run', { auditId });
    await expect(core.core.reportTo(runId, 'json', archive.at('early.json'), 'en')).rejects.toMatchObject({
      failure: { code: 'bad-input' },
    });
    await core.untilTask('verification', ({ progress: { run } }) => run.state === 'finished');
    const { taskId } = await core.core.reportTo(runId, 'csv', archive.at('nowhere/report.csv'), 'en');
    const { failure } = await core.untilTask('report', (task) => task.taskId === taskId && task.state === 'failed');
    expect(failure).toMatchObject({ detail: 'target-not-writable' });
    expect(await core.ask('verify.showReport', { taskId })).toMatchObject({ ok: false });
    core.dialogs.targets.push(archive.at('shown.json'));
    const chosen = await core.must('verify.saveReport', { runId, format: 'json' });
    await core.untilTask('report', (task) => task.taskId === chosen?.taskId && task.state === 'done');
    await core.must('verify.showReport', { taskId: chosen?.taskId ?? '' });
    expect(core.shown).toEqual([archive.at('shown.json')]);
    expect(await core.must('verify.saveReport', { runId, format: 'pdf' })).toBeNull();
  });
});
