import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { watchTurns } from '../harness/processor-time.ts';
import { atLength } from '../harness/test-length.ts';
import { connect, newCore, newFolder, newService, scan } from './jobs-setup.ts';

const folders = 20;
const perFolder = atLength({ short: 50, ci: 100, all: 500 });
const files = folders * perFolder;

describe(`${files} files added at once`, () => {
  it('are in the ledger within seconds, with their folders, within the limits for memory and event loop', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    for (let at = 0; at < folders; at++) {
      await mkdir(join(folder, `box ${at}`));
      await Promise.all(
        Array.from({ length: perFolder }, (_each, n) =>
          writeFile(join(folder, `box ${at}`, `${n}.pdf`), `%PDF-1.4\n% ${at} ${n}\ntrailer<<>>\n%%EOF\n`),
        ),
      );
    }
    await core.must('jobs.pause', { what: 'all' });
    const before = process.memoryUsage().rss;
    const stop = watchTurns();
    const intake = await scan(core, [folder]);
    const given = { connectionId, intakeId: intake.id, creditType: 1, clientId: 'ARCHIVE/{folder}' };
    const { batchId, jobCount } = await core.must('documents.register', given);
    const longestMs = stop();
    expect(jobCount).toBe(files);
    const { jobs, counts, isPaused } = await core.must('jobs.list', { batchId, limit: 500, offset: files - 500 });
    expect([jobs.length, counts.prepared + counts.waiting, isPaused]).toEqual([500, jobCount, true]);
    const { batches } = await core.must('jobs.batches', {});
    expect(batches).toMatchObject([{ batchId, totalBytes: intake.totalBytes }]);
    // bench/store.ts measures the figures.
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(200);
    expect(longestMs).toBeLessThan(500);
    await core.must('jobs.resume', { what: 'all' });
    const sent = await core.until('documents.changed', () => true, 20_000);
    expect(sent.connectionId).toBe(connectionId);
    expect(service.control.seen()[0]?.children.ClientID).toMatch(/^ARCHIVE\/.*box \d+$/);
    await core.stop();
  }, 60_000);
});
