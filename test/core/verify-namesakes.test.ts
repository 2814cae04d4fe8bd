import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunningCore } from '../harness/core.ts';
import { needTool, outputOf } from '../harness/independent-tool.ts';
import { reported } from './audit-setup.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from './jobs-setup.ts';

async function verified(core: RunningCore, connectionId: string, paths: readonly string[]) {
  const { id: intakeId } = await scan(core, paths, 'verify');
  const { runId } = await core.must('verify.start', { connectionId, intakeId });
  await core.untilTask('verification', ({ progress: { run } }) => run.runId === runId && run.state === 'finished');
  const { results } = await core.must('verify.results', { runId });
  return { runId, of: (name: string) => results.find((result) => result.name === name) };
}

async function registered(names: readonly string[]) {
  const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
  const connectionId = await connect(core, service);
  const paths = await writePdfs(folder, names);
  const jobs = await untilEnded(core, await register(core, connectionId, paths, { name: 'Under another name' }));
  return { core, service, folder, connectionId, paths, documentId: jobs[0]?.documentId ?? '' };
}

/** Other bytes from near the beginning on, so that the file begins with none that is known. */
async function replace(path: string): Promise<void> {
  const bytes = await readFile(path);
  await writeFile(path, Buffer.concat([bytes.subarray(0, 12), Buffer.from(' '), bytes.subarray(12)]));
}

it('names the document that was registered from a file of the same name, if the service does not know the file', async () => {
  const { core, folder, connectionId, paths, documentId } = await registered(['Invoice 1002.pdf']);
  await replace(paths[0] ?? '');
  await writePdfs(folder, ['new.pdf']);
  const { runId, of } = await verified(core, connectionId, [...paths, join(folder, 'new.pdf')]);
  const namesake = { connectionId, documentId, registeredAt: expect.stringMatching(/Z$/) };
  // The service's word decides: neither its group nor its finding is another one.
  expect(of('Invoice 1002.pdf')).toMatchObject({
    answer: { group: 'not-confirmed' },
    finding: 'unknown',
    knownHere: null,
    namesake,
  });
  expect(of('new.pdf')).toMatchObject({ finding: 'unknown', namesake: null });
  const index = of('Invoice 1002.pdf')?.index ?? -1;
  expect(await core.must('verify.history', { runId, index })).toMatchObject({ here: [], downloads: [], namesake });
});

it('does not look at names where the service knows the file, or on another connection', async () => {
  const { core, service, connectionId, paths } = await registered(['kept.pdf', 'lost.pdf']);
  const [kept = '', lost = ''] = paths;
  await replace(lost);
  const other = await connect(core, await newService({ processingMs: 0 }), { name: 'Another service' });
  expect((await verified(core, connectionId, [kept])).of('kept.pdf')).toMatchObject({ finding: null, namesake: null });
  expect((await verified(core, other, [lost])).of('lost.pdf')).toMatchObject({ finding: 'unknown', namesake: null });
  // Bytes that were registered here are no other file of that name, whatever the service answers.
  service.control.misbehave({ mischief: { kind: 'answer', text: 'Invalid - not registered here' } });
  const { of } = await verified(core, connectionId, [kept]);
  expect(of('kept.pdf')).toMatchObject({ finding: 'unknown', knownHere: { connectionId }, namesake: null });
});

it('names the latest of several, in whatever case the name is written', async () => {
  const { core, folder, connectionId, paths } = await registered(['scan.pdf']);
  await appendFile(paths[0] ?? '', '%'.repeat(500));
  const [later] = await untilEnded(core, await register(core, connectionId, paths));
  await mkdir(join(folder, 'other'));
  const other = await writePdfs(join(folder, 'other'), ['SCAN.pdf'], 5_000);
  const { of } = await verified(core, connectionId, other);
  expect(of('SCAN.pdf')?.namesake).toMatchObject({ documentId: later?.documentId });
});

it('names it also if the service says that the file was changed', async () => {
  const { core, service, connectionId, paths, documentId } = await registered(['House rules.pdf']);
  await replace(paths[0] ?? '');
  service.control.misbehave({ mischief: { kind: 'answer', text: 'Invalid - changed after registration' } });
  const { of } = await verified(core, connectionId, paths);
  expect(of('House rules.pdf')).toMatchObject({ finding: 'changed', namesake: { connectionId, documentId } });
});

it('says when a file was registered of which the service named no ID, by its bytes and by its name', async (test) => {
  needTool(test, 'pdftotext');
  const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
  const connectionId = await connect(core, service);
  const paths = await writePdfs(folder, ['deed.pdf']);
  service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'AddNewDocument', times: 1 });
  const [{ id: jobId, at } = { id: '', at: '' }] = await untilEnded(core, await register(core, connectionId, paths));
  await core.must('jobs.reconcile', { jobId, withFile: true });
  await core.must('jobs.accept', { jobId, documentId: null });
  const known = { documentId: null, jobId, connectionId, name: 'deed', registeredAt: at };
  const { runId, of } = await verified(core, connectionId, paths);
  expect(of('deed.pdf')).toMatchObject({ answer: { group: 'confirmed' }, knownHere: known });
  const history = await core.must('verify.history', { runId, index: of('deed.pdf')?.index ?? -1 });
  expect(history).toMatchObject({ here: [known], comparableIds: [] });
  const { path } = await reported({ core, folder }, runId, 'pdf');
  const text = outputOf(test, 'pdftotext', '-raw', path, '-').replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/Registered here \S+ \S+ as deed/);
  expect(text).toContain('ID not known');
  await replace(paths[0] ?? '');
  expect((await verified(core, connectionId, paths)).of('deed.pdf')).toMatchObject({
    finding: 'unknown',
    namesake: known,
  });
});

it('looks at no names where the bytes tell that the file begins with one that was registered here', async (test) => {
  needTool(test, 'pdftotext');
  const { core, service, folder, connectionId, paths, documentId } = await registered(['Deed.pdf']);
  await appendFile(paths[0] ?? '', '\n9 0 obj null endobj\n%%EOF\n');
  service.control.misbehave({ mischief: { kind: 'answer', text: 'Invalid - changed after registration' } });
  const { runId, of } = await verified(core, connectionId, paths);
  const origin = { registered: { documentId }, downloaded: null };
  expect(of('Deed.pdf')).toMatchObject({ finding: 'changed', knownHere: null, namesake: null, origin });
  const index = of('Deed.pdf')?.index ?? -1;
  expect(await core.must('verify.history', { runId, index })).toMatchObject({ here: [], namesake: null, origin });
  const { path } = await reported({ core, folder }, runId, 'pdf');
  const text = outputOf(test, 'pdftotext', '-raw', path, '-').replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/This is Under another name as registered \S+ \S+ UTC, with something added afterwards\./);
  expect(text).not.toContain('Another file named');
});
