import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryFolder } from '../../scripts/supervise.mjs';

const supervisor = pathToFileURL(resolve(import.meta.dirname, '../../scripts/supervise.mjs')).href;
const suite = resolve(import.meta.dirname, 'test-run-suite.ts');

describe.skipIf(process.platform !== 'linux')('what a run of the tests starts', () => {
  let folder: string;
  let told: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runs-'));
    // PostgreSQL passes through it under an account of its own.
    chmodSync(folder, 0o711);
    told = join(folder, 'told');
    writeProgram({});
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function writeProgram(options: { readonly inMemory?: boolean }): void {
    const run = `supervise('${suite}', [], ${JSON.stringify(options)})`;
    writeFileSync(
      join(folder, 'run.mjs'),
      `import { supervise } from '${supervisor}';\nprocess.exitCode = await ${run};`,
    );
  }

  function start(ending: 'waits' | 'fails', place = folder): ChildProcess {
    rmSync(told, { force: true });
    const env = { ...process.env, TMPDIR: place, TOLD: told, ENDING: ending };
    return spawn(process.execPath, [join(folder, 'run.mjs')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** Numbers of what the suite has started, itself included. */
  async function started(): Promise<readonly string[]> {
    await expect.poll(() => existsSync(told)).toBe(true);
    const pids = readFileSync(told, 'utf8').trim().split(' ');
    expect(pids.length).toBeGreaterThanOrEqual(3);
    return pids;
  }
  const folders = () => readdirSync(folder).filter((name) => name.startsWith('sealdesk-tests-'));
  /** What has ended without being waited for is not running either. */
  const isRunning = (pid: string) => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  };
  async function expectNothingLeft(pids: readonly string[]): Promise<void> {
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    expect(folders()).toEqual([]);
  }

  it('is gone after a failure, and the exit code stays', async () => {
    const [code] = await once(start('fails'), 'exit');
    expect(code).toBe(7);
    await expectNothingLeft(await started());
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is gone after %s', async (signal, expected) => {
    const run = start('waits');
    const pids = await started();
    expect(pids.filter(isRunning)).toEqual(pids);
    run.kill(signal);
    expect((await once(run, 'exit'))[0]).toBe(expected);
    await expectNothingLeft(pids);
  });

  it('lies in memory where that was asked for and there is room, unless another place is named, and is gone from there too', async (test) => {
    writeProgram({ inMemory: true });
    const named = start('waits');
    await started();
    expect(folders()).toHaveLength(1);
    named.kill('SIGTERM');
    await once(named, 'exit');
    vi.stubEnv('TMPDIR', '');
    const place = memoryFolder();
    vi.unstubAllEnvs();
    if (!place) return test.skip('there is no room in memory');
    const run = start('waits', '');
    const pids = await started();
    const own = join(place, readdirSync(place).find((name) => name.startsWith(`sealdesk-tests-${run.pid}-`)) ?? '');
    expect(own).not.toBe(place);
    // The second program that the suite started knows the folder by its words.
    expect(readFileSync(`/proc/${pids[2]}/cmdline`, 'latin1')).toContain(`${own}/`);
    run.kill('SIGTERM');
    await once(run, 'exit');
    expect(existsSync(own)).toBe(false);
    await expectNothingLeft(pids);
  });

  it('is gone at the next run after a kill; another run keeps its own', async () => {
    const killed = start('waits');
    const left = await started();
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    expect(left.filter(isRunning)).toEqual(left);
    const other = start('waits');
    const others = await started();
    expect(left.filter(isRunning)).toEqual([]);
    expect(folders()).toHaveLength(1);
    const [code] = await once(start('fails'), 'exit');
    expect(code).toBe(7);
    expect(others.filter(isRunning)).toEqual(others);
    other.kill('SIGTERM');
    await once(other, 'exit');
    await expectNothingLeft(others);
  });
});
