import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** How long another program holds the database, or until `release` is called; and whether again and again, with so long between. */
interface Holding {
  readonly ms?: number;
  readonly freeMs?: number;
}

/** Another program that holds the database until it has done so, it is released or the test ends; `ended` resolves then. */
export async function holdDatabase(dataDir: string, { ms, freeMs }: Holding = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'faults', 'holding-program.ts')], {
    env: {
      ...process.env,
      DATABASE: join(dataDir, 'sealdesk.db'),
      MS: `${ms ?? ''}`,
      ...(freeMs === undefined ? {} : { FREE_MS: `${freeMs}`, TIMES: '10000' }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(() => void child.kill('SIGKILL'));
  const held = new Promise((resolve) => child.stdout.once('data', resolve));
  const inVain = ended.then(() => Promise.reject(new Error('the database could not be held')));
  await Promise.race([held, inVain]);
  return { ended, release: () => void (ms === undefined ? child.stdin.end() : child.kill('SIGKILL')) };
}
