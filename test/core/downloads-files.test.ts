import { writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isFull } from '../faults/fault-table.ts';
import type { RunningCore } from '../harness/core.ts';
import { connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from './jobs-setup.ts';

const rounds = isFull ? 30 : 1;
const perProgram = 30;

/** A program with documents of the service in its register, whose names lead to only a few file names. */
async function program(service: Awaited<ReturnType<typeof newService>>, sign: string) {
  const [core, folder] = [await newCore(), await newFolder()];
  const connectionId = await connect(core, service, { parallel: 4 });
  const same = ['Lease.pdf', 'LEASE.pdf', 'M\u00fcller.pdf', 'Mu\u0308ller.pdf', 'con.pdf', '_con.pdf'];
  const names = Array.from({ length: perProgram }, (_each, n) => `${sign}${n}/${same[n % same.length]}`);
  await writePdfs(folder, names);
  const jobs = await untilEnded(core, await register(core, connectionId, [folder]));
  return { core, documents: jobs.map(({ documentId }) => ({ connectionId, documentId: documentId ?? '' })) };
}

type Program = Awaited<ReturnType<typeof program>>;

async function downloadAll({ core, documents }: Program, target: string) {
  core.dialogs.files.push([target]);
  const begun = await core.must('documents.downloadAll', { documents });
  const ended = await core.untilTask(
    'bulk-download',
    ({ taskId, state }) => taskId === begun?.taskId && state !== 'running',
    60_000,
  );
  return ended.progress;
}

/** Creates a person's file with the name of each started download that has not written its file yet, until there are 3. */
function intruder(cores: readonly RunningCore[], target: string) {
  const own = new Set<string>();
  const stops = cores.map(({ listen }) =>
    listen('tasks.progressed', (task) => {
      if (task.kind !== 'bulk-download') return;
      for (const { fileName } of task.progress.running) {
        if (own.size >= 3) return;
        try {
          writeFileSync(join(target, fileName), 'mine', { flag: 'wx' });
          own.add(fileName);
        } catch {
          // The file already exists.
        }
      }
    }),
  );
  return { own, stop: () => void stops.map((stop) => stop()) };
}

describe('a finished download', () => {
  it('is complete and replaces nothing when two programs download into one folder', async () => {
    const service = await newService({ processingMs: 0 });
    const programs = [await program(service, 'a'), await program(service, 'b')];
    const cores = programs.map(({ core }) => core);
    const missing: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const target = await newFolder();
      await writeFile(join(target, 'Lease.pdf'), 'mine');
      const { own, stop } = intruder(cores, target);
      const ended = await Promise.all(programs.map((one) => downloadAll(one, target)));
      stop();
      const bodies = new Set<string>();
      for (const name of ['Lease.pdf', ...own]) expect(await readFile(join(target, name), 'utf8'), name).toBe('mine');
      const names = (await readdir(target)).filter((name) => name !== 'Lease.pdf' && !own.has(name));
      for (const name of names) bodies.add(await readFile(join(target, name), 'latin1'));
      const said = ended.reduce((sum, { doneCount }) => sum + doneCount, 0);
      expect(said).toBe(2 * perProgram);
      if (bodies.size !== said) missing.push(`round ${round}: ${said} said done, ${bodies.size} there`);
      for (const { saved } of ended) for (const { fileName } of saved) expect(names).toContain(fileName);
      expect(names.filter((name) => !name.endsWith('.pdf'))).toEqual([]);
      // Names from one program never differ only in case, because some file systems do not distinguish them.
      for (const { saved } of ended)
        expect(new Set(saved.map(({ fileName }) => fileName.normalize('NFC').toLowerCase())).size).toBe(perProgram);
    }
    expect(missing).toEqual([]);
  });

  it('replaces the file that the person agreed to replace, and no file that was created there since', async () => {
    const service = await newService({ processingMs: 0 });
    const { core, documents } = await program(service, 'c');
    const [first = { connectionId: '', documentId: '' }] = documents;
    const target = join(await newFolder(), 'copy.pdf');
    const download = async () => {
      core.dialogs.targets.push(target);
      const started = await core.must('documents.download', first);
      return { id: started?.taskId };
    };
    const ended = (id: string | undefined) =>
      core.untilTask('download', ({ taskId, state }) => taskId === id && state !== 'running');

    await writeFile(target, 'to be replaced');
    expect(await ended((await download()).id)).toMatchObject({
      state: 'done',
      progress: { fileName: 'copy.pdf' },
    });
    expect((await readFile(target)).subarray(0, 5).toString()).toBe('%PDF-');

    service.control.misbehave({ mischief: { kind: 'slow', bytes: 100, everyMs: 20 }, operation: 'GetDocument' });
    // Two downloads to the same agreed file at the same time: the second must not remove the file reported as saved by the first.
    const both = [await download(), await download()];
    const names = await Promise.all(both.map(async ({ id }) => (await ended(id)).progress.fileName));
    expect(names.sort()).toEqual(['copy (2).pdf', 'copy.pdf']);

    const other = join(await newFolder(), 'new.pdf');
    core.dialogs.targets.push(other);
    const { taskId } = (await core.must('documents.download', first)) ?? {};
    await core.untilTask('download', (task) => task.taskId === taskId && task.progress.receivedBytes > 0);
    await writeFile(other, 'mine');
    expect(await ended(taskId)).toMatchObject({ state: 'done', progress: { fileName: 'new (2).pdf' } });
    expect(await readFile(other, 'utf8')).toBe('mine');
    await core.must('documents.showDownload', { taskId: taskId ?? '' });
    expect(core.shown.at(-1)).toBe(join(other, '..', 'new (2).pdf'));
  });
});
