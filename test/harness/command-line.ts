import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isBuilt } from '../../scripts/setup.mjs';
import { folderBeside, onceInRun, runFolder } from './run-folder.ts';

const root = resolve(import.meta.dirname, '../..');

/** What a run of the command line left behind. */
export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Lines of `out` as JSON. */
  readonly lines: readonly Record<string, unknown>[];
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Gets the process while it runs. */
  readonly meanwhile?: (child: ChildProcess) => void;
}

/** The built command line in a home of its own, as a shell starts it. */
export interface CommandLine {
  readonly home: string;
  /** The variables that lead it to its home. */
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Runs in this process, one at a time: for what needs no start of its own. Only under vitest. */
  runHere(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** The words that start it, for running it in another way. */
  words(args: readonly string[]): readonly string[];
  /** The same program with a home of its own, which it removes without the program. */
  inAnotherHome(): CommandLine;
  remove(): void;
}

function buildInto(outDir: string, mode: string): void {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const words = ['build', '-c', 'scripts/vite.node.config.ts', '--mode', mode, '--outDir', outDir, '--emptyOutDir'];
  execFileSync(process.execPath, [vite, ...words], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The command line as it is shipped: of dist/ where that is current, else built once for all files of the run. */
export async function buildCommandLine(): Promise<CommandLine> {
  if (isBuilt()) return inNewHome(join(root, 'dist/cli/sealdesk.js'));
  if (runFolder()) return inNewHome(await onceInRun('cli', () => buildProgram(folderBeside())));
  const folder = mkdtempSync(join(root, 'test-results-cli-'));
  return inNewHome(buildProgram(folder), () => rmSync(folder, { recursive: true, force: true }));
}

/** The command line of a test's own program file. */
export const commandLineOf = (program: string): CommandLine => inNewHome(program);

/** As deep as dist/, so that it finds the same assets. */
function buildProgram(folder: string): string {
  for (const mode of ['cli', 'workers']) buildInto(join(folder, mode), mode);
  return join(folder, 'cli/sealdesk.js');
}

function inNewHome(program: string, removeProgram: () => void = () => undefined): CommandLine {
  const home = mkdtempSync(join(tmpdir(), 'sealdesk-cli-'));
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), APPDATA: home };
  return {
    home,
    env,
    run: (given, options = {}) => runProgram(program, given, { home, env }, options),
    runHere: (given, more = {}) => runInProcess(given, home, { ...env, ...more }),
    words: (given) => [process.execPath, program, ...given],
    inAnotherHome: () => inNewHome(program),
    remove: () => {
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
      removeProgram();
    },
  };
}

function runProgram(
  program: string,
  args: readonly string[],
  own: Pick<CommandLine, 'home' | 'env'>,
  options: RunOptions,
): Promise<Ran> {
  const env = environmentOf({ ...own.env, ...options.env });
  const child = spawn(process.execPath, [program, ...args], {
    cwd: options.cwd ?? own.home,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  options.meanwhile?.(child);
  return new Promise((done, reject) => {
    // Eight of them on a busy machine take half a minute each.
    const late = setTimeout(() => child.kill('SIGKILL'), 100_000);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(late);
      done(ranOf(code, out, err));
    });
  });
}

function environmentOf(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { SEALDESK_API_KEY: _key, SEALDESK_API_SIG: _sig, HTTP_PROXY: _p, http_proxy: _q, ...inherited } = process.env;
  return { ...inherited, LC_ALL: 'C', ...own };
}

const ranOf = (code: number | null, out: string, err: string): Ran => ({
  code,
  out,
  err,
  get lines() {
    return out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  },
});

/** Folder and environment belong to the process: they are those of the run until it ends. */
async function runInProcess(
  args: readonly string[],
  home: string,
  own: Readonly<Record<string, string>>,
): Promise<Ran> {
  const { runCommandLine } = await import('../../hosts/cli/main.ts');
  const [folder, before] = [process.cwd(), { ...process.env }];
  const out: string[] = [];
  const err: string[] = [];
  become(environmentOf(own));
  process.chdir(home);
  try {
    const code = await runCommandLine(args, {
      env: process.env,
      out: { write: (text) => void out.push(text), drained: async () => undefined },
      err: { write: (text) => err.push(text) },
      interrupted: new AbortController().signal,
      underWay: new Set(),
    });
    return ranOf(code, out.join(''), err.join(''));
  } finally {
    become(before);
    process.chdir(folder);
  }
}

/** Variable by variable: the system's libraries do not see another object. */
function become(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
}
