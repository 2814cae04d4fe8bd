import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  connect,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { atLength } from '../harness/test-length.ts';
import { balance, fillDisk, namesOf, smallDisk } from './fault-runs.ts';
import { limitMs, recordFault, waitMs } from './fault-table.ts';

afterEach(() => {
  vi.useRealTimers();
});

const dayMs = 86_400_000;
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('while fifty adds are in progress', () => {
  it('the clock may jump, back and forth over years', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'delay', ms: 30 } });
    await writePdfs(folder, namesOf(50));
    vi.useFakeTimers({ toFake: ['Date'] });
    const batchId = await register(core, connectionId, [folder]);
    const jumps = [-400 * dayMs, 5_000 * dayMs, -dayMs, 60_000, -19_000 * dayMs, 400 * dayMs];
    let injected = 0;
    const real = performance.timeOrigin + performance.now();
    const jumping = setInterval(() => {
      vi.setSystemTime(real + (jumps[injected++ % jumps.length] ?? 0));
    }, 60);
    const jobs = await untilEnded(core, batchId, 60_000).finally(() => clearInterval(jumping));
    const sum = await balance(service, folder, jobs);
    recordFault({ fault: 'clock jumps', injected, ...sum });
    expect(sum).toEqual({ jobs: 50, done: 50, inDoubt: 0, lost: 0, doubled: 0 });
    const { rows } = await core.must('documents.list', { limit: 100 });
    expect(new Set(rows.map(({ documentId }) => documentId)).size).toBe(50);
  });

  it(
    'the disk may be full repeatedly: nothing is lost, and files that could not be copied are sent when there is space',
    async (test) => {
      const dataDir = await smallDisk(test, 8);
      const [core, service, folder] = [
        await newCore({ dataDir, pauses: { spoolMs: 100 } }),
        await newService(),
        await newFolder(),
      ];
      const connectionId = await connect(core, service);
      service.control.misbehave({ mischief: { kind: 'delay', ms: 40 } });
      await writePdfs(folder, namesOf(50), 40_000);
      const batchId = await register(core, connectionId, [folder]);
      const times = atLength({ short: 2, all: 12 });
      for (let n = 0; n < times; n++) {
        const free = await fillDisk(dataDir);
        await moment(100 + Math.random() * 150);
        await free();
        await moment(Math.random() * 150);
      }
      // Jobs that wait for disk space continue by themselves; files that could not be copied are repeated by a person.
      await untilEnded(core, batchId, waitMs);
      await core.must('jobs.retryAll', { batchId });
      const jobs = await untilEnded(core, batchId, waitMs);
      const sum = await balance(service, folder, jobs);
      recordFault({ fault: 'disk full (spool, ledger)', injected: times, ...sum });
      expect(sum).toMatchObject({ jobs: 50, lost: 0, doubled: 0 });
      expect(sum.done + sum.inDoubt).toBe(50);
    },
    limitMs,
  );

  it('the service may be away repeatedly', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    await writePdfs(folder, namesOf(50));
    const rules = [{ mischief: { kind: 'html', status: 415 } }, null] as const;
    service.control.misbehave(rules[0]);
    const batchId = await register(core, connectionId, [folder]);
    const requests = () => service.control.requests().AddNewDocument ?? 0;
    await expect.poll(requests, { timeout: waitMs }).toBeGreaterThan(0);
    for (let n = 1; n < 6; n++) {
      service.control.misbehave(rules[n % 2] ?? null);
      await moment(40);
    }
    service.control.misbehave(null);
    await untilJobs(core, batchId, (jobs) => jobs.every(({ state }) => state === 'done' || state === 'failed'), waitMs);
    await core.must('jobs.retryAll', { batchId });
    const sum = await balance(service, folder, await untilEnded(core, batchId, waitMs));
    const taken = [...service.control.addsByHash().values()].reduce((total, times) => total + times, 0);
    const injected = requests() - taken;
    recordFault({ fault: 'turned away by HTTP (415)', injected, ...sum });
    expect(injected).toBeGreaterThan(0);
    expect(sum).toEqual({ jobs: 50, done: 50, inDoubt: 0, lost: 0, doubled: 0 });
  });
});
