import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  scan,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { memoryKeychain } from '../harness/core.ts';
import { missing } from '../harness/missing-means.ts';
import { balance, mountSmall, namesOf } from './fault-runs.ts';
import { isFull, limitMs, recordFault } from './fault-table.ts';

const states = (jobs: readonly Job[]) => jobs.map(({ state }) => state);

/** Puts the spool on a separate disk that can be made read-only; only root on Linux can do this. */
async function spoolOnDisk(test: TestContext) {
  const dataDir = await newFolder();
  const spool = join(dataDir, 'spool');
  mkdirSync(spool);
  mountSmall(test, spool, 16);
  return {
    dataDir,
    readOnly: (is: boolean) => void execFileSync('mount', ['-o', `remount,${is ? 'ro' : 'rw'}`, spool]),
  };
}

/** The limit of this process. A separate program changes it, because starting one needs open files. */
function openFileLimit(test: TestContext) {
  const by = (limit: string) => `read go; prlimit --pid ${process.pid} --nofile=${limit} && echo done`;
  try {
    execFileSync('prlimit', ['--version']);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    missing(test, 'there is no prlimit here');
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
  // Below the number of open files, so that every further one is refused.
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

describe('a spool that cannot be used', () => {
  it('because it is read-only keeps jobs waiting, is not blamed on the files, and recovers', async (test) => {
    const disk = await spoolOnDisk(test);
    const [service, folder] = [await newService(), await newFolder()];
    const core = await newCore({ dataDir: disk.dataDir });
    const connectionId = await connect(core, service);
    disk.readOnly(true);
    const batchId = await register(core, connectionId, await writePdfs(folder, namesOf(10)));
    const jobs = await untilJobs(core, batchId, (all) => all.every(({ failure }) => failure !== null));
    for (const { state, failure } of jobs)
      expect({ state, code: failure?.code, detail: failure?.detail }).toEqual({
        state: 'prepared',
        code: 'storage-unusable',
        detail: 'data-folder-denied',
      });
    disk.readOnly(false);
    expect(states(await untilEnded(core, batchId))).toEqual(Array(10).fill('done'));
  });

  it('does not hide failures of the source files', async () => {
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

  it(
    'because of too many open files keeps jobs waiting, is not blamed on the files, and recovers',
    async (test) => {
      const files = openFileLimit(test);
      const sums = { jobs: 0, done: 0, inDoubt: 0, lost: 0, doubled: 0 };
      const rounds = isFull ? 30 : 1;
      for (let round = 0; round < rounds; round++) {
        const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
        const connectionId = await connect(core, service);
        const intake = await scan(core, await writePdfs(folder, namesOf(20)));
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
      recordFault({ fault: 'too many open files', injected: rounds, ...sums });
      expect(sums).toEqual({ jobs: 20 * rounds, done: 20 * rounds, inDoubt: 0, lost: 0, doubled: 0 });
    },
    limitMs,
  );

  it('while a copy is to be sent keeps the job waiting', async (test) => {
    const disk = await spoolOnDisk(test);
    const keychain = memoryKeychain(new Map());
    const [service, folder] = [await newService(), await newFolder()];
    const core = await newCore({ dataDir: disk.dataDir, keychain });
    const connectionId = await connect(core, service);
    await core.must('jobs.pause', { what: 'all' });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    await untilJobs(core, batchId, ([job]) => job?.state === 'waiting');
    const [name = ''] = readdirSync(join(disk.dataDir, 'spool'));
    const copy = join(disk.dataDir, 'spool', name);
    // A folder in place of the copy cannot be read as a file by any user.
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
