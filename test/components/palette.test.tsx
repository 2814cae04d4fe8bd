import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Found } from '../../contract/home.ts';
import { Palette } from '../../renderer/app/palette/palette.tsx';
import { HelpContext, type Place } from '../../renderer/features/help.ts';
import { noPolicyState } from '../harness/no-policy.ts';
import { peer } from './harness/core-peer.ts';
import { showScreen } from './harness/show.tsx';

const found: Found = {
  jobs: [],
  people: [
    { name: 'Ana Petrov', email: 'ana@example.org', hasRequests: true },
    { name: '', email: 'anabel@example.org', hasRequests: false },
  ],
  requests: [
    {
      origDocumentId: 'doc-1',
      entryId: '7',
      jobId: null,
      documentName: 'Lease 2027',
      signerCount: 2,
      signedCount: 1,
      hasUnknown: true,
      people: ['Ana Petrov', 'Bo Lindqvist'],
    },
  ],
  documents: [{ id: 'd', connectionId: 'practice', documentId: 'doc-9', key: 'doc-9', name: 'Analysis', clientId: '' }],
};
const nothing: Found = { jobs: [], people: [], requests: [], documents: [] };

function show(find: (text: string) => Promise<Found>, policy = noPolicyState) {
  peer.answer({ 'find.all': ({ text }) => find(text) });
  let isClosed = false;
  const shown = showScreen(
    <Palette onClose={() => (isClosed = true)} openFiles={() => undefined} />,
    'desktop',
    policy,
  );
  return { ...shown, closed: () => isClosed };
}

const field = () => page.getByRole('combobox');
const option = (name: string | RegExp) => page.getByRole('option', { name });

describe('the palette', () => {
  it('finds people, requests and documents in groups, and goes to them', async () => {
    const { gone, closed } = show(async () => found);
    await field().fill('ana');
    await expect.element(page.getByRole('group', { name: 'People' })).toBeVisible();
    await expect.element(option(/^New request to Ana Petrov/)).toBeVisible();
    await expect.element(option(/^New request to anabel/)).toBeVisible();
    await expect.element(page.getByRole('dialog').getByRole('status')).toHaveTextContent('5 results');
    await option(/^Lease 2027.*seen: 1 of 2 signed/).click();
    expect(gone).toEqual([{ screen: 'signatures', request: 'doc-1' }]);
    expect(closed()).toBe(true);
  });

  it('finds what needs a person first, and offers a new request behind the requests there are', async () => {
    const doubt = {
      id: 'j1',
      batchId: 'b1',
      title: 'Ana 1205.pdf',
      sentTo: 'ana@example.org',
      state: 'in-doubt' as const,
    };
    const { gone } = show(async () => ({ ...found, jobs: [doubt] }));
    await field().fill('ana');
    await expect.element(option(/^New request to Ana Petrov/)).toBeVisible();
    const order = page
      .getByRole('option')
      .elements()
      .map((one) => one.textContent ?? '');
    expect(order.map((text) => text.replace(/(1205|2027|Petrov|anabel).*/, '$1'))).toEqual(
      [
        ...['Ana 1205', 'Ana Petrov', 'Lease 2027', 'Analysis'],
        ...['New request to Ana Petrov', 'New request to anabel'],
      ].map((text) => expect.stringContaining(text)),
    );
    await option(/^Ana 1205/).click();
    expect(gone).toEqual([{ screen: 'jobs', batchId: 'b1', jobId: 'j1' }]);
  });

  it('shows the request of a job that is known by no document, and not all of them', async () => {
    const lost = { documentName: 'Lease 7', origDocumentId: null, entryId: '8', jobId: 'j7' };
    const { gone } = show(async () => ({ ...found, requests: found.requests.map((one) => ({ ...one, ...lost })) }));
    await field().fill('lease');
    await option(/^Lease 7/).click();
    expect(gone).toEqual([{ screen: 'signatures', request: null, job: 'j7' }]);
  });

  it('tells people of one name apart by their addresses, whose end is seen however long they are', async () => {
    const department = 'department-of-residential-tenancies-and-leases'.repeat(2);
    const people = ['nord.example', 'sued.example'].map((end) => ({
      name: 'Maria Schmidt',
      email: `maria.schmidt@${department}.${end}`,
      hasRequests: true,
    }));
    show(async () => ({ ...nothing, people }));
    await field().fill('maria');
    await expect.element(option(/^Maria Schmidt.*sued\.example$/)).toBeVisible();
    const seen = () =>
      option(/^Maria Schmidt/)
        .elements()
        .map((one) => one.lastElementChild)
        .filter((aside) => aside !== null && aside.scrollWidth <= aside.clientWidth)
        .map((aside) => aside?.querySelector('[aria-hidden]')?.textContent);
    await expect
      .poll(seen)
      .toEqual([
        expect.stringMatching(/^maria.*….*nord\.example$/),
        expect.stringMatching(/^maria.*….*sued\.example$/),
      ]);
  });

  it('is a combobox: arrows move the active option while the focus stays, Enter opens it', async () => {
    const { gone, closed } = show(async () => found);
    await field().fill('ana');
    await expect.element(option(/^Ana Petrov/)).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(option(/^Lease 2027/)).toHaveAttribute('aria-selected', 'true');
    const active = option(/^Lease 2027/).element();
    expect(field().element().getAttribute('aria-activedescendant')).toBe(active.id);
    expect(field().element()).toBe(document.activeElement);
    await userEvent.keyboard('{Enter}');
    expect(gone).toEqual([{ screen: 'signatures', request: 'doc-1' }]);
    expect(closed()).toBe(true);
  });

  it('is closed by Esc, as its field says, also with a text in it', async () => {
    const { closed } = show(async () => nothing);
    await field().fill('zzz');
    await userEvent.keyboard('{Escape}');
    await expect.poll(closed).toBe(true);
  });

  it('opens a setting by its name', async () => {
    const { gone } = show(async () => nothing);
    await field().fill('langu');
    await expect.element(option('Language')).toHaveAttribute('aria-selected', 'true');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => gone).toMatchObject([{ screen: 'settings', focus: 'language' }]);
  });

  it.each([
    ['without a policy', noPolicyState, 1],
    ['except what the policy locks', { ...noPolicyState, locked: ['theme'] as const, mayAddConnections: false }, 0],
  ])('offers themes and a new connection, %s', async (_, policy, count) => {
    show(async () => nothing, policy);
    await field().fill('theme');
    await expect.element(option('Theme')).toBeVisible();
    expect(option('Dark theme').elements()).toHaveLength(count);
    await field().fill('connection');
    await expect.element(option(/^Connections$/)).toBeVisible();
    expect(option('Add connection…').elements()).toHaveLength(count);
  });

  it('does not act on outdated results: Enter waits for those of the text', async () => {
    let answer: (found: Found) => void = () => undefined;
    const { gone } = show((text) => (text === 'ana' ? Promise.resolve(found) : new Promise((done) => (answer = done))));
    await field().fill('ana');
    await expect.element(option(/^Ana Petrov/)).toBeVisible();
    await field().fill('analysis');
    await userEvent.keyboard('{Enter}');
    expect(gone).toEqual([]);
    await expect.poll(() => peer.asked('find.all').map(({ text }) => text)).toContain('analysis');
    answer({ ...nothing, documents: found.documents });
    await expect
      .poll(() => gone)
      .toEqual([{ screen: 'documents', open: { connectionId: 'practice', documentId: 'doc-9' } }]);
  });

  it.each([
    ['en', 'receipt', 'Receipt', 'Find and fetch documents'],
    ['de', 'sendebel', 'Sendebeleg', 'Dokumente finden und herunterladen'],
    ['fr', 'recu', 'Reçu d’envoi', 'Trouver et télécharger des documents'],
    ['es', 'recibo', 'Recibo de envío', 'Buscar y descargar documentos'],
    ['ar', 'الإيصال', 'الإيصال', 'العثور على المستندات وتنزيلها'],
  ])('opens the guide at what its headings say (%s)', async (language, search, heading, section) => {
    const opened: unknown[] = [];
    peer.answer({ 'find.all': async () => nothing });
    const open = (wanted: string | Place) => void opened.push(wanted);
    showScreen(
      <HelpContext value={open}>
        <Palette onClose={() => undefined} openFiles={() => undefined} />
      </HelpContext>,
      'desktop',
      noPolicyState,
      language,
    );
    await field().fill(search);
    await option(new RegExp(`^${heading}.*${section}`)).click();
    expect(opened).toMatchObject([{ topic: 'fetch', anchor: expect.stringMatching(/./) }]);
  });

  it('asks once typing pauses, and says that nothing was found', async () => {
    show(async () => nothing);
    await userEvent.type(field(), 'qqqqqq');
    await expect.element(page.getByText('Nothing found for “qqqqqq”')).toBeVisible();
    expect(peer.asked('find.all').length).toBeLessThan(6);
  });
});
