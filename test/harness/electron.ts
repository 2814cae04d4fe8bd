import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CDPSession, type ElectronApplication, _electron as electron, type Page } from 'playwright-core';
import { sendAtOnce } from './no-wait.ts';

const root = resolve(import.meta.dirname, '..', '..');
const hold = join(import.meta.dirname, 'hold-until-attached.cjs');

/** A packaged program that may be looked into (scripts/package/packaged.mjs): the tests run it instead of the built one in Electron. */
const packaged = process.env.SEALDESK_PACKAGED;

/** The Electron for tests, or the reason why there is none. Never downloads one. */
export function findElectron(): { readonly path: string } | { readonly missing: string } {
  if (packaged) return { path: packaged };
  const path = electronBinary();
  if (path === null) return { missing: 'no Electron binary here' };
  if (process.platform === 'linux' && !process.env.DISPLAY) return { missing: 'no display (run under xvfb-run)' };
  if (!existsSync(join(root, 'dist', 'main', 'main.js'))) return { missing: 'not built (npm run build)' };
  return { path };
}

/** Electron’s own program; null if there is none here. */
export function electronBinary(): string | null {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const installed = join(root, 'node_modules', 'electron');
  const named = join(installed, 'path.txt');
  const path = folder
    ? join(folder, process.platform === 'win32' ? 'electron.exe' : 'electron')
    : existsSync(named) && join(installed, 'dist', readFileSync(named, 'utf8').trim());
  return path && existsSync(path) ? path : null;
}

export interface Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** The program's folder: settings, database, log. */
  readonly home: string;
  /** What the program wrote on stdout and stderr so far. */
  output(): string;
  /** Quits like a person and waits for the end of the process. */
  quit(): Promise<void>;
}

export interface StartOptions {
  /** A copy of the program in a folder below the repository's; else the built one itself, which all tests share. */
  readonly program?: string;
  /** Kept by the caller to start on again; without it a new one, removed by `removeHomes`. */
  readonly home?: string;
  /** Files and folders given on the command line. */
  readonly files?: readonly string[];
  readonly switches?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A program that starts Electron with the arguments it gets (test/harness/keyring.ts). */
  readonly starter?: string;
}

const homes = new Set<string>();

export function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'sealdesk-e2e-'));
  homes.add(home);
  return home;
}

export function removeHomes(): void {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
  homes.clear();
}

export function electronPath(): string {
  const found = findElectron();
  if ('missing' in found) throw new Error(found.missing);
  return found.path;
}

/** Arguments for an Electron that runs the built program in a home of its own. */
export function electronArguments(home: string, options: StartOptions = {}): string[] {
  // Chromium's own sandbox needs a user that is not root; the lockdown tests say what then is still checked.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // There is no graphics card where tests run: a program that stands in for one takes a sixth more of the processors.
  const switches = [`--user-data-dir=${home}`, '--disable-gpu', ...asRoot, ...(options.switches ?? [])];
  return [...switches, ...(packaged ? [] : [options.program ?? root]), ...(options.files ?? [])];
}

/** Running programs. */
export const openDesktops = new Set<Desktop>();

/** Called before a program is quit: the setup of the tests says there what was on screen. */
export const beforeQuit = new Set<(desktop: Desktop) => Promise<void>>();

/** Starts the built program and waits until its window can be used. */
export async function startDesktop(options: StartOptions = {}): Promise<Desktop> {
  const home = options.home ?? newHome();
  sendAtOnce(join(home, 'data'));
  const launch = () =>
    electron.launch({
      executablePath: options.starter ?? electronPath(),
      // Only Electron itself takes -r.
      args: [...(packaged ? [] : ['-r', hold]), ...electronArguments(home, options)],
      cwd: root,
      env: { ...plainEnv(), ...options.env },
      timeout: packaged ? 30_000 : 60_000,
      // The window follows the program's own theme, not the test tool's.
      colorScheme: null,
    });
  // What people install cannot be held until the test tool has attached to it, which may then miss its start.
  const app = await launch().catch((error: unknown) => (packaged ? launch() : Promise.reject(error)));
  let output = '';
  app.process().stdout?.on('data', (text) => (output += String(text)));
  app.process().stderr?.on('data', (text) => (output += String(text)));
  const page = await app.firstWindow({ timeout: 60_000 });
  const desktop: Desktop = {
    app,
    page,
    home,
    output: () => output,
    quit: async () => {
      for (const listener of beforeQuit) await listener(desktop);
      await quit(app);
    },
  };
  openDesktops.add(desktop);
  app.process().once('exit', () => openDesktops.delete(desktop));
  // Known before it is ready: if it never is, the report of the failure says what is on screen.
  await page.waitForLoadState('load');
  await page.evaluate(untilReady, 60_000);
  return desktop;
}

/**
 * Runs in the page. The window moves the focus into its first screen when all of its listeners are there: from then on it takes drops and keys. A screen that was
 * opened with files may have moved it on to its first button.
 */
async function untilReady(limitMs: number): Promise<void> {
  const latest = performance.now() + limitMs;
  const main = () => document.getElementById('main');
  while (!main()?.contains(document.activeElement)) {
    if (performance.now() > latest) throw new Error(`no screen took the focus in ${limitMs} ms`);
    await new Promise((later) => setTimeout(later, 20));
  }
}

async function quit(app: ElectronApplication): Promise<void> {
  const child = app.process();
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  if (child.exitCode !== null) return;
  await app.evaluate(({ app: main }) => main.quit()).catch(() => undefined);
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await gone;
  clearTimeout(late);
}

function plainEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** A real drag and drop of real files and folders at a position of the page, like one from a file manager. */
export async function dropFiles(page: Page, paths: readonly string[], at: { x: number; y: number }): Promise<void> {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, x: at.x, y: at.y, data });
  }
  await cdp.detach();
}

/** Answers the next save dialogs: a person's choice, made in the main process because no page can make it. */
export async function answerSaveDialog(app: ElectronApplication, filePath: string): Promise<void> {
  await app.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path });
  }, filePath);
}

/** Answers the next open dialogs, each with one list of paths, in order; cancelled when there is nothing left. */
export async function answerOpenDialogs(
  app: ElectronApplication,
  answers: readonly (readonly string[])[],
): Promise<void> {
  await app.evaluate(({ dialog }, lists) => {
    const left = lists.map((list) => [...list]);
    dialog.showOpenDialog = () => {
      const filePaths = left.shift();
      return Promise.resolve(filePaths ? { canceled: false, filePaths } : { canceled: true, filePaths: [] });
    };
  }, answers);
}
