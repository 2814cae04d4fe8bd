import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import { createGrowingCopies } from '../../electron/core/jobs/growing-copies.ts';
import type { QueueContext } from '../../electron/core/jobs/queue-context.ts';
import { createSpoolBreaker } from '../../electron/core/jobs/spool-breaker.ts';
import { startStaging } from '../../electron/core/jobs/staging.ts';
import type { PreparedQuery } from '../../electron/store/jobs/job-queue.ts';
import type { StoredJob } from '../../electron/store/jobs/job-rows.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'sealdesk-staging-'));
const closing = new AbortController();
afterEach(() => {
  closing.abort();
  rmSync(dataDir, { recursive: true, force: true });
});

it('admits a job once the ledger can be written again, although the ledger could not even be read meanwhile', async () => {
  const job = { id: 'a', connectionId: 'c', sourcePath: 'a.pdf', imagePath: null, sizeBytes: 1, imageBytes: 0 };
  const waiting: string[] = [];
  let [copies, admissions, isBroken] = [0, 0, false];
  const queue = {
    context: {
      pauses: { ...usualPauses, ledgerMs: 20, stagingMs: 20 },
      ports: { dataDir, log: { error: () => undefined } },
      store: {
        grouped: async (work: () => unknown) => work(),
        jobs: {
          prepared: ({ except = [] }: PreparedQuery) => {
            if (isBroken) throw appError('storage-unusable', 'the ledger cannot be read');
            return waiting.length > 0 || except.includes(job.id) ? [] : [job as StoredJob];
          },
          admit: () => {
            admissions += 1;
            isBroken = admissions === 1;
            if (isBroken) throw appError('storage-full', 'the ledger cannot be written');
            waiting.push(job.id);
          },
          waitingConnections: () => [],
          get: () => job,
        },
      },
    },
    spool: {
      copyIn: async () => {
        copies += 1;
        return { sha256: '', sizeBytes: 1 };
      },
    },
    growing: { offer: () => undefined },
    spoolBreaker: createSpoolBreaker(50, () => undefined),
    live: new Map(),
    changes: { mark: () => undefined, stop: () => undefined },
    closing: closing.signal,
  } as unknown as QueueContext;
  const staging = startStaging(queue, () => undefined);
  staging.kick();
  await expect.poll(() => waiting, { timeout: 5_000 }).toEqual(['a']);
  await staging.idle();
  expect(copies).toBe(1);
});

it('lets a sender catch up that was held up, as it hashes again what it reads from the disk', async () => {
  const context = {
    store: { jobs: { goesUnhashed: () => true } },
    team: { asks: () => false },
    ports: { dataDir: '/nowhere' },
  };
  const growing = createGrowingCopies(context as unknown as QueueContext['context']);
  const [chunk, chunks] = [Buffer.alloc(256 * 1024), 60];
  const sizeBytes = chunk.length * chunks;
  const job = { id: 'a', connectionId: 'there', sizeBytes, sourcePath: '/a.pdf', imagePath: null } as StoredJob;
  const copy = growing.offer(job, { onBegan: () => undefined, onVain: () => undefined });
  copy?.watch.began('/a.copy');
  growing.take('there', Infinity);
  let readAgain = 0;
  const send = async () => {
    for (let at = 0; at < sizeBytes; at += chunk.length) {
      await copy?.has(at + chunk.length);
      if (at === 8 * chunk.length) await sleep(90);
      const block = copy?.take(at);
      if (block) block.done();
      else readAgain += 1;
      await sleep(0);
    }
  };
  const sending = send();
  for (let written = 1; written <= chunks; written += 1)
    await copy?.watch.wrote(written * chunk.length, Buffer.from(chunk), createHash('sha256'));
  await sending;
  expect(readAgain).toBeLessThan(chunks / 4);
});
