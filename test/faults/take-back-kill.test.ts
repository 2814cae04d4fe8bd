import { describe, expect, it } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { connect, newCore, newFolder, newService, writePdfs } from '../core/jobs-setup.ts';
import type { RunningCore } from '../harness/core.ts';
import { atLength } from '../harness/test-length.ts';
import { finished, kill, runQueue } from './fault-runs.ts';
import { limitMs } from './fault-table.ts';

/** Each run is killed; the one after them ends in order. */
const kills = atLength({ short: 2, all: 50 });
const [perRun, takenBackPerRun] = [10, 4];

async function ready() {
  const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
  await writePdfs(folder, ['a.pdf']);
  const setup = await newCore({ dataDir });
  const connectionId = await connect(setup, service, { parallel: 4, doubtLimit: 50 });
  await setup.stop();
  const { apiKey, apiSig } = service;
  const env = {
    DATA_DIR: dataDir,
    CONNECTION_ID: connectionId,
    CREDENTIALS: JSON.stringify({ apiKey, apiSig }),
    FOLDER: folder,
    REQUESTS: `${perRun}`,
    TAKE_BACK: `${takenBackPerRun}`,
  };
  const said: string[] = [];
  const run = (more: Record<string, string>) => {
    const child = runQueue(
      { ...env, RUN: `r${said.length}x${Math.random().toString(36).slice(2)}`, ...more },
      'take-back-program.ts',
    );
    const at = said.push('') - 1;
    child.stdout?.on('data', (bytes) => {
      said[at] += String(bytes);
    });
    return child;
  };
  const reported = () => said.flatMap((text) => [...text.matchAll(/^taken (.+)$/gm)].map(([, id]) => id ?? ''));
  return { service, dataDir, connectionId, run, reported };
}
type Ready = Awaited<ReturnType<typeof ready>>;

/** All requests by the ledger, and how often the service has each address. */
async function outcome({ service, dataDir, connectionId }: Ready) {
  const core = await newCore({ dataDir });
  const jobs: Job[] = [];
  for (let offset = 0; ; offset += 500) {
    const page = (await core.must('jobs.list', { offset, limit: 500 })).jobs;
    jobs.push(...page);
    if (page.length < 500) break;
  }
  const { apiKey, apiSig } = service;
  await core.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
  await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 0 });
  const taken = new Map<string, number>();
  for (let offset = 0; ; offset += 500) {
    const { entries } = await core.must('tracking.entries', { connectionId, listType: 1, offset, limit: 500 });
    for (const { email } of entries) taken.set(email ?? '', (taken.get(email ?? '') ?? 0) + 1);
    if (entries.length < 500) break;
  }
  return { core, jobs, taken, isSent: (job: Job | undefined) => taken.has(job?.sentTo.split(' ')[0] ?? '') };
}

const countOf = (jobs: readonly Job[], state: Job['state']) => jobs.filter((job) => job.state === state).length;
const stepsOf = async (core: RunningCore, { id }: Job) =>
  (await core.must('jobs.history', { jobId: id })).map(({ kind }) => kind);

describe('requests that can be taken back', () => {
  it(
    `are never sent or in doubt through ${kills} kills inside of countdowns; what is left of ${(kills + 1) * perRun} is sent once it is decided`,
    async () => {
      const given = await ready();
      for (let n = 0; n < kills; n += 1) {
        const child = given.run({ WAIT_SECONDS: '60', WITHIN_MS: '300' });
        expect(await child.said('ready')).toBe(true);
        // Some are killed while requests are still added, some after all was taken back.
        if (n % 2 === 0) await child.said('over');
        else await new Promise((resolve) => setTimeout(resolve, Math.random() * 500));
        expect(await kill(child)).toBe(true);
      }
      const before = await outcome(given);
      expect(before.taken.size).toBe(0);
      expect(
        before.jobs.filter(({ state }) => state !== 'prepared' && state !== 'waiting' && state !== 'cancelled'),
      ).toEqual([]);
      const left = before.jobs.length - countOf(before.jobs, 'cancelled');
      await before.core.stop();
      expect(await finished(given.run({ WAIT_SECONDS: '60', WITHIN_MS: '300', FINISH: 'yes' }))).toBe(true);
      const { jobs, taken, isSent } = await outcome(given);
      process.stdout.write(
        `${kills} kills: ${jobs.length} requests, ${countOf(jobs, 'cancelled')} taken back, ${countOf(jobs, 'done')} sent after the decisions\n`,
      );
      expect(countOf(jobs, 'in-doubt')).toBe(0);
      expect(countOf(jobs, 'done') + countOf(jobs, 'cancelled')).toBe(jobs.length);
      expect(countOf(jobs, 'done')).toBeGreaterThanOrEqual(left);
      expect([...taken.values()].every((times) => times === 1)).toBe(true);
      expect(taken.size).toBe(countOf(jobs, 'done'));
      expect(jobs.filter((job) => job.state === 'cancelled' && isSent(job))).toEqual([]);
      const byId = new Map(jobs.map((job) => [job.id, job]));
      expect(given.reported().length).toBeGreaterThan(kills);
      expect(given.reported().map((id) => byId.get(id)?.state)).toEqual(given.reported().map(() => 'cancelled'));
    },
    limitMs,
  );

  it(
    `are in doubt after ${kills} kills at any moment only where a departure was recorded, and none that was taken back is sent`,
    async () => {
      const given = await ready();
      given.service.control.misbehave({ mischief: { kind: 'delay', ms: 40 } });
      for (let n = 0; n < kills; n += 1) {
        const child = given.run({ WAIT_SECONDS: '1', WITHIN_MS: '1500', DECIDES: 'yes' });
        expect(await child.said('ready')).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 2_200));
        expect(await kill(child)).toBe(true);
      }
      expect(await finished(given.run({ WAIT_SECONDS: '1', WITHIN_MS: '1500', DECIDES: 'yes', FINISH: 'yes' }))).toBe(
        true,
      );
      const { core, jobs, taken, isSent } = await outcome(given);
      const doubts = jobs.filter(({ state }) => state === 'in-doubt');
      process.stdout.write(
        `${kills} kills: ${jobs.length} requests, ${countOf(jobs, 'cancelled')} taken back, ${countOf(jobs, 'done')} sent, ${doubts.length} in doubt\n`,
      );
      for (const job of doubts) expect(await stepsOf(core, job)).toContain('departed');
      expect([...taken].filter(([, times]) => times > 1)).toEqual([]);
      expect(jobs.filter((job) => job.state === 'done' && !isSent(job))).toEqual([]);
      expect(jobs.filter((job) => job.state === 'cancelled' && isSent(job))).toEqual([]);
      expect(countOf(jobs, 'done') + countOf(jobs, 'cancelled') + doubts.length).toBe(jobs.length);
      const byId = new Map(jobs.map((job) => [job.id, job]));
      expect(given.reported().map((id) => byId.get(id)?.state)).toEqual(given.reported().map(() => 'cancelled'));
    },
    limitMs,
  );
});
