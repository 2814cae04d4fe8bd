import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { outputOf } from '../harness/independent-tool.ts';
import { plainPdf } from '../harness/pdf.ts';

describe('sealdesk-cli verify, with reports and audits', () => {
  let cli: CommandLine;
  const kept = ['--practice-dir', 'kept'];
  const at = (path: string) => join(cli.home, path);
  const names = Array.from({ length: 40 }, (_each, n) => `archive/${n % 4}/${n}.pdf`);
  beforeAll(async () => {
    cli = await buildCommandLine();
    for (const n of [0, 1, 2, 3]) mkdirSync(at(`archive/${n}`), { recursive: true });
    for (const name of names) writeFileSync(at(name), plainPdf(name));
    expect((await cli.run(['register', 'archive', ...kept])).code).toBe(0);
  });
  afterAll(() => cli.remove());

  it('reports exactly the changed files on the screen, in JSON, CSV and PDF, and asks only about these in the second run', async (test) => {
    const changed = ['archive/1/5.pdf', 'archive/2/22.pdf', 'archive/3/39.pdf'];
    for (const name of changed) writeFileSync(at(name), plainPdf(`not ${name}`));
    const reports = ['--report', 'out.json', '--report', 'out.csv', '--report', 'out.pdf'];
    const first = await cli.run(['verify', 'archive', '--audit', '--json', ...reports, ...kept]);
    expect(first, first.err).toMatchObject({ code: 1 });
    expect(first.lines).toHaveLength(40);
    expect(first.lines.filter(({ ok }) => !ok).map(({ file }) => file)).toEqual(changed);
    expect(first.err).toContain('40 files: 40 new, 0 altered');
    expect(first.err).toContain('Checks used: 40.');
    expect(notConfirmedIn(at('out.json'))).toEqual(changed);

    const before = readFileSync(at('out.json'));
    const taken = await cli.run(['verify', 'archive', '--audit', '--json', ...reports, ...kept]);
    expect(taken).toMatchObject({ code: 2, out: '', err: expect.stringContaining('--report: ') });
    expect(taken.err).toContain('out.json exists already: name another file, or replace it with --replace.');
    expect(readFileSync(at('out.json')).equals(before)).toBe(true);
    const second = await cli.run(['verify', 'archive', '--audit', '--json', ...reports, '--replace', ...kept]);
    expect(second, second.err).toMatchObject({ code: 1 });
    expect(second.lines.map(({ file, details }) => [file, details])).toEqual(
      changed.map((file) => [file, { change: 'unchanged' }]),
    );
    expect(second.err).toContain('Checks used: 0.');
    expect(notConfirmedIn(at('out.json'))).toEqual(changed);
    const { data } = Papa.parse<Record<string, string>>(readFileSync(at('out.csv'), 'utf8').slice(1), { header: true });
    expect(data.filter(({ group }) => group === 'not-confirmed').map(({ path }) => path)).toEqual(changed);
    expect(outputOf(test, 'pdftotext', '-raw', at('out.pdf'), '-')).toContain('Not confirmed (3)');
    const german = await cli.run(['verify', 'archive', '--audit', '--report', 'de.pdf', '--language', 'de', ...kept]);
    expect(german).toMatchObject({ code: 1 });
    expect(outputOf(test, 'pdftotext', '-raw', at('de.pdf'), '-')).toContain('Nicht bestätigt (3)');
    expect(await cli.run(['verify', 'archive', '--language', 'nl', ...kept])).toMatchObject({ code: 2 });

    writeFileSync(at('archive/1/5.pdf'), plainPdf('archive/1/5.pdf'));
    rmSync(at('archive/0/8.pdf'));
    const third = await cli.run(['verify', 'archive', '--audit', ...kept]);
    expect(third.err).toContain(
      '39 files: 0 new, 1 altered, 1 gone, 0 with another answer, 38 unchanged. Checks used: 1.',
    );
    expect(third.out).toMatch(/^archive\/1\/5\.pdf: confirmed.*\[altered\]/m);
    expect(third.out).toMatch(/^archive\/0\/8\.pdf: gone$/m);
  });

  it('writes reports without an audit', async () => {
    const ran = await cli.run(['verify', 'archive/2', 'archive/3/39.pdf', '--report', 'plain.json', ...kept]);
    expect(ran).toMatchObject({ code: 1 });
    expect(notConfirmedIn(at('plain.json'))).toEqual(['2/22.pdf', '39.pdf']);
  });

  it.each([
    [['archive', '--audit'], /--audit needs a place to remember/],
    [['archive', 'archive/1', '--audit', ...kept], /takes one folder/],
    [['archive/1/5.pdf', '--audit', ...kept], /is no folder/],
    [['archive', '--ask', 'contents', ...kept], /--ask goes with --audit/],
    [['archive', '--audit', '--ask', 'nicely', ...kept], /--ask takes changes, contents or everything/],
    [['archive', '--report', 'out.docx', ...kept], /ends with \.pdf, \.csv or \.json/],
  ])('refuses %j', async (args, words) => {
    const ran = await cli.run(['verify', ...args]);
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toMatch(words);
  });
});

function notConfirmedIn(path: string): string[] {
  const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: { path: string; group: string | null }[] };
  return files.filter(({ group }) => group === 'not-confirmed').map((file) => file.path);
}
