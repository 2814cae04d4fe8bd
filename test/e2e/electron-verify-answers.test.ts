import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namesOnCards } from '../harness/archive.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, middle } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { type OtherService, startOtherService } from '../harness/other-service.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const operation = 'ValidateDocument';
const within = { timeout: 30_000, interval: 100 };

// A service that says what nobody knows, breaks off, and takes its time: what a person can do about each.
describe.skipIf(why !== '')(`answers that need a person, in real Electron${why}`, () => {
  let desktop: Desktop;
  let service: OtherService;
  let home = '';

  beforeAll(async () => {
    home = newHome();
    service = await startOtherService(join(home, 'service'));
    desktop = await startDesktop({ home: join(home, 'home') });
    await service.connect(desktop);
  });
  afterAll(async () => {
    await desktop?.quit();
    await service?.close();
    removeHomes();
  });

  const asked = () => service.control.requests()[operation] ?? 0;
  const button = (name: string | RegExp) => desktop.page.getByRole('button', { name });
  const counter = (name: string) => desktop.page.getByRole('radio', { name, exact: true });

  /** New files in a folder, dropped, up to the button that verifies them. */
  async function verify(folder: string, count: number): Promise<void> {
    const path = join(home, folder);
    mkdirSync(path);
    for (let n = 1; n <= count; n += 1) writeFileSync(join(path, `${folder} ${n}.pdf`), plainPdf(`${folder} ${n}`));
    await go(desktop.page, 'Start');
    await dropFiles(desktop.page, [path], await middle(desktop.page));
    await button(new RegExp(`^Verify ${count} files`)).click();
  }

  it('sorts words that nobody knows once, for every file that was answered with them', async () => {
    const { page } = desktop;
    const before = asked();
    service.control.misbehave({ mischief: { kind: 'answer', text: 'Sealed twice' }, operation, times: 3 });
    await verify('words', 10);
    await counter('3 unclear').waitFor(within);
    await counter('7 not confirmed').waitFor(within);
    await button('Set meaning…').first().click();
    const dialog = page.getByRole('dialog', { name: 'What does “Sealed twice” mean?' });
    await dialog.getByRole('button', { name: /Group/ }).click();
    await page.getByRole('option', { name: 'Confirmed', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Meaning' }).fill('Stamped by two offices');
    await accessible(page, 'sorting');
    await dialog.getByRole('button', { name: 'Save meaning' }).click();
    await counter('3 confirmed').waitFor(within);
    await counter('7 not confirmed').waitFor(within);
    expect(await counter('3 unclear').count()).toBe(0);
    expect(await button('Set meaning…').count()).toBe(0);
    await counter('3 confirmed').click();
    await expect.poll(async () => (await namesOnCards(desktop)).length, within).toBe(3);
    expect(await page.getByRole('article').getByText('Stamped by two offices').count()).toBe(3);
    await button('Details').nth(2).click();
    const story = page.getByRole('region', { name: 'The service', exact: true });
    await story.getByText('Stamped by two offices').waitFor();
    await story.getByText('“Sealed twice”').waitFor();
    await button('Close side panel').click();
    expect(asked() - before).toBe(10);
  });

  it('asks again about all files without an answer, and about no other', async () => {
    service.control.misbehave({ mischief: { kind: 'fault' }, operation, times: 4 });
    await verify('silent', 9);
    await counter('4 not checked').waitFor(within);
    await counter('5 not confirmed').waitFor(within);
    expect((await namesOnCards(desktop)).length).toBe(9);
    const before = asked();
    await button('Check 4 unchecked files again').click();
    await counter('9 not confirmed').waitFor(within);
    expect(await counter('4 not checked').count()).toBe(0);
    expect(asked() - before).toBe(4);
  });

  it('stops in the middle, and goes on with what has no answer yet', async () => {
    const { page } = desktop;
    service.control.misbehave({ mischief: { kind: 'delay', ms: 200 }, operation });
    await verify('slow', 40);
    await page.getByRole('dialog').getByRole('button', { name: 'Verify 40 files' }).click();
    const answered = async () => (await ask(desktop, 'verify.runs', {})).runs[0]?.answered ?? 0;
    await expect.poll(answered, within).toBeGreaterThan(3);
    await button('Stop').click();
    await page.getByText(/^Stopped after \d+ of 40/).waitFor(within);
    const kept = await answered();
    expect(kept).toBeLessThan(40);
    const before = asked();
    // Nothing is asked while it stands still.
    await service.answers(desktop);
    expect(asked()).toBe(before);
    service.control.misbehave(null);
    await button('Resume').click();
    await page.getByText(/^40 files verified with/).waitFor(within);
    await counter('40 not confirmed').waitFor(within);
    expect(asked() - before).toBe(40 - kept);
  });
});
