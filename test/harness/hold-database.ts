import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Another program that holds the database again and again, longer than this program waits within one write, until the test ends or the answered function is called. */
export async function holdOften(dataDir: string, { ms, freeMs }: { readonly ms: number; readonly freeMs: number }) {
  const program = join(import.meta.dirname, '..', 'faults', 'holding-program.ts');
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DATABASE: join(dataDir, 'sealdesk.db'),
      MS: String(ms),
      FREE_MS: String(freeMs),
      TIMES: '10000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const release = () => void child.kill('SIGKILL');
  onTestFinished(release);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return release;
}
