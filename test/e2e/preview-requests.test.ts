import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsOfConnection } from '../../contract/connections.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { atLength } from '../harness/test-length.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

/** Requests that are sent; every list of the service is cut at fewer. */
const [sent, cut] = atLength({ short: [41, 15], all: [301, 100] });
/** Requests that are signed between two readings: fewer signatures than a list has. */
const atOnce = Math.floor(cut / 3);
/** A third of the requests has one signer, a third two, a third three. */
const signersOf = (n: number) => [`ana${n}@example.com`, `bo${n}@example.com`, 'mei@example.com'].slice(0, 1 + (n % 3));

describe.skipIf(why !== '')(`many requests and a service whose lists are cut${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let connectionId: string;
  /** By document name, who signed: what the window is compared with. */
  const signed = new Map<string, string[]>();

  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    page = preview.page;
    await page.getByText('Drop documents here').waitFor();
    const { connections, currentId } = await ask({ page }, 'connections.state', {});
    connectionId = currentId;
    const found = connections.find(({ id }) => id === connectionId);
    if (!found) throw new Error('no connection');
    const settings = { ...settingsOfConnection(found), maxItems: cut };
    await ask({ page }, 'connections.save', { id: connectionId, settings });
    for (let n = 0; n < sent; n += 1)
      await ask({ page }, 'signatures.request', {
        kind: 'easy-sign-template',
        connectionId,
        templateId: 'TPL-1003',
        documentName: `Lease ${n}`,
        emails: signersOf(n),
      });
    while ((await ask({ page }, 'jobs.list', { limit: 1 })).counts.done < sent) await page.waitForTimeout(200);
    // Of a signature that is there when its list is first read nobody knows when it was seen.
    await readLists();
    for (let from = sent - 1; from >= sent - 2 * cut; from -= atOnce) await signSome(from);
  }, 240_000);
  afterAll(() => preview?.close());

  /** Of some requests the first signer signs, of every other one all sign. */
  async function signSome(from: number): Promise<void> {
    for (let n = from; n > from - atOnce && n >= 0; n -= 1) {
      const { entries } = await ask({ page }, 'tracking.entries', { connectionId, search: `ana${n}@example.com` });
      const documentId = entries[0]?.origDocumentId;
      if (!documentId) continue;
      const emails = signersOf(n).slice(0, n % 2 === 0 ? 3 : 1);
      for (const email of emails) await ask({ page }, 'practice.signAs', { connectionId, documentId, email });
      signed.set(`Lease ${n}`, emails);
    }
    await readLists();
  }

  async function readLists(): Promise<void> {
    for (const listType of [1, 2]) await ask({ page }, 'signatures.refresh', { connectionId, listType });
  }

  const rows = (name: string | RegExp) => page.getByRole('row', { name });
  const open = (screen: string) =>
    page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('button', { name: new RegExp(`^${screen}`) })
      .click();

  /** Rows of the list that are seen whole. */
  const visibleRows = () =>
    page.getByRole('grid', { name: 'Requests' }).evaluate((grid) => {
      const box = grid.querySelector('[role=row]')?.getBoundingClientRect();
      const end = grid.getBoundingClientRect().bottom;
      return [...grid.querySelectorAll('[role=row]')].slice(1).filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return box !== undefined && top >= box.bottom - 1 && bottom <= end + 1;
      }).length;
    });

  it('shows at least 14 of them in a window of 1280 × 800 and 6 in one of 720 × 600', async () => {
    await open('Signatures');
    await rows(/^Lease/)
      .first()
      .waitFor();
    expect(await visibleRows()).toBeGreaterThanOrEqual(14);
    await page.setViewportSize({ width: 720, height: 600 });
    await expect.poll(visibleRows).toBeGreaterThanOrEqual(6);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('counts by state what was sent, whatever the lists still have', async () => {
    await page.getByText(`${sent} requests ·`).waitFor();
    const texts = await page.getByRole('radiogroup', { name: 'By state' }).getByRole('radio').allTextContents();
    const counts = Object.fromEntries(
      texts.map((text) => [text.replace(/[\d,]+$/, ''), Number(/\d+$/.exec(text)?.[0])]),
    );
    const { 'From elsewhere': elsewhere, ...own } = counts;
    expect(elsewhere).toBe(0);
    expect(Object.values(own).reduce((sum, count) => sum + count, 0)).toBe(sent);
    const all = [...signed].map(([name, emails]) => emails.length - signersOf(Number(name.slice(6))).length);
    expect(counts.Complete).toBe(all.filter((missing) => missing === 0).length);
    expect(counts['Partly signed']).toBe(all.filter((missing) => missing < 0).length);
  });

  it('says of each who signed and who has not, also of those that have left the lists', async () => {
    for (const [name, emails] of [...signed].filter((_one, at) => at % Math.ceil(signed.size / 12) === 0)) {
      await page.getByRole('searchbox', { name: 'Search signature requests' }).fill(name);
      const asked = signersOf(Number(name.slice(6)));
      const row = rows(`${name} · ${emails.length} of ${asked.length} signed`);
      await row.waitFor();
      const text =
        (await row
          .getByTitle(/signed|Waiting/)
          .first()
          .textContent()) ?? '';
      const parts = text.split(' · ');
      const said = asked.map((email) => [
        email,
        /Seen signed/.test(parts.find((part) => part.includes(email)) ?? 'nothing'),
      ]);
      expect(said).toEqual(asked.map((email) => [email, emails.includes(email)]));
    }
    await page.getByRole('searchbox', { name: 'Search signature requests' }).fill('');
  });

  it('tells who has not signed the lease and copies its link in two clicks', async () => {
    await open('Start');
    let clicks = 0;
    const click = async (press: () => Promise<void>) => {
      await press();
      clicks += 1;
    };
    await click(() => open('Signatures'));
    const newest = [...Array(sent).keys()].reverse().find((n) => (signed.get(`Lease ${n}`)?.length ?? 0) < 1 + (n % 3));
    await page.getByRole('searchbox', { name: 'Search signature requests' }).fill(`Lease ${newest}`);
    const row = rows(new RegExp(`^Lease ${newest} · `));
    await row.getByText(/: Waiting/).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await click(() => row.getByRole('button', { name: 'Copy link' }).click());
    expect(clicks).toBe(2);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const { groups } = await ask({ page }, 'tracking.groups', { connectionId, search: `Lease ${newest}` });
    expect(copied).toMatch(/^https:\/\/\S+\/sign\//);
    expect(copied).toBe(groups.find(({ documentName }) => documentName === `Lease ${newest}`)?.answer?.raw);
  });
});
