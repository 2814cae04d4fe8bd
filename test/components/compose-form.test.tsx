import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DraftContent, RequestKind, RequestPreview } from '../../contract/compose.ts';
import type { Draft, FormToSave } from '../../contract/forms.ts';
import { checkRecipients } from '../../electron/core/signatures/compose/recipients.ts';
import { useSelection } from '../../renderer/features/files/selection.tsx';
import { emptyContent } from '../../renderer/features/forms/draft-state.ts';
import { useSignatureChanges } from '../../renderer/features/signature-queries.ts';
import { ComposeScreen } from '../../renderer/screens/compose/compose-screen.tsx';
import { peer, Refusal } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

/** What the core keeps of drafts, by ID. */
const drafts = new Map<string, Draft>();

function keep(form: FormToSave): Draft {
  if (form.place !== 'draft') throw new Refusal({ code: 'bad-input' });
  const { id = `draft-${drafts.size + 1}`, connectionId, content } = form;
  const draft: Draft = {
    place: 'draft',
    id,
    connectionId,
    content,
    name: content.documentName,
    kind: content.kind,
    recipientCount: content.recipients.length,
    updatedAt: new Date().toISOString(),
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
    'templates.offered': async () => [],
    // No viewer is there that could show it.
    'preview.open': async () => {
      throw new Refusal({ code: 'not-found' });
    },
    'people.list': async () => ({ people: [], total: 0 }),
    'forms.save': async (given) => keep(given),
    'forms.list': async ({ place }) => (place === 'draft' ? [...drafts.values()] : []),
    'forms.open': async ({ id }) => {
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
      sentBefore: sentBeforeTo(request.emails),
    }),
  });
}

const before = { kind: 'already-sent', sentAt: '2026-11-03T08:20:00.000Z', job: { batchId: 'b', jobId: 'j' } } as const;

/** Somebody sends the same to one person before the review, to another while it is read, and to a third from before it until then. */
function sentBeforeTo(emails: readonly string[]): RequestPreview['sentBefore'] {
  const isRead = peer.asked('compose.preview').length > 1;
  if (emails.includes('ends@example.com')) return isRead ? before : { ...before, kind: 'being-sent' };
  return emails.includes('again@example.com') || (emails.includes('meanwhile@example.com') && isRead) ? before : null;
}

const field = (name: string) => page.getByRole(/^Signer \d/.test(name) ? 'combobox' : 'textbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name });
const template = page.getByRole('combobox', { name: 'Template' });
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const latestDraft = (): DraftContent | undefined => [...drafts.values()].at(-1)?.content;

/** The form, opened while files are selected. */
function SelectedThenComposed() {
  const { tokens, addSamples } = useSelection();
  if (tokens.length > 0) return <ComposeScreen draftId={null} kind={null} file={null} />;
  return (
    <button type="button" onClick={() => void addSamples()}>
      Select
    </button>
  );
}

function Changes() {
  useSignatureChanges();
  return null;
}

describe('the form of a signature request', () => {
  beforeEach(answerCompose);

  async function open(kind: RequestKind) {
    const shown = showScreen(
      <>
        <Changes />
        <ComposeScreen draftId={null} kind={kind} file={null} />
      </>,
    );
    await expect.element(heading('Who signs what?')).toBeVisible();
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
    await expect.element(heading('Who signs what?')).toBeVisible();
    expect(peer.asked('compose.preview')).toEqual([]);
  });

  it('has no document of its own where files were selected for something else', async () => {
    peer.answer({
      'files.samples': async () => [{ token: 'deed', name: 'Deed.pdf', isFolder: false, source: '1' }],
      'files.scanForAll': async () => {
        throw new Refusal({ code: 'not-found' });
      },
    });
    showScreen(<SelectedThenComposed />);
    await button('Select').click();
    await expect.element(heading('Who signs what?')).toBeVisible();
    await expect.element(button('Choose PDF…')).toBeVisible();
    expect(page.getByText('Deed.pdf').elements()).toEqual([]);
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
    // What the same people get from elsewhere between this review and the sending is asked about.
    expect(first).toMatchObject({ repeats: 'ask' });
  });

  it.each([
    ['a doubt', { state: 'in-doubt' }],
    ['what corrected a doubt and was refused', { state: 'refused', isBesideDoubt: true }],
  ] as const)('sends the correction of %s only on the word that it may mail everyone twice', async (_what, job) => {
    const content = {
      ...emptyContent,
      templateId: 'TPL-1001',
      recipients: [{ name: 'Ana', email: 'ana@example.org' }],
    };
    const form = {
      place: 'draft',
      connectionId: connection.id,
      content: { ...content, kind: 'easy-sign-template' },
    } as const;
    drafts.set('draft-1', { ...keep(form), job: { id: 'job-1', failure: null, ...job } });
    showScreen(<ComposeScreen draftId="draft-1" kind={null} file={null} />);
    await button('Review and send…').click();
    await expect.element(page.getByText('It may be charged twice, and everyone may be e-mailed twice.')).toBeVisible();
    await expect.element(button('Send request')).toBeDisabled();
    await page.getByText('Send although it may already be sent').click();
    await expect.element(button('Send request')).toBeEnabled();
  });

  it.each(['again@example.com', 'meanwhile@example.com', 'ends@example.com'])(
    'says before sending that %s got the same before, and when',
    async (email) => {
      await open('easy-sign-template');
      await fillTemplateRequest();
      await field('Signer 1: e-mail').fill(email);
      await button('Review and send…').click();
      if (!email.startsWith('again')) {
        await expect.element(button('Send request')).toBeVisible();
        expect(page.getByText(/Already sent to the same people/).elements()).toEqual([]);
        await button('Send request').click();
      }
      await expect.element(page.getByText(/Already sent to the same people: \S/)).toBeVisible();
      expect(peer.asked('signatures.request')).toEqual([]);
      peer.answer({
        'signatures.request': async () => ({ batchId: 'batch-1', jobId: 'job-1' }),
        'jobs.list': async () => ({ jobs: [], total: 0 }) as never,
      });
      await button('Send request').click();
      await expect.poll(() => peer.asked('signatures.request')).toHaveLength(1);
      expect(peer.asked('signatures.request')[0]).not.toHaveProperty('repeats', 'ask');
    },
  );

  it('says that a draft could not be kept, and keeps it with the next change', async () => {
    peer.answer({
      'forms.save': async () => {
        throw new Refusal({ code: 'storage-full' });
      },
    });
    await open('plain');
    await field('Document name').fill('Lease');
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expect.element(field('Document name')).toHaveValue('Lease');
    peer.answer({ 'forms.save': async (given) => keep(given) });
    await field('Document name').fill('Lease 2027');
    await expect.element(page.getByText(/Draft saved/)).toBeVisible();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    expect(latestDraft()?.documentName).toBe('Lease 2027');
  });

  it('is no draft while nothing is filled in, and says of a draft that was removed elsewhere no more that it is saved', async () => {
    await open('easy-sign');
    await page.getByRole('radio', { name: 'Template' }).click({ force: true });
    await expect.element(template).toBeVisible();
    await page.getByRole('radio', { name: 'File' }).click({ force: true });
    await expect.element(button('Choose PDF…')).toBeVisible();
    await field('Document name').fill('Lease');
    await expect.element(page.getByText(/Draft saved/)).toBeVisible();
    expect(peer.asked('forms.save').map(({ content }) => (content as DraftContent).documentName)).toEqual(['Lease']);
    // The list that was read before is older than what was saved.
    await new Promise((resolve) => setTimeout(resolve, 5));
    drafts.clear();
    peer.send('forms.changed', null);
    await expect.element(page.getByText(/Draft saved/)).not.toBeInTheDocument();
    await field('Document name').fill('Lease 2027');
    await expect.element(page.getByText(/Draft saved/)).toBeVisible();
    expect(latestDraft()?.documentName).toBe('Lease 2027');
  });

  it('makes one draft of one request, also where somebody types on while it is being saved', async () => {
    let answer: () => void = () => undefined;
    const mayAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    peer.answer({
      'forms.save': async (given) => {
        await mayAnswer;
        return keep(given);
      },
    });
    await open('plain');
    await field('Document name').click();
    await userEvent.keyboard('Lease');
    await expect.poll(() => peer.asked('forms.save').length).toBe(1);
    await userEvent.keyboard(' 2027');
    await expect.element(field('Document name')).toHaveValue('Lease 2027');
    // Makes the next save due at once.
    window.dispatchEvent(new Event('blur'));
    answer();
    await expect.poll(() => latestDraft()?.documentName).toBe('Lease 2027');
    expect(drafts.size).toBe(1);
    expect(peer.asked('forms.save').map(({ id }) => id)).toEqual([undefined, 'draft-1']);
  });

  it('keeps what was typed a moment ago when the screen is left', async () => {
    const shown = await open('plain');
    await field('Document name').fill('Half a lease');
    shown.draw(<p>Another screen</p>);
    await expect.poll(() => latestDraft()?.documentName).toBe('Half a lease');
  });

  describe('its kind', () => {
    const kind = (name: string) => page.getByRole('radio', { name });
    const code = field('Access code (secret word)');
    const toReview = () => button('Review and send…').click();
    const shownKind = (name: string) => page.getByRole('definition').filter({ hasText: name });

    async function ofFile(part: Partial<DraftContent>, hasSecretWord = false) {
      const { content: usual, ...rest } = keep({
        place: 'draft',
        connectionId: connection.id,
        content: {
          ...emptyContent,
          fileToken: 'lease',
          recipients: [{ name: 'Ana', email: 'ana@example.org' }],
          ...part,
        },
      });
      drafts.set('draft-1', {
        ...rest,
        content: usual,
        hasSecretWord,
        file: { token: 'lease', source: 's', name: 'lease.pdf', isFolder: false },
      });
      showScreen(<ComposeScreen draftId="draft-1" kind={null} file={null} />);
      await expect.element(heading('Who signs what?')).toBeVisible();
    }

    it('follows from what is filled in: an access code makes a plain request, and is seen before it is sent', async () => {
      await ofFile({});
      await expect.element(shownKind('Easy Sign from a file')).toBeVisible();
      await button('More options').click();
      await code.fill('tide');
      await expect.poll(() => latestDraft()?.kind).toBe('plain');
      await expect.element(field('Message')).not.toBeInTheDocument();
      await toReview();
      await expect.element(heading('Review request')).toBeVisible();
      await expect.element(shownKind('Plain request')).toBeVisible();
      expect(peer.asked('compose.preview').at(-1)).toMatchObject({ kind: 'plain', secretWord: 'tide' });
      await expect.element(page.getByText('Not sent', { exact: true })).toBeVisible();
      await expect.element(shownKind('Name')).toBeVisible();
    });

    it('is asked for where no kind carries all of it; what a named one leaves out is said before it is sent', async () => {
      await ofFile({ messageToSigners: 'Please sign.' });
      await button('More options').click();
      await code.fill('tide');
      await expect.element(page.getByText(/cannot be sent: Access code/)).toBeVisible();
      await toReview();
      await expect.poll(() => document.activeElement?.textContent).toMatch(/cannot be sent: Access code/);
      expect(peer.asked('compose.preview')).toEqual([]);
      // Nor does it go to the rows of a spreadsheet, of which each would leave it out.
      await button('Bulk send…').click();
      await expect.poll(() => document.activeElement?.textContent).toMatch(/cannot be sent: Access code/);
      await kind('Plain request').click({ force: true });
      await expect.element(page.getByText('Not sent with this kind of request: Name and Message')).toBeVisible();
      await toReview();
      await expect.element(shownKind('Name and Message')).toBeVisible();
      expect(peer.asked('compose.preview').at(-1)).toMatchObject({ kind: 'plain', secretWord: 'tide' });
    });

    it('is that of the draft, whatever else it has, and goes on as it was named', async () => {
      await ofFile({ kind: 'plain' });
      await expect.element(kind('Plain request')).toBeChecked();
      await field('Document name').fill('Lease');
      await expect.poll(() => latestDraft()).toMatchObject({ kind: 'plain', documentName: 'Lease' });
      await kind('As filled in').click({ force: true });
      await expect.poll(() => latestDraft()?.kind).toBe('easy-sign');
    });

    it('of a template is not changed by what was chosen for a file before', async () => {
      await ofFile({});
      await kind('Template').click({ force: true });
      await template.fill('TPL-1001');
      await expect.poll(() => latestDraft()).toMatchObject({ kind: 'easy-sign-template', fileToken: 'lease' });
      await toReview();
      await expect.element(heading('Review request')).toBeVisible();
      expect(peer.asked('compose.preview').at(-1)).not.toHaveProperty('fileToken');
      await expect.element(shownKind('Easy Sign from a template')).toBeVisible();
    });
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
