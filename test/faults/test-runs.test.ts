import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryFolder } from '../../scripts/supervise.mjs';
import { missing } from '../harness/missing-means.ts';
import { hasPostgres } from '../harness/postgres.ts';
import { testLength } from '../harness/test-length.ts';

const root = resolve(import.meta.dirname, '../..');
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
    const itself = `import { supervised } from '${supervisor}';\nawait supervised(import.meta.filename);`;
    writeFileSync(join(folder, 'run.mjs'), `${itself}\nawait import('${pathToFileURL(suite).href}');`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function start(ending: 'waits' | 'fails', place = folder, words = [join(folder, 'run.mjs')]): ChildProcess {
    rmSync(told, { force: true });
    // Not as a part of the run that this test belongs to.
    const own = { SEALDESK_SUPERVISED: '', SEALDESK_TEST_RUN: '', SEALDESK_TEST_POSTGRES: '', NODE_ENV: undefined };
    const env = { ...process.env, ...own, TMPDIR: place, TOLD: told, ENDING: ending };
    return spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
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

  /** A run whose folder is to lie in memory. */
  function writeRunInMemory() {
    const inMemory = `supervise('${suite}', [], { inMemory: true })`;
    const program = `import { supervise } from '${supervisor}';\nprocess.exitCode = await ${inMemory};`;
    writeFileSync(join(folder, 'run.mjs'), program);
  }

  it('lies where another place than memory is named, although memory was asked for', async () => {
    writeRunInMemory();
    const named = start('waits');
    await started();
    expect(folders()).toHaveLength(1);
    named.kill('SIGTERM');
    await once(named, 'exit');
  });

  it('lies in memory where that was asked for and there is room, and is gone from there too', async (test) => {
    writeRunInMemory();
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
    // With a small disk that one of its tests had there.
    if (process.getuid?.() === 0) {
      const disk = join(folder, folders()[0] as string, 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
    }
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

  // A bench that works for a minute: below this length the stand-in above shows the same.
  const bench = ['scripts/bench.mjs', 'team', '--small'];
  it.runIf(testLength !== 'short')('is gone after a bench too: its server, and its folders', async (test) => {
    if (!hasPostgres()) missing(test, 'PostgreSQL is not installed');
    const startBench = async (besides: readonly string[] = []) => {
      const run = start('waits', folder, bench);
      const found = () => {
        const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
        const servers = names.filter((name) => name.endsWith('/data/postmaster.pid'));
        const pids = servers.flatMap((name) => /^\d+/.exec(readFileSync(join(folder, name), 'utf8')) ?? []);
        return names.some((name) => name.includes('/sealdesk-bench-'))
          ? pids.filter((pid) => !besides.includes(pid))
          : [];
      };
      await expect.poll(found, { timeout: 60_000 }).toHaveLength(1);
      return { run, pids: found() };
    };
    const killed = await startBench();
    killed.run.kill('SIGKILL');
    await once(killed.run, 'exit');
    expect(killed.pids.filter(isRunning)).toEqual(killed.pids);
    const next = await startBench(killed.pids);
    expect([killed.pids.filter(isRunning), folders().length]).toEqual([[], 1]);
    next.run.kill('SIGTERM');
    expect((await once(next.run, 'exit'))[0]).toBe(143);
    await expectNothingLeft(next.pids);
  });
});

it('every command that runs tests of programs, and every bench, takes away what it starts', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const commands = Object.keys(scripts).filter((name) => /^(bench|test)/.test(name));
  // These start nothing but vitest and programs that end with their input; defects put their file back themselves, which a killed one could not.
  const others = ['test:hostile', 'test:fuzz', 'test:defects'];
  const run = commands.filter((name) => !others.includes(name)).map((name) => scripts[name]?.split(' ')[1] ?? '');
  expect([...new Set(run)].filter((path) => !/\bsupervised?\(/.test(readFileSync(join(root, path), 'utf8')))).toEqual(
    [],
  );
});
