import { describe, expect, it } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import {
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { atLength, sampled } from '../harness/test-length.ts';
import { balance, kill, namesOf, newRun, runQueue } from './fault-runs.ts';
import { isFull, limitMs, recordFault, waitMs } from './fault-table.ts';

/** In one run. With more kills, everything would be in doubt, because each may leave two adds in doubt. */
const [kills, adds] = atLength({ short: [3, 20], all: [10, 50] });
/** Large files in one run of theirs, which are sent while they are copied, and kills. */
const [largeKills, largeAdds] = atLength({ short: [6, 3], all: [30, 6] });
/** 200 kills in total in the long run. */
const rounds = isFull ? 20 : 1;

const names = namesOf(adds);

describe('nothing sent twice, nothing lost', () => {
  it.each(Array.from({ length: rounds }, (_each, n) => n + 1))(
    `after ${kills} kills in a run of ${adds} adds: run %i of ${rounds}`,
    async () => {
      const { service, folder, dataDir, env } = await newRun(names, 50);
      const sent = () => service.control.requests().AddNewDocument ?? 0;
      let injected = 0;
      for (let n = 0; n < kills; n++) {
        const before = sent();
        const child = runQueue({ ...env, FOLDER: folder });
        // The first process is killed while it accepts the files: nothing of that batch may be sent.
        if (n === 0) await child.said('registering');
        else await child.said('ready');
        // The last kill certainly while a request is under way, however slow the machine is: what has left is looked at by the run after it.
        const isUnderWay = () => sent() > before || child.exitCode !== null;
        if (n === kills - 1) await expect.poll(isUnderWay, { interval: 2, timeout: waitMs }).toBe(true);
        else await new Promise((resolve) => setTimeout(resolve, n === 0 ? 3 : Math.random() * 250));
        if (await kill(child)) injected += 1;
      }
      const last = runQueue({ ...env, FOLDER: folder });
      expect(await last.said('ended')).toBe(true);
      const core = await newCore({ dataDir });
      const jobs = await jobsOf(core);
      const sum = await balance(service, folder, jobs);
      recordFault({ fault: 'kill -9 at a random moment', injected, ...sum });
      expect(injected).toBeGreaterThan(0);
      expect(sum).toMatchObject({ jobs: adds, lost: 0, doubled: 0 });
      expect(sum.done + sum.inDoubt).toBe(adds);
      expect(sum.done).toBeGreaterThan(adds / 2);
      expect((await core.must('documents.list', {})).total).toBe(sum.done);
    },
    limitMs,
  );

  it(
    `after ${largeKills} kills while ${largeAdds} large files are read, copied and sent at once`,
    async () => {
      const files = namesOf(largeAdds);
      const { service, folder, dataDir, env } = await newRun(files, 20, 24 * 1024 * 1024);
      let injected = 0;
      for (let n = 0; n < largeKills; n++) {
        const child = runQueue({ ...env, FOLDER: folder });
        await child.said('ready');
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 600));
        if (await kill(child)) injected += 1;
      }
      expect(await runQueue({ ...env, FOLDER: folder }).said('ended')).toBe(true);
      const core = await newCore({ dataDir });
      const jobs = await jobsOf(core);
      const sum = await balance(service, folder, jobs);
      recordFault({ fault: 'kill -9 while a large file is read, copied and sent at once', injected, ...sum });
      expect(injected).toBeGreaterThan(0);
      expect(sum).toMatchObject({ jobs: largeAdds, lost: 0, doubled: 0 });
      expect(sum.done + sum.inDoubt).toBe(largeAdds);
      for (const { id } of jobs.filter(({ state }) => state === 'in-doubt')) {
        const steps = await core.must('jobs.history', { jobId: id });
        expect(steps.map(({ kind }) => kind)).toContain('departed');
      }
    },
    limitMs,
  );

  it(
    'holds a connection again when the one add that was sent ahead is lost with its program',
    async () => {
      const { service, folder, dataDir, env } = await newRun(namesOf(6), 0);
      const sent = () => service.control.requests().AddNewDocument ?? 0;
      const credentials = { id: env.CONNECTION_ID, apiKey: service.apiKey, apiSig: service.apiSig };
      const open = async (resumesQueue = true) => {
        const core = await newCore({ dataDir, resumesQueue });
        await core.must('connections.setCredentials', credentials);
        return core;
      };
      service.control.misbehave({ mischief: { kind: 'drop-after' } });
      const first = await open();
      const batchId = await register(first, env.CONNECTION_ID, [folder]);
      const isHeld = ({ pausedBy, state }: Job) => pausedBy === 'connection' || state === 'in-doubt';
      await untilJobs(first, batchId, (jobs) => jobs.every(isHeld));
      await first.stop();
      service.control.misbehave({ mischief: { kind: 'delay', ms: limitMs }, times: 1 });
      const resuming = runQueue({ ...env, RESUMES: '1' });
      await expect.poll(sent, { timeout: waitMs }).toBe(4);
      expect(await kill(resuming)).toBe(true);
      // A command line takes over none of these jobs, and sends nothing either.
      const command = await open(false);
      const added = await register(command, env.CONNECTION_ID, await writePdfs(await newFolder(), ['more.pdf']));
      await untilJobs(command, added, (jobs) => jobs.every(isHeld));
      await command.stop();
      const core = await open();
      const jobs = await untilJobs(core, batchId, (all) => all.every(isHeld));
      recordFault({ fault: 'kill -9 of the add that a held connection lets go ahead', injected: 1, jobs: 6 });
      expect(jobs.filter(({ state }) => state === 'in-doubt')).toHaveLength(4);
      expect((await core.must('jobs.list', {})).held).toMatchObject([{ doubtsInRow: 4, openJobs: 3 }]);
      expect(sent()).toBe(4);
      await core.must('jobs.resume', { what: 'connection', connectionId: env.CONNECTION_ID });
      await untilEnded(core, batchId, waitMs);
      expect(await balance(service, folder, await jobsOf(core, batchId))).toMatchObject({ done: 2, doubled: 0 });
    },
    limitMs,
  );

  it.each(
    sampled(
      [
        ['connection dropped after the request was taken', { kind: 'drop-after' }],
        ['connection dropped in the middle of the answer', { kind: 'drop-in-answer' }],
        ['connection dropped before the answer', { kind: 'drop-before', afterBytes: 100 }],
        ['answer cut off', { kind: 'truncated' }],
      ] as const,
      { short: 2, ci: 1 },
    ),
  )('with every third answer broken: %s', async (fault, mischief) => {
    const broken = Math.floor(adds / 3);
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    service.control.misbehave({ mischief, every: 3 });
    const connectionId = await connect(core, service, { parallel: 4 });
    await writePdfs(folder, names);
    const jobs = await untilEnded(core, await register(core, connectionId, [folder]), waitMs);
    const sum = await balance(service, folder, jobs);
    recordFault({ fault, injected: broken, ...sum });
    expect(sum).toEqual({ jobs: adds, done: adds - broken, inDoubt: broken, lost: 0, doubled: 0 });
  });
});
