import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const supervisor = pathToFileURL(resolve(import.meta.dirname, '../../../scripts/package/supervise.mjs')).href;
/** Works like the checks: a folder, a program in a session of its own, and one that is waited for without looking around. */
const work = `
  import { spawn, spawnSync } from 'node:child_process';
  import { mkdtempSync, writeFileSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import { join } from 'node:path';
  mkdtempSync(join(tmpdir(), 'left-'));
  const other = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  other.unref();
  writeFileSync(process.env.TOLD, process.pid + ' ' + other.pid);
  if (process.env.WAITS) spawnSync('sleep', ['60']);
  process.exitCode = 7;
`;

describe.skipIf(process.platform !== 'linux')('what the checks of the packages start', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'supervised-'));
    writeFileSync(join(folder, 'work.mjs'), work);
    writeFileSync(
      join(folder, 'start.mjs'),
      `import { supervise } from '${supervisor}';
      process.exitCode = await supervise('${join(folder, 'work.mjs')}');`,
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const told = () => join(folder, 'told');
  const left = () => readdirSync(folder).filter((name) => name.startsWith('sealdesk-packages-'));
  /** A process that has ended, but that nobody asked for its end, is no longer running either. */
  const isRunning = (pid: string) =>
    existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

  function start(waits: boolean): ChildProcess {
    rmSync(told(), { force: true });
    const env = { ...process.env, TMPDIR: folder, TOLD: told(), WAITS: waits ? '1' : '' };
    return spawn(process.execPath, [join(folder, 'start.mjs')], { env, stdio: 'ignore' });
  }
  async function started(): Promise<readonly string[]> {
    await expect.poll(() => existsSync(told()) && readFileSync(told(), 'utf8'), { timeout: 10_000 }).toBeTruthy();
    return readFileSync(told(), 'utf8').split(' ');
  }
  async function expectGone(pids: readonly string[]): Promise<void> {
    await expect.poll(() => pids.filter(isRunning), { timeout: 5_000 }).toEqual([]);
    expect(left()).toEqual([]);
  }

  it('is gone when they end, and their exit code stays', async () => {
    const [code] = await once(start(false), 'exit');
    expect(code).toBe(7);
    await expectGone(await started());
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('is gone at once after %s', async (signal, code) => {
    const program = start(true);
    const pids = await started();
    expect(pids.filter(isRunning)).toEqual(pids);
    const begin = performance.now();
    program.kill(signal);
    expect((await once(program, 'exit'))[0]).toBe(code);
    expect(performance.now() - begin).toBeLessThan(20_000);
    await expectGone(pids);
  });

  it('is gone when the next ones begin after a kill, and those that still run keep theirs', async () => {
    const killed = start(true);
    const pids = await started();
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(left()).toHaveLength(1);
    const running = start(true);
    await expectGoneFrom(pids);
    const own = await started();
    await once(start(false), 'exit');
    expect(own.filter(isRunning)).toEqual(own);
    running.kill('SIGTERM');
    await once(running, 'exit');
    await expectGone(own);
  });

  const expectGoneFrom = (pids: readonly string[]) =>
    expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
});
