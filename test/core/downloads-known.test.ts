import { existsSync, watch } from 'node:fs';
import { appendFile, copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import type { RunningCore } from '../harness/core.ts';
import { outputOf } from '../harness/independent-tool.ts';
import { connect, newCore, newFolder, newService, register, scan, until, untilEnded, writePdfs } from './jobs-setup.ts';

/** A program with one registered document. Its downloaded copy has other bytes, because the service seals it. */
async function registered(dataDir?: string) {
  const [service, folder] = [await newService({ processingMs: 0 }), await newFolder()];
  const core = await newCore(dataDir === undefined ? {} : { dataDir });
  const connectionId = await connect(core, service);
  const paths = await writePdfs(folder, ['Lease 2027.pdf']);
  const [job] = await untilEnded(core, await register(core, connectionId, paths));
  return { core, service, folder, connectionId, documentId: job?.documentId ?? '', original: paths[0] ?? '' };
}

async function download(core: RunningCore, connectionId: string, documentId: string, path: string, suggestedName = '') {
  core.dialogs.targets.push(path);
  const begun = await core.must('documents.download', { connectionId, documentId, suggestedName });
  await core.untilTask('download', ({ taskId, state }) => taskId === begun?.taskId && state === 'done');
}

async function verified(core: RunningCore, connectionId: string, paths: readonly string[]) {
  const { id: intakeId } = await scan(core, paths, 'verify');
  const { runId } = await core.must('verify.start', { connectionId, intakeId });
  await core.untilTask('verification', ({ progress: { run } }) => run.runId === runId && run.state === 'finished');
  const { results } = await core.must('verify.results', { runId });
  return { runId, of: (name: string) => results.find((result) => result.name === name) };
}

describe('a downloaded file', () => {
  it('is recognised by its hash under any name, and no longer once it is changed', async () => {
    const { core, folder, connectionId, documentId, original } = await registered();
    await download(core, connectionId, documentId, join(folder, 'copy.pdf'));
    await copyFile(join(folder, 'copy.pdf'), join(folder, 'renamed.pdf'));
    await copyFile(join(folder, 'copy.pdf'), join(folder, 'changed.pdf'));
    await appendFile(join(folder, 'changed.pdf'), ' ');
    const paths = ['renamed.pdf', 'changed.pdf'].map((name) => join(folder, name));
    const { runId, of } = await verified(core, connectionId, [...paths, original]);
    const downloadedHere = { connectionId, documentId, name: 'Lease 2027', downloadedAt: expect.stringMatching(/Z$/) };
    expect(of('renamed.pdf')).toMatchObject({ answer: { group: 'confirmed' }, knownHere: null, downloadedHere });
    expect(of('changed.pdf')).toMatchObject({ finding: 'changed', knownHere: null, downloadedHere: null });
    expect(of('Lease 2027.pdf')).toMatchObject({ knownHere: { documentId }, downloadedHere: null });
    const index = of('renamed.pdf')?.index ?? -1;
    expect(await core.must('verify.history', { runId, index })).toMatchObject({
      here: [],
      downloads: [downloadedHere],
      comparableIds: [documentId],
      copy: null,
    });
    // The document is known by the download, so the person need not know its ID.
    await core.must('verify.compare', { runId, index });
    await core.untilTask('comparison', ({ progress }) => progress.comparison.state === 'same');
  });

  it('is known by its hash before it has its name, so that a kill leaves no complete file unknown', async () => {
    const { core, folder, connectionId, documentId } = await registered();
    const target = join(folder, 'copy.pdf');
    const sql = openSql(join(core.dataDir, 'sealdesk.db'));
    const knownAtName: number[] = [];
    const watcher = watch(folder, () => {
      if (existsSync(target)) knownAtName.push(sql.all('SELECT 1 FROM downloads').length);
    });
    await download(core, connectionId, documentId, target);
    await until(() => knownAtName.length > 0);
    watcher.close();
    sql.close();
    expect(knownAtName[0]).toBe(1);
  });

  it('is one entry however often it was downloaded, with the last moment, also after a restart', async () => {
    const dataDir = await newFolder();
    const { core, folder, service, connectionId, documentId } = await registered(dataDir);
    await download(core, connectionId, documentId, join(folder, 'first.pdf'));
    const before = (await verified(core, connectionId, [join(folder, 'first.pdf')])).of('first.pdf');
    const key = documentId.toUpperCase() === documentId ? documentId.toLowerCase() : documentId.toUpperCase();
    await download(core, connectionId, key, join(folder, 'second.pdf'));
    await core.stop();
    const again = await newCore({ dataDir });
    const other = await connect(again, service, { name: 'Another account' });
    const { runId, of } = await verified(again, other, [join(folder, 'first.pdf')]);
    const { downloads, comparableIds } = await again.must('verify.history', { runId, index: 0 });
    expect(downloads).toEqual([of('first.pdf')?.downloadedHere]);
    expect(downloads[0]?.connectionId).toBe(connectionId);
    expect(Date.parse(downloads[0]?.downloadedAt ?? '')).toBeGreaterThan(
      Date.parse(before?.downloadedHere?.downloadedAt ?? ''),
    );
    // An ID of another connection cannot be asked for on this one.
    expect(comparableIds).toEqual([]);
  });

  it('is where a file comes from that begins with it', async () => {
    const { service, folder, documentId } = await registered();
    const core = await newCore();
    const connectionId = await connect(core, service);
    await download(core, connectionId, documentId, join(folder, 'copy.pdf'), 'Lease 2027');
    const copy = await readFile(join(folder, 'copy.pdf'));
    const end = copy.lastIndexOf('%%EOF') + 5;
    await writeFile(join(folder, 'later.pdf'), Buffer.concat([copy, Buffer.from('\n9 0 obj null endobj\n%%EOF\n')]));
    expect(copy.subarray(end).toString().trim()).toBe('');
    const { of } = await verified(core, connectionId, [join(folder, 'later.pdf')]);
    expect(of('later.pdf')).toMatchObject({
      downloadedHere: null,
      origin: {
        sizeBytes: copy.length,
        registered: null,
        downloaded: { connectionId, documentId, name: 'Lease 2027' },
      },
    });
  });

  it('has the name under which it was offered if the document is not in the register', async () => {
    const { service, folder, documentId } = await registered();
    const core = await newCore();
    const connectionId = await connect(core, service);
    await download(core, connectionId, documentId, join(folder, 'x.pdf'), 'Lease, signed by both');
    const { of } = await verified(core, connectionId, [join(folder, 'x.pdf')]);
    expect(of('x.pdf')?.downloadedHere).toMatchObject({ documentId, name: 'Lease, signed by both' });
  });

  it('is recognised if it was downloaded with many others', async () => {
    const { core, connectionId, documentId } = await registered();
    const target = await newFolder();
    core.dialogs.files.push([target]);
    await core.must('documents.downloadAll', { documents: [{ connectionId, documentId }] });
    await core.untilTask('bulk-download', ({ state }) => state === 'done');
    const { of } = await verified(core, connectionId, [join(target, 'Lease 2027.pdf')]);
    expect(of('Lease 2027.pdf')?.downloadedHere).toMatchObject({ documentId, name: 'Lease 2027' });
  });

  it('is named with its document in the printed report', async (test) => {
    const { core, folder, connectionId, documentId } = await registered();
    await download(core, connectionId, documentId, join(folder, 'copy.pdf'));
    const { runId } = await verified(core, connectionId, [join(folder, 'copy.pdf')]);
    const report = join(folder, 'report.pdf');
    await core.core.reportTo(runId, 'pdf', report, 'en');
    await core.untilTask('report', ({ state }) => state === 'done', 20_000);
    const text = outputOf(test, 'pdftotext', '-raw', report, '-').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(new RegExp(`Downloaded here \\S+ \\S+ from Lease 2027 “Valid” ID: ${documentId}`));
  });

  it('is complete even if its record cannot be written', async () => {
    const { core, folder, connectionId, documentId } = await registered();
    const sql = openSql(join(core.dataDir, 'sealdesk.db'));
    sql.exec(`CREATE TRIGGER full BEFORE INSERT ON downloads BEGIN SELECT raise(ABORT, 'full'); END`);
    sql.close();
    await download(core, connectionId, documentId, join(folder, 'copy.pdf'));
    const { of } = await verified(core, connectionId, [join(folder, 'copy.pdf')]);
    expect(of('copy.pdf')).toMatchObject({ answer: { group: 'confirmed' }, downloadedHere: null });
  });
});
