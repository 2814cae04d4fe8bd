import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, middle, registerFilesInHand, seen } from '../harness/desktop-page.ts';
import {
  answerOpenDialogs,
  type Desktop,
  dropFiles,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { type OtherService, otherServiceName, startOtherService } from '../harness/other-service.ts';
import { plainPdf } from '../harness/pdf.ts';
import { step } from '../harness/step.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const total = 20;

describe.skipIf(why !== '')(`nothing lost, nothing twice, in real Electron${why}`, () => {
  let desktop: Desktop;
  let service: OtherService;
  let folder = '';
  let home = '';
  const name = (index: number) => `File ${String(index).padStart(2, '0')}.pdf`;
  const files = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_one, at) => join(folder, name(from + at)));

  beforeEach(async () => {
    folder = newHome();
    home = join(folder, 'home');
    mkdirSync(home);
    for (let index = 1; index <= total + 1; index += 1) writeFileSync(join(folder, name(index)), plainPdf(name(index)));
    service = await startOtherService(join(folder, 'service'));
    desktop = await startDesktop({ home });
    await service.connect(desktop);
  });
  afterEach(async () => {
    await desktop?.quit();
    await service?.close();
    removeHomes();
  });

  const counts = async () => (await ask(desktop, 'jobs.list', { limit: 1 })).counts;
  const card = (title: string) => desktop.page.getByRole('article', { name: title });
  /** Registers some of the files and waits until they are. */
  async function registered(from: number, to: number): Promise<void> {
    await dropFiles(desktop.page, files(from, to), await middle(desktop.page));
    await registerFilesInHand(desktop.page, to - from + 1);
    await expect.poll(async () => (await counts()).done, { timeout: 20_000 }).toBe(to - from + 1);
  }
  const filter = (words: RegExp) =>
    desktop.page.getByRole('radio', { name: words }).or(desktop.page.getByRole('button', { name: words }));

  it('sends each of twenty files at most once over a restart, and a lost one again only on a person’s word', {
    timeout: 240_000,
  }, async () => {
    await step('drops twenty files, restarts in the middle, and ends with the right counts', async () => {
      const dropped = { mischief: { kind: 'drop-after' }, operation: 'AddNewDocument', every: 3 } as const;
      const slow = { mischief: { kind: 'delay', ms: 150 }, operation: 'AddNewDocument' } as const;
      service.control.misbehave([dropped, slow]);
      await dropFiles(desktop.page, files(1, total), await middle(desktop.page));
      await registerFilesInHand(desktop.page, total);
      await expect.poll(async () => (await counts()).done, { timeout: 20_000 }).toBeGreaterThanOrEqual(4);
      await desktop.quit();
      desktop = await startDesktop({ home });
      await service.connect(desktop);
      await go(desktop.page, 'Activity');
      const open = async () => {
        const { prepared, waiting, sending } = await counts();
        return prepared + waiting + sending;
      };
      await expect.poll(open, { timeout: 40_000 }).toBe(0);
      const { done, 'in-doubt': doubts, failed, refused } = await counts();
      expect([done + doubts, failed, refused]).toEqual([total, 0, 0]);
      expect(doubts).toBeGreaterThanOrEqual(6);
      const adds = [...service.control.addsByHash().values()];
      expect(Math.max(...adds)).toBe(1);
      expect(adds.length).toBeGreaterThanOrEqual(done);
      // The line of the drop leads to all that can be done with it.
      await desktop.page.getByRole('button', { name: /^Open File 01\.pdf/ }).click();
      await seen(desktop.page, 'In doubt: decide what happened');
      await filter(new RegExp(`^${doubts} In doubt`))
        .first()
        .waitFor();
      await filter(new RegExp(`^${done} Done`))
        .first()
        .waitFor();
      await accessible(desktop.page, 'jobs');
    });

    await step(
      'looks for a lost answer, shows what was asked, and takes a person’s word for which document it is',
      async () => {
        const { page } = desktop;
        const before = await counts();
        const doubt = page.getByRole('article', { name: /^File/ }).filter({ hasText: 'it may be registered' }).first();
        const title = (await doubt.getAttribute('aria-label')) ?? '';
        const mine = card(title);
        await mine.getByRole('button', { name: 'Check the file' }).click();
        await mine.getByText('The service knows the file').waitFor();
        await accessible(page, 'look');
        await mine.getByRole('textbox', { name: /Document ID/ }).fill(service.idOf(title.replace('.pdf', '')));
        await mine.getByRole('button', { name: 'Check this ID' }).click();
        await mine.getByText('Possible match. Compare it with what you sent').waitFor();
        await mine.getByRole('button', { name: 'Search details' }).click();
        await mine.getByRole('button', { name: 'It’s this one' }).click();
        await expect.poll(async () => (await counts()).done).toBe(before.done + 1);
        expect((await counts())['in-doubt']).toBe(before['in-doubt'] - 1);
        expect(Math.max(...service.control.addsByHash().values())).toBe(1);
      },
    );

    await step('sends again only on a person’s word, after saying what that may cost', async () => {
      const { page } = desktop;
      service.control.misbehave([]);
      const doubt = page.getByRole('article', { name: /^File/ }).filter({ hasText: 'it may be registered' }).first();
      const before = (await counts())['in-doubt'];
      await doubt.getByRole('button', { name: 'Send again…' }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByText('Uses 1 credit').waitFor();
      await dialog.getByText(/was sent once without a clear answer and may have arrived/).waitFor();
      await accessible(page, 'send again');
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await expect.poll(async () => (await counts())['in-doubt']).toBe(before - 1);
      // After lost answers the connection pauses before the next add.
      const sentTwice = () => [...service.control.addsByHash().values()].filter((adds) => adds === 2).length;
      await expect.poll(sentTwice, { timeout: 90_000 }).toBe(1);
    });
  });

  it('asks about documents that are registered already, before anything is sent', async () => {
    const { page } = desktop;
    await registered(1, 2);
    await go(page, 'Start');
    await dropFiles(page, files(1, 2).concat(files(21, 21)), await middle(page));
    await page.getByRole('button', { name: /^Register 3 documents/ }).click();
    await page.getByRole('button', { name: /^Register .+…$/ }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText(/2 files are already registered/).waitFor();
    await dialog.getByText('Register 1 document?').waitFor();
    await accessible(page, 'duplicates');
    await dialog.getByRole('radiogroup', { name: 'Skip or send File 02.pdf' }).getByText('Send anyway').click();
    await dialog.getByRole('button', { name: 'Register 2 documents' }).click();
    await expect.poll(async () => (await counts()).done, { timeout: 15_000 }).toBe(4);
    expect((await counts()).cancelled).toBe(0);
  });

  it('asks in the queue about what nobody was asked about before', async () => {
    const { page } = desktop;
    await registered(21, 21);
    const { connections } = await ask(desktop, 'connections.state', {});
    const connectionId = connections.find(({ name: called }) => called === otherServiceName)?.id ?? '';
    // The file of before once more, without the dialog: as after a check that was not waited for.
    await answerOpenDialogs(desktop.app, [files(21, 21)]);
    const [token] = (await ask(desktop, 'files.choose', { kind: 'documents' })) ?? [];
    const intake = await ask(desktop, 'files.scan', { tokens: [token?.token ?? ''], purpose: 'register' });
    await ask(desktop, 'documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
    await go(page, 'Activity');
    await seen(page, '1 needs your decision');
    await page.getByRole('button', { name: 'Show them' }).click();
    await card(name(21)).getByText('Already registered as').waitFor();
    await accessible(page, 'asking');
    await page.getByRole('button', { name: 'Skip 1' }).click();
    await expect.poll(async () => (await counts())['passed-over']).toBe(1);
    expect((await counts()).done).toBe(1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  it('waits while the service is away, and goes on by itself', async () => {
    const { page } = desktop;
    writeFileSync(join(folder, 'Later.pdf'), plainPdf('Later'));
    await service.goAway();
    await go(page, 'Start');
    await dropFiles(page, [join(folder, 'Later.pdf')], await middle(page));
    await registerFilesInHand(page, 1);
    await seen(page, 'Field office cannot be reached');
    await seen(page, /1 job waits and continues automatically/);
    await accessible(page, 'offline');
    expect((await counts()).failed).toBe(0);
    await service.comeBack(desktop);
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 3_000 })
      .catch(() => undefined);
    await expect.poll(async () => (await counts()).done, { timeout: 20_000 }).toBe(1);
    await page.getByText('Field office cannot be reached').waitFor({ state: 'detached' });
  });

  it('sends the selected refused ones again, and selects none by itself', async () => {
    const { page } = desktop;
    writeFileSync(join(folder, 'Refused A.pdf'), plainPdf('Refused A'));
    writeFileSync(join(folder, 'Refused B.pdf'), plainPdf('Refused B'));
    service.control.misbehave({ mischief: { kind: 'answer', text: '-142' }, operation: 'AddNewDocument' });
    await go(page, 'Start');
    await dropFiles(page, [join(folder, 'Refused A.pdf'), join(folder, 'Refused B.pdf')], await middle(page));
    await registerFilesInHand(page, 2);
    const selection = page.getByRole('region', { name: 'Selection' });
    await page.getByRole('button', { name: 'History' }).first().click();
    await selection.waitFor({ state: 'detached' });
    // A job that changes its state leaves the selection.
    for (const name of ['A', 'B']) await card(`Refused ${name}.pdf`).getByText('Refused', { exact: true }).waitFor();
    for (const name of ['A', 'B'])
      await page.getByRole('checkbox', { name: `Select Refused ${name}.pdf` }).press('Space');
    await selection.getByText('2 selected').waitFor();
    await accessible(page, 'refused');
    service.control.misbehave([]);
    await selection.getByRole('button', { name: 'Send 2 again…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send 2 again' }).click();
    await expect.poll(async () => (await counts()).refused, { timeout: 15_000 }).toBe(0);
    await selection.waitFor({ state: 'detached' });
  });

  it('shows final counts until they are dismissed', async () => {
    const { page } = desktop;
    await registered(1, 1);
    await ask(desktop, 'jobs.pause', { what: 'all' });
    await go(page, 'Start');
    await dropFiles(page, files(2, 2), await middle(page));
    await registerFilesInHand(page, 1);
    await expect.poll(async () => (await ask(desktop, 'jobs.cancelWaiting', {})).count).toBe(1);
    await go(page, 'Start');
    await go(page, 'Activity');
    await page.getByRole('button', { name: 'Dismiss 2 finished', exact: true }).click();
    await expect.poll(counts).toMatchObject({ done: 0, cancelled: 0 });
    await expect.poll(() => page.getByRole('button', { name: /Dismiss \d+ finished/ }).count()).toBe(0);
  });
});
