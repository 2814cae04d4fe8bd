import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { atEnd, newFolder, until } from '../core/jobs-setup.ts';
import { missing } from '../harness/missing-means.ts';
import { hasPostgres } from '../harness/postgres.ts';

const program = fileURLToPath(new URL('run-program.ts', import.meta.url));

/** Starts a run in a temporary folder of its own; answers what it set up there. */
async function startRun(temporary: string) {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, TMPDIR: temporary, SEALDESK_TEST_POSTGRES: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => ended(child, 'SIGTERM'));
  const folder = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (bytes) => resolve(String(bytes).trim()));
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
  const server = Number.parseInt(readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8'), 10);
  return { child, folder, isLeft: () => [existsSync(folder), isThere(server)] };
}

async function ended(child: ChildProcess, signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill(signal);
  await end;
}

/** One that has ended has no words, whether or not somebody has taken notice of its end. */
function isThere(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

it('leaves no folder and no server of a run that ends at a signal, nor, with the next run, of one that was killed', async (test) => {
  if (!hasPostgres()) missing(test, 'PostgreSQL is not installed');
  const temporary = await newFolder();
  chmodSync(temporary, 0o711);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const run = await startRun(temporary);
    expect(run.isLeft()).toEqual([true, true]);
    await ended(run.child, signal);
    await until(() => !run.isLeft().includes(true));
  }
  const killed = await startRun(temporary);
  await ended(killed.child, 'SIGKILL');
  expect(killed.isLeft()).toEqual([true, true]);
  const next = await startRun(temporary);
  await until(() => !killed.isLeft().includes(true));
  expect(next.isLeft()).toEqual([true, true]);
});
