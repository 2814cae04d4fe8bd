import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumSwitches } from './chromium.ts';
import { sendAtOnce } from './no-wait.ts';

const root = resolve(import.meta.dirname, '../..');
const screenshots = join(root, 'test-results/screenshots');
const keep = process.env.SEALDESK_SCREENSHOTS === '1';

/** The browser that tests may start, or why there is none. scripts/test.mjs looks for one and names it. */
export function givenBrowser(): { readonly path: string } | { readonly missing: string } {
  const path = process.env.SEALDESK_CHROMIUM;
  if (!path || !existsSync(path)) return { missing: 'SEALDESK_CHROMIUM names no browser' };
  if (!existsSync(join(root, 'dist/preview/preview.js'))) return { missing: 'not built (npm run build)' };
  return { path };
}

/** The built preview in a process of its own, and a page of it. */
export interface BrowserPreview {
  readonly page: Page;
  readonly address: string;
  /** The preview's data folder; downloads are in `Downloads` below it. */
  readonly dataDir: string;
  /** What the page complained about: script errors, blocked content, failed requests. */
  readonly complaints: readonly string[];
  /** Keeps a picture for people, below test-results/, if they asked for pictures. */
  picture(name: string): Promise<void>;
  /** Answers the exit code of the preview. */
  close(): Promise<number | null>;
}

/** `before`: words before those that start the preview; `options` go on after them. */
export async function openPreview(
  executablePath: string,
  before: readonly string[] = [],
  options: readonly string[] = [],
): Promise<BrowserPreview> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sealdesk-preview-'));
  sendAtOnce(dataDir);
  const preview = [process.execPath, join(root, 'dist/preview/preview.js'), '--data-dir', dataDir, ...options];
  const [program = '', ...words] = [...before, ...preview];
  const server = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await printedAddress(server);
  const browser = await launch(executablePath);
  // What moves is drawn again and again, in a browser without a graphics card: it is left to Electron, where it moves as it is shipped.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} ${message.location().url}`);
  });
  await page.goto(address);
  return {
    page,
    address,
    dataDir,
    complaints,
    picture: async (name) => {
      if (keep) await page.screenshot({ path: join(screenshots, `preview-${name}.png`) });
    },
    close: async () => {
      await browser.close();
      const code = await stopped(server);
      rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: [...chromiumSwitches] });
}

function printedAddress(server: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((done, reject) => {
    server.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const address = /http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]+/.exec(text)?.[0];
      if (address) done(address);
    });
    server.on('exit', (code) => reject(new Error(`the preview ended with ${code}`)));
  });
}

function stopped(server: ChildProcess): Promise<number | null> {
  return new Promise((done) => {
    server.once('exit', (code) => done(code));
    server.kill('SIGTERM');
  });
}

/** A real drop of real files in the middle of the window, as the file manager makes it. */
export async function dropOnPage(page: Page, paths: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 640, y: 400, data });
  }
  await session.detach();
}
