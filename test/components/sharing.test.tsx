import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { presetContent } from '../../contract/compose.ts';
import type { Preset, Template } from '../../contract/forms.ts';
import type { SharedItem, SharedValue } from '../../contract/shared.ts';
import { newDraftState } from '../../renderer/features/forms/draft-state.ts';
import { useTeamChanges } from '../../renderer/features/team/team.ts';
import { PresetsDialog } from '../../renderer/screens/compose/presets-dialog.tsx';
import { TemplateField } from '../../renderer/screens/compose/template-field.tsx';
import { useDraft } from '../../renderer/screens/compose/use-draft.ts';
import { peer, Refusal } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';
import { teamAnswers } from './harness/team.ts';

const connectionId = connection.id;
const at = '2027-01-04T09:12:00.000Z';
const ana = { person: 'Ana Petrov', computer: 'DESK-1' };

const template = (templateId: string, name: string): SharedItem => ({
  key: templateId,
  by: ana,
  at,
  value: { kind: 'template', templateId, name, note: '', use: 'both' },
});
const own = (templateId: string, name: string): Template => ({
  place: 'template',
  id: `own-${templateId}`,
  connectionId,
  name,
  updatedAt: at,
  lastUsedAt: null,
  content: { templateId, note: '', use: 'both' },
});
const ownPreset = (id: string, name: string): Preset => ({ place: 'preset', id, name, content: lease, updatedAt: at });
const lease = presetContent.parse({ documentName: 'Lease', recipients: [{ name: 'Omar', email: 'o@example.com' }] });
const preset: SharedItem = { key: 'lease', by: ana, at, value: { kind: 'preset', name: 'Lease', content: lease } };

const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });

function TemplatePart() {
  useTeamChanges();
  return <TemplateField label="Template" use="template" connection={connection} value="" onChange={() => undefined} />;
}

function Presets() {
  useTeamChanges();
  const draft = useDraft(connectionId, newDraftState(null, { kind: null, to: null }), null);
  return (
    <>
      <output aria-label="Name">{draft.state.content.documentName}</output>
      <PresetsDialog draft={draft} connectionId={connectionId} onClose={() => undefined} />
    </>
  );
}

async function openLibrary(...saved: readonly Template[]): Promise<void> {
  peer.answer({ 'forms.list': async () => saved, 'templates.offered': async () => [] });
  showScreen(<TemplatePart />);
}

it('offers what the team shares among the templates, with the name of the colleague; one’s own name wins', async () => {
  await openLibrary(own('T-1', 'Mine'));
  teamAnswers('member', template('T-1', 'Lease of Ana'), template('T-2', 'Order'));
  await userEvent.click(page.getByRole('combobox'));
  for (const name of [/^Order Shared by .*Ana Petrov.* T-2$/, /^Mine Shared by .*Ana Petrov.* T-1$/])
    await expect.element(page.getByRole('option', { name })).toBeVisible();
  expect(page.getByRole('option').elements()).toHaveLength(2);
});

it('shares a template of one’s own, shows it shared when the register has it, and asks before it stops', async () => {
  await openLibrary(own('T-1', 'Order'));
  teamAnswers('member');
  await userEvent.click(button('My templates…'));
  await userEvent.click(button('Share with the team: Order'));
  const value: SharedValue = { kind: 'template', templateId: 'T-1', name: 'Order', note: '', use: 'both' };
  await expect.poll(() => peer.asked('team.share')).toEqual([{ connectionId, value }]);
  teamAnswers('member', template('T-1', 'Order'));
  peer.send('team.sharedChanged', { connectionId });
  await expect.element(row('Order').getByText('Shared by Ana Petrov')).toBeVisible();
  await userEvent.click(button('Stop sharing…: Order'));
  await expect.element(page.getByRole('alertdialog', { name: 'Stop sharing “Order”?' })).toBeVisible();
  expect(peer.asked('team.unshare')).toEqual([]);
  await userEvent.click(button('Stop sharing'));
  await expect.poll(() => peer.asked('team.unshare')).toEqual([{ connectionId, kind: 'template', key: 'T-1' }]);
});

it('asks before it replaces what a colleague shared, and only where one’s own differs', async () => {
  await openLibrary(own('T-1', 'Mine'), own('T-2', 'Order'));
  teamAnswers('member', template('T-1', 'Lease of Ana'), template('T-2', 'Order'));
  await userEvent.click(button('My templates…'));
  await userEvent.click(button('Share changes…: Mine'));
  expect(button('Share changes…: Order').elements()).toEqual([]);
  await expect.element(page.getByRole('alertdialog').getByText(/in place of what Ana Petrov shared/)).toBeVisible();
  await userEvent.click(button('Replace'));
  await expect.poll(() => peer.asked('team.share')).toMatchObject([{ value: { templateId: 'T-1', name: 'Mine' } }]);
});

it('saves a copy of a colleague’s template for this connection', async () => {
  await openLibrary();
  teamAnswers('member', template('T-2', 'Order'));
  peer.answer({ 'forms.save': async () => own('T-2', 'Order') });
  await userEvent.click(button('My templates…'));
  await userEvent.click(button('Save a copy: Order'));
  await expect
    .poll(() => peer.asked('forms.save'))
    .toEqual([
      { place: 'template', connectionId, name: 'Order', content: { templateId: 'T-2', note: '', use: 'both' } },
    ]);
});

it('lets a reader use and copy, says why such a person cannot share, and shows what is shared after leaving', async () => {
  await openLibrary(own('T-1', 'Order'));
  teamAnswers('reader', template('T-2', 'Lease'));
  await userEvent.click(button('My templates…'));
  await expect.element(button('Share with the team: Order')).toHaveAttribute('aria-disabled', 'true');
  await userEvent.hover(button('Share with the team: Order'), { force: true });
  await expect
    .element(page.getByRole('tooltip'))
    .toHaveTextContent('Readers cannot share. Ask a lead for the role “member”.');
  await userEvent.click(button('Share with the team: Order'), { force: true });
  expect(peer.asked('team.share')).toEqual([]);
  await expect.element(button('Save a copy: Lease')).not.toHaveAttribute('aria-disabled');
  teamAnswers(null, template('T-2', 'Lease'));
  peer.send('team.changed', { links: [] });
  await expect.element(button('Share with the team: Order')).not.toBeInTheDocument();
  await expect.element(row('Lease').getByText('Shared by Ana Petrov')).toBeVisible();
  await expect.element(button('Stop sharing…: Lease')).not.toBeInTheDocument();
});

it('says in plain words that nothing was shared: away, or too much', async () => {
  await openLibrary(own('T-1', 'Order'));
  teamAnswers('member');
  const refuse = (failure: ConstructorParameters<typeof Refusal>[0]) =>
    peer.answer({
      'team.share': async () => {
        throw new Refusal(failure);
      },
    });
  refuse({ code: 'not-connected', detail: 'team-away' });
  await userEvent.click(button('My templates…'));
  await userEvent.click(button('Share with the team: Order'));
  await expect.element(page.getByRole('alert').getByText(/^Nothing was changed/)).toBeVisible();
  refuse({ code: 'bad-input' });
  await userEvent.click(button('Share with the team: Order'));
  await expect.element(page.getByRole('alert').getByText(/cannot be shared: too much/)).toBeVisible();
});

it('uses, shares and copies presets, and says that people are in them', async () => {
  peer.answer({
    'forms.list': async ({ place }) => (place === 'preset' ? [ownPreset('own', 'Orders')] : []),
    'forms.save': async (form) => {
      if (form.place === 'draft') throw new Refusal({ code: 'storage-full' });
      return ownPreset('copy', form.name);
    },
  });
  showScreen(<Presets />);
  teamAnswers('member', preset);
  await expect.element(row('Lease').getByText('Shared by Ana Petrov')).toBeVisible();
  await expect.element(page.getByText('Sharing one shares the people in it too.', { exact: false })).toBeVisible();
  await userEvent.click(button('Share with the team: Orders'));
  const value: SharedValue = { kind: 'preset', name: 'Orders', content: lease };
  await expect.poll(() => peer.asked('team.share')).toEqual([{ connectionId, value }]);
  await userEvent.click(button('Save a copy: Lease'));
  await expect.poll(() => peer.asked('forms.save')).toEqual([{ place: 'preset', name: 'Lease', content: lease }]);
  await userEvent.click(button('Use: Lease'));
  await expect.element(page.getByRole('status', { name: 'Name' })).toHaveTextContent('Lease');
});

it('puts back a preset that got another name or was saved over', async () => {
  const own = { place: 'preset', id: 'own', name: 'Orders', content: lease };
  peer.answer({
    'forms.list': async () => [ownPreset('own', 'Orders')],
    'forms.save': async ({ id = '' }) => ownPreset(id, 'Orders'),
  });
  showScreen(<Presets />);
  teamAnswers('member');
  const saved = () => peer.asked('forms.save');
  await userEvent.click(button('Rename…: Orders'));
  await userEvent.fill(page.getByRole('textbox', { name: 'Preset name' }), 'Offers');
  await userEvent.click(button('Rename'));
  await expect.poll(saved).toEqual([{ ...own, name: 'Offers' }]);
  await userEvent.click(button('Undo: Changed: Offers'));
  await expect.poll(saved).toHaveLength(2);
  expect(saved().at(-1)).toEqual(own);
  await userEvent.click(button('Save this form…'));
  await userEvent.fill(page.getByRole('textbox', { name: 'Preset name' }), 'orders');
  await userEvent.click(button('Save preset'));
  await expect.poll(saved).toHaveLength(3);
  expect(saved().at(-1)).toMatchObject({ id: 'own', name: 'orders' });
  await userEvent.click(button('Undo: Changed: orders'));
  await expect.poll(saved).toHaveLength(4);
  expect(saved().at(-1)).toEqual(own);
});
