import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ArchiveTree,
  archiveFiles,
  changedNames,
  changeSeven,
  chooseNext,
  countCalls,
  namesOnCards,
  plantArchive,
  registerArchive,
  saveReports,
  storyTimeoutMs,
  within,
} from '../harness/archive.ts';
import { accessible, go } from '../harness/desktop-page.ts';
import { type Desktop, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';
import { step } from '../harness/step.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const all = archiveFiles.toLocaleString('en-US');
const seven = { json: changedNames, csv: changedNames, pdf: changedNames };

describe.skipIf(why !== '')(`watching an archive in real Electron${why}`, () => {
  let desktop: Desktop;
  let home = '';
  let tree: ArchiveTree;
  let calls: () => Promise<number>;

  beforeAll(async () => {
    home = newHome();
    tree = plantArchive(home);
    desktop = await startDesktop({ home: join(home, 'home') });
    calls = await countCalls(desktop, 'ValidateDocument');
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  const button = (name: string) => desktop.page.getByRole('button', { name });

  async function lookNow(): Promise<void> {
    if (await button('All verifications').isVisible()) await button('All verifications').click();
    await desktop.page
      .getByRole('article', { name: 'contracts' })
      .first()
      .getByRole('button', { name: 'Check now' })
      .click();
  }

  /** The cards under a counter of the run on show. */
  async function under(counter: string): Promise<readonly (string | null)[]> {
    const choice = desktop.page.getByRole('radio', { name: counter, exact: true });
    await choice.waitFor(within);
    const count = Number.parseInt(counter, 10);
    await choice.click();
    await expect.poll(async () => (await namesOnCards(desktop)).length, within).toBe(count);
    const names = (await namesOnCards(desktop)).toSorted();
    await choice.click();
    return names;
  }

  it('asks about every file once and then only about what changed, and names the changed ones each time', {
    timeout: storyTimeoutMs,
  }, async () => {
    await step('the first time', async () => {
      await registerArchive(desktop, tree);
      changeSeven(tree);
      await chooseNext(desktop, tree.folder);
      await go(desktop.page, 'Verify');
      await button('Watch folder…').click();
      expect(await calls()).toBe(0);
      await lookNow();
      await desktop.page.getByText(`${all} files verified with`).waitFor(within);
      await desktop.page.getByRole('radio', { name: `${all} new` }).waitFor(within);
      expect(await calls()).toBe(archiveFiles);
      expect(await under(`${changedNames.length} not confirmed`)).toEqual(changedNames);
      const read = await saveReports(desktop, home, 'first');
      expect(read.notConfirmed).toEqual(seven);
      expect(read.fileCount).toEqual({ json: archiveFiles, csv: archiveFiles });
      expect(read.words).toContain(`Contract ${archiveFiles}.pdf`);
    });

    await step('the second time, when nothing changed', async () => {
      await lookNow();
      await desktop.page.getByText(/Checks used: 0\./).waitFor(within);
      await desktop.page.getByRole('radio', { name: `${all} unchanged` }).waitFor(within);
      expect(await under(`${changedNames.length} not confirmed`)).toEqual(changedNames);
      const read = await saveReports(desktop, home, 'second');
      expect(read.notConfirmed).toEqual(seven);
      expect(read.fileCount).toEqual({ json: archiveFiles, csv: archiveFiles });
      expect(await calls()).toBe(0);
      await accessible(desktop.page, 'nothing changed');
    });

    await step('after some files changed', async () => {
      writeFileSync(tree.at('Contract 02.pdf'), plainPdf('another text'));
      const fresh = tree.at(`Contract ${archiveFiles + 1}.pdf`);
      mkdirSync(dirname(fresh), { recursive: true });
      writeFileSync(fresh, plainPdf('a new one'));
      rmSync(tree.at('Contract 03.pdf'));
      await lookNow();
      await desktop.page.getByText(/Checks used: 2\./).waitFor(within);
      expect(await under('1 altered')).toEqual(['Contract 02.pdf']);
      expect(await under('1 new')).toEqual([`Contract ${archiveFiles + 1}.pdf`]);
      expect(await under('1 gone')).toEqual(['Contract 03.pdf']);
      expect(await calls()).toBe(2);
      const wrong = [...changedNames, 'Contract 02.pdf', `Contract ${archiveFiles + 1}.pdf`].toSorted();
      expect((await saveReports(desktop, home, 'third')).notConfirmed).toEqual({ json: wrong, csv: wrong, pdf: wrong });
    });
  });
});
