import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, newCore, newFolder, newService } from '../core/jobs-setup.ts';
import { atLength } from '../harness/test-length.ts';
import { finished, kill, runQueue } from './fault-runs.ts';
import { limitMs, waitMs } from './fault-table.ts';

const program = 'bulk-program.ts';
const [rows, kills] = atLength({ short: [200, 2], all: [1_000, 6] });

describe('a table of many rows', () => {
  it(
    `is sent through ${kills} kills, with no row sent twice`,
    async () => {
      const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
      const table = join(folder, 'people.csv');
      const people = Array.from({ length: rows }, (_each, n) => `p${n}@example.com`);
      await writeFile(table, ['E-mail', ...people].join('\n'));
      const setup = await newCore({ dataDir });
      const connectionId = await connect(setup, service, { parallel: 8 });
      await setup.stop();
      const { apiKey, apiSig } = service;
      const env = {
        DATA_DIR: dataDir,
        CONNECTION_ID: connectionId,
        CREDENTIALS: JSON.stringify({ apiKey, apiSig }),
        TABLE: table,
      };
      const sent = () => service.control.requests().AddNewEasySignTemplate ?? 0;
      for (let n = 0; n < kills; n += 1) {
        const child = runQueue(env, program);
        expect(await child.said('ready')).toBe(true);
        const before = sent();
        await expect.poll(sent, { timeout: waitMs }).toBeGreaterThan(before);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 900));
        expect(await kill(child), 'it was still sending').toBe(true);
      }
      const between = sent();
      expect(await finished(runQueue(env, program))).toBe(true);

      const core = await newCore({ dataDir });
      const [bulk] = await core.must('bulk.list', {});
      const { counts } = bulk ?? { counts: null };
      process.stdout.write(
        `faults injected: ${kills} kills, ${between} rows before the last run, ${JSON.stringify(counts)}\n`,
      );
      expect(between).toBeGreaterThan(0);
      expect(counts).toMatchObject({ ready: 0, queued: rows, refused: 0, failed: 0 });
      expect((counts?.done ?? 0) + (counts?.inDoubt ?? 0)).toBe(rows);
      // The service's list has an entry for every request that it took.
      await core.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
      await core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 0 });
      const taken = new Map<string, number>();
      for (let offset = 0; offset < rows + 500; offset += 500) {
        const { entries } = await core.must('tracking.entries', { connectionId, listType: 1, offset, limit: 500 });
        for (const { email } of entries) taken.set(email ?? '', (taken.get(email ?? '') ?? 0) + 1);
      }
      expect([...taken].filter(([, times]) => times > 1)).toEqual([]);
      // Rows that were not taken must be in doubt.
      expect(rows - taken.size).toBeLessThanOrEqual(counts?.inDoubt ?? 0);
    },
    limitMs,
  );
});
