import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { baseOf, drawable, visualRuns } from '../../../electron/core/output/pdf/pdf-fonts.ts';
import { createPdfReport, type PdfReport } from '../../../electron/core/output/pdf/pdf-report.ts';
import { marginPt } from '../../../electron/core/output/pdf/pdf-sheet.ts';
import { assetsDir } from '../../harness/core.ts';
import { outputOf } from '../../harness/independent-tool.ts';
import { watchTurns } from '../../harness/processor-time.ts';
import { atLength } from '../../harness/test-length.ts';

const manyRows = atLength({ short: 200, ci: 500, all: 10_000 });

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sealdesk-pdf-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const begin = (name = 'report.pdf', language = 'de') =>
  createPdfReport(
    { path: join(folder, name) },
    { title: 'Bericht für Ωmega', footer: 'Sealdesk', assetsDir, language },
  );

async function written(write: (report: PdfReport) => void | Promise<void>): Promise<PDFDocument> {
  const report = begin();
  await write(report);
  await report.finish();
  return PDFDocument.load(await readFile(join(folder, 'report.pdf')));
}

describe('a report', () => {
  it('has its text, page numbers and bookmarks', async (test) => {
    const pdf = await written(async (report) => {
      report.heading('Übersicht', 1);
      report.paragraph('Проверка, Επαλήθευση, עברית');
      report.fields([['SHA-256', 'ab'.repeat(32)]]);
      report.heading('Einzelheiten', 2);
      const table = report.table([
        { title: 'Name', share: 1 },
        { title: 'Answer', share: 1 },
      ]);
      for (let n = 0; n < 200; n++) table.row([`file ${n}.pdf`, 'Valid - superseded version']);
    });
    expect(pdf.getPageCount()).toBeGreaterThan(3);
    expect(pdf.getTitle()).toBe('Bericht für Ωmega');
    const text = outputOf(test, 'pdftotext', '-layout', join(folder, 'report.pdf'), '-');
    expect(text).toContain('Проверка, Επαλήθευση');
    expect(text.replaceAll(/\s+/g, '')).toContain('ab'.repeat(32));
    for (let n = 0; n < 200; n++) expect(text).toContain(`file ${n}.pdf`);
    const pages = text.split('\f').slice(0, -1);
    for (const [at, page] of pages.entries()) {
      expect(page).toContain(`Sealdesk · ${at + 1}`);
      expect(page).toContain('Answer');
    }
    const outline = outputOf(test, 'qpdf', '--json=2', '--json-key=outlines', join(folder, 'report.pdf'));
    expect(JSON.parse(outline).outlines).toMatchObject([{ title: 'Übersicht', kids: [{ title: 'Einzelheiten' }] }]);
  });

  it('tells programs that read aloud what is what, and nothing twice', async (test) => {
    const pdf = await written((report) => {
      report.heading('Verification', 1);
      report.paragraph('Long. '.repeat(1_500));
      report.fields([['Service', 'Practice']]);
      report.rule();
      report.heading('Not confirmed (2)', 2);
      const table = report.table(['File', 'Answer'].map((title) => ({ title, share: 1 })));
      for (let n = 0; n < 120; n++) table.row([`${n}.pdf`, n === 3 ? '' : 'Invalid']);
      table.row(['high.pdf', 'line\n'.repeat(200)]);
    });
    expect(pdf.getPageCount()).toBeGreaterThan(4);
    const path = join(folder, 'report.pdf');
    const info = outputOf(test, 'pdfinfo', path);
    expect(info).toMatch(/^Tagged: +yes$/m);
    expect(info).toMatch(/^Title: +Bericht für Ωmega$/m);
    const tree = outputOf(test, 'pdfinfo', '-struct-text', path);
    const elements = tree.match(/^ *(?:[A-Z][A-Za-z0-9]*)/gm)?.map((line) => line.trim()) ?? [];
    const count = (name: string) => elements.filter((element) => element === name).length;
    expect(
      Object.fromEntries(
        ['Document', 'H1', 'H2', 'P', 'L', 'LI', 'Lbl', 'LBody', 'Table'].map((name) => [name, count(name)]),
      ),
    ).toEqual({ Document: 1, H1: 1, H2: 1, P: 5, L: 1, LI: 1, Lbl: 1, LBody: 1, Table: 1 });
    // The head is told once, however many pages repeat it; an empty cell keeps its place.
    expect([count('TR'), count('TH'), count('TD')]).toEqual([122, 2, 242]);
    expect(tree).not.toContain('Sealdesk');
    expect(tree.match(/Long\./g)).toHaveLength(1_500);
    expect(outputOf(test, 'qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
    expect(outputOf(test, 'qpdf', '--json=2', '--json-key=qpdf', path)).toMatch(/"\/Lang": "u:de"/);
  });

  it('shows what its font lacks, and leaves nothing out', () => {
    const latin = (codePoint: number) => codePoint < 0x250;
    expect(drawable('合同 A', latin)).toBe('‹U+5408 U+540C› A');
    expect(drawable('\ud800x\u0007', latin)).toBe('‹U+D800›x‹U+0007›');
    expect(drawable('a\r\nb\tc\u00a0d', latin)).toBe('a\nb c d');
    expect(drawable('e\u200b\ufefff', latin)).toBe('ef');
    // A name that would be drawn as another one.
    expect(drawable('a\u202efdp.exe', latin)).toBe('a‹U+202E›fdp.exe');
    expect(drawable('عقد \u202efdp.exe', () => true)).toBe('عقد ‹U+202E›fdp.exe');
  });

  it('is written from right to left in Arabic, with joined letters and values in their own order', async (test) => {
    const report = begin('arabic.pdf', 'ar');
    report.heading('التحقق من الملفات', 1);
    report.paragraph('الملف \u2068report (final) v2.pdf\u2069 مؤكد منذ \u20682026-11-22\u2069.');
    report.fields([['الخدمة', 'https://api.example.com/api.asmx']]);
    const table = report.table(['الملف', 'إجابة'].map((title) => ({ title, share: 1 })));
    table.row(['a (1).pdf', 'غير معروف']);
    for (const answer of ['«\u2068Valid\u2069»', '«Valid»']) table.row(['b.pdf', `${answer}\nالخدمة تؤكّد`]);
    report.paragraph('سطر طويل ينتهي عند الهامش '.repeat(20));
    await report.finish();
    const path = join(folder, 'arabic.pdf');
    // The tool names words in boxes by their letters from left to right.
    const fromTheLeft = (word: string) => (/[a-z]/.test(word) ? word : [...word].reverse().join(''));
    const withoutMarks = (text: string) => text.replaceAll(/[\u200e\u200f\u202a-\u202e]/g, '');
    const text = withoutMarks(outputOf(test, 'pdftotext', '-layout', path, '-'));
    for (const words of ['التحقق من الملفات', 'report (final) v2.pdf', '2026-11-22', 'a (1).pdf', 'غير معروف'])
      expect(text).toContain(words);
    expect(text).toContain('https://api.example.com/api.asmx');
    const boxes = withoutMarks(outputOf(test, 'pdftotext', '-bbox', path, '-'));
    const leftOf = (word: string) => Number(new RegExp(`xMin="([\\d.]+)"[^>]*>${fromTheLeft(word)}<`).exec(boxes)?.[1]);
    // The first column is the right one, and lines begin at the right margin.
    expect(leftOf('a')).toBeGreaterThan(leftOf('معروف') + 200);
    expect(leftOf('التحقق')).toBeGreaterThan(450);
    expect(leftOf('https://api.example.com/api.asmx')).toBeLessThan(leftOf('الخدمة'));
    // Marks of direction have neither ink nor width.
    const valid = [...boxes.matchAll(/<word (.*?yMin)[^>]*>[«»]*Valid[«»]*</g)].map(([, across]) => across);
    expect([valid.length, new Set(valid).size]).toEqual([2, 1]);
    const ends = [...boxes.matchAll(/<word [^>]*xMax="([\d.]+)"/g)].map(([, end]) => Number(end));
    expect(Math.max(...ends)).toBeLessThan(595.28 - marginPt + 0.5);
  });

  it('orders the letters of a line as the Unicode rules say', () => {
    const shown = (line: string, base: 'ltr' | 'rtl') => visualRuns(line, base).map(({ text }) => text);
    expect(shown('a קב b', 'ltr')).toEqual(['a ', 'קב', ' b']);
    expect(shown('קב \u2068a.\u2069 גד', 'rtl')).toEqual([' גד', 'a.', 'קב ']);
    expect(shown('(קב)', 'rtl')).toEqual([')קב(']);
    expect([baseOf('a קב'), baseOf('קב a'), baseOf('\u2068a\u2069 קב'), baseOf('12')]).toEqual([
      'ltr',
      'rtl',
      'rtl',
      'ltr',
    ]);
  });

  it('takes any text, of any length, in every place', async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed % below;
    };
    const ranges = [0x20, 0x80, 0x300, 0x600, 0x900, 0xe00, 0x1100, 0x2000, 0x4e00, 0xac00, 0xd7f0, 0xfb00, 0x1f300];
    const text = (length: number) =>
      Array.from({ length }, () => {
        const codePoint = (ranges[random(ranges.length)] ?? 0) + random(0x180);
        return random(9) === 0 ? ' ' : String.fromCodePoint(codePoint);
      }).join('');
    const pdf = await written(async (report) => {
      for (let n = 0; n < atLength({ short: 4, ci: 12, all: 40 }); n++) {
        report.heading(text(random(200)), ((n % 3) + 1) as 1 | 2 | 3);
        report.paragraph(text(random(1_500)));
        report.fields([[text(20), text(random(300))]]);
        const table = report.table([
          { title: text(5), share: 1 },
          { title: '', share: 3 },
        ]);
        table.row([text(30), text(random(600))]);
        table.row([]);
        await report.settle();
      }
      report.paragraph('x'.repeat(20_000));
      report.table([{ title: 'Raw', share: 1 }]).row(['wort '.repeat(5_000)]);
      report.paragraph('');
    });
    expect(pdf.getPageCount()).toBeGreaterThan(10);
  });

  it('is there only when it is whole', async () => {
    const report = begin();
    report.paragraph('half');
    expect(existsSync(join(folder, 'report.pdf'))).toBe(false);
    await report.discard();
    expect(readdirSync(folder)).toEqual([]);
    const nowhere = createPdfReport(
      { path: join(folder, 'none', 'a.pdf') },
      {
        title: '',
        footer: '',
        assetsDir,
        language: 'en',
      },
    );
    await expect(nowhere.finish()).rejects.toMatchObject({ failure: { detail: 'target-not-writable' } });
  });

  it('fails and leaves nothing where its thread cannot draw', async () => {
    const report = createPdfReport(
      { path: join(folder, 'report.pdf') },
      {
        title: '',
        footer: '',
        assetsDir: join(folder, 'no fonts here'),
        language: 'en',
      },
    );
    report.paragraph('half');
    await expect(report.finish()).rejects.toMatchObject({ failure: { code: 'bug' } });
    expect(readdirSync(folder)).toEqual([]);
    await report.discard();
  });

  it(`of ${manyRows} rows is written while it is made, without holding up anything`, async () => {
    const stop = watchTurns();
    let longestMs = Number.POSITIVE_INFINITY;
    await written(async (report) => {
      const columns = ['Name', 'Answer', 'SHA-256', 'Time'].map((title) => ({ title, share: 1 }));
      const table = report.table(columns);
      for (let n = 0; n < manyRows; n++) {
        table.row([`file ${n}.pdf`, 'Valid', n.toString(16).padStart(64, '0'), '2026-01-01T00:00:00.000Z']);
        if (n % 10 === 0) await report.settle();
      }
      longestMs = stop();
    });
    expect(statSync(join(folder, 'report.pdf')).size).toBeLessThan(8_000_000);
    // Laid out in this thread it would be seconds.
    expect(longestMs).toBeLessThan(300);
  });
});
