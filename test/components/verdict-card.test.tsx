import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { VerifyResult } from '../../contract/verify-result.ts';
import { VerdictCard } from '../../renderer/screens/verify/verdict-card.tsx';
import { showScreen } from './harness/show.tsx';

const today = new Date().toISOString();

const base: VerifyResult = {
  index: 0,
  name: '',
  folder: '',
  sizeBytes: 1_200,
  sha256: 'a'.repeat(64),
  state: 'answered',
  answer: { kind: 'text', group: 'not-confirmed', meaning: '' },
  finding: null,
  qualification: { verdict: 'not-confirmed', remark: null, reason: 'sorted-word' },
  raw: 'Invalid',
  failure: null,
  askedAt: today,
  knownHere: null,
  downloadedHere: null,
  change: null,
  earlier: null,
  comparison: null,
};

const downloadedHere = { documentId: 'id', connectionId: 'c', name: 'Lease 2027', downloadedAt: today };

const confirmed: VerifyResult = {
  ...base,
  name: 'unchanged.pdf',
  answer: { kind: 'text', group: 'confirmed', meaning: 'The service confirms the document' },
  qualification: { verdict: 'confirmed', remark: null, reason: 'sorted-word' },
  raw: 'Valid',
  downloadedHere,
};
const changed: VerifyResult = {
  ...base,
  name: 'changed.pdf',
  answer: { kind: 'text', group: 'not-confirmed', meaning: 'The document is not as it was registered' },
  finding: 'changed',
  raw: 'Invalid - changed after registration',
};
const unknown: VerifyResult = {
  ...base,
  name: 'unknown.pdf',
  answer: { kind: 'text', group: 'not-confirmed', meaning: 'The service does not know this document' },
  finding: 'unknown',
  raw: 'Invalid - not registered here',
};
const unchecked: VerifyResult = {
  ...base,
  name: 'unchecked.pdf',
  answer: { kind: 'none', group: 'no-answer', meaning: '' },
  qualification: { verdict: 'none', remark: null, reason: 'unreachable' },
  raw: null,
  failure: { code: 'service-unreachable', note: 'refused', retryable: true },
};

function show(...results: readonly VerifyResult[]) {
  const nothing = () => undefined;
  showScreen(
    results.map((result) => (
      <VerdictCard key={result.name} result={result} onDetails={nothing} onTryAgain={nothing} onSort={nothing} />
    )),
  );
}

const card = (name: string) => page.getByRole('article', { name, exact: true });

it('tells a registered, a changed, an unknown and an unchecked file apart by heading and icon', async () => {
  const shown = [confirmed, changed, unknown, unchecked, { ...base, name: 'other.pdf' }];
  show(...shown);
  for (const [name, heading] of [
    ['unchanged.pdf', 'Confirmed: registered and unchanged'],
    ['changed.pdf', 'Changed after registration'],
    ['unknown.pdf', 'Not known to the service'],
    ['unchecked.pdf', 'Could not be checked: no answer from the service'],
    ['other.pdf', 'Not confirmed by the service'],
  ] as const)
    await expect.element(card(name).getByRole('heading')).toHaveTextContent(heading);
  const pictures = shown.map(({ name }) => card(name).element().querySelector('svg')?.innerHTML);
  expect(new Set(pictures).size).toBe(shown.length);
});

it('names the document of our own download, also if the service could not be asked', async () => {
  show(confirmed, { ...unchecked, downloadedHere });
  for (const name of ['unchanged.pdf', 'unchecked.pdf'])
    await expect.element(card(name).getByText(/^Downloaded here today \S+.* from Lease 2027$/)).toBeVisible();
});

it('says both if the same bytes were registered and downloaded here', async () => {
  const knownHere = {
    documentId: 'id',
    connectionId: 'c',
    name: 'Lease 2027',
    clientId: 'CASE-7',
    registeredAt: '2026-01-02T10:00:00.000Z',
    operation: null,
    sentTo: '',
  };
  show({ ...confirmed, knownHere });
  await expect
    .element(
      card('unchanged.pdf').getByText(/^Registered here .* as Lease 2027, reference CASE-7 · Downloaded here today .*/),
    )
    .toBeVisible();
});
