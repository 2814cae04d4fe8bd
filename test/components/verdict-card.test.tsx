import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { VerifyRun } from '../../contract/verify.ts';
import type { VerifyResult } from '../../contract/verify-result.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { RunView } from '../../renderer/screens/verify/run-view.tsx';
import { VerdictCard } from '../../renderer/screens/verify/verdict-card.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, removeAll, showScreen } from './harness/show.tsx';
import { resultOf } from './harness/verify-results.ts';

const today = new Date().toISOString();

const base = resultOf({});

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
  return showScreen(
    results.map((result) => (
      <VerdictCard
        key={result.name}
        result={result}
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

it('tells a registered, a changed, an unknown and an unchecked file apart by heading and icon', async () => {
  const shown = [confirmed, changed, unknown, unchecked, { ...base, name: 'other.pdf' }];
  show(...shown);
  for (const [name, heading] of [
    ['unchanged.pdf', 'Confirmed: registered and unchanged'],
    ['changed.pdf', 'Changed after registration'],
    ['unknown.pdf', 'Not known to the service'],
    ['unchecked.pdf', 'Could not be checked'],
    ['other.pdf', 'Not confirmed by the service'],
  ] as const)
    await expect.element(card(name).getByRole('heading')).toHaveTextContent(heading);
  const pictures = shown.map(({ name }) => card(name).element().querySelector('svg')?.innerHTML);
  expect(new Set(pictures).size).toBe(shown.length);
});

it('asks for the meaning of words only, not of an empty answer', async () => {
  const empty = { kind: 'none', group: 'unclear', meaning: '' } as const;
  const words = { kind: 'text', group: 'unclear', meaning: '' } as const;
  const none = { verdict: 'none', remark: null } as const;
  show(
    { ...base, name: 'empty.pdf', answer: empty, qualification: { ...none, reason: 'empty-answer' }, raw: '' },
    { ...base, name: 'words.pdf', answer: words, qualification: { ...none, reason: 'unsorted-word' }, raw: 'Perhaps' },
  );
  await expect.element(card('empty.pdf').getByText('The answer was empty.')).toBeVisible();
  expect(
    card('empty.pdf')
      .getByText(/what this answer means/)
      .elements(),
  ).toEqual([]);
  await expect.element(card('words.pdf').getByText('Choose what this answer means.')).toBeVisible();
});

it('names the document of our own download, also if the service could not be asked', async () => {
  show(confirmed, { ...unchecked, downloadedHere });
  for (const name of ['unchanged.pdf', 'unchecked.pdf'])
    await expect.element(card(name).getByText(/^Downloaded here today \S+.* from Lease 2027$/)).toBeVisible();
});

it('says both if the same bytes were registered and downloaded here', async () => {
  const knownHere = {
    documentId: 'id',
    jobId: null,
    connectionId: 'c',
    name: 'Lease 2027',
    clientId: 'CASE-7',
    registeredAt: '2026-01-02T10:00:00.000Z',
    operation: null,
    sentTo: '',
  };
  show({ ...confirmed, knownHere }, { ...confirmed, name: 'no-id.pdf', knownHere: { ...knownHere, documentId: null } });
  await expect
    .element(
      card('unchanged.pdf').getByText(/^Registered here .* as Lease 2027, reference CASE-7 · Downloaded here today .*/),
    )
    .toBeVisible();
  await expect
    .element(card('no-id.pdf').getByText(/^Registered here .*, reference CASE-7 · ID not known/))
    .toBeVisible();
});

it('keeps the answer of the service as its headline where another file of this name was registered here, and says it on the line', async () => {
  const namesake = {
    documentId: 'id',
    jobId: null,
    connectionId: 'c',
    name: 'Invoice 1002',
    clientId: '',
    registeredAt: today,
    operation: null,
    sentTo: '',
  };
  show({ ...unknown, name: 'Invoice 1002.pdf', folder: 'leases', namesake });
  const named = card('Invoice 1002.pdf');
  await expect.element(named.getByRole('heading')).toHaveTextContent('Not known to the service');
  await expect
    .element(named.getByText(/^Another file named “Invoice 1002\.pdf” was registered here today .*is not known$/))
    .toBeVisible();
  // What has no room on it is said when a person points at it, and by a screen reader.
  expect(named.element().getAttribute('title')).toMatch(
    /^Invoice 1002\.pdf · leases · Another file named .*is not known$/,
  );
  expect(named.element().getBoundingClientRect().height).toBe(40);
});

it('offers to try again except where the code says that the file itself is the reason', async () => {
  const code = (code: string, meaning: string): VerifyResult => ({
    ...unchecked,
    name: `${code} ${meaning}`,
    answer: { kind: 'code', group: 'no-answer', meaning, code },
    raw: code,
    failure: null,
  });
  const offered = [unchecked, code('-181', 'The subscription has ended'), code('-150', 'Busy')];
  const helpless = code('-150', 'The file is not a PDF');
  show(...offered, helpless);
  for (const { name } of offered)
    await expect.element(card(name).getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect.element(card(helpless.name).getByRole('button', { name: 'Details' })).toBeVisible();
  expect(card(helpless.name).getByRole('button', { name: 'Try again' }).elements()).toEqual([]);
});

it('names the connection over which a file was registered, unless it is the one that is asked', async () => {
  const knownHere = {
    documentId: 'id',
    jobId: null,
    name: 'Lease 2027',
    clientId: '',
    registeredAt: today,
    operation: null,
    sentTo: '',
    connectionId: 'c',
  };
  show(
    { ...unknown, name: 'own.pdf', knownHere },
    { ...unknown, name: 'other.pdf', knownHere: { ...knownHere, connectionId: connection.id } },
  );
  const card = (name: string) => page.getByRole('article', { name });
  await expect.element(card('own.pdf').getByText(/^Registered here today .* as Lease 2027$/)).toBeVisible();
  await expect.element(card('other.pdf').getByText(/^Registered with Practice today .* as Lease 2027$/)).toBeVisible();
});

it('says of how many files there is a result, and how many checks that took', async () => {
  const counts = {
    'not-confirmed': 0,
    unclear: 0,
    'no-answer': 4,
    'not-pdf': 4,
    'confirmed-with-remark': 0,
    confirmed: 192,
  };
  const run = {
    runId: 'run',
    connectionId: connection.id,
    kind: 'files',
    auditId: null,
    title: 'leases',
    trouble: null,
    state: 'finished',
    listing: false,
    total: 200,
    answered: 200,
    looked: 0,
    counts,
    changes: null,
    calls: 200,
    replies: 196,
    leftOut: 0,
    startedAt: today,
    endedAt: today,
  } as const satisfies VerifyRun;
  const show = (now: VerifyRun) => {
    peer.answer({
      'tasks.list': async () => [],
      'verify.results': async () => ({ run: now, results: [], total: 0, found: null, ownCounts: {}, againCount: 4 }),
    });
    const given = { failure: null, onRun: () => undefined, onBack: () => undefined, actions: null };
    return showScreen(
      <TasksProvider>
        <RunView runId="run" {...given} />
      </TasksProvider>,
    );
  };
  show(run);
  await expect
    .element(page.getByText(/^Result for 196 of 200 files with Practice, .*\. Checks used: 200 sent, 196 answered\.$/))
    .toBeVisible();
  await removeAll();
  show({ ...run, replies: 200, counts: { ...counts, 'no-answer': 0, 'not-pdf': 0, confirmed: 200 } });
  await expect.element(page.getByText(/^200 files verified with Practice, [^.]*\.$/)).toBeVisible();
  await removeAll();
  // That a file is no PDF is an answer, too.
  show({ ...run, replies: 200, counts: { ...counts, 'no-answer': 0 } });
  await expect.element(page.getByText(/^200 files verified with Practice, [^.]*\.$/)).toBeVisible();
  await removeAll();
  // Resumed days later: its answers are of both times.
  show({ ...run, startedAt: '2021-02-06T09:12:00.000Z', endedAt: '2021-02-08T09:12:00.000Z' });
  await expect
    .element(page.getByText(/^Result for 196 of 200 files with Practice, .*6.* to .*8.*\. Checks/))
    .toBeVisible();
  await removeAll();
  // Where the last files of a group got a meaning, its filter hides nothing.
  const groups: unknown[] = [];
  show(run);
  await page.getByRole('radio', { name: '4 not PDF' }).click();
  const sorted = { ...run, counts: { ...counts, 'not-pdf': 0, confirmed: 196 } };
  peer.answer({
    'verify.results': async ({ group }) => {
      groups.push(group);
      return { run: sorted, results: [], total: 0, found: null, ownCounts: {}, againCount: 4 };
    },
  });
  peer.send('answers.changed', { statuses: [], verdicts: [], codes: [], unsorted: { statuses: [], verdicts: [] } });
  await expect.poll(() => [groups[0], groups.at(-1)]).toEqual(['not-pdf', undefined]);
  expect(page.getByText('No matches').elements()).toEqual([]);
  await removeAll();
  show({
    ...run,
    kind: 'audit',
    calls: 2,
    replies: 2,
    counts: { ...counts, 'no-answer': 0, 'not-pdf': 0, confirmed: 200 },
  });
  await expect
    .element(
      page.getByText(/^200 files verified .*\. Checks used: 2 sent, 2 answered\. The other files are unchanged\.$/),
    )
    .toBeVisible();
});
