import type { Page } from 'playwright-core';
import type { Envelope } from '../../contract/failure.ts';
import { ask } from './desktop-bridge.ts';
import { plainPdf } from './pdf.ts';
import { unsignedPdf } from './signed-pdf.ts';
import { makeSigner } from './signers.ts';

const lease = unsignedPdf({ text: 'Lease 2027' });
const jane = makeSigner({ key: 'p256', name: 'Jane Doe' });
const how = { signer: jane, signedAt: new Date('2026-03-03T09:41:07Z') };
/** With a password, by a key that nothing here has: it is not even encrypted. */
const locked = `/ID [<${'0'.repeat(32)}> <${'0'.repeat(32)}>]
  /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'1'.repeat(64)}> /U <${'2'.repeat(64)}> >>`;

/** Files that are more than a name on a page: one that was signed after it was registered, one that was changed after it was signed, and one with a password. */
const signedFiles: Readonly<Record<string, Buffer>> = {
  'Lease 2027': lease.bytes,
  'Lease 2027, signed': lease.sign(how).bytes,
  'Annex B': unsignedPdf({ text: 'Annex B' }).sign(how).replace({ 4: '<< /Length 3 >>\nstream\nq Q\nendstream' }).bytes,
  Protected: unsignedPdf({ trailer: locked }).sign(how).bytes,
};

/** Gives PDFs of these names to the core, and returns their tokens. */
export async function takeFromPage(page: Page, names: readonly string[]): Promise<string[]> {
  const files = names.map((name) => ({
    name: `${name}.pdf`,
    bytes: (signedFiles[name] ?? plainPdf(name)).toString('base64'),
  }));
  return page.evaluate(async (given) => {
    type Take = (file: File) => Promise<Envelope<{ readonly token: string }>>;
    const { bridge } = window as unknown as { readonly bridge: { readonly take: Take } };
    const tokens: string[] = [];
    for (const { name, bytes } of given) {
      const body = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
      const answer = await bridge.take(new File([body], name));
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(answer.failure)}`);
      tokens.push(answer.value.token);
    }
    return tokens;
  }, files);
}

/** Registers two documents, verifies them and what they became, and asks one person to sign, so that the screens show data. */
export async function fillWindow(page: Page): Promise<void> {
  const names = ['Lease 2027', 'Annex B'];
  const { currentId: connectionId } = await ask({ page }, 'connections.state', {});
  const scan = async (purpose: 'register' | 'verify', some = names) =>
    ask({ page }, 'files.scan', { tokens: await takeFromPage(page, some), purpose });
  const duplicates = { otherwise: 'send' } as const;
  // One after another, so that the lists have the same order every time.
  await ask({ page }, 'app.setPreferences', { atOnce: 1 });
  const register = await scan('register');
  await ask({ page }, 'documents.register', {
    connectionId,
    intakeId: register.id,
    creditType: 1,
    duplicates,
  });
  // A verification knows what was registered here once it is registered.
  await allDone(page, 2);
  for (const some of [[...names, 'Lease 2027, signed'], ['Protected']]) {
    const { id } = await scan('verify', some);
    await ask({ page }, 'verify.start', { connectionId, intakeId: id });
    await verified(page);
  }
  const [fileToken = ''] = await takeFromPage(page, names.slice(0, 1));
  await ask({ page }, 'signatures.request', {
    kind: 'plain',
    connectionId,
    fileToken,
    documentName: 'Lease 2027',
    emails: ['ana@example.com'],
    creditType: 1,
    ownerSigns: false,
    ownerFirst: false,
  });
  await allDone(page, 3);
  await ask({ page }, 'app.resetPreferences', {});
}

async function verified(page: Page): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { runs } = await ask({ page }, 'verify.runs', {});
    if (runs.every(({ state }) => state === 'finished')) return;
    await page.waitForTimeout(100);
  }
  throw new Error('the verification did not end');
}

async function allDone(page: Page, count: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { counts } = await ask({ page }, 'jobs.list', { limit: 1 });
    if (counts.done >= count) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`the ${count} jobs did not end`);
}
