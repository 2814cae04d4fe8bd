import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../contract/activity.ts';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  writePdfs,
} from '../core/jobs-setup.ts';

const program = fileURLToPath(new URL('queue-program.ts', import.meta.url));
/** In one run of the adds. More would leave nothing but doubt: each kill may leave two adds in doubt. */
const kills = 10;
/** The long test is asked for by KILLS=200: 20 runs. */
const rounds = Math.ceil(Number(process.env.KILLS ?? kills) / kills);
const adds = 50;

type Service = Awaited<ReturnType<typeof newService>>;

function run(env: Record<string, string>): ChildProcess & { said: (word: string) => Promise<boolean> } {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let trouble = '';
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.stderr?.on('data', (bytes) => {
    trouble += bytes;
  });
  child.stdout?.on('data', (bytes) => {
    out += bytes;
    child.emit('said');
  });
  atEnd(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const said = async (word: string): Promise<boolean> => {
    for (;;) {
      if (out.includes(word)) return true;
      if (child.exitCode !== null || child.signalCode !== null) {
        if (trouble) process.stderr.write(trouble);
        return false;
      }
      await new Promise<void>((resolve) => {
        child.once('said', resolve);
        child.once('exit', () => resolve());
      });
    }
  };
  return Object.assign(child, { said });
}

const kill = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });

/** What the service counted against what the ledger says. */
async function balance(service: Service, folder: string, jobs: readonly Job[]) {
  const taken = service.control.addsByHash();
  let [lost, doubled] = [0, 0];
  for (const name of await readdir(folder)) {
    const sha256 = createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex');
    const job = jobs.find(({ title }) => title === name);
    const times = taken.get(sha256) ?? 0;
    if (times > 1) doubled += 1;
    if (!job || (times === 0 && job.state !== 'in-doubt')) lost += 1;
  }
  const of = (state: Job['state']) => jobs.filter((job) => job.state === state).length;
  return { jobs: jobs.length, done: of('done'), inDoubt: of('in-doubt'), lost, doubled };
}

const names = Array.from({ length: adds }, (_each, n) => `${String(n).padStart(2, '0')}.pdf`);

describe('nothing sent twice, nothing lost', () => {
  it.each(Array.from({ length: rounds }, (_each, n) => n + 1))(
    `after ${kills} kills in a run of ${adds} adds: run %i of ${rounds}`,
    async () => {
      const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
      service.control.misbehave({ mischief: { kind: 'delay', ms: 50 } });
      await writePdfs(folder, names);
      const setup = await newCore({ dataDir });
      const connectionId = await connect(setup, service);
      await setup.stop();
      const { apiKey, apiSig } = service;
      const credentials = JSON.stringify({ apiKey, apiSig });
      const env = { DATA_DIR: dataDir, CONNECTION_ID: connectionId, CREDENTIALS: credentials };
      let isRegistered = false;
      for (let n = 0; n < kills; n++) {
        const child = run(isRegistered ? env : { ...env, FOLDER: folder });
        // The first one dies while it takes the files in: nothing of that batch may be sent.
        if (n === 0) await child.said('registering');
        else isRegistered = (await child.said('ready')) || isRegistered;
        await new Promise((resolve) => setTimeout(resolve, n === 0 ? 3 : Math.random() * 250));
        await kill(child);
      }
      const last = run(isRegistered ? env : { ...env, FOLDER: folder });
      expect(await last.said('ended')).toBe(true);
      const core = await newCore({ dataDir });
      const jobs = await jobsOf(core);
      const sum = await balance(service, folder, jobs);
      process.stdout.write(`faults injected: ${kills} kills, ${JSON.stringify(sum)}\n`);
      expect(sum).toMatchObject({ jobs: adds, lost: 0, doubled: 0 });
      expect(sum.done + sum.inDoubt).toBe(adds);
      expect(sum.done).toBeGreaterThan(adds / 2);
      expect((await core.must('documents.list', {})).total).toBe(sum.done);
    },
    60_000,
  );

  it.each([
    ['drop-after', { kind: 'drop-after' }],
    ['drop-in-answer', { kind: 'drop-in-answer' }],
    ['drop-before', { kind: 'drop-before', afterBytes: 100 }],
    ['truncated', { kind: 'truncated' }],
  ] as const)('with every third answer broken: %s', async (fault, mischief) => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    service.control.misbehave({ mischief, every: 3 });
    const connectionId = await connect(core, service, { parallel: 4 });
    await writePdfs(folder, names);
    const jobs = await untilEnded(core, await register(core, connectionId, [folder]), 60_000);
    const sum = await balance(service, folder, jobs);
    process.stdout.write(`faults injected: every third ${fault}, ${JSON.stringify(sum)}\n`);
    expect(sum).toEqual({ jobs: adds, done: adds - 16, inDoubt: 16, lost: 0, doubled: 0 });
  });
});
