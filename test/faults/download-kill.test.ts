import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import { connect, newCore, newFolder, newService, register, untilEnded, writePdfs } from '../core/jobs-setup.ts';
import { memoryKeychain } from '../harness/core.ts';
import { atLength } from '../harness/test-length.ts';
import { finished, kill, runQueue } from './fault-runs.ts';
import { limitMs, recordFault, waitMs } from './fault-table.ts';

const [documents, kills] = atLength({ short: [40, 2], all: [200, 10] });

describe('a download of many documents', () => {
  it(
    `is begun again after each of ${kills} kills: what was complete is known and stays, and ${documents} files are there at the end`,
    async () => {
      const [service, from, to, dataDir] = [
        await newService({ processingMs: 0 }),
        await newFolder(),
        await newFolder(),
        await newFolder(),
      ];
      const setup = await newCore({ dataDir });
      const connectionId = await connect(setup, service, { parallel: 8 });
      const names = Array.from({ length: documents }, (_each, n) => `lease ${n}.pdf`);
      const jobs = await untilEnded(setup, await register(setup, connectionId, await writePdfs(from, names)), waitMs);
      await setup.stop();
      const { apiKey, apiSig } = service;
      const env = {
        DATA_DIR: dataDir,
        CONNECTION_ID: connectionId,
        CREDENTIALS: JSON.stringify({ apiKey, apiSig }),
        DOCUMENT_IDS: jobs.map(({ documentId }) => documentId).join(','),
        FOLDER: to,
      };
      const named = () => readdirSync(to).filter((name) => !name.startsWith('.'));
      const filesNow = () => new Map(named().map((name) => [name, statSync(join(to, name)).ino]));
      service.control.misbehave({ mischief: { kind: 'delay', ms: 100 } });
      let complete = filesNow();
      for (let n = 0; n < kills; n += 1) {
        const child = runQueue(env, 'download-many-program.ts');
        expect(await child.said('ready')).toBe(true);
        const wanted = Math.min(documents - 5, complete.size + Math.ceil((documents * 0.8) / kills));
        await expect.poll(() => named().length, { timeout: waitMs, interval: 5 }).toBeGreaterThanOrEqual(wanted);
        expect(await kill(child), 'it was still downloading').toBe(true);
        const now = filesNow();
        for (const [name, file] of complete) expect(now.get(name), `${name} is not written again`).toBe(file);
        const sql = openSql(join(dataDir, 'sealdesk.db'));
        const known = new Set(sql.all<{ sha256: string }>('SELECT sha256 FROM downloads').map(({ sha256 }) => sha256));
        sql.close();
        const hashOf = (name: string) =>
          createHash('sha256')
            .update(readFileSync(join(to, name)))
            .digest('hex');
        expect([...now.keys()].filter((name) => !known.has(hashOf(name)))).toEqual([]);
        complete = now;
      }
      service.control.misbehave(null);
      expect(await finished(runQueue(env, 'download-many-program.ts'))).toBe(true);
      const end = filesNow();
      for (const [name, file] of complete) expect(end.get(name)).toBe(file);
      expect([...end.keys()].sort()).toEqual([...names].sort());
      // Nothing unfinished is left beside them.
      expect(readdirSync(to)).toHaveLength(documents);
      recordFault({
        fault: 'kill while many documents are downloaded',
        injected: kills,
        jobs: documents,
        done: end.size,
      });
    },
    limitMs,
  );
});

it(
  'a verification and a status check outlive a kill: one waits for a person, the other goes on, and next to nothing is asked about twice',
  async () => {
    const [count, parallel] = [20, 2];
    const setup = { dataDir: await newFolder(), keychain: memoryKeychain(new Map()) };
    const [core, service, folder] = [await newCore(setup), await newService({ processingMs: 0 }), await newFolder()];
    const connectionId = await connect(core, service, { parallel });
    const files = await writePdfs(
      folder,
      Array.from({ length: count }, (_each, n) => `${n}.pdf`),
    );
    await untilEnded(core, await register(core, connectionId, files), waitMs);
    await core.stop();
    const { apiKey, apiSig } = service;
    service.control.misbehave({ mischief: { kind: 'delay', ms: 150 } });
    const child = runQueue(
      {
        DATA_DIR: setup.dataDir,
        CONNECTION_ID: connectionId,
        FILES: files.join(','),
        CREDENTIALS: JSON.stringify({ apiKey, apiSig }),
      },
      'reading-program.ts',
    );
    expect(await child.said('ready'), child.trouble()).toBe(true);
    const asked = () => service.control.requests();
    await expect
      .poll(() => Math.min(asked().GetDocumentStatus ?? 0, asked().ValidateDocument ?? 0), {
        timeout: waitMs,
        interval: 5,
      })
      .toBeGreaterThan(4);
    expect(await kill(child), 'it was still asking').toBe(true);
    service.control.misbehave(null);
    const next = await newCore(setup);
    const { progress } = await next.untilTask('status-refresh', ({ state }) => state !== 'running', waitMs);
    expect(progress).toMatchObject({ total: count, askedCount: count, failedCount: 0 });
    const { runs } = await next.must('verify.runs', {});
    expect(runs).toMatchObject([{ state: 'stopped', total: count }]);
    await next.must('verify.resume', { runId: runs[0]?.runId ?? '' });
    const done = await next.untilTask('verification', ({ state }) => state !== 'running', waitMs);
    expect(done.progress.run).toMatchObject({ state: 'finished', answered: count });
    // Again only what was under way, and what had come since the last event.
    const again = (calls: number | undefined) => (calls ?? 0) - count;
    expect(again(asked().GetDocumentStatus)).toBeLessThanOrEqual(3);
    expect(again(asked().ValidateDocument)).toBeLessThanOrEqual(3 * parallel);
  },
  limitMs,
);
