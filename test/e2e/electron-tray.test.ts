import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { AppInfo } from '../../contract/app.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { type Desktop, findElectron, removeHomes, startDesktop } from '../harness/electron.ts';

const found = findElectron();
const why = 'missing' in found ? ` (${found.missing})` : process.platform === 'linux' ? '' : ' (asks the bus of Linux)';

/** A program that answers for the session bus whether there is a tray. */
const bin = mkdtempSync(join(tmpdir(), 'sealdesk-bus-'));
const bus = (hasTray: boolean) => {
  writeFileSync(join(bin, 'dbus-send'), `#!/bin/sh\necho "   boolean ${hasTray}"\n`);
  chmodSync(join(bin, 'dbus-send'), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
};

const windows = ({ app }: Desktop) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
const closeWindow = ({ app }: Desktop) =>
  app.evaluate(({ BrowserWindow }) => void setTimeout(() => BrowserWindow.getAllWindows()[0]?.close()));
const ended = ({ app }: Desktop) => new Promise<void>((done) => app.process().once('exit', () => done()));

describe.skipIf(why !== '')(`the tray, in real Electron${why}`, () => {
  afterAll(() => {
    rmSync(bin, { recursive: true, force: true });
    removeHomes();
  });

  it('keeps the program without a window if the person wants it, and opens the window again', async () => {
    const desktop = await startDesktop({ env: bus(true) });
    await expect.poll(() => ask(desktop, 'app.info', {})).toMatchObject({ hasTray: true } satisfies Partial<AppInfo>);
    await ask(desktop, 'app.setPreferences', { tray: true, closeToTray: true });
    await closeWindow(desktop);
    await expect.poll(() => windows(desktop)).toBe(0);
    // As a person who starts it again: the running program shows its window.
    const opened = desktop.app.waitForEvent('window');
    await desktop.app.evaluate(({ app }) => void app.emit('second-instance', {}, [], '', { files: [] }));
    const page = await opened;
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await windows(desktop)).toBe(1);
    await desktop.quit();
  });

  it.each([
    ['the person did not ask for it', true, { tray: true }],
    ['the system has no tray', false, { tray: true, closeToTray: true }],
  ])('lets the program end with its window if %s', async (_what, hasTray, preferences) => {
    const desktop = await startDesktop({ env: bus(hasTray) });
    await ask(desktop, 'app.setPreferences', preferences);
    const end = ended(desktop);
    await closeWindow(desktop);
    await end;
  });
});
