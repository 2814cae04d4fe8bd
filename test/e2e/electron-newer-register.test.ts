import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  electronArguments,
  electronPath,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { filesOf, makeNewer } from '../harness/newer-register.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const printBox = join(import.meta.dirname, '..', 'harness', 'print-error-box.cjs');

async function startUntilEnd(home: string): Promise<string> {
  const child = spawn(electronPath(), ['-r', printBox, ...electronArguments(home)], {
    env: { ...process.env, LANG: 'en_GB.UTF-8', LC_ALL: 'en_GB.UTF-8' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await once(child, 'close');
  clearTimeout(late);
  expect(child.exitCode, output).toBe(1);
  return output;
}

/** After a downgrade; the command line is asked in test/core/cli-newer-register.test.ts. */
describe.skipIf(why !== '')(`the window on the register of a newer version${why}`, () => {
  afterAll(removeHomes);

  it('says in a box which version is needed, ends, and leaves every file as it is', async () => {
    const home = newHome();
    await (await startDesktop({ home })).quit();
    const dataDir = join(home, 'data');
    await makeNewer(dataDir);
    const before = filesOf(dataDir);
    const output = await startUntilEnd(home);
    const boxes = output.split('\n').filter((line) => line.startsWith('{"box":'));
    expect(boxes, output).toHaveLength(1);
    expect(boxes[0]).toContain('written by Sealdesk 9.8.7. Install that version or a newer one. Nothing was changed.');
    expect(filesOf(dataDir)).toEqual(before);
  });
});
