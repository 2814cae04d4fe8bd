import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import { createRemovals } from '../../electron/core/foundation/removals.ts';
import { createCircuitBreakers } from '../../electron/core/lasting-work/circuit-breaker.ts';
import { createTasks } from '../../electron/core/tasks/tasks.ts';
import { createVerifications } from '../../electron/core/verify/verifications.ts';
import type { VerifyContext } from '../../electron/core/verify/verify-file.ts';

it('rows of removed verifications that cannot be removed now are left to the next start, and the reason is in the log', async () => {
  const codes: unknown[] = [];
  const log = {
    info: () => undefined,
    error: (_message: string, fields?: Readonly<Record<string, unknown>>) => void codes.push(fields?.code),
  };
  createVerifications({
    store: {
      verifyRuns: { adopt: () => undefined },
      verifyFiles: {
        sweep: () => {
          throw appError('storage-full', 'the database cannot grow');
        },
      },
    },
    pauses: usualPauses,
    breakers: createCircuitBreakers(usualPauses),
    tasks: createTasks({ emit: () => undefined, log, removals: createRemovals(1_000, log) }),
    answers: { onMeanings: new Set() },
    ports: { log },
  } as unknown as VerifyContext);
  await sleep(1);
  expect(codes).toEqual(['storage-full']);
});
