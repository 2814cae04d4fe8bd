import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { FileVerdict, PdfSignature, PdfSignatures, SignerTrust } from '../../contract/pdf-signatures.ts';
import type { FileHistory, KnownHere, VerifyResult } from '../../contract/verify-result.ts';
import { OriginCard } from '../../renderer/screens/verify/history-known-here.tsx';
import { OwnCard } from '../../renderer/screens/verify/own-card.tsx';
import { VerdictCard } from '../../renderer/screens/verify/verdict-card.tsx';
import type { ViewerOptions } from '../../renderer/viewer/messages.ts';
import { peer, Refusal } from './harness/core-peer.ts';
import { showScreen } from './harness/show.tsx';
import { resultOf } from './harness/verify-results.ts';

const today = new Date().toISOString();

const jane: PdfSignature = {
  field: 'Signature1',
  integrity: 'intact',
  covers: 'whole',
  laterChanges: 'none',
  docMdp: null,
  algorithm: 'sha256/rsa',
  level: 'B-T',
  signer: 'Jane Doe',
  emails: ['jane@example.com'],
  statedName: null,
  claimedTime: '2026-03-03T09:41:07Z',
  timestamp: null,
  weak: [],
  reason: null,
  coversTo: 9_000,
  changedPages: [],
  trust: null,
};

function own(verdict: FileVerdict, signature: Partial<PdfSignature> = {}, more: Partial<PdfSignatures> = {}) {
  const signatures = [{ ...jane, ...signature }];
  return { verdict, reason: null, revisions: 2, signatures, changedPages: [], needsPassword: false, ...more };
}

const lease: KnownHere = {
  documentId: 'id',
  connectionId: 'c',
  name: 'Lease 2027',
  clientId: '',
  registeredAt: today,
  operation: null,
  sentTo: '',
  jobId: null,
};
const origin = { sizeBytes: 7_000, sha256: 'b'.repeat(64), registered: lease, downloaded: null, signaturesAfter: 2 };

function result(name: string, group: 'confirmed' | 'not-confirmed', more: Partial<VerifyResult>): VerifyResult {
  return resultOf({
    name,
    sizeBytes: 9_000,
    answer: { kind: 'text', group, meaning: '' },
    finding: group === 'confirmed' ? null : 'unknown',
    qualification: { verdict: group, remark: null, reason: 'sorted-word' },
    raw: group,
    ...more,
  });
}

function show(...results: readonly VerifyResult[]) {
  const nothing = () => undefined;
  return showScreen(
    results.map((one) => (
      <VerdictCard
        key={one.name}
        result={one}
        connectionId="c"
        hasOwnTime={false}
        isOpen={false}
        onDetails={nothing}
        onTryAgain={nothing}
        onSort={nothing}
      />
    )),
  );
}

const card = (name: string) => page.getByRole('article', { name, exact: true });

it('stands beside the service’s answer, which stays the headline', async () => {
  show(
    result('signed.pdf', 'not-confirmed', { signatures: own('unchanged'), origin }),
    result('plain.pdf', 'confirmed', { signatures: own('unsigned', {}, { signatures: [] }) }),
    result('odd.pdf', 'confirmed', { signatures: own('undecidable') }),
    result('torn.pdf', 'confirmed', { signatures: own('undecidable', {}, { signatures: [], isUnmarked: true }) }),
  );
  const signed = card('signed.pdf');
  await expect.element(signed.getByRole('heading')).toHaveTextContent('Not known to the service');
  await expect.element(signed.getByText('Signed and unchanged since')).toBeVisible();
  await expect
    .element(signed.getByText(/^This is Lease 2027 as registered today .*, with 2 signatures added afterwards$/))
    .toBeVisible();
  await expect.element(card('odd.pdf').getByRole('heading')).toHaveTextContent('Confirmed: registered and unchanged');
  await expect.element(card('odd.pdf').getByText('Signature cannot be judged')).toBeVisible();
  for (const name of ['plain.pdf', 'torn.pdf']) expect(card(name).element().textContent).not.toMatch(/sign/i);
});

it('is shown for a file that no service was asked about, which is said', async () => {
  const lost = { code: 'service-unreachable', detail: 'connection-lost', note: '', retryable: true } as const;
  const unasked = {
    askedAt: null,
    state: 'pending',
    answer: null,
    finding: null,
    qualification: null,
    raw: null,
  } as const;
  show(
    result('read.pdf', 'confirmed', { ...unasked, signatures: own('changed') }),
    result('waiting.pdf', 'confirmed', { ...unasked, sha256: null }),
    result('sent.pdf', 'confirmed', { ...unasked, askedAt: '2026-11-21T12:00:00.000Z', failure: lost }),
  );
  await expect.element(card('read.pdf').getByRole('heading')).toHaveTextContent('Service not asked');
  await expect.element(card('read.pdf').getByText('Changed after signing')).toBeVisible();
  await expect.element(card('read.pdf').getByRole('button', { name: 'Details' })).toBeVisible();
  await expect.element(card('waiting.pdf').getByRole('heading')).toHaveTextContent('Not checked yet');
  // The service had all of it: it may be paid for.
  await expect.element(card('sent.pdf').getByRole('heading')).toHaveTextContent('Could not be checked');
  await expect.element(card('sent.pdf').getByText(/^The connection broke/)).toBeInTheDocument();
  expect(card('waiting.pdf').getByRole('button').elements()).toEqual([]);
});

it('is the headline where it contradicts a service that confirms, and never makes an answer better', async () => {
  show(
    result('changed.pdf', 'confirmed', { signatures: own('changed') }),
    result('broken.pdf', 'confirmed', { signatures: own('broken') }),
    result('signed-anew.pdf', 'not-confirmed', { signatures: own('unchanged') }),
  );
  for (const name of ['changed.pdf', 'broken.pdf'])
    await expect.element(card(name).getByRole('heading')).toHaveTextContent('Service and file disagree');
  await expect
    .element(
      card('changed.pdf').getByText('The service confirms this file, but the file itself says: Changed after signing.'),
    )
    .toBeVisible();
  await expect.element(card('signed-anew.pdf').getByRole('heading')).toHaveTextContent('Not known to the service');
});

function history(signatures: PdfSignatures | null): FileHistory {
  return {
    runId: 'run',
    index: 3,
    name: 'a.pdf',
    folder: '',
    sizeBytes: 9_000,
    sha256: 'a'.repeat(64),
    here: [],
    downloads: [],
    namesake: null,
    service: null,
    copy: null,
    comparableIds: [],
    signatures,
    origin: null,
    askedAndFound: null,
  };
}

it('says what, who, when and how much of it, with weak algorithms and the unknown signer as remarks', async () => {
  const stamp = { ...jane, field: 'Stamp', level: 'timestamp', timestamp: '2026-03-04T08:00:00Z' } as const;
  const first = { ...jane, covers: 'revision', laterChanges: 'form-filling', weak: ['sha1'] } as const;
  showScreen(<OwnCard history={history(own('only-additions-allowed', {}, { signatures: [first, stamp] }))} />);
  const said = async (name: string) => {
    const signature = page.getByRole('region', { name, exact: true });
    await expect.element(signature).toBeVisible();
    return signature.element().textContent;
  };
  expect(await said('Signature 1')).toMatch(
    /Jane Doe, as the certificate says.*2026.*, by the signer’s clock.*All but form fields filled in later.*Signer not known here.*Weak: SHA-1/,
  );
  expect(await said('Document timestamp')).toMatch(
    /, by a timestamp of an authority not known here.*Yes, the whole file/,
  );
});

it('says whose list knows the signer, what is revoked, and which time is proven', async () => {
  const known: SignerTrust = {
    by: 'organisation',
    list: { name: '', date: null },
    validity: 'valid',
    revocation: 'not-checked',
    revocationAt: null,
    provenTime: '2026-03-03T10:00:00Z',
    reason: null,
  };
  const piece = showScreen(<OwnCard history={history(own('unchanged', { trust: known }))} />);
  const text = () => page.getByRole('region', { name: 'Signature 1', exact: true });
  await expect.element(text().getByText('Jane Doe, known to your organisation')).toBeVisible();
  await expect.element(text().getByText(/ at the latest, proven by a timestamp$/)).toBeVisible();
  await expect.element(text().getByText('Revocation not checked: offline')).toBeVisible();
  const onList: SignerTrust = {
    ...known,
    by: 'list',
    list: { name: 'DE: List', date: '2026-01-15T12:00:00Z' },
    provenTime: null,
    validity: 'unproven',
    revocation: 'revoked',
    revocationAt: '2026-03-05T12:00:00Z',
  };
  piece.draw(<OwnCard history={history(own('unchanged', { trust: onList }))} />);
  await expect.element(text().getByText(/^Jane Doe, on the trust list DE: List of .*Jan/)).toBeVisible();
  await expect.element(text().getByText(/^Certificate revoked .*2026/)).toBeVisible();
  await expect.element(text().getByText(/^Certificate has expired; only the signer’s clock says/)).toBeVisible();
  expect(text().element().textContent).not.toMatch(/proven|not known here/);
});

it('names the pages that were changed or added to, and asks for a password where one is needed', async () => {
  const asked: unknown[] = [];
  peer.answer({
    'verify.unlock': async (input) => {
      asked.push(input);
      return asked.length > 1;
    },
  });
  const piece = showScreen(<OwnCard history={history(own('changed', {}, { changedPages: [2, 5] }))} />);
  await expect.element(page.getByText(/Changed on pages 2, 5\.$/)).toBeVisible();
  piece.draw(<OwnCard history={history(own('only-additions-allowed', {}, { changedPages: [1] }))} />);
  await expect.element(page.getByText(/on page 1\. What it covers is not compared\.$/)).toBeVisible();
  // In the window's language, but for a sentence of an earlier version.
  for (const [reason, language] of [
    ['The content of a page was changed.', null],
    ['A sentence of before.', 'en'],
  ] as const) {
    piece.draw(<OwnCard history={history(own('changed', {}, { reason }))} />);
    const said = page.getByText(reason, { exact: true });
    await expect.element(said).toBeVisible();
    expect(said.element().getAttribute('lang')).toBe(language);
  }
  piece.draw(<OwnCard history={history(own('undecidable', {}, { signatures: [], needsPassword: true }))} />);
  await page.getByRole('button', { name: 'Enter password…' }).click();
  await page.getByLabelText('Password', { exact: true }).fill('wrong');
  await page.getByRole('button', { name: 'Read signatures' }).click();
  await expect.element(page.getByText('The password does not open this PDF.')).toBeVisible();
  await page.getByLabelText('Password', { exact: true }).fill('right');
  await page.getByRole('button', { name: 'Read signatures' }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(asked).toEqual(['wrong', 'right'].map((password) => ({ runId: 'run', index: 3, password })));
});

it('shows what was signed beside the file as it is now, from the first page with changes on, and says why it cannot', async () => {
  let opened = 0;
  peer.answer({
    'preview.open': async ({ file }) => {
      if ('index' in file && file.index === 4) throw new Refusal({ code: 'file-changed' });
      opened += 1;
      return { token: `token-${opened}`, name: 'a.pdf', sizeBytes: 9_000 };
    },
    'preview.close': async () => null,
  });
  const covered = { covers: 'revision', laterChanges: 'other', changedPages: [2, 5] } as const;
  const signatures = [
    { ...jane, ...covered, coversTo: 4_000, reason: 'The content of a page was changed.' },
    { ...jane, ...covered, coversTo: 7_000, field: 'Signature2', signer: 'Tom Okafor', reason: null },
    { ...jane, ...covered, coversTo: 8_000, field: 'Signature3', integrity: 'broken' as const },
    { ...jane, coversTo: 9_000, field: 'Signature4' },
  ];
  const shown = { ...history(own('changed', {}, { signatures })), name: 'a.pdf' };
  const piece = showScreen(<OwnCard history={shown} />);
  const compare = page.getByRole('button', { name: 'Compare with signed version…' });
  await compare.click();
  const dialog = page.getByRole('dialog', { name: 'Signed and current version: a.pdf' });
  await expect.element(dialog.getByText(/^The pictures do not decide/)).toBeVisible();
  const frames = () => [...document.querySelectorAll('iframe')];
  await expect.poll(() => frames().map(({ title }) => title)).toEqual(['Signed version', 'Current version']);
  const ends = () => peer.asked('preview.open').map(({ file }) => 'end' in file && file.end);
  expect(ends()).toEqual([4_000, 9_000]);
  const options = frames().map(
    ({ src }) => JSON.parse(decodeURIComponent(new URL(src).hash.slice(1))) as ViewerOptions,
  );
  expect(options).toMatchObject([1, 2].map((n) => ({ token: `token-${n}`, shows: 'one', page: 2 })));
  // In place of what only the desktop can load.
  const sent: unknown[] = [];
  for (const [at, pages] of [4, 5].entries()) {
    const viewer = Object.assign(new MessageChannel().port1, { postMessage: (message: unknown) => sent.push(message) });
    Object.defineProperty(frames()[at], 'contentWindow', { value: viewer });
    for (const data of [
      { kind: 'ready', pages },
      ...[0, 3].map((places) => ({ kind: 'compared', page: places + 2, places })),
    ])
      dispatchEvent(new MessageEvent('message', { origin: 'app://viewer', source: viewer, data }));
  }
  await expect.element(dialog.getByRole('radio', { name: 'Page 2' })).toBeChecked();
  expect(dialog.getByRole('status').element().textContent).toBe('');
  await dialog.getByRole('radio', { name: 'Page 5' }).click();
  await expect.element(dialog.getByText('of 5')).toBeVisible();
  // Said of the page that is shown alone.
  await expect.element(dialog.getByRole('status')).toHaveTextContent('3 differences on this page, framed');
  expect(sent).toEqual([1, 2].map(() => ({ command: 'page', page: 5 })));
  const side = (name: string) => dialog.getByRole('region', { name });
  await expect.element(side('Signed version').getByText('This version has no page 5.')).toBeVisible();
  expect(side('Current version').element().textContent).not.toContain('no page');
  // Neither the one that does not fit nor the one that covers all.
  await dialog.getByRole('button', { name: /Signed version/ }).click();
  const offered = page.getByRole('option');
  expect(offered.elements().map(({ textContent }) => textContent)).toEqual([
    'Signature 1 · Jane Doe',
    'Signature 2 · Tom Okafor',
  ]);
  await offered.nth(1).click();
  await expect.poll(ends).toEqual([4_000, 9_000, 7_000, 9_000]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => peer.asked('preview.close').length).toBe(4);
  piece.draw(<OwnCard history={{ ...shown, index: 4 }} />);
  await compare.click();
  await expect.element(page.getByRole('alert').getByText('The file has changed since it was verified')).toBeVisible();
  expect(frames()).toEqual([]);
  await page.getByRole('button', { name: 'Close' }).click();
  piece.draw(<OwnCard history={history(own('unchanged'))} />);
  await expect.element(compare).not.toBeInTheDocument();
});

it('saves the earlier version and says what the service answers about it', async () => {
  const answer = { kind: 'text', group: 'confirmed', meaning: '' } as const;
  peer.answer({
    'verify.saveEarlier': async () => 'Lease 2027.pdf',
    'verify.askEarlier': async () => ({ answer, finding: null, raw: 'Valid', askedAt: today }),
  });
  const { gone } = showScreen(<OriginCard runId="run" index={3} origin={origin} isAskable />);
  await page.getByRole('button', { name: 'Save the earlier version…' }).click();
  await expect.element(page.getByText('Saved as Lease 2027.pdf')).toBeVisible();
  await page.getByRole('button', { name: 'Ask the service about the earlier version' }).click();
  await expect
    .element(page.getByText('The service about the earlier version: Confirmed: registered and unchanged'))
    .toBeVisible();
  await page.getByRole('button', { name: 'Open in Documents' }).click();
  const { connectionId, documentId } = lease;
  expect(gone).toEqual([{ screen: 'documents', open: { connectionId, documentId } }]);
});

it('puts the people who were asked beside the signatures that were found, and calls a seal that', async () => {
  const asked = [
    { name: 'Ann', email: 'ann@example.com', found: 'email' },
    { name: '', email: 'bob@example.com', found: null },
  ] as const;
  const found = { documentId: 'id', asked, others: ['Mallory'], isSealed: false };
  const piece = showScreen(<OwnCard history={{ ...history(own('unchanged')), askedAndFound: found }} />);
  const part = page.getByRole('region', { name: 'Asked to sign' });
  await expect.element(part.getByText('Signed, not asked: Mallory')).toBeVisible();
  const [ann, bob] = part.getByRole('listitem').elements();
  expect(ann?.textContent).toBe('Annann@example.comSignature found, by e-mail address');
  expect(bob?.textContent).toBe('bob@example.comNo signature found');
  const sealed = {
    ...found,
    asked: asked.map((one) => ({ ...one, found: null })),
    others: ['The service'],
    isSealed: true,
  };
  piece.draw(<OwnCard history={{ ...history(own('unchanged')), askedAndFound: sealed }} />);
  await expect.element(part.getByText(/^Sealed once by The service, who was not asked\./)).toBeVisible();
  expect(part.element().textContent).not.toContain('No signature found');
});
