import { chmod, mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it } from 'vitest';
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { archiveOf, audited, pathsOf } from './audit-setup.ts';
import { connect, newCore, newFolder, newService, writePdfs } from './jobs-setup.ts';

describe('auditing a folder', () => {
  it('detects changed bytes in a file with the same size and a modification time that was set back', async () => {
    const archive = await archiveOf(5);
    const path = archive.at(archive.paths[2] ?? '');
    const then = new Date(1_700_000_000_000);
    await utimes(path, then, then);
    await audited(archive);
    const { size } = await stat(path);
    const bytes = Buffer.from(archive.known(2));
    bytes[size - 100] = (bytes[size - 100] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await utimes(path, then, then);
    const run = await audited(archive);
    expect(run).toMatchObject({ calls: 1, changes: { altered: 1, unchanged: 4 } });
    expect(await pathsOf(archive.core, run.runId, { change: 'altered' })).toEqual([archive.paths[2]]);
  });

  it('asks about all files again on demand, and reports a changed answer about the same bytes', async () => {
    const archive = await archiveOf(6);
    await audited(archive);
    archive.service.control.misbehave({ mischief: { kind: 'answer', text: 'Invalid' }, times: 1 });
    const run = await audited(archive, 'everything');
    expect(run).toMatchObject({ calls: 6, changes: { 'verdict-changed': 1, unchanged: 5 } });
    const { results } = await archive.core.must('verify.results', { runId: run.runId, change: 'verdict-changed' });
    expect(results).toMatchObject([{ raw: 'Invalid', earlier: { group: 'confirmed', raw: 'Valid' } }]);
    expect(await audited(archive, 'contents')).toMatchObject({ calls: 0, changes: { unchanged: 6 } });
  });

  it('asks about files without an answer in the next run, and reports them neither as gone nor as wrong', async () => {
    const archive = await archiveOf(8);
    archive.service.control.misbehave({ mischief: { kind: 'html' }, every: 4 });
    const left = { state: 'stopped', answered: 6, trouble: { detail: 'html-page' } };
    expect(await audited(archive)).toMatchObject({ ...left, counts: { confirmed: 6, 'no-answer': 0 } });
    archive.service.control.misbehave(null);
    expect(await audited(archive)).toMatchObject({ calls: 2, counts: { confirmed: 8, 'no-answer': 0 } });
  });

  it('asks once about each file that a stopped run left, and counts it once', async () => {
    const archive = await archiveOf(20);
    const { core, auditId, service } = archive;
    service.control.misbehave({ mischief: { kind: 'delay', ms: 20 } });
    const { runId } = await core.must('audits.run', { auditId });
    await core.untilTask('verification', ({ progress: { run } }) => run.answered >= 3);
    await core.must('tasks.stop', { taskId: runId });
    await core.until('tasks.ended', ({ taskId }) => taskId === runId);
    const before = archive.asked();
    const run = await audited(archive);
    expect(run).toMatchObject({ total: 20, answered: 20, counts: { confirmed: 20 } });
    expect(run.calls).toBe(archive.asked() - before);
    expect((run.changes?.new ?? 0) + (run.changes?.unchanged ?? 0)).toBe(20);
    expect(run.calls).toBe(run.changes?.new);
  });

  it('does not report files as gone if a folder is missing or cannot be read', async () => {
    const archive = await archiveOf(14);
    const { core, auditId, at } = archive;
    await audited(archive);
    await rename(at('archive'), at('elsewhere'));
    expect(await core.ask('audits.run', { auditId })).toMatchObject({
      ok: false,
      failure: { code: 'file-unreadable', detail: 'file-missing' },
    });
    await rename(at('elsewhere'), at('archive'));
    if (process.getuid?.() === 0) return;
    await chmod(at('archive/3'), 0);
    const run = await audited(archive).finally(() => chmod(at('archive/3'), 0o755));
    expect(run).toMatchObject({ changes: { gone: 0 }, counts: { 'no-answer': 2, 'not-confirmed': 0 }, leftOut: 1 });
  });

  it('reports a missing file once, and reports it as new when it comes back', async () => {
    const archive = await archiveOf(4);
    const path = archive.paths[1] ?? '';
    await audited(archive);
    await rm(archive.at(path));
    expect(await audited(archive)).toMatchObject({ total: 4, changes: { gone: 1, unchanged: 3 }, calls: 0 });
    expect(await audited(archive)).toMatchObject({ total: 3, changes: { gone: 0, unchanged: 3 } });
    await writeFile(archive.at(path), archive.known(1));
    expect(await audited(archive)).toMatchObject({ total: 4, changes: { new: 1, unchanged: 3 }, calls: 1 });
  });

  it('keeps audits over restarts, resumes a stopped run, and starts planned runs by itself', async () => {
    const [dataDir, folder, service] = [await newFolder(), await newFolder(), await newService({ processingMs: 0 })];
    const keychain = memoryKeychain(new Map());
    await mkdir(join(folder, 'in'));
    await writePdfs(
      join(folder, 'in'),
      Array.from({ length: 30 }, (_each, n) => `${n}.pdf`),
    );
    const first = await newCore({ dataDir, keychain });
    const connectionId = await connect(first, service);
    const { token } = await first.core.acceptPath(join(folder, 'in'));
    const { auditId } = await first.must('audits.add', { connectionId, token });
    expect((await first.must('audits.add', { connectionId, token })).auditId).toBe(auditId);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 20 } });
    const { runId } = await first.must('audits.run', { auditId });
    expect(await first.ask('audits.run', { auditId })).toMatchObject({ ok: false, failure: { code: 'bad-input' } });
    await first.untilTask('verification', ({ progress: { run } }) => run.answered >= 6);
    await first.stop();
    service.control.misbehave(null);

    const second = await newCore({ dataDir, keychain });
    const [audit] = await second.must('audits.list', {});
    expect(audit).toMatchObject({ auditId, name: 'in', lastRun: { runId, state: 'stopped', total: 30 } });
    const asked = service.control.requests().ValidateDocument ?? 0;
    await second.must('verify.resume', { runId });
    const ended = await second.untilTask('verification', ({ progress: { run } }) => run.state === 'finished');
    expect(ended.progress.run).toMatchObject({ answered: 30, changes: { new: 30 } });
    const before = audit?.lastRun?.answered ?? 0;
    expect((service.control.requests().ValidateDocument ?? 0) - asked).toBe(30 - before);
    expect(await second.must('audits.plan', { auditId, everyMinutes: 60 })).toMatchObject({ everyMinutes: 60 });
    await second.stop();

    makeDue(dataDir);
    const third = await newCore({ dataDir, keychain, host: 'desktop' });
    const planned = await third.untilTask('verification', ({ progress: { run } }) => run.state === 'finished');
    expect(planned.progress.run).toMatchObject({ auditId, calls: 0, changes: { unchanged: 30 } });
    const [next] = await third.must('audits.list', {});
    expect(Date.parse(next?.nextAt ?? '')).toBeGreaterThan(Date.now() + 59 * 60_000);
    await third.must('audits.remove', { auditId });
    expect(await third.must('audits.list', {})).toEqual([]);
    expect((await third.must('verify.runs', {})).total).toBe(0);
    await gone(third, runId);
  });

  it('that cannot begin as planned says when it is tried next, not when it should have begun', async () => {
    const { core, auditId, folder } = await archiveOf(1);
    await core.must('audits.plan', { auditId, everyMinutes: 60 });
    await core.core.close();
    await rm(join(folder, 'archive'), { recursive: true });
    makeDue(core.dataDir);
    const next = await newCore({ dataDir: core.dataDir, host: 'desktop' });
    await next.until('audits.changed', ([audit]) => Date.parse(audit?.nextAt ?? '') > Date.now());
  });
});

/** Makes a planned run due, as if an hour had passed. */
function makeDue(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'sealdesk.db'));
  database.prepare('UPDATE verify_audits SET next_at = ?').run(new Date(Date.now() - 1000).toISOString());
  database.close();
}

async function gone(core: RunningCore, runId: string): Promise<void> {
  expect(await core.ask('verify.results', { runId })).toMatchObject({ ok: false, failure: { code: 'not-found' } });
}
