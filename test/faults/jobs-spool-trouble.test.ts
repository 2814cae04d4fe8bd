import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import {
  atEnd,
  connect,
  jobsOf,
  look,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { memoryKeychain } from '../harness/core.ts';
import { balance, mountSmall, namesOf } from './fault-runs.ts';
import { isFull, tellFault } from './fault-table.ts';

const states = (jobs: readonly Job[]) => jobs.map(({ state }) => state);

/** The spool on a disk of its own, which can be made read-only: only root on Linux may do so. */
async function spoolOnDisk() {
  const dataDir = await newFolder();
  const spool = join(dataDir, 'spool');
  mkdirSync(spool);
  if (!mountSmall(spool, 16)) return null;
  return {
    dataDir,
    readOnly: (is: boolean) => void execFileSync('mount', ['-o', `remount,${is ? 'ro' : 'rw'}`, spool]),
  };
}

/** Of this process. A program of its own changes the limit: to start one needs open files. */
function openFileLimit() {
  const by = (limit: string) => `read go; prlimit --pid ${process.pid} --nofile=${limit} && echo done`;
  try {
    execFileSync('prlimit', ['--version']);
  } catch {
    return null;
  }
  const limits = execFileSync('prlimit', [
    '--pid',
    String(process.pid),
    '--nofile',
    '--raw',
    '--noheadings',
    '-o',
    'SOFT,HARD',
  ]);
  const [soft, hard] = String(limits).trim().split(/\s+/);
  // Fewer than are open: every further one is refused.
  const child = spawn('sh', ['-c', `while true; do ${by(`3:${hard}`)}; ${by(`${soft}:${hard}`)}; done`], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const change = () =>
    new Promise<void>((resolve) => {
      child.stdout.once('data', () => resolve());
      child.stdin.write('go\n');
    });
  atEnd(async () => void child.kill());
  return { lower: change, raise: change };
}

describe('trouble with the spool', () => {
  it('that is read-only keeps jobs waiting, is not blamed on the files, and is over when it is', async (test) => {
    const disk = await spoolOnDisk();
    if (!disk) return test.skip('no small disk can be mounted here');
    const [service, folder] = [await newService(), await newFolder()];
    const core = await newCore({ dataDir: disk.dataDir });
    const connectionId = await connect(core, service);
    disk.readOnly(true);
    const batchId = await register(core, connectionId, await writePdfs(folder, namesOf(10)));
    const jobs = await untilJobs(core, batchId, (all) => all.every(({ failure }) => failure !== null));
    for (const { state, failure } of jobs)
      expect({ state, code: failure?.code, detail: failure?.detail }).toEqual({
        ...{ state: 'prepared', code: 'storage-unusable', detail: 'data-folder-denied' },
      });
    disk.readOnly(false);
    expect(states(await untilEnded(core, batchId))).toEqual(Array(10).fill('done'));
  });

  it('leaves failed what is the source’s own fault', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    const [path = ''] = await writePdfs(folder, ['gone.pdf']);
    const { token } = await core.core.acceptPath(path);
    const intake = await core.must('files.scan', { tokens: [token], purpose: 'register' });
    execFileSync('rm', [path]);
    const { batchId } = await core.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
    expect(await untilEnded(core, batchId)).toMatchObject([
      { state: 'failed', failure: { code: 'file-unreadable', detail: 'file-missing' } },
    ]);
  });

  it('of too many open files keeps jobs waiting, is not blamed on the files, and is over when it is', async (test) => {
    const files = openFileLimit();
    if (!files) return test.skip('there is no prlimit here');
    const sums = { jobs: 0, done: 0, inDoubt: 0, lost: 0, doubled: 0 };
    const rounds = isFull ? 30 : 1;
    for (let round = 0; round < rounds; round++) {
      const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
      const connectionId = await connect(core, service);
      const intake = await look(core, await writePdfs(folder, namesOf(20)));
      await files.lower();
      const given = { connectionId, intakeId: intake.id, creditType: 1 };
      const { batchId } = await core.must('documents.register', given).catch(async (error: unknown) => {
        await files.raise();
        throw error;
      });
      const jobs = await untilJobs(core, batchId, (all) => all.every(({ failure }) => failure !== null)).finally(
        files.raise,
      );
      for (const { state, failure } of jobs)
        expect({ state, detail: failure?.detail }).toEqual({ state: 'prepared', detail: 'too-many-open-files' });
      await untilEnded(core, batchId);
      const sum = await balance(service, folder, await jobsOf(core));
      for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += sum[key];
      await core.stop();
    }
    tellFault({ fault: 'too many open files', injected: rounds, ...sums });
    expect(sums).toEqual({ jobs: 20 * rounds, done: 20 * rounds, inDoubt: 0, lost: 0, doubled: 0 });
  }, 600_000);

  it('while a copy is to be sent lets the job wait too', async (test) => {
    const disk = await spoolOnDisk();
    if (!disk) return test.skip('no small disk can be mounted here');
    const keychain = memoryKeychain(new Map());
    const [service, folder] = [await newService(), await newFolder()];
    const core = await newCore({ dataDir: disk.dataDir, keychain });
    const connectionId = await connect(core, service);
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    await untilJobs(core, batchId, ([job]) => job?.state === 'waiting');
    const [name = ''] = readdirSync(join(disk.dataDir, 'spool'));
    const copy = join(disk.dataDir, 'spool', name);
    // A folder in the place of the copy cannot be read as a file, whoever asks.
    execFileSync('mv', [copy, `${copy}.kept`]);
    mkdirSync(copy);
    await core.must('jobs.resume', { what: 'all' });
    const [waiting] = await untilJobs(core, batchId, ([job]) => job?.failure !== null);
    expect(waiting).toMatchObject({ state: 'waiting', failure: { code: 'storage-unusable' } });
    execFileSync('rmdir', [copy]);
    execFileSync('mv', [`${copy}.kept`, copy]);
    expect(states(await untilEnded(core, batchId))).toEqual(['done']);
  });
});
