import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { answerViewerRequest } from '../../electron/shell/page-files.ts';
import type { RunningCore } from '../harness/core.ts';
import { unsignedPdf } from '../harness/signed-pdf.ts';
import { makeSigner } from '../harness/signers.ts';
import { archiveOf, audited, reported } from './audit-setup.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from './jobs-setup.ts';

const jane = makeSigner({ key: 'rsa', name: 'Jane Doe' });
const plain = unsignedPdf({ text: 'Lease 2027', fields: ['Name'] });
const signed = plain.sign({ signer: jane, signedAt: new Date('2026-03-03T09:41:07Z') });
const twice = signed.sign({ signer: jane });
const forged = signed.replace({ 4: '<< /Length 3 >>\nstream\nq Q\nendstream' });

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function ready() {
  const [service, folder] = [await newService({ processingMs: 0 }), await newFolder()];
  const target = join(folder, 'saved.pdf');
  const core = await newCore();
  const write = async (name: string, bytes: Buffer) => {
    await writeFile(join(folder, name), bytes);
    return join(folder, name);
  };
  return { core, service, folder, target, write, connectionId: await connect(core, service) };
}

async function verified(core: RunningCore, connectionId: string, paths: readonly string[]) {
  const intake = await scan(core, paths, 'verify');
  const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
  await core.untilTask('verification', ({ progress: { run } }) => run.runId === runId && run.state === 'finished');
  const { results, ...counted } = await core.must('verify.results', { runId });
  return { runId, ...counted, of: (name: string) => results.find((result) => result.name === name) };
}

describe('what a file itself proves', () => {
  it('stands beside the answer of the service, is counted and filters', async () => {
    const { core, connectionId, write } = await ready();
    const paths = [
      await write('plain.pdf', plain.bytes),
      await write('signed.pdf', signed.bytes),
      await write('twice.pdf', twice.bytes),
      await write('forged.pdf', forged.bytes),
      await write('note.txt', Buffer.from('no PDF')),
    ];
    await untilEnded(core, await register(core, connectionId, [paths[3] ?? '']));
    const { runId, ownCounts, of } = await verified(core, connectionId, paths);
    expect(of('plain.pdf')).toMatchObject({ signatures: { verdict: 'unsigned', signatures: [], revisions: 1 } });
    expect(of('signed.pdf')?.signatures).toMatchObject({
      verdict: 'unchanged',
      reason: null,
      signatures: [{ integrity: 'intact', covers: 'whole', signer: 'Jane Doe', claimedTime: '2026-03-03T09:41:07Z' }],
    });
    expect(of('twice.pdf')?.signatures).toMatchObject({ verdict: 'only-additions-allowed', revisions: 3 });
    // The service knows exactly these bytes, and confirms them: its word and the file's stay apart.
    expect(of('forged.pdf')).toMatchObject({ answer: { group: 'confirmed' }, signatures: { verdict: 'changed' } });
    expect(of('note.txt')?.signatures).toBeNull();
    expect(ownCounts).toEqual({ unchanged: 1, 'only-additions-allowed': 1, changed: 1 });
    const { results } = await core.must('verify.results', { runId, own: 'changed', group: 'confirmed' });
    expect(results.map(({ name }) => name)).toEqual(['forged.pdf']);
    const sought = await core.must('verify.results', { runId, search: 'forged' });
    expect(sought).toMatchObject({ total: 1, ownCounts: { changed: 1 } });
    expect(Object.keys(sought.ownCounts)).toEqual(['changed']);
  });

  it('is known without an answer of the service', async () => {
    const { core, service, connectionId, write } = await ready();
    service.control.misbehave({ mischief: { kind: 'fault' } });
    const { of } = await verified(core, connectionId, [await write('signed.pdf', signed.bytes)]);
    expect(of('signed.pdf')).toMatchObject({ answer: { group: 'no-answer' }, signatures: { verdict: 'unchanged' } });
  });

  it('is read for every file while the service is away, which is asked about the others later', async () => {
    const { core, service, connectionId, folder, write } = await ready();
    const names = Array.from({ length: 30 }, (_each, n) => `plain ${n}.pdf`);
    const paths = [...(await writePdfs(folder, names)), await write('signed.pdf', signed.bytes)];
    const intake = await scan(core, paths, 'verify');
    service.control.misbehave({ mischief: { kind: 'drop-before' } });
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    const { run } = (await core.untilTask('verification', ({ state }) => state !== 'running')).progress;
    expect(run).toMatchObject({ state: 'stopped', trouble: { code: 'service-unreachable' } });
    expect(run.answered + run.looked).toBe(31);
    const { results, ownCounts } = await core.must('verify.results', { runId });
    // Nothing in the others looks like a signature: there is none that could not be judged.
    expect(ownCounts).toEqual({ unchanged: 1 });
    expect(results.filter(({ sha256 }) => sha256 === null)).toEqual([]);
    const last = results.find(({ name }) => name === 'signed.pdf');
    expect(last).toMatchObject({ state: 'pending', answer: null, signatures: { verdict: 'unchanged' } });

    service.control.misbehave(null);
    await core.must('verify.resume', { runId });
    const again = await core.untilTask('verification', ({ progress }) => progress.run.state === 'finished');
    expect(again.progress.run).toMatchObject({ answered: 31, looked: 0, trouble: null });
  });

  it('needs neither a connection nor its credentials', async () => {
    const { core, service, write } = await ready();
    const paths = [await write('signed.pdf', signed.bytes), await write('forged.pdf', forged.bytes)];
    const start = async (asked: string | null) => {
      const intake = await scan(core, paths, 'verify');
      const { runId } = await core.must('verify.start', { connectionId: asked, intakeId: intake.id });
      const { progress } = await core.untilTask(
        'verification',
        ({ state, taskId }) => taskId === runId && state !== 'running',
      );
      const { results } = await core.must('verify.results', { runId });
      expect(results.map(({ state, signatures }) => [state, signatures?.verdict])).toEqual([
        ['pending', 'unchanged'],
        ['pending', 'changed'],
      ]);
      return progress.run;
    };
    expect(await start(null)).toMatchObject({ state: 'finished', connectionId: null, trouble: null, calls: 0 });
    const { id: intakeId } = await scan(core, paths, 'verify');
    expect(await core.must('verify.estimate', { connectionId: null, intakeId })).toMatchObject({ files: 2, calls: 0 });
    const { baseUrl, mainPath, easySignPath, namespaceUri } = service;
    const { id } = await core.must('connections.save', {
      settings: { name: 'Without a key', baseUrl, mainPath, easySignPath, namespaceUri, proxy: { mode: 'none' } },
    });
    expect(await start(id)).toMatchObject({ state: 'stopped', trouble: { code: 'not-connected' }, calls: 0 });
    expect(service.control.requests().ValidateDocument ?? 0).toBe(0);
  });

  it('is in an audit and its reports while the service is away', async () => {
    const archive = await archiveOf(14);
    const { core, service, auditId, at, paths } = archive;
    await audited(archive);
    for (const path of paths) await writeFile(at(path), signed.bytes);
    service.control.misbehave({ mischief: { kind: 'drop-before' } });
    const { runId } = await core.must('audits.run', { auditId, ask: 'changes' });
    await core.untilTask('verification', ({ taskId, state }) => taskId === runId && state !== 'running');
    const { run, ownCounts, results } = await core.must('verify.results', { runId });
    expect(run).toMatchObject({ state: 'stopped', trouble: { code: 'service-unreachable' } });
    expect(ownCounts).toEqual({ unchanged: 14 });
    expect(results.some(({ state, change }) => state === 'pending' && change === null)).toBe(true);
    const { files } = JSON.parse((await reported(archive, runId, 'json')).bytes.toString()) as {
      readonly files: readonly { readonly asked: boolean; readonly signatures: { readonly verdict: string } }[];
    };
    expect(files.map(({ signatures }) => signatures.verdict)).toEqual(files.map(() => 'unchanged'));
    // What was sent was asked about, though no answer came.
    expect(files.filter(({ asked }) => !asked)).toHaveLength(run.total - run.calls);
  });

  it('is read again in unchanged files where other rules decided, without a call', async () => {
    const archive = await archiveOf(3);
    const { core, at, paths } = archive;
    const path = paths[1] ?? '';
    await writeFile(at(path), signed.bytes);
    await sleep(1_100);
    await audited(archive);
    const ledger = new DatabaseSync(join(core.dataDir, 'sealdesk.db'));
    ledger.prepare('UPDATE verify_files SET signatures = NULL, own_verdict = NULL').run();
    ledger.close();
    const run = await audited(archive);
    expect(run.calls).toBe(0);
    const { results, ownCounts } = await core.must('verify.results', { runId: run.runId });
    // The others are no PDFs that a strict reader accepts.
    expect(ownCounts).toEqual({ unchanged: 1 });
    expect(results.filter(({ signatures }) => signatures === null)).toEqual([]);
  });
});

describe('an earlier version inside of a file', () => {
  it('is read with a password only of the file that was verified', async () => {
    const { core, connectionId, write } = await ready();
    const path = await write('signed.pdf', signed.bytes);
    const { runId } = await verified(core, connectionId, [path]);
    const given = { runId, index: 0, password: 'any' };
    expect(await core.must('verify.unlock', given)).toBe(true);
    const other = Buffer.from(signed.bytes);
    other.writeUInt8(other.readUInt8(20) ^ 1, 20);
    await write('signed.pdf', other);
    expect(await core.ask('verify.unlock', given)).toMatchObject({ failure: { code: 'file-changed' } });
    const { results } = await core.must('verify.results', { runId });
    expect(results[0]?.signatures).toMatchObject({ verdict: 'unchanged' });
  });

  it('is shown by its own bytes alone, as long as the file is what was verified', async () => {
    const { core, connectionId, write } = await ready();
    const path = await write('forged.pdf', forged.bytes);
    const { runId } = await verified(core, connectionId, [path]);
    const open = (end: number) => core.ask('preview.open', { file: { of: 'revision', runId, index: 0, end } });
    for (const end of [1, plain.bytes.length, signed.bytes.length - 1, forged.bytes.length + 1])
      expect([end, await open(end)]).toMatchObject([end, { failure: { code: 'not-found' } }]);
    for (const { bytes } of [signed, forged]) {
      const answer = await open(bytes.length);
      if (!answer.ok) throw new Error(answer.failure.note);
      const { token, sizeBytes } = answer.value;
      expect(sizeBytes).toBe(bytes.length);
      const shown = async (range: string) => {
        const request = new Request(`app://viewer/bytes/${token}`, { headers: { Range: `bytes=${range}` } });
        return answerViewerRequest(core.dataDir, (one) => core.core.previewedFile(one), request);
      };
      expect(Buffer.from(await (await shown('0-99999999')).arrayBuffer()).equals(bytes)).toBe(true);
      expect((await shown(`${bytes.length}-99999999`)).status).toBe(416);
    }
    // As long, with another byte: only the bytes tell.
    const other = Buffer.from(forged.bytes);
    other.writeUInt8(other.readUInt8(20) ^ 1, 20);
    await write('forged.pdf', other);
    for (const { bytes } of [signed, forged])
      expect(await open(bytes.length)).toMatchObject({ failure: { code: 'file-changed' } });
    await rm(path);
    expect(await open(signed.bytes.length)).toMatchObject({ failure: { detail: 'file-missing' } });
  });

  it('is found by its bytes, with what was added afterwards, saved, and asked about with one call', async () => {
    const { core, service, folder, target, connectionId, write } = await ready();
    await untilEnded(core, await register(core, connectionId, [await write('lease.pdf', plain.bytes)]));
    const { runId, of } = await verified(core, connectionId, [await write('back.pdf', twice.bytes)]);
    expect(of('back.pdf')).toMatchObject({
      knownHere: null,
      origin: { sizeBytes: plain.bytes.length, sha256: hashOf(plain.bytes), signaturesAfter: 2, downloaded: null },
    });
    const file = { runId, index: of('back.pdf')?.index ?? 0 };
    core.dialogs.targets.push(target, target);
    expect(await core.must('verify.saveEarlier', file)).toBe('saved.pdf');
    expect(hashOf(await readFile(target))).toBe(hashOf(plain.bytes));
    const before = service.control.requests().ValidateDocument ?? 0;
    expect(await core.must('verify.askEarlier', file)).toMatchObject({ answer: { group: 'confirmed' } });
    expect((service.control.requests().ValidateDocument ?? 0) - before).toBe(1);
    // Nothing of the copy stays.
    const left = await readdir(join(core.dataDir, 'arrived'), { recursive: true });
    expect(left.filter((name) => name.length > 40)).toEqual([]);

    await writeFile(join(folder, 'back.pdf'), signed.bytes.subarray(10));
    await writeFile(target, 'of somebody');
    expect(await core.ask('verify.saveEarlier', file)).toMatchObject({ ok: false, failure: { code: 'file-changed' } });
    expect(await readFile(target, 'utf8')).toBe('of somebody');
  });

  it('is not known for a file of which no beginning was registered or downloaded', async () => {
    const { core, connectionId, write } = await ready();
    const { runId, of } = await verified(core, connectionId, [await write('back.pdf', twice.bytes)]);
    expect(of('back.pdf')?.origin).toBeNull();
    const asked = await core.ask('verify.askEarlier', { runId, index: of('back.pdf')?.index ?? 0 });
    expect(asked).toMatchObject({ ok: false, failure: { code: 'not-found' } });
  });
});
