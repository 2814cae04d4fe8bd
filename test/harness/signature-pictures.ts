import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { enOwn } from '../../locales/en/window/own.ts';
import { ask } from './desktop-bridge.ts';
import { go, middle, registerFilesInHand } from './desktop-page.ts';
import { type Desktop, dropFiles } from './electron.ts';
import { stream } from './pdf-revisions.ts';
import { settled } from './settled.ts';
import { showLook } from './show-look.ts';
import { unsignedPdf } from './signed-pdf.ts';
import { makeSigner } from './signers.ts';

/** What a forger puts in place of the text of the page. */
const other = (text: string) => ({ 4: stream('', `BT /F1 18 Tf 40 700 Td (${text}) Tj ET`) });

function leases() {
  const jane = { signer: makeSigner({ key: 'p256', name: 'Jane Doe' }), signedAt: new Date('2026-03-03T09:41:07Z') };
  const tom = { signer: makeSigner({ key: 'p256', name: 'Tom Okafor' }), signedAt: new Date('2026-03-04T15:12:40Z') };
  const signed = (text: string) => unsignedPdf({ text }).sign(jane);
  const first = signed('Lease 2028');
  return {
    registered: {
      'Lease 2028': first,
      'Annex C': signed('Annex C'),
      'Annex D, changed': signed('Annex D').replace(other('Annex E')),
    },
    later: {
      'Lease 2028, signed by both': first.sign(tom),
      'Order 4472, changed': signed('Order 4472: 90 pallets').replace(other('Order 4472: 190 pallets')),
    },
  };
}

/** What is said about signed PDFs, by the name of the picture: cards of the results, and the file’s own word in its story. */
export async function drawSignatures(desktop: Desktop, home: string): Promise<Readonly<Record<string, Buffer>>> {
  const { page } = desktop;
  const folder = join(home, 'signed');
  mkdirSync(folder);
  const write = (files: Readonly<Record<string, { readonly bytes: Buffer }>>) =>
    Object.entries(files).map(([name, { bytes }]) => {
      writeFileSync(join(folder, `${name}.pdf`), bytes);
      return join(folder, `${name}.pdf`);
    });
  const drop = async (paths: readonly string[]) => {
    await go(page, 'Start');
    await dropFiles(page, paths, await middle(page));
  };
  const { registered, later } = leases();
  const paths = write(registered);
  const done = async () => (await ask(desktop, 'jobs.list', { limit: 1 })).counts.done;
  const before = await done();
  await drop(paths);
  await registerFilesInHand(page, paths.length);
  await expect.poll(done, { timeout: 20_000 }).toBe(before + paths.length);
  await drop([...paths, ...write(later)]);
  await page.getByRole('button', { name: /^Verify 5 files/ }).click();

  const card = (name: string) => page.getByRole('article', { name: `${name}.pdf` });
  const pictureOf = async (shown: Locator, words: readonly string[]) => {
    for (const text of words) await shown.getByText(text, { exact: true }).waitFor();
    await settled(page);
    return shown.screenshot();
  };
  const storyOf = async (name: string, words: readonly string[]) => {
    await card(name).getByRole('button', { name: 'Details' }).click();
    const picture = await pictureOf(page.getByRole('region', { name: enOwn.title }), words);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
    return picture;
  };
  const comparisonOf = async (name: string) => {
    await showLook(desktop, { size: [1280, 800] });
    await card(name).getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: enOwn.revisions.show }).click();
    return pictureOf(page.getByRole('dialog'), ['1 difference on this page, framed']);
  };
  const { verdict, disagree, later: added, unknownSigner } = enOwn;
  return {
    unchanged: await pictureOf(card('Lease 2028'), ['Confirmed: registered and unchanged', verdict.unchanged]),
    additions: await pictureOf(card('Lease 2028, signed by both'), [verdict['only-additions-allowed']]),
    disagreement: await pictureOf(card('Annex D, changed'), [disagree, verdict.changed]),
    changed: await storyOf('Order 4472, changed', [verdict.changed, added.other]),
    'unknown-signer': await storyOf('Annex C', [verdict.unchanged, unknownSigner]),
    compared: await comparisonOf('Order 4472, changed'),
  };
}
