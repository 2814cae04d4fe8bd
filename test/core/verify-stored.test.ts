import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInMeaning } from '../../locales/answer-meaning.ts';
import type { RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, register, scan, untilEnded, writePdfs } from './jobs-setup.ts';

async function ready(parallel = 2, more: { readonly verifyPerMinute?: number } = {}) {
  const [core, service, folder] = [await newCore(), await newService({ processingMs: 0 }), await newFolder()];
  return { core, service, folder, connectionId: await connect(core, service, { parallel, ...more }) };
}

const names = (count: number) => Array.from({ length: count }, (_each, n) => `${String(n).padStart(3, '0')}.pdf`);

const ended = (core: RunningCore, runId: string, state: 'finished' | 'stopped' = 'finished') =>
  core.untilTask('verification', ({ progress: { run } }) => run.runId === runId && run.state === state, 20_000);

describe('stored runs', () => {
  it('stop, survive a restart, and continue with the files without an answer, asking nothing twice', async () => {
    const dataDir = await newFolder();
    const secrets = new Map<string, string>();
    const keychain = {
      get: async (name: string) => secrets.get(name) ?? null,
      set: async (name: string, secret: string) => void secrets.set(name, secret),
      remove: async (name: string) => void secrets.delete(name),
    };
    const service = await newService({ processingMs: 0 });
    const folder = await newFolder();
    const first = await newCore({ dataDir, keychain });
    const connectionId = await connect(first, service);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 15 } });
    const intake = await scan(first, await writePdfs(folder, names(60)), 'verify');
    const { runId } = await first.must('verify.start', { connectionId, intakeId: intake.id });
    await first.untilTask('verification', ({ progress: { run } }) => run.answered >= 10);
    await first.stop();

    const second = await newCore({ dataDir, keychain });
    const { runs } = await second.must('verify.runs', {});
    expect(runs).toMatchObject([{ runId, state: 'stopped', total: 60, title: '000.pdf', kind: 'files' }]);
    const before = runs[0]?.answered ?? 0;
    expect(before).toBeGreaterThanOrEqual(10);
    expect(before).toBeLessThan(60);
    const askedBefore = service.control.requests().ValidateDocument ?? 0;
    // Pressed twice, and once more while it is being stopped: it goes on.
    const resume = () => second.must('verify.resume', { runId });
    await Promise.all([resume(), resume()]);
    const stopping = second.must('tasks.stop', { taskId: runId });
    await resume();
    await stopping;
    service.control.misbehave(null);
    await second.untilTask('verification', ({ progress: { run } }) => run.state === 'finished');
    const [run] = (await second.must('verify.runs', {})).runs;
    expect(run).toMatchObject({ state: 'finished', answered: 60, counts: { 'not-confirmed': 60 } });
    // Besides the two that were in the air when it was stopped, none is asked about twice.
    expect((service.control.requests().ValidateDocument ?? 0) - askedBefore - (60 - before)).toBeOneOf([0, 1, 2]);
  });

  it('are listed newest first and removed on demand', async () => {
    const { core, folder, connectionId } = await ready();
    const ids: string[] = [];
    for (const name of ['a.pdf', 'b.pdf']) {
      const intake = await scan(core, await writePdfs(folder, [name]), 'verify');
      const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
      await ended(core, runId);
      ids.unshift(runId);
    }
    expect((await core.must('verify.runs', {})).runs.map(({ runId }) => runId)).toEqual(ids);
    await core.must('verify.forget', { runId: ids[0] ?? '' });
    expect(await core.must('verify.runs', {})).toMatchObject({ total: 1, runs: [{ runId: ids[1] }] });
    expect(await core.ask('verify.results', { runId: ids[0] ?? '' })).toMatchObject({
      ok: false,
      failure: { code: 'not-found' },
    });
  });

  it('are estimated before, and list their skipped files', async () => {
    const { core, folder, connectionId } = await ready();
    const paths = await writePdfs(folder, names(3), 900);
    await writeFile(join(folder, 'empty.pdf'), '');
    const intake = await scan(core, [folder], 'verify');
    const estimate = await core.must('verify.estimate', { connectionId, intakeId: intake.id });
    expect(estimate).toMatchObject({ files: 3, notPdf: 0, calls: 3 });
    expect(estimate.totalBytes).toBe(2_700);
    expect(paths).toHaveLength(3);
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    const { run } = (await ended(core, runId)).progress;
    expect(run).toMatchObject({ total: 3, leftOut: 1, calls: 3 });
    expect(await core.must('verify.leftOut', { runId })).toMatchObject({
      total: 1,
      files: [{ name: 'empty.pdf', reason: 'file-empty' }],
    });
  });

  it('say before how many files are no PDF, whatever they are called', async () => {
    const { core, folder, connectionId } = await ready();
    await writePdfs(folder, names(2), 900);
    await writeFile(join(folder, 'note.txt'), 'a note');
    await writeFile(join(folder, 'letter.pdf'), 'a letter');
    const { id: intakeId } = await scan(core, [folder], 'verify');
    for (const asked of [connectionId, null])
      expect(await core.must('verify.estimate', { connectionId: asked, intakeId })).toMatchObject({
        files: 4,
        notPdf: 2,
      });
  });

  it('keep to the limit of calls a minute', async () => {
    const { core, service, folder, connectionId } = await ready(4, { verifyPerMinute: 600 });
    const intake = await scan(core, await writePdfs(folder, names(8)), 'verify');
    const startedAt = performance.now();
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await ended(core, runId);
    expect(performance.now() - startedAt).toBeGreaterThan(650);
    expect(service.control.requests().ValidateDocument).toBe(8);
  });

  it('stop with the reason if the service is away, without marking the other files as unanswered', async () => {
    const { core, service, folder, connectionId } = await ready(8);
    const intake = await scan(core, await writePdfs(folder, names(100)), 'verify');
    await service.close();
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    const { run } = (await ended(core, runId, 'stopped')).progress;
    expect(run.trouble).toMatchObject({ code: 'service-unreachable' });
    expect(run.answered).toBeLessThan(30);
    expect(run.counts['not-confirmed']).toBe(0);
  });
});

describe('the history of a file', () => {
  it('shows local knowledge, the answer of the service, and the comparison with its copy, independently', async () => {
    const { core, service, folder, connectionId } = await ready();
    const [path = ''] = await writePdfs(folder, ['contract.pdf'], 2_000_000);
    const { token } = await core.core.acceptPath(path);
    const { batchId } = await core.must('signatures.request', {
      kind: 'plain',
      connectionId,
      fileToken: token,
      creditType: 2,
      clientId: 'CASE-9',
      emails: ['ann@example.com'],
    });
    const [job] = await untilEnded(core, batchId);
    const documentId = job?.documentId ?? '';
    const copy = join(folder, 'copy.pdf');
    await core.core.downloadTo(connectionId, documentId, copy);
    await core.untilTask('download', ({ state }) => state === 'done');
    const intake = await scan(core, [path, copy], 'verify');
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await ended(core, runId);

    const story = await core.must('verify.history', { runId, index: 0 });
    expect(story).toMatchObject({
      here: [{ documentId, clientId: 'CASE-9', operation: 'AddNewDocumentESign', connectionId }],
      service: { answer: { group: 'confirmed' }, raw: 'Valid' },
      copy: null,
      comparableIds: [documentId],
    });
    expect(story.here[0]?.sentTo).toContain('ann@example.com');

    const before = core.events.length;
    expect(await core.must('verify.compare', { runId, index: 0 })).toMatchObject({ state: 'comparing' });
    const { progress: mine } = await core.untilTask(
      'comparison',
      ({ progress }) => progress.index === 0 && progress.comparison.state !== 'comparing',
    );
    expect(core.events.length).toBeGreaterThan(before);
    await core.must('verify.compare', { runId, index: 1, documentId });
    const { progress: theirs } = await core.untilTask(
      'comparison',
      ({ progress }) => progress.index === 1 && progress.comparison.state === 'same',
    );
    expect(theirs.comparison).toMatchObject({ firstDifferenceAt: null, documentId });
    // The practice service returns a sealed copy: its bytes differ, and both are confirmed.
    expect(mine.comparison.state).toBe('different');
    expect(mine.comparison.copySha256).toBe(theirs.comparison.copySha256);
    expect(mine.comparison.firstDifferenceAt).toBeGreaterThan(0);
    expect(await core.must('verify.history', { runId, index: 0 })).toMatchObject({ copy: { state: 'different' } });
    expect(service.control.requests().GetDocument).toBe(3);
  });

  it('names the first byte that differs, or the end of the shorter one', async () => {
    const { core, folder, connectionId } = await ready();
    const [path = ''] = await writePdfs(folder, ['a.pdf'], 3_000_000);
    const [job] = await untilEnded(core, await register(core, connectionId, [path]));
    const documentId = job?.documentId ?? '';
    const copy = join(folder, 'copy.pdf');
    await core.core.downloadTo(connectionId, documentId, copy);
    const { sha256 } = (await core.untilTask('download', ({ state }) => state === 'done')).progress;
    const { readFile } = await import('node:fs/promises');
    const bytes = await readFile(copy);
    const changed = Buffer.from(bytes);
    changed[2_345_678] = (changed[2_345_678] ?? 0) ^ 1;
    await writeFile(join(folder, 'changed.pdf'), changed);
    await writeFile(join(folder, 'shorter.pdf'), bytes.subarray(0, 1_000_000));
    await writeFile(join(folder, 'longer.pdf'), bytes);
    await appendFile(join(folder, 'longer.pdf'), 'x');
    const paths = ['changed.pdf', 'shorter.pdf', 'longer.pdf'].map((name) => join(folder, name));
    const intake = await scan(core, paths, 'verify');
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await ended(core, runId);
    const places: (number | null)[] = [];
    for (const index of [0, 1, 2]) {
      await core.must('verify.compare', { runId, index, documentId });
      const { progress } = await core.untilTask(
        'comparison',
        (task) => task.progress.index === index && task.progress.comparison.state !== 'comparing',
      );
      const { comparison } = progress;
      expect(comparison).toMatchObject({ state: 'different', copySha256: sha256, copySizeBytes: bytes.length });
      places.push(comparison.firstDifferenceAt);
    }
    expect(places).toEqual([2_345_678, 1_000_000, bytes.length]);
  });

  it('shows a refusal as "no copy", a broken connection as "no answer", and requires an ID if none is known', async () => {
    const { core, service, folder, connectionId } = await ready();
    const intake = await scan(core, await writePdfs(folder, ['a.pdf']), 'verify');
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await ended(core, runId);
    expect(await core.ask('verify.compare', { runId, index: 0 })).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', fields: { documentId: 'is needed' } },
    });
    const documentId = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
    await core.must('verify.compare', { runId, index: 0, documentId });
    const { progress: refused } = await core.untilTask(
      'comparison',
      ({ progress }) => progress.comparison.state === 'no-copy',
    );
    expect(refused.comparison.failure).toMatchObject({ code: 'service-refused' });
    service.control.misbehave({ mischief: { kind: 'html' } });
    await core.must('verify.compare', { runId, index: 0, documentId });
    await core.untilTask('comparison', ({ progress }) => progress.comparison.state === 'no-answer');
  });

  it('ends as stopped, in its task and in the history, if the comparison is stopped before the copy arrives', async () => {
    const { core, service, folder, connectionId } = await ready();
    const paths = await writePdfs(folder, ['a.pdf']);
    await untilEnded(core, await register(core, connectionId, paths));
    const intake = await scan(core, paths, 'verify');
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await ended(core, runId);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 60_000 }, operation: 'GetDocument' });
    await core.must('verify.compare', { runId, index: 0 });
    const { taskId } = await core.untilTask('comparison', ({ state }) => state === 'running');
    await core.must('tasks.stop', { taskId });
    const { progress } = await core.untilTask('comparison', ({ state }) => state === 'stopped');
    expect(progress.comparison.state).toBe('stopped');
    expect(await core.must('verify.history', { runId, index: 0 })).toMatchObject({ copy: { state: 'stopped' } });
  });
});

describe('assigning a meaning to an answer', () => {
  it('moves the files with this answer to their group, also in ended runs, and can be undone', async () => {
    const { core, service, folder, connectionId } = await ready();
    service.control.misbehave({ mischief: { kind: 'answer', text: 'Genehmigt' }, times: 2 });
    const intake = await scan(core, await writePdfs(folder, names(3)), 'verify');
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await ended(core, runId);
    const counts = async () => (await core.must('verify.runs', {})).runs[0]?.counts;
    expect(await counts()).toMatchObject({ unclear: 2, confirmed: 0, 'not-confirmed': 1 });
    await core.must('answers.sort', { kind: 'verdict', word: 'genehmigt', group: 'confirmed', meaning: 'Approved' });
    expect(await counts()).toMatchObject({ unclear: 0, confirmed: 2, 'not-confirmed': 1 });
    const { results, total } = await core.must('verify.results', { runId, group: 'confirmed' });
    expect(total).toBe(2);
    expect(results[0]).toMatchObject({ raw: 'Genehmigt', answer: { meaning: 'Approved' } });
    expect(results[0]?.qualification).toEqual({ verdict: 'confirmed', remark: null, reason: 'sorted-word' });
    await core.must('answers.unsort', { kind: 'verdict', word: 'Genehmigt' });
    expect(await counts()).toMatchObject({ unclear: 2, confirmed: 0 });
  });

  it('gives an own word of a service the heading of the built-in ones, and takes it back', async () => {
    const { core, service, folder, connectionId } = await ready();
    service.control.misbehave({ mischief: { kind: 'answer', text: 'Verfälscht' }, times: 1 });
    const intake = await scan(core, await writePdfs(folder, names(1)), 'verify');
    const { runId } = await core.must('verify.start', { connectionId, intakeId: intake.id });
    await ended(core, runId);
    const word = { kind: 'verdict', word: 'Verfälscht' } as const;
    const found = async () => {
      const [result] = (await core.must('verify.results', { runId })).results;
      const { service: said } = await core.must('verify.history', { runId, index: 0 });
      expect(said?.finding).toBe(result?.finding);
      return [result?.answer?.group, result?.finding];
    };
    expect(await found()).toEqual(['unclear', null]);
    for (const [key, finding] of [
      ['changed', 'changed'],
      ['unknown', 'unknown'],
    ] as const) {
      await core.must('answers.sort', { ...word, group: 'not-confirmed', meaning: builtInMeaning(key) });
      expect(await found()).toEqual(['not-confirmed', finding]);
    }
    // In another group, the same words are no finding.
    await core.must('answers.sort', { ...word, group: 'confirmed', meaning: builtInMeaning('changed') });
    expect(await found()).toEqual(['confirmed', null]);
    await core.must('answers.unsort', word);
    expect(await found()).toEqual(['unclear', null]);
  });
});
