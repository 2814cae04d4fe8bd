import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { markOf, placedByClaim, placeFile } from '../../../electron/core/files/place-file.ts';
import { safeFileName } from '../../../electron/core/files/safe-file-name.ts';
import { saveFile } from '../../../electron/core/files/target.ts';
import { createPdfReport } from '../../../electron/core/output/pdf/pdf-report.ts';
import { isFull } from '../../faults/fault-table.ts';
import { assetsDir } from '../../harness/core.ts';
import { overwriteKeepingTime, setOldTime } from '../../harness/overwrite.ts';

const rounds = isFull ? 150 : 10;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-place-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('placing a file', () => {
  it.each([
    [
      'by a second name',
      (temporary: string, path: string) =>
        placeFile(temporary, { path }).then(
          () => true,
          () => false,
        ),
    ],
    ['by a claim, where a file has one name only', placedByClaim],
  ] as const)('gets its name %s: of many at once exactly one', { timeout: 60_000 }, async (how, place) => {
    for (let round = 0; round < rounds; round++) {
      const path = join(folder, `${how} ${round}.pdf`);
      const temporary = Array.from({ length: 8 }, (_each, n) => join(folder, `.${how} ${round}.${n}.part`));
      await Promise.all(temporary.map((one) => writeFile(one, one)));
      const won = await Promise.all(temporary.map((one) => place(one, path)));
      expect(won.filter((one) => one)).toHaveLength(1);
      expect(await readFile(path, 'utf8')).toBe(temporary[won.indexOf(true)]);
    }
  });

  it.each(['text', 'pdf'] as const)(
    '(%s) does not replace a file that appeared at the target meanwhile',
    async (kind) => {
      const path = join(folder, `report.${kind}`);
      const target = { path, next: async () => join(folder, `report (2).${kind}`) };
      const mine = () => writeFile(path, 'mine', { flag: 'wx' });
      async function* pieces() {
        yield 'a';
        await mine();
        yield 'b';
      }
      const written = async () => {
        if (kind === 'text') return saveFile(target, pieces());
        const report = createPdfReport(target, { title: 'A', footer: 'A', assetsDir, language: 'en' });
        report.heading('A');
        await mine();
        return report.finish();
      };
      expect(await written()).toBe(join(folder, `report (2).${kind}`));
      expect(await readFile(path, 'utf8')).toBe('mine');
      expect((await readFile(join(folder, `report (2).${kind}`))).length).toBeGreaterThan(1);
      const refused = kind === 'text' ? saveFile({ path }, ['c']) : null;
      if (refused) await expect(refused).rejects.toMatchObject({ failure: { detail: 'target-exists' } });
      expect((await readdir(folder)).filter((name) => name.startsWith('.report'))).toEqual([]);
    },
  );

  it('replaces no folder, and no file without permission', async () => {
    const temporary = join(folder, '.a.part');
    await writeFile(temporary, 'new');
    await mkdir(join(folder, 'a'));
    await writeFile(join(folder, 'b'), 'mine');
    for (const path of [join(folder, 'a'), join(folder, 'b')])
      await expect(placeFile(temporary, { path })).rejects.toMatchObject({ failure: { detail: 'target-exists' } });
    expect(await readFile(join(folder, 'b'), 'utf8')).toBe('mine');
    expect(existsSync(temporary)).toBe(true);
  });

  it('replaces no file that was edited in place after it was chosen, not even with its time put back', async () => {
    const [temporary, path] = [join(folder, '.c.part'), join(folder, 'c')];
    await writeFile(temporary, 'new');
    await writeFile(path, 'old one');
    setOldTime(path);
    const replaces = await markOf(path);
    // Systems write times at the ticks of a clock.
    await sleep(20);
    overwriteKeepingTime(path, Buffer.from('my work'));
    await expect(placeFile(temporary, { path, replaces })).rejects.toMatchObject({
      failure: { detail: 'target-exists' },
    });
    expect(await readFile(path, 'utf8')).toBe('my work');
    expect(await placeFile(temporary, { path, replaces: await markOf(path) })).toBe(path);
    expect(await readFile(path, 'utf8')).toBe('new');
  });

  it('has a name valid on every system, even if the given one is too long or reserved', async () => {
    expect(safeFileName('COM\u00b9.pdf', '')).toBe('_COM\u00b9.pdf');
    expect(safeFileName('con .txt.pdf', '')).toBe('_con .txt.pdf');
    expect(safeFileName('CONIN$.pdf', '')).toBe('_CONIN$.pdf');
    for (const letter of ['a', '\u00e4', '\u4e2d', '\u{1f600}']) {
      const name = safeFileName(`${letter.repeat(400)}.pdf`, '');
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
      expect(Buffer.from(name).toString()).toBe(name);
      await writeFile(join(folder, name), 'x');
    }
  });
});
