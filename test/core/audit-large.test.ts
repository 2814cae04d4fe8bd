import { mkdirSync, readdirSync } from 'node:fs';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { describe, expect, it, type TestContext } from 'vitest';
import { type FileChange, fileChanges } from '../../contract/verify-result.ts';
import { needTool, outputOf } from '../harness/independent-tool.ts';
import { atLength } from '../harness/test-length.ts';
import { type Archive, archiveOf, audited, pathsOf, reported } from './audit-setup.ts';

const files = atLength({ short: 500, all: 5_000 });

/** The unconfirmed files in a JSON report and in a PDF report. */
async function notConfirmedIn(test: TestContext, archive: Archive, runId: string) {
  const report = JSON.parse((await reported(archive, runId, 'json')).bytes.toString()) as {
    readonly files: readonly { readonly path: string; readonly group: string | null }[];
  };
  const json = report.files.filter(({ group }) => group === 'not-confirmed').map(({ path }) => path);
  const { path } = await reported(archive, runId, 'pdf');
  return { json: json.sort(), pdf: notConfirmedInPdf(outputOf(test, 'pdftotext', '-raw', path, '-')) };
}

/** The paths between the headings of two groups. */
function notConfirmedInPdf(text: string): string[] {
  const section = /^Not confirmed \(\d+\)$([\s\S]*?)^Confirmed \(\d+\)$/m.exec(text)?.[1] ?? '';
  return [...section.matchAll(/^archive\/\d+\/\d+\/\d+ déjà\.pdf/gm)].map(([line]) => line).sort();
}

/** `from` and `step` are counted in an archive of 5,000. */
function some(paths: readonly string[], from: number, step: number, count: number): string[] {
  const of = (n: number) => Math.floor((n * paths.length) / 5_000);
  return Array.from({ length: count }, (_each, n) => paths[of(from) + n * of(step)] ?? '').sort();
}

describe(`an archive of ${files} files`, () => {
  it('reports exactly the changed files in every run, and asks only about these', async (test) => {
    needTool(test, 'pdftotext');
    const archive = await archiveOf(files);
    const { core, paths, at } = archive;
    const changed = some(paths, 123, 700, 7);
    for (const [n, path] of changed.entries()) await writeFile(at(path), archive.unknown(n));

    const first = await audited(archive);
    expect(first).toMatchObject({ state: 'finished', total: files, answered: files, calls: files });
    expect(first.changes).toEqual({ new: files, altered: 0, gone: 0, 'verdict-changed': 0, unchanged: 0 });
    expect(archive.asked()).toBe(files);
    expect(await pathsOf(core, first.runId, { group: 'not-confirmed' })).toEqual(changed);
    const firstReports = await notConfirmedIn(test, archive, first.runId);
    expect(firstReports.json).toEqual(changed);
    expect(firstReports.pdf).toEqual(changed);

    // Nothing changed: nothing is asked, and the same seven files are reported.
    const second = await audited(archive);
    expect(archive.asked()).toBe(files);
    expect(second).toMatchObject({ total: files, answered: files, calls: 0, counts: { 'not-confirmed': 7 } });
    const secondReports = await notConfirmedIn(test, archive, second.runId);
    expect(secondReports.json).toEqual(changed);
    expect(secondReports.pdf).toEqual(changed);

    // Two files altered to unknown content, one of the seven restored, three removed, two added, five only touched.
    const altered = [...some(paths, 4_000, 11, 2), changed[0] ?? ''].sort();
    for (const [n, path] of altered.entries())
      await writeFile(at(path), path === changed[0] ? archive.known(1) : archive.unknown(100 + n));
    const gone = some(paths, 2_000, 37, 3);
    for (const path of gone) await rm(at(path));
    const added = ['archive/0/new 1.pdf', 'archive/fresh/new 2.pdf'];
    mkdirSync(at('archive/fresh'));
    for (const [n, path] of added.entries()) await writeFile(at(path), archive.known(n));
    for (const path of some(paths, 3_000, 13, 5)) await utimes(at(path), new Date(), new Date(0));

    const third = await audited(archive);
    expect(archive.asked()).toBe(files + 5);
    expect(third.changes).toEqual({ new: 2, altered: 3, gone: 3, 'verdict-changed': 0, unchanged: files - 6 });
    expect(await pathsOf(core, third.runId, { change: 'new' })).toEqual(added);
    expect(await pathsOf(core, third.runId, { change: 'altered' })).toEqual(altered);
    expect(await pathsOf(core, third.runId, { change: 'gone' })).toEqual(gone);
    const wrong = [...changed.slice(1), ...altered.filter((path) => path !== changed[0])].sort();
    expect(await pathsOf(core, third.runId, { group: 'not-confirmed' })).toEqual(wrong);

    // The counters of a search agree with the lists that they show, and with those of the run where it leaves everything.
    const sought = async (search: string, change?: FileChange) =>
      core.must('verify.results', { runId: third.runId, search, ...(change ? { change } : {}) });
    expect((await sought('archive')).found).toEqual({ counts: third.counts, changes: third.changes });
    const { found } = await sought('fresh');
    expect(found?.changes).toEqual({ new: 1, altered: 0, gone: 0, 'verdict-changed': 0, unchanged: 0 });
    for (const change of fileChanges)
      expect((await sought('archive/0', change)).total, change).toBe(
        (await sought('archive/0')).found?.changes?.[change],
      );

    // The earlier run is unchanged.
    expect(await pathsOf(core, second.runId, { group: 'not-confirmed' })).toEqual(changed);
    expect((await core.must('verify.results', { runId: first.runId })).total).toBe(files);
    expect(readdirSync(archive.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  }, 600_000);
});
