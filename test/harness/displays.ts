import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A display for each worker, by its number; none where Xvfb is missing. */
    displays: readonly string[];
  }
}

interface Display {
  readonly name: string;
  readonly stop: () => void;
}

const started: Display[] = [];

/** Before all tests in Electron: windows of two workers on one display would take the focus from each other. */
export async function setup(project: TestProject): Promise<void> {
  const isHere = process.platform === 'linux' && spawnSync('setpriv', ['Xvfb', '-help']).status === 0;
  // One after another: two at once try the same number.
  while (isHere && started.length < project.config.maxWorkers) started.push(await startDisplay());
  project.provide(
    'displays',
    started.map(({ name }) => name),
  );
}

export function teardown(): void {
  for (const { stop } of started) stop();
}

/** The kernel ends it with this process, however that ends; the windows on it end with it. */
async function startDisplay(): Promise<Display> {
  const words = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const server = spawn('setpriv', ['--pdeathsig', 'TERM', 'Xvfb', ...words], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await Promise.race([
    once(server.stdio[3] as Readable, 'data'),
    once(server, 'exit').then(([code]) => {
      throw new Error(`Xvfb ended with ${code}`);
    }),
  ]);
  return { name: `:${String(number).trim()}`, stop: () => void server.kill() };
}
