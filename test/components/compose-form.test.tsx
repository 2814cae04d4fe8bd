import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Draft, DraftContent, RequestKind } from '../../contract/compose.ts';
import type { CallParsed } from '../../contract/index.ts';
import { checkRecipients } from '../../electron/core/signatures/compose/recipients.ts';
import { ComposeScreen } from '../../renderer/screens/compose/compose-screen.tsx';
import { peer, Refusal } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

/** What the core keeps of drafts, by ID. */
const drafts = new Map<string, Draft>();

function keep({ id = `draft-${drafts.size + 1}`, connectionId, content }: CallParsed<'drafts.save'>): Draft {
  const draft: Draft = {
    id,
    connectionId,
    content,
    title: content.documentName,
    kind: content.kind,
    recipientCount: content.recipients.length,
    updatedAt: '2027-01-04T09:12:00Z',
    job: null,
    file: null,
    image: null,
    missingFiles: [],
    hasSecretWord: false,
  };
  drafts.set(id, draft);
  return draft;
}

/** A core that keeps drafts and checks people as the real one does. */
function answerCompose(): void {
  drafts.clear();
  peer.answer({
    'templates.list': async () => [],
    'templates.offered': async () => [],
    'people.list': async () => ({ people: [], total: 0 }),
    'drafts.save': async (given) => keep(given),
    'drafts.list': async () => [...drafts.values()],
    'drafts.get': async ({ id }) => {
      const draft = drafts.get(id);
      if (!draft) throw new Refusal({ code: 'not-found' });
      return draft;
    },
    'compose.checkRecipients': async ({ connectionId: _connection, ...given }) => checkRecipients(given, connection),
    'compose.preview': async (request) => ({
      operation: 'AddNewEasySignTemplate',
      address: 'http://127.0.0.1:9/easysign',
      soapVersion: '1.1',
      namespaceUri: connection.namespaceUri,
      children: [],
      cost: { creditType: null, requests: 1, prepaidCredits: null, idChecks: 0 },
      mails: request.emails.map((email) => ({ email, name: '', role: 'signer' })),
      problems: [],
    }),
  });
}

const field = (name: string) => page.getByRole(/^Signer \d/.test(name) ? 'combobox' : 'textbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name });
const template = page.getByRole('combobox', { name: 'Template' });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const latestDraft = (): DraftContent | undefined => [...drafts.values()].at(-1)?.content;

describe('the form of a signature request', () => {
  beforeEach(answerCompose);

  async function open(kind: RequestKind) {
    const shown = showScreen(<ComposeScreen draftId={null} kind={kind} file={null} />);
    await expect.element(heading('Request signatures')).toBeVisible();
    return shown;
  }

  async function fillTemplateRequest() {
    await template.fill('TPL-1001');
    await field('Document name').fill('Lease 2027');
    await button('Add signer').click();
    await field('Signer 1: name').fill('Ana Petrov');
    await field('Signer 1: e-mail').fill('ana.petrov@example.org');
    await field('Message').fill('Please read and sign.\nThank you.');
  }

  it('names all that is missing only once somebody wants to go on, and focuses the first of it', async () => {
    await open('easy-sign');
    expect(page.getByText('Choose the PDF to sign').elements()).toEqual([]);
    await button('Review and send…').click();
    await expect.element(page.getByText('Choose the PDF to sign')).toBeVisible();
    await expect.element(page.getByText('Add a signer, or sign yourself')).toBeVisible();
    await expect.element(button('Choose PDF…')).toHaveFocus();
    await expect.element(heading('Request signatures')).toBeVisible();
    expect(peer.asked('compose.preview')).toEqual([]);
  });

  it('focuses the template of a request that is made from one', async () => {
    await open('easy-sign-template');
    await button('Review and send…').click();
    await expect.element(page.getByText('Enter or choose a template ID')).toBeVisible();
    await expect.element(template).toHaveFocus();
    await expect.element(template).toHaveAttribute('aria-invalid', 'true');
  });

  it('marks the address that is wrong and focuses it', async () => {
    await open('easy-sign-template');
    await fillTemplateRequest();
    await field('Signer 1: e-mail').fill('ana.petrov at example.org');
    // Sooner than addresses are checked while somebody types.
    (button('Review and send…').element() as HTMLElement).click();
    const email = field('Signer 1: e-mail');
    await expect.element(email).toHaveFocus();
    await expect.element(email).toHaveAttribute('aria-invalid', 'true');
    await expect.element(page.getByText('Enter a valid e-mail address')).toBeVisible();
    await expect.element(field('Signer 1: name')).not.toHaveAttribute('aria-invalid');
    await email.fill('ana.petrov@example.org');
    await expect.element(email).not.toHaveAttribute('aria-invalid');
  });

  it('keeps all that was typed, in the form and as a draft, when the core refuses the request', async () => {
    const answers = [
      () => {
        throw new Refusal({ code: 'storage-full' });
      },
      () => ({ batchId: 'batch-1', jobId: 'job-1' }),
    ];
    peer.answer({
      'signatures.request': async () => answers.shift()?.() as never,
      'jobs.list': async () => ({ jobs: [], total: 0 }) as never,
    });
    await open('easy-sign-template');
    await fillTemplateRequest();
    await button('Review and send…').click();
    await expect.element(heading('Review request')).toBeVisible();
    await button('Send request').click();
    await expect.element(page.getByRole('alert')).toBeVisible();
    await button('Back').click();
    await expect.element(field('Document name')).toHaveValue('Lease 2027');
    await expect.element(field('Signer 1: e-mail')).toHaveValue('ana.petrov@example.org');
    await expect.element(field('Message')).toHaveValue('Please read and sign.\nThank you.');
    const typed = { templateId: 'TPL-1001', documentName: 'Lease 2027' };
    expect(latestDraft()).toMatchObject({ ...typed, messageToSigners: 'Please read and sign.\nThank you.' });
    expect(drafts.size).toBe(1);

    await button('Review and send…').click();
    await button('Send request').click();
    await expect.element(heading('Signature request')).toBeVisible();
    const [first, second] = peer.asked('signatures.request');
    expect(second).toEqual(first);
    expect(first).toMatchObject({ draftId: 'draft-1', emails: ['ana.petrov@example.org'], names: ['Ana Petrov'] });
  });

  it('says that a draft could not be kept, and keeps it with the next change', async () => {
    peer.answer({
      'drafts.save': async () => {
        throw new Refusal({ code: 'storage-full' });
      },
    });
    await open('plain');
    await field('Document name').fill('Lease');
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expect.element(field('Document name')).toHaveValue('Lease');
    peer.answer({ 'drafts.save': async (given) => keep(given) });
    await field('Document name').fill('Lease 2027');
    await expect.element(page.getByText(/Draft saved/)).toBeVisible();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    expect(latestDraft()?.documentName).toBe('Lease 2027');
  });

  it('makes one draft of one request, also where somebody types on while it is being saved', async () => {
    let answer: () => void = () => undefined;
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    peer.answer({
      'drafts.save': async (given) => {
        await mayAnswer;
        return keep(given);
      },
    });
    await open('plain');
    await field('Document name').click();
    await userEvent.keyboard('Lease');
    await expect.poll(() => peer.asked('drafts.save').length).toBe(1);
    await userEvent.keyboard(' 2027');
    await expect.element(field('Document name')).toHaveValue('Lease 2027');
    // Makes the next save due at once.
    window.dispatchEvent(new Event('blur'));
    answer();
    await expect.poll(() => latestDraft()?.documentName).toBe('Lease 2027');
    expect(drafts.size).toBe(1);
    expect(peer.asked('drafts.save').map(({ id }) => id)).toEqual([undefined, 'draft-1']);
  });

  it('keeps what was typed a moment ago when the screen is left', async () => {
    const shown = await open('plain');
    await field('Document name').fill('Half a lease');
    shown.draw(<p>Another screen</p>);
    await expect.poll(() => latestDraft()?.documentName).toBe('Half a lease');
  });

  it('is filled by keys alone: a new signer has the focus, Alt and an arrow move a signer with the focus', async () => {
    await open('easy-sign-template');
    (button('Add signer').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(field('Signer 1: name')).toHaveFocus();
    await userEvent.keyboard('Ana Petrov{Tab}ana@example.org');
    (button('Add signer').element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(field('Signer 2: name')).toHaveFocus();
    await userEvent.keyboard('Bo Lindqvist{Tab}bo@example.org');
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await expect.element(field('Signer 1: name')).toHaveValue('Bo Lindqvist');
    await expect.element(field('Signer 2: name')).toHaveValue('Ana Petrov');
    await expect.element(field('Signer 1: e-mail')).toHaveFocus();
    await expect.element(page.getByText('Bo Lindqvist is now number 1')).toBeInTheDocument();
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
    await expect.element(field('Signer 1: name')).toHaveValue('Bo Lindqvist');
  });
});
