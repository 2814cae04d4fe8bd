import { cpSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessible, go, seen } from '../harness/desktop-page.ts';
import { type Desktop, findElectron, removeHomes, startDesktop } from '../harness/electron.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const root = resolve(import.meta.dirname, '../..');
/** Its own copy of the program: other tests use the built one at the same time. */
const program = join(root, 'test-results', 'lazy-screens');

describe.skipIf(why !== '')(`screens that are loaded when they are opened, in real Electron${why}`, () => {
  let desktop: Desktop;
  /** The file of the screen Notes, away as on a damaged installation. */
  let file = '';
  const away = () => `${file}.away`;

  beforeAll(async () => {
    rmSync(program, { recursive: true, force: true });
    mkdirSync(program, { recursive: true });
    for (const name of ['package.json', 'dist', 'assets'])
      cpSync(join(root, name), join(program, name), { recursive: true });
    file = globSync(`${program}/dist/renderer/assets/notes-screen-*.js`)[0] ?? '';
    renameSync(file, away());
    desktop = await startDesktop({ program });
  });
  afterAll(async () => {
    await desktop?.quit();
    rmSync(program, { recursive: true, force: true });
    removeHomes();
  });

  it('are all loaded soon after the start, before one is opened', async () => {
    const { page } = desktop;
    const asked = new Map<string, string>();
    // What the page before the reload asked for says nothing of the new one.
    page.on('framenavigated', () => asked.clear());
    page.on('request', (request) => asked.set(/\/(\w+)-screen-/.exec(request.url())?.[1] ?? '', request.url()));
    await page.reload();
    // Files of screens; the frame of their lists has a similar name.
    await expect
      .poll(() => [...asked.keys()].filter((name) => name !== '' && name !== 'list').sort())
      .toEqual([
        'answers',
        'bulk',
        'compose',
        'connections',
        'documents',
        'jobs',
        'notes',
        'register',
        'settings',
        'signatures',
        'verify',
      ]);
    // Asked for is not loaded yet on a busy machine, and the next test needs this one.
    await page.evaluate(`import(${JSON.stringify(asked.get('settings'))}).then(() => null)`);
  });

  it('are there in the first picture after a click, without a shape before', async () => {
    const { page } = desktop;
    const headings = await page.evaluate(async () => {
      const entry = [...document.querySelectorAll('nav button')].find((one) => one.textContent?.startsWith('Settings'));
      const all: (string | null)[] = [];
      const seenAll = new Promise<(string | null)[]>((done) => {
        const watch = new MutationObserver(() => {
          all.push(document.querySelector('main h1')?.textContent ?? null);
          if (all.at(-1) === 'Settings') done(all);
        });
        watch.observe(document.querySelector('main') as Element, { childList: true, subtree: true });
      });
      (entry as HTMLElement).click();
      return seenAll;
    });
    // The screen before may still have drawn something of its own.
    expect(headings.filter((one) => one !== 'Settings' && one !== 'Start')).toEqual([]);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('say that they could not be loaded, and are loaded again without losing anything', async () => {
    const { page } = desktop;
    await go(page, 'Start');
    await page.getByRole('button', { name: 'Use sample documents' }).click();
    await seen(page, /^\d files/);
    const chosen = await page
      .getByText(/^\d files/)
      .first()
      .textContent();

    await go(page, 'Notes');
    await seen(page, 'This screen could not be loaded');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await accessible(page, 'a screen that could not be loaded');
    await page.getByRole('button', { name: 'Load again' }).click();
    await seen(page, 'This screen could not be loaded');

    renameSync(away(), file);
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await go(page, 'Start');
    await seen(page, chosen ?? '?');
  });
});
