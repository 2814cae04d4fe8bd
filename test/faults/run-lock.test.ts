import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { holdRunLock, isFolderInUse } from '../../electron/store/database/run-lock.ts';
import { newFolder } from '../core/jobs-setup.ts';

/** Done once, between the opening of a file that is named so and its locking. */
let meanwhile: { readonly name: string; readonly work: () => void } | null = null;

vi.mock(import('../../electron/store/database/sql.ts'), async (load) => {
  const real = await load();
  return {
    ...real,
    openSql: (path) => {
      const opened = real.openSql(path);
      const now = meanwhile;
      if (now && path.includes(now.name)) {
        meanwhile = null;
        now.work();
      }
      return opened;
    },
  };
});

it.each([
  ['starts', (dataDir: string) => holdRunLock(dataDir, 'third').release()],
  ['asks whether it runs', (dataDir: string) => expect(isFolderInUse(dataDir)).toBe(true)],
])('a program that had to make the file of its lock again keeps it while another one %s', async (_what, look) => {
  const dataDir = await newFolder();
  const path = join(dataDir, 'runs', 'other.lock');
  mkdirSync(join(dataDir, 'runs'));
  // A program that starts has made its file, and not locked it yet: to others it is that of an ended run.
  writeFileSync(path, '');
  let held: { release(): void } | null = null;
  meanwhile = {
    name: 'other.lock',
    work: () => {
      rmSync(path);
      held = holdRunLock(dataDir, 'other');
    },
  };
  look(dataDir);
  expect(held).not.toBeNull();
  expect(existsSync(path)).toBe(true);
  const own = holdRunLock(dataDir, 'own');
  expect([own.isAlive('other'), own.isAlone()]).toEqual([true, false]);
  (held as { release(): void } | null)?.release();
  expect([own.isAlive('other'), own.isAlone()]).toEqual([false, true]);
  own.release();
});
