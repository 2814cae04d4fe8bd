import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setOldTime } from '../harness/overwrite.ts';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  pdf,
  register,
  scan,
  untilEnded,
  untilJobs,
  writePdfs,
} from './jobs-setup.ts';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const spooled = (dataDir: string) => (existsSync(join(dataDir, 'spool')) ? readdirSync(join(dataDir, 'spool')) : []);

describe('registering', () => {
  it.each(['1.1', '1.2'] as const)('adds files to the register over SOAP %s', async (soapVersion) => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service, { soapVersion });
    await writePdfs(folder, ['2024/lease.pdf', '2024/notice.v2.pdf', 'will.pdf']);
    const batchId = await register(core, connectionId, [folder], {
      name: '{n} {name}',
      clientId: '{folder}/{file}',
      description: 'kept {as} it is',
    });
    const jobs = await untilEnded(core, batchId);
    expect(jobs.map(({ state, title }) => [state, title])).toEqual(
      expect.arrayContaining(['lease.pdf', 'notice.v2.pdf', 'will.pdf'].map((title) => ['done', title])),
    );
    const { rows, total } = await core.must('documents.list', { connectionId, sort: 'name', descending: false });
    expect(total).toBe(3);
    for (const row of rows) {
      const job = jobs.find(({ documentId }) => documentId === row.documentId);
      expect(row).toMatchObject({ sha256: job?.sha256, sizeBytes: job?.sizeBytes, fileName: job?.title });
      expect(row.name).toMatch(/^[123] (lease|notice\.v2|will)$/);
      expect(row.clientId).toMatch(new RegExp(`/${row.fileName}$`));
      expect(row.description).toBe('kept {as} it is');
      expect(service.control.addsByHash().get(row.sha256 ?? '')).toBe(1);
    }
    await expect.poll(() => spooled(core.dataDir)).toEqual([]);
    await core.until('documents.changed', (published) => published.connectionId === connectionId);
    const last = await core.until('jobs.changed', ({ counts }) => counts.done === 3);
    // The heading of a batch never lags behind its rows: both are in one event.
    expect(last.batches.map(({ counts }) => counts.done)).toEqual([3]);
    expect(last.counts).toMatchObject({ prepared: 0, waiting: 0, sending: 0, done: 3 });
  });

  it('sends the file as it was chosen, not as it was changed later', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const chosen = pdf('as it was chosen');
    const path = join(folder, 'a.pdf');
    await writeFile(path, chosen);
    // Nothing leaves until the original is removed.
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, [path]);
    await untilJobs(core, batchId, ([job]) => job?.state !== 'prepared');
    await writeFile(path, pdf('something else entirely'));
    await rm(path);
    await core.must('jobs.resume', { what: 'all' });
    const [job] = await untilEnded(core, batchId);
    expect(job).toMatchObject({ state: 'done', sha256: sha256(chosen) });
    expect(service.control.addsByHash().get(sha256(chosen))).toBe(1);
  });

  it('fails unsent if other bytes of the same size, or a link to them, took the place of a file', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const [written = '', linked = ''] = await writePdfs(folder, ['written.pdf', 'linked.pdf']);
    const [first, second] = [await readFile(written), await readFile(linked)];
    const intake = await scan(core, [written, linked]);
    // The clock of a file system may tick every few milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await writeFile(written, first.reverse());
    await writeFile(join(folder, 'other'), second.reverse());
    await rm(linked);
    await symlink(join(folder, 'other'), linked);
    const { batchId } = await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
    const jobs = await untilEnded(core, batchId);
    expect(jobs.map(({ state, failure }) => [state, failure?.code])).toEqual([
      ['failed', 'file-changed'],
      ['failed', 'file-changed'],
    ]);
    expect(service.control.requests().AddNewDocument).toBeUndefined();
    // A person who sends it again means the file as it is now.
    await core.must('jobs.sendAgain', { jobId: jobs[0]?.id ?? '' });
    expect((await untilEnded(core, batchId))[0]).toMatchObject({ sha256: sha256(first) });
    expect(service.control.requests().AddNewDocument).toBe(1);
  });

  it('fails unsent if another file of the same size and time took its place, and sends one whose permissions were changed', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const [replaced = '', touched = ''] = await writePdfs(folder, ['replaced.pdf', 'touched.pdf']);
    const other = join(folder, 'other');
    await writeFile(other, (await readFile(replaced)).reverse());
    for (const path of [replaced, touched, other]) setOldTime(path);
    const intake = await scan(core, [replaced, touched]);
    // The clock of a file system may tick every few milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 20));
    await rename(other, replaced);
    await chmod(touched, 0o600);
    const { batchId } = await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
    const jobs = await untilEnded(core, batchId);
    expect(jobs.map(({ title, state, failure }) => [title, state, failure?.code])).toEqual([
      ['replaced.pdf', 'failed', 'file-changed'],
      ['touched.pdf', 'done', undefined],
    ]);
    expect(service.control.requests().AddNewDocument).toBe(1);
    // A person who sends it again means the file as it is now.
    await core.must('jobs.sendAgain', { jobId: jobs[0]?.id ?? '' });
    await untilEnded(core, batchId);
    expect(service.control.requests().AddNewDocument).toBe(2);
  });

  it('fails unsent if a file is missing or has another size, and sends it once it is back', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const [gone = '', longer = ''] = await writePdfs(folder, ['gone.pdf', 'longer.pdf']);
    const before = await readFile(gone);
    const intake = await scan(core, [gone, longer]);
    await rm(gone);
    await writeFile(longer, pdf('grown', 5_000));
    const given = { connectionId, intakeId: intake.id, creditType: 1 };
    const { batchId } = await core.must('documents.register', given);
    const jobs = await untilEnded(core, batchId);
    expect(jobs.map(({ title, state, failure }) => [title, state, failure?.detail ?? failure?.code])).toEqual([
      ['gone.pdf', 'failed', 'file-missing'],
      ['longer.pdf', 'failed', 'file-changed'],
    ]);
    expect(service.control.requests().AddNewDocument).toBeUndefined();
    expect(spooled(core.dataDir)).toEqual([]);
    await writeFile(gone, before);
    await core.must('jobs.sendAgain', { jobId: jobs[0]?.id ?? '' });
    expect((await untilEnded(core, batchId))[0]).toMatchObject({ state: 'done', sha256: sha256(before) });
  });

  it('keeps a refusal with the service’s code and words, and adds nothing to the register', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    await service.control.setCredits({ document: 0 });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    const [job] = await untilEnded(core, batchId);
    expect(job).toMatchObject({
      state: 'refused',
      raw: '-140',
      answer: { kind: 'code', code: '-140' },
      failure: { code: 'service-refused', detail: 'negative-code', serviceCode: '-140', raw: '-140' },
    });
    expect((await core.must('documents.list', { connectionId })).total).toBe(0);
    await service.control.setCredits({ document: 5 });
    await core.must('jobs.sendAgain', { jobId: job?.id ?? '' });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done', failure: null }]);
    expect(await core.ask('jobs.sendAgain', { jobId: job?.id ?? '' })).toMatchObject({
      ok: false,
      failure: { code: 'bad-input' },
    });
  });

  it('keeps a fault about the request as a refusal; one of the service, which may come after the work, one with a code of its own, and a word that it does not know as in doubt', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'fault', code: 'Client', text: 'no such type' } });
    const refused = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    expect(await untilEnded(core, refused)).toMatchObject([{ state: 'refused', failure: { detail: 'soap-fault' } }]);
    service.control.misbehave({ mischief: { kind: 'fault', text: 'out of order', taken: true } });
    const broken = await register(core, connectionId, await writePdfs(folder, ['c.pdf']));
    expect(await untilEnded(core, broken)).toMatchObject([
      { state: 'in-doubt', raw: 'out of order', failure: { code: 'outcome-unknown', detail: 'soap-fault' } },
    ]);
    service.control.misbehave({ mischief: { kind: 'fault', code: 'Clients.Failed', text: 'out of order' } });
    const own = await register(core, connectionId, await writePdfs(folder, ['d.pdf']));
    expect(await untilEnded(core, own)).toMatchObject([{ state: 'in-doubt', failure: { detail: 'soap-fault' } }]);
    service.control.misbehave({ mischief: { kind: 'answer', text: 'Thanks!' } });
    const thanked = await register(core, connectionId, await writePdfs(folder, ['b.pdf']));
    expect(await untilEnded(core, thanked)).toMatchObject([
      { state: 'in-doubt', raw: 'Thanks!', documentId: null, answer: { kind: 'text' } },
    ]);
    expect((await core.must('documents.list', { connectionId })).total).toBe(0);
  });

  it('adds no job without credentials, or if no chosen file is usable', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    await writeFile(join(folder, 'notes.txt'), 'no PDF');
    const none = await scan(core, [folder]);
    const intake = await scan(core, await writePdfs(folder, ['a.pdf']));
    const given = { connectionId, creditType: 1 };
    expect(await core.ask('documents.register', { ...given, intakeId: none.id })).toMatchObject({
      failure: { code: 'bad-input' },
    });
    await core.must('connections.forgetCredentials', { id: connectionId });
    expect(await core.ask('documents.register', { ...given, intakeId: intake.id })).toMatchObject({
      failure: { code: 'not-connected' },
    });
    expect(await jobsOf(core)).toEqual([]);
  });

  it('sends small files before a waiting huge one, and from time to time the oldest', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service, { parallel: 1 });
    // Nothing leaves until all wait, however long that takes.
    await core.must('jobs.pause', { what: 'all' });
    const huge = await register(core, connectionId, await writePdfs(folder, ['huge.pdf'], 300_000));
    const small = await writePdfs(folder, ['s1.pdf', 's2.pdf', 's3.pdf', 's4.pdf', 's5.pdf', 's6.pdf']);
    const smalls = await register(core, connectionId, small);
    for (const batchId of [huge, smalls])
      await untilJobs(core, batchId, (jobs) => jobs.every(({ state }) => state === 'waiting'));
    await core.must('jobs.resume', { what: 'all' });
    await untilEnded(core, smalls);
    await untilEnded(core, huge);
    const sizes = service.control.seen().map(({ children }) => (children.Document as { sizeBytes: number }).sizeBytes);
    const turn = sizes.findIndex((sizeBytes) => sizeBytes >= 300_000);
    // Every fourth is the oldest.
    expect(turn).toBe(3);
  });
});

describe('the activity list', () => {
  it('pages, filters, counts and dismisses ended jobs, without touching the register', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    expect(await core.must('jobs.batches', {})).toMatchObject({ total: 0, dismissedCount: 0 });
    const names = Array.from({ length: 25 }, (_each, n) => `${String(n).padStart(2, '0')}.pdf`);
    const startedAt = performance.now();
    const batchId = await register(core, connectionId, await writePdfs(folder, names));
    const jobs = await untilEnded(core, batchId);
    const tenths = (performance.now() - startedAt) / 100;
    expect(core.events.filter(({ name }) => name === 'jobs.changed').length).toBeLessThan(tenths + 3);
    expect(jobs.map(({ title }) => title)).toEqual(names);
    const page = await core.must('jobs.list', { states: ['done'], offset: 20, limit: 10 });
    expect(page).toMatchObject({ total: 25, counts: { done: 25 } });
    expect(page.jobs.map(({ title }) => title)).toEqual(names.slice(20));
    expect(await core.must('jobs.list', { states: ['in-doubt'] })).toMatchObject({ total: 0, jobs: [] });
    await core.must('jobs.dismiss', { jobIds: jobs.slice(0, 5).map(({ id }) => id) });
    expect(await core.must('jobs.list', { batchId })).toMatchObject({ total: 20, counts: { done: 20 } });
    expect(await core.must('jobs.batches', {})).toMatchObject({ total: 1, dismissedCount: 5 });
    await core.must('jobs.dismiss', { jobIds: jobs.slice(5).map(({ id }) => id) });
    expect(await core.must('jobs.batches', {})).toMatchObject({ total: 0, dismissedCount: 25 });
    expect((await core.must('documents.list', { connectionId })).total).toBe(25);
    // The log still has them, in their order, found by their name and by their day.
    const off = (more: object) => core.must('jobs.list', { dismissed: true, ...more });
    expect((await off({ limit: 100 })).jobs.map(({ title }) => title)).toEqual(names);
    expect(await off({ search: '07.pdf' })).toMatchObject({ total: 1, jobs: [{ title: '07.pdf' }] });
    expect(await off({ from: new Date(Date.now() + 60_000).toISOString() })).toMatchObject({ total: 0, jobs: [] });
    const today = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() };
    expect(await off(today)).toMatchObject({ total: 25 });
    expect(await core.must('jobs.list', today)).toMatchObject({
      total: 0,
      jobs: [],
      counts: { done: 0 },
      found: { counts: { done: 0 }, askingCount: 0, dismissedCount: 25 },
    });
    expect(await core.ask('jobs.cancel', { jobId: jobs[0]?.id ?? '' })).toMatchObject({
      failure: { code: 'not-found' },
    });
  });
});
