import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import { openStore } from '../../electron/store/store.ts';
import {
  electronArguments,
  electronPath,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const printBox = join(import.meta.dirname, '..', 'harness', 'print-error-box.cjs');
const log = { info: () => undefined, error: () => undefined };

/** Names and contents of all files of a data folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`);
}

/** The register in `home` as a newer program leaves it. */
async function makeNewer(dataDir: string): Promise<void> {
  const { store } = await openStore({ dataDir, log, program: '9.8.7' });
  store.close();
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  sql.exec('PRAGMA user_version = 99');
  sql.close();
}

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
