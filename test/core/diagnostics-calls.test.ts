import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { SupportReport } from '../../contract/diagnostics.ts';
import { reportLogLine } from '../../electron/core/settings/support-texts.ts';
import { connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from './jobs-setup.ts';

const wholeOf = (files: SupportReport['files']) => files.map(({ text }) => text).join('\n');
const logged = (fields: Record<string, unknown>) =>
  JSON.stringify({ at: '2026-03-04T05:06:07.000Z', level: 'error', message: 'copying failed', ...fields });

describe('the report for support', () => {
  it('has versions, counts, checks and log lines, and neither secrets nor names nor contents', async () => {
    const [service, folder] = [await newService(), await newFolder()];
    const logFile = join(folder, 'sealdesk.log');
    const core = await newCore({ logFile });
    const connectionId = await connect(core, service, { name: 'Ana Petrov at work', parallel: 3 });
    await core.must('connections.use', { id: connectionId });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['Lease of Bo Lindqvist.pdf']));
    await untilEnded(core, batchId);
    await writeFile(
      logFile,
      [
        logged({ jobId: 'job-1', error: "Error: ENOENT: no such file, open '/home/ana/Lease 2027.pdf'" }),
        logged({ code: 'storage-full', note: 'the folder /home/ana/Lease cannot be made' }),
        logged({ connectionId, takenOver: 2, apiKey: service.apiKey }),
        'half a li',
      ].join('\n'),
    );

    const { files } = await core.must('diagnostics.report', {});
    expect(files.map(({ name }) => name)).toEqual(['program', 'connection', 'records', 'crashes', 'log']);
    const text = wholeOf(files);
    expect(text).toContain('Program: 0.0.0-test (command-line, source)');
    expect(text).toContain(`System: ${process.platform}`);
    expect(text).toMatch(/Settings: .*atOnce 8/);
    expect(text).toMatch(/Jobs: .*done 1/);
    expect(text).toMatch(/Documents: 1; verifications: 0/);
    expect(text).toMatch(
      /Connection 2 \(service, in use\): SOAP 1\.\d, proxy none, credentials .*, 3 at the same time/,
    );
    expect(text).toMatch(/^tcp +passed/m);
    expect(text).toMatch(/^credentials +passed/m);
    expect(text).toContain('2026-03-04T05:06:07.000Z copying failed level=error jobId=job-1 error=[left out]');
    expect(text).toContain('code=storage-full note=[left out]');
    for (const secret of [service.apiKey, service.apiSig, 'Ana', 'Petrov', 'Bo Lindqvist', 'Lease', '/home', folder])
      expect(text).not.toContain(secret);
  });

  it('says that the connection cannot be checked, and everything else all the same', async () => {
    const core = await newCore();
    const { id } = await core.must('connections.save', {
      settings: {
        name: 'Gone',
        baseUrl: 'http://127.0.0.1:9',
        mainPath: '/api.asmx',
        namespaceUri: 'https://ns.example.org/',
        proxy: { mode: 'none' },
      },
    });
    await core.must('connections.use', { id });
    const text = wholeOf((await core.must('diagnostics.report', {})).files);
    expect(text).toMatch(/^tcp +failed/m);
    expect(text).toMatch(/^Jobs: /m);
  });

  it('is saved as it was shown, and only the last one', async () => {
    const core = await newCore();
    const old = await core.must('diagnostics.report', {});
    const report = await core.must('diagnostics.report', {});
    const target = join(await newFolder(), 'report.zip');
    core.dialogs.targets.push(target);
    expect(await core.ask('diagnostics.save', { id: old.id })).toMatchObject({
      ok: false,
      failure: { code: 'not-found' },
    });
    expect(await core.must('diagnostics.save', { id: report.id })).toEqual({ fileName: 'report.zip' });
    const entries = Object.entries(unzipSync(await readFile(target)));
    const day = new Date().toISOString().slice(0, 10);
    expect(entries.map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual(
      report.files.map(({ name, text }) => [`Sealdesk-support-${day}/${name}.txt`, text]),
    );
    expect(await core.must('diagnostics.save', { id: report.id })).toBeNull();
  });
});

describe('a log line in the report', () => {
  it.each([
    ['a path', { error: 'C:\\Users\\ana\\Lease.pdf' }],
    ['a file name', { name: 'Lease.pdf' }],
    ['an address', { error: 'ana@example.org' }],
    ['a sentence', { error: 'Ana signed' }],
    ['a text of another name', { fileName: 'Lease' }],
    ['a list', { at2: ['Lease'] }],
    ['an object', { deep: { fileName: 'Lease' } }],
  ])('leaves out %s', (_what, fields) => {
    expect(reportLogLine(logged(fields))).not.toMatch(/Lease|ana/i);
  });

  it('keeps codes, numbers and the names of errors', () => {
    expect(reportLogLine(logged({ code: 'storage-full', error: 'TypeError', departed: 3, isClosing: false }))).toBe(
      '2026-03-04T05:06:07.000Z copying failed level=error code=storage-full error=TypeError departed=3 isClosing=false',
    );
  });

  it.each(['', 'not JSON', '[]', 'null', '{"message":1}'])('is none: %j', (line) => {
    expect(reportLogLine(line)).toBeNull();
  });
});
