import { join } from 'node:path';
import type { ElectronApplication } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { type Desktop, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

/** Answers the next message boxes: a person's choice, made in the main process because no page can make it. */
async function answerMessageBoxes(app: ElectronApplication, response: number): Promise<void> {
  await app.evaluate(({ dialog }, choice) => {
    const shown: unknown[] = [];
    Object.assign(globalThis, { shown });
    dialog.showMessageBox = (...given: unknown[]) => {
      shown.push(given.at(-1));
      return Promise.resolve({ response: choice, checkboxChecked: false });
    };
  }, response);
}

const shownBoxes = (app: ElectronApplication) =>
  app.evaluate(
    () => (globalThis as unknown as { shown: { message: string; defaultId: number; buttons: string[] }[] }).shown,
  );

describe.skipIf(why !== '')(`an unencrypted address in real Electron${why}`, () => {
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await startDesktop({ home: join(newHome(), 'home') });
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });
  const settings = {
    name: 'Harbour office',
    baseUrl: 'http://service.example',
    mainPath: '/v2/api.asmx',
    namespaceUri: 'https://ns.example.org/',
  };
  const count = async () => (await ask(desktop, 'connections.state', {})).connections.length;

  it('is saved only if a person confirms it in a box of the system', async () => {
    await answerMessageBoxes(desktop.app, 0);
    await expect(ask(desktop, 'connections.save', { settings })).rejects.toThrow('not encrypted');
    const [box] = await shownBoxes(desktop.app);
    expect(box?.message).toContain('http://service.example');
    expect(box?.buttons[box.defaultId]).toBe('Cancel');
    expect(await count()).toBe(1);

    await answerMessageBoxes(desktop.app, 1);
    await ask(desktop, 'connections.save', { settings });
    expect(await count()).toBe(2);
  });
});
