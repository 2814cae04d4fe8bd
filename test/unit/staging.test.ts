import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import type { QueueContext } from '../../electron/core/jobs/queue-context.ts';
import { createSpoolBreaker } from '../../electron/core/jobs/spool-breaker.ts';
import { startStaging } from '../../electron/core/jobs/staging.ts';
import type { PreparedQuery } from '../../electron/store/jobs/job-queue.ts';
import type { StoredJob } from '../../electron/store/jobs/job-rows.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'sealdesk-staging-'));
const closing = new AbortController();
afterEach(() => {
  closing.abort();
  rmSync(dataDir, { recursive: true });
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
