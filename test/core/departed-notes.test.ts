import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunLock } from '../../electron/store/database/run-lock.ts';
import { openDepartures } from '../../electron/store/jobs/departures.ts';
import { newFolder } from './jobs-setup.ts';

it('notes of ended runs that another starting program takes away meanwhile are no failure, and the others are read', async () => {
  const dataDir = await newFolder();
  const folder = join(dataDir, 'runs');
  mkdirSync(folder);
  const line = (job: string) => `\n${JSON.stringify([job, `${job}-1`, '2026-01-01T00:00:00.000Z', 1, null])}\n`;
  for (const name of ['first', 'second']) writeFileSync(join(folder, `${name}.departed`), line(name));
  // The other program has taken these jobs over and removes its note between the two looks of this one.
  const isAlive = (id: string) => {
    if (id === 'first') rmSync(join(folder, 'first.departed'));
    return false;
  };
  const departures = openDepartures(dataDir, { runId: 'own', isAlive } as RunLock);
  expect(departures.ofDeadRuns().map(({ jobId }) => jobId)).toEqual(['second']);
  departures.forgetDeadRuns();
  departures.close();
});
