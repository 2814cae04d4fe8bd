import type { Page } from 'playwright-core';
import type { Envelope } from '../../contract/failure.ts';
import { ask } from './desktop-bridge.ts';
import { plainPdf } from './pdf.ts';

/** Gives PDFs of these names to the core, and returns their tokens. */
export async function takeFromPage(page: Page, names: readonly string[]): Promise<string[]> {
  const files = names.map((name) => ({ name: `${name}.pdf`, bytes: plainPdf(name).toString('base64') }));
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

/** Registers two documents, verifies them and asks one person to sign, so that the screens show data. */
export async function fillWindow(page: Page): Promise<void> {
  const names = ['Lease 2027', 'Annex B'];
  const { currentId: connectionId } = await ask({ page }, 'connections.state', {});
  const scan = async (purpose: 'register' | 'verify') =>
    ask({ page }, 'files.scan', { tokens: await takeFromPage(page, names), purpose });
  const duplicates = { otherwise: 'send' } as const;
  // One after another, so that the lists have the same order every time.
  await ask({ page }, 'app.setPreferences', { atOnce: 1 });
  const register = await scan('register');
  await ask({ page }, 'documents.register', {
    ...{ connectionId, intakeId: register.id, creditType: 1, duplicates },
  });
  // A verification knows what was registered here once it is registered.
  await allDone(page, 2);
  await ask({ page }, 'verify.start', { connectionId, intakeId: (await scan('verify')).id });
  const [fileToken = ''] = await takeFromPage(page, names.slice(0, 1));
  await ask({ page }, 'signatures.request', {
    ...{ kind: 'plain', connectionId, fileToken, documentName: 'Lease 2027', emails: ['ana@example.com'] },
    ...{ creditType: 1, ownerSigns: false, ownerFirst: false },
  });
  await allDone(page, 3);
  await ask({ page }, 'app.resetPreferences', {});
}

async function allDone(page: Page, count: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { counts } = await ask({ page }, 'jobs.list', { limit: 1 });
    if (counts.done >= count) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`the ${count} jobs did not end`);
}
