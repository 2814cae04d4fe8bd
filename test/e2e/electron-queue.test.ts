import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JobState } from '../../contract/jobs.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, middle, registerFilesInHand } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { type OtherService, startOtherService } from '../harness/other-service.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const within = { timeout: 20_000 };
/** Long enough for a person, or a busy machine, to press a button before a drop is through. */
const slow = { mischief: { kind: 'delay', ms: 4_000 }, operation: 'AddNewDocument' } as const;
const turnedAway = { mischief: { kind: 'html', status: 415 }, operation: 'AddNewDocument' } as const;

describe.skipIf(why !== '')(`the queue in people’s hands, in real Electron${why}`, () => {
  let desktop: Desktop;
  let service: OtherService;
  let folder = '';
  let home = '';

  /** What the service had before the test. */
  let earlier: ReadonlySet<string> = new Set();

  beforeAll(async () => {
    folder = newHome();
    home = join(folder, 'home');
    mkdirSync(home);
    service = await startOtherService(join(folder, 'service'));
    desktop = await startDesktop({ home });
    desktop.page.setDefaultTimeout(20_000);
    await service.connect(desktop);
  });
  beforeEach(() => {
    earlier = new Set(service.control.addsByHash().keys());
  });
  // The next test begins with an empty list.
  afterEach(async () => {
    service.control.misbehave(null);
    await ask(desktop, 'jobs.cancelWaiting', {});
    const { jobs } = await ask(desktop, 'jobs.list', { limit: 100 });
    const jobIds = jobs.filter(({ state }) => state !== 'in-doubt').map(({ id }) => id);
    if (jobIds.length > 0) await ask(desktop, 'jobs.dismiss', { jobIds });
  });
  afterAll(async () => {
    await desktop?.quit();
    await service?.close();
    removeHomes();
  });

  const counts = async () => (await ask(desktop, 'jobs.list', { limit: 1 })).counts;
  const count = (state: JobState) => expect.poll(async () => (await counts())[state], within);
  /** How often each document of the test was taken by the service, over all that was sent. */
  const taken = () =>
    [...service.control.addsByHash()].filter(([hash]) => !earlier.has(hash)).map(([, times]) => times);
  const card = (title: string) => desktop.page.getByRole('article', { name: title });
  const head = (title: string) => desktop.page.getByRole('region', { name: title });

  /** Drops so many new files and registers them; answers their names. */
  async function register(word: string, size: number): Promise<readonly string[]> {
    const names = Array.from({ length: size }, (_one, at) => `${word} ${at + 1}.pdf`);
    for (const name of names) writeFileSync(join(folder, name), plainPdf(name));
    await go(desktop.page, 'Start');
    await dropFiles(
      desktop.page,
      names.map((name) => join(folder, name)),
      await middle(desktop.page),
    );
    await registerFilesInHand(desktop.page, size);
    await head(`${word} 1.pdf and ${size - 1} more`).waitFor();
    return names;
  }
  const batch = (word: string, size: number) => head(`${word} 1.pdf and ${size - 1} more`);
  /** Nothing was taken meanwhile that should not have been. */
  async function nothingIsSent() {
    const before = taken().length;
    await service.answers(desktop);
    expect(taken().length).toBe(before);
  }

  it('holds everything on one press, over a restart too, and goes on on the next', async () => {
    service.control.misbehave(slow);
    await register('Held', 6);
    await desktop.page.getByRole('button', { name: 'Pause all' }).click();
    await desktop.page.getByRole('region', { name: 'All paused' }).waitFor();
    service.control.misbehave(null);
    // What was being sent goes on to its end.
    await count('sending').toBe(0);
    expect((await counts()).waiting + (await counts()).prepared).toBeGreaterThanOrEqual(2);
    await accessible(desktop.page, 'paused');
    await nothingIsSent();
    await desktop.quit();
    desktop = await startDesktop({ home });
    desktop.page.setDefaultTimeout(20_000);
    await service.connect(desktop);
    await go(desktop.page, 'Activity');
    await desktop.page.getByRole('region', { name: 'All paused' }).waitFor();
    await nothingIsSent();
    await desktop.page.getByRole('button', { name: 'Resume all' }).click();
    await count('done').toBe(6);
    expect(taken()).toEqual(Array(6).fill(1));
  });

  it('holds a drop', async () => {
    service.control.misbehave(slow);
    const names = await register('Drop', 6);
    const mine = batch('Drop', 6);
    await mine.getByRole('button', { name: 'Pause' }).click();
    await mine.getByRole('button', { name: 'Resume' }).waitFor();
    service.control.misbehave(null);
    await count('sending').toBe(0);
    await card(names[5] ?? '')
      .getByText('Batch paused')
      .waitFor();
    await nothingIsSent();
    expect((await counts()).done).toBeLessThan(6);
    await mine.getByRole('button', { name: 'Resume' }).click();
    await count('done').toBe(6);
    expect(taken()).toEqual(Array(6).fill(1));
  });

  it('holds one job of a drop, and sends the others', async () => {
    service.control.misbehave(slow);
    const [first = '', ...others] = await register('Single', 6);
    const last = others.at(-1) ?? '';
    await card(last).getByRole('button', { name: 'Pause' }).click();
    await card(last).getByRole('button', { name: 'Resume' }).waitFor();
    service.control.misbehave(null);
    await count('done').toBe(5);
    await card(first).getByText('Registered').first().waitFor();
    await nothingIsSent();
    await card(last).getByRole('button', { name: 'Resume' }).click();
    await count('done').toBe(6);
    expect(taken()).toEqual(Array(6).fill(1));
  });

  it('cancels what waits, one job or all of a drop, and sends a cancelled one only when asked', async () => {
    const { page } = desktop;
    service.control.misbehave(slow);
    const names = await register('Unwanted', 6);
    const last = names.at(-1) ?? '';
    const mine = batch('Unwanted', 6);
    await mine.getByRole('button', { name: 'Pause' }).click();
    await card(last).getByText('Batch paused').waitFor();
    service.control.misbehave(null);
    await card(last).getByRole('button', { name: 'Cancel' }).click();
    await count('cancelled').toBe(1);
    await mine.getByRole('button', { name: /^Cancel \d waiting…$/ }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('They will not be sent.').waitFor();
    await accessible(page, 'cancel');
    await dialog.getByRole('button', { name: /^Cancel \d documents?$/ }).click();
    await expect.poll(async () => (await counts()).waiting + (await counts()).sending, within).toBe(0);
    const { cancelled, done } = await counts();
    expect(cancelled).toBeGreaterThanOrEqual(3);
    expect(done + cancelled).toBe(6);
    expect(taken()).toEqual(Array(done).fill(1));
    await nothingIsSent();

    await card(last).getByRole('button', { name: 'Send again…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click();
    // Its drop is still held.
    await card(last).getByText('Batch paused').waitFor();
    await mine.getByRole('button', { name: 'Resume' }).click();
    await count('done').toBe(done + 1);
    expect((await counts()).cancelled).toBe(cancelled - 1);
    expect(taken()).toEqual(Array(done + 1).fill(1));
  });

  it('sends what failed again: one by itself, the rest together, each once', async () => {
    const { page } = desktop;
    service.control.misbehave(turnedAway);
    const names = await register('Turned away', 4);
    await count('failed').toBe(4);
    // Not by itself.
    await nothingIsSent();
    expect(taken()).toEqual([]);
    service.control.misbehave(null);

    await card(names[1] ?? '')
      .getByRole('button', { name: 'Send again…' })
      .click();
    await page.getByRole('alertdialog').getByText('Uses 1 credit').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click();
    await count('done').toBe(1);
    await count('failed').toBe(3);

    await batch('Turned away', 4).getByRole('button', { name: 'Retry 3 failed…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send 3 again' }).click();
    await count('done').toBe(4);
    await count('failed').toBe(0);
    expect(taken()).toEqual(Array(4).fill(1));
  });

  it('holds a connection that loses its answers, and lets one go ahead when a person continues', async () => {
    const { page } = desktop;
    service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'AddNewDocument' });
    await register('Lost', 6);
    const banner = page.getByRole('region', { name: /^Sending over .* is on hold$/ });
    await banner.waitFor();
    await banner.getByText('3 in a row got no clear answer').waitFor();
    await count('in-doubt').toBe(3);
    await accessible(page, 'held');
    await nothingIsSent();
    expect(taken()).toHaveLength(3);
    service.control.misbehave(slow);
    await banner.getByRole('button', { name: 'Resume sending' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Resume sending' }).click();
    await page.getByText('Sent, waiting for the answer since').first().waitFor();
    service.control.misbehave(null);
    await banner.waitFor({ state: 'detached' });
    await count('waiting').toBe(0);
    await count('sending').toBe(0);
    expect(taken()).toEqual(Array(6).fill(1));
  });
});
