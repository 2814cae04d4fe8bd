import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Template } from '../../contract/forms.ts';
import { useSignatureChanges } from '../../renderer/features/signature-queries.ts';
import { TemplateLibrary } from '../../renderer/screens/compose/template-library.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const connectionId = connection.id;
const button = (name: string) => page.getByRole('button', { name, exact: true });
const kept = (name: string): Template => ({
  place: 'template',
  id: `id-${name}`,
  connectionId,
  name,
  updatedAt: '2027-01-04T09:12:00.000Z',
  lastUsedAt: null,
  content: { templateId: `T-${name}`, note: '', use: 'both' },
});

function Library() {
  useSignatureChanges();
  return <TemplateLibrary connection={connection} typed="T-9" onClose={() => undefined} />;
}

describe('the keyboard after the form of a template', () => {
  /** Opens templates with two of them; `read` is what the list is read from. */
  async function open(read: () => Promise<readonly Template[]>): Promise<void> {
    peer.answer({ 'forms.list': read });
    showScreen(<Library />);
    await expect.element(button('Edit: Order')).toBeVisible();
  }

  async function pressKey(name: string): Promise<void> {
    (button(name).element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
  }

  async function addLease(): Promise<void> {
    await pressKey('Add template…');
    await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await userEvent.keyboard('Lease');
    await pressKey('Save template');
    await expect.element(page.getByRole('textbox', { name: 'Name' })).not.toBeInTheDocument();
  }

  it('stands at the template that was added, when the list is read after the form is gone', async () => {
    let list = [kept('Account'), kept('Order')];
    let letRead: () => void = () => undefined;
    let gate: Promise<void> = Promise.resolve();
    await open(async () => {
      await gate;
      return list;
    });
    gate = new Promise((resolve) => {
      letRead = resolve;
    });
    peer.answer({
      'forms.save': async () => {
        list = [...list, kept('Lease')];
        peer.send('forms.changed', null);
        return kept('Lease');
      },
    });
    await addLease();
    await expect.element(button('Add template…')).toBeVisible();
    letRead();
    await expect.element(button('Edit: Lease')).toHaveFocus();
  });

  it('stands there too when the list is read before the form is gone', async () => {
    let list = [kept('Account'), kept('Order')];
    await open(async () => list);
    peer.answer({
      'forms.save': async () => {
        list = [...list, kept('Lease')];
        peer.send('forms.changed', null);
        await expect.element(button('Edit: Lease')).toBeVisible();
        return kept('Lease');
      },
    });
    await addLease();
    await expect.element(button('Edit: Lease')).toHaveFocus();
  });

  it('stands at the button that opened the form, when nothing was saved', async () => {
    await open(async () => [kept('Account'), kept('Order')]);
    for (const opener of ['Add template…', 'Edit: Order']) {
      await pressKey(opener);
      await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus();
      await pressKey('Cancel');
      await expect.element(button('Add template…')).toBeVisible();
      await expect.element(button(opener)).toHaveFocus();
    }
  });
});
