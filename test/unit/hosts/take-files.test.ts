import { readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import type { Ask } from '../../../contract/index.ts';
import { takeFiles } from '../../../hosts/cli/arguments/named-files.ts';
import type { Session } from '../../../hosts/cli/session.ts';
import { newCore, newFolder, writePdfs } from '../../core/jobs-setup.ts';

/** The real core, with `before` called ahead of each scan. */
async function scanning(before: (scan: number) => Promise<unknown>): Promise<Session> {
  const { core, ask } = await newCore();
  let scans = 0;
  const asked: Ask = async (name, input) => {
    if (name === 'files.scan') {
      scans += 1;
      await before(scans);
    }
    return ask(name, input);
  };
  return { core, ask: asked } as unknown as Session;
}

it('prints a line for every file, also for one removed before it is looked at', async () => {
  const folder = await newFolder();
  const [a = '', b = '', c = ''] = await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf']);
  const session = await scanning(async (scan) => {
    if (scan !== 1) return;
    await rm(a);
    await writeFile(b, 'no PDF any more');
  });
  const taken = await takeFiles(session, [a, b, c], 'register');
  expect(taken.paths).toEqual([c]);
  expect(taken.unusable).toMatchObject([
    { path: a, failure: { detail: 'file-missing' } },
    { path: b, failure: { detail: 'file-not-pdf' } },
  ]);
});

it('does not count a file twice if it is named separately and with its folder', async () => {
  const folder = await newFolder();
  const [a = '', b = ''] = await writePdfs(folder, ['a.pdf', 'b.pdf']);
  const taken = await takeFiles(await scanning(async () => undefined), [b, folder], 'register');
  expect(taken.paths.toSorted()).toEqual([a, b].toSorted());
  expect(taken.unusable).toEqual([]);
});

it('reports an empty folder', async () => {
  const [folder, empty] = [await newFolder(), await newFolder()];
  const [a = ''] = await writePdfs(folder, ['a.pdf']);
  const taken = await takeFiles(await scanning(async () => undefined), [a, join(empty)], 'register');
  expect(taken).toMatchObject({ paths: [a], unusable: [], emptyFolders: [empty] });
});

it.each([1, 2, 3])(
  'names the right one of two files of one name, also if one is gone before look %i at the files',
  async (look) => {
    const folder = await newFolder();
    const [first = '', second = ''] = await writePdfs(folder, ['a/x.pdf', 'b/x.pdf']);
    const session = await scanning(async (scan) => {
      if (scan === look) await rm(first, { force: true });
    });
    const taken = await takeFiles(session, [first, second], 'register');
    const isGone = !(await readdir(join(folder, 'a'))).includes('x.pdf');
    expect(taken.paths).toEqual(isGone ? [second] : [first, second]);
    expect(taken.unusable.map(({ path }) => path)).toEqual(isGone ? [first] : []);
  },
);

it('names files as they were typed, below a folder as well', async () => {
  const folder = await newFolder();
  await writePdfs(folder, ['a/x.pdf', 'a/b/x.pdf', 'c.pdf']);
  await writeFile(join(folder, 'a', 'notes.txt'), 'text');
  const typed = [relative('.', join(folder, 'a')), relative('.', join(folder, 'c.pdf'))];
  const taken = await takeFiles(await scanning(async () => undefined), typed, 'register');
  expect(taken.paths).toEqual([join(typed[0] ?? '', 'x.pdf'), join(typed[0] ?? '', 'b', 'x.pdf'), typed[1]]);
  expect(taken.passedOver).toEqual([join(typed[0] ?? '', 'notes.txt')]);
});
