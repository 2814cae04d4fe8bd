import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Person } from '../../contract/people.ts';
import { AddressBook } from '../../renderer/features/people/address-book.tsx';
import { PersonField } from '../../renderer/features/people/person-field.tsx';
import { UndoStrip } from '../../renderer/features/undo.tsx';
import { Dialog } from '../../renderer/parts/overlays/dialog.tsx';
import { CellEditor } from '../../renderer/screens/bulk/cell-editor.tsx';
import { peer } from './harness/core-peer.ts';
import { showScreen } from './harness/show.tsx';

const person = (name: string, email: string): Person => ({ name, email, uses: 0, lastUsedAt: null });
const ana = person('Ana Petrov', 'ana@example.org');
const bo = person('', 'bo@example.org');

function answerPeople(people: readonly Person[]) {
  const fits = (search: string) =>
    people.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(search));
  peer.answer({
    'people.list': async ({ search }) => ({ people: fits(search), total: fits(search).length }),
  });
}

function Signer() {
  const [signer, setSigner] = useState({ name: '', email: '' });
  const part = { onPerson: setSigner, maxLength: 200 };
  return (
    <>
      <PersonField
        {...part}
        label="Name"
        type="text"
        value={signer.name}
        onChange={(name) => setSigner({ ...signer, name })}
      />
      <output>{`${signer.name}|${signer.email}`}</output>
    </>
  );
}

it('completes a cell of a spreadsheet that is mended, and saves it', async () => {
  answerPeople([ana, bo]);
  const saved: string[] = [];
  showScreen(
    <CellEditor
      label="E-mail, row 4"
      value=""
      kind="email"
      problem="not a valid e-mail address"
      busy={false}
      onSave={({ value }) => void saved.push(value)}
      onClose={() => undefined}
    />,
  );
  await userEvent.type(page.getByRole('combobox', { name: 'E-mail, row 4' }), 'petr');
  await expect.element(page.getByRole('option', { name: /Ana Petrov/ })).toBeVisible();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(saved).toEqual(['ana@example.org']);
});

describe('a signer', () => {
  it('is told that a name which fills its field may have been cut', async () => {
    answerPeople([]);
    showScreen(<Signer />);
    const name = page.getByRole('combobox', { name: 'Name' });
    await name.fill('a'.repeat(199));
    expect(page.getByText(/No more fits/).elements()).toEqual([]);
    await name.fill('a'.repeat(200));
    const told = page.getByText('No more fits: 200 characters at most.');
    // Below the field, and said.
    await expect.poll(() => told.elements()).toHaveLength(2);
  });

  it('stays the one that was chosen by arrow where the answer to the last letter comes later', async () => {
    let answer = () => {};
    const late = new Promise<void>((done) => (answer = done));
    peer.answer({
      'people.list': async ({ search }) => {
        if (search !== 'pe') return { people: [bo, ana], total: 2 };
        await late;
        return { people: [ana], total: 1 };
      },
    });
    showScreen(<Signer />);
    const field = page.getByRole('combobox', { name: 'Name' });
    await userEvent.type(field, 'p');
    const option = page.getByRole('option', { name: /Ana Petrov/ });
    await expect.element(option).toBeVisible();
    await userEvent.keyboard('e{ArrowDown}{ArrowDown}');
    await expect.element(option).toHaveAttribute('aria-selected', 'true');
    // Asked after the pause of the field.
    await new Promise((done) => setTimeout(done, 300));
    answer();
    await expect.element(page.getByRole('option', { name: /bo@/ })).not.toBeInTheDocument();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('Ana Petrov|ana@example.org')).toBeVisible();
  });

  it('is completed by keyboard while typing, with name and address; what was typed stays otherwise', async () => {
    answerPeople([ana, bo]);
    showScreen(<Signer />);
    const field = page.getByRole('combobox', { name: 'Name' });
    await userEvent.type(field, 'an');
    await expect.element(page.getByRole('option', { name: /Ana Petrov/ })).toBeVisible();
    await expect.element(page.getByRole('status').filter({ hasText: '1 suggestion' })).toBeInTheDocument();
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('an|')).toBeVisible();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.element(page.getByText('Ana Petrov|ana@example.org')).toBeVisible();
    expect(page.getByRole('listbox').elements()).toHaveLength(0);
    await userEvent.type(field, 'x');
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByText('Ana Petrovx|ana@example.org')).toBeVisible();
  });

  it('stays as it was typed where the list opens under a resting pointer', async () => {
    answerPeople([ana, bo]);
    showScreen(<Signer />);
    await userEvent.type(page.getByRole('combobox', { name: 'Name' }), 'an');
    const option = page.getByRole('option', { name: /Ana Petrov/ });
    await expect.element(option).toBeVisible();
    // What a browser tells of a pointer that has not moved.
    option.element().dispatchEvent(new PointerEvent('pointermove', { bubbles: true, movementX: 0, movementY: 0 }));
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText('an|')).toBeVisible();
  });

  it('is chosen from recent people by arrow down in the empty field', async () => {
    answerPeople([ana, bo]);
    showScreen(<Signer />);
    await page.getByRole('combobox', { name: 'Name' }).click();
    await userEvent.keyboard('{ArrowDown}');
    await page.getByRole('option', { name: 'bo@example.org' }).click();
    await expect.element(page.getByText('|bo@example.org')).toBeVisible();
  });
});

describe('the address book', () => {
  it('tells the outcome of an import, with the lines that were left out', async () => {
    answerPeople([ana]);
    peer.answer({
      'files.choose': async () => [{ token: 't', source: 's', name: 'people.csv', isFolder: false }],
      'people.import': async () => ({
        fileName: 'people.csv',
        added: 2,
        changed: 1,
        known: 0,
        problemCount: 1,
        problems: [{ line: 7, reason: 'email-invalid' }],
      }),
    });
    showScreen(<AddressBook onClose={() => undefined} />);
    await page.getByRole('button', { name: 'Import…' }).click();
    await expect.element(page.getByText('people.csv: 2 people added and 1 renamed.')).toBeVisible();
    await expect.element(page.getByText('Line 7: invalid e-mail address')).toBeVisible();
  });

  it('takes no second click for who stands where the removed one was', async () => {
    let people: readonly Person[] = [ana, bo];
    peer.answer({
      'people.list': async () => ({ people, total: people.length }),
      'people.remove': async ({ email }) => {
        people = people.filter((one) => one.email !== email);
        return { removal: email, removed: 1 };
      },
    });
    showScreen(<AddressBook onClose={() => undefined} />);
    const remove = page.getByRole('button', { name: 'Remove: bo@example.org' });
    await expect.element(remove).toBeVisible();
    await page.getByRole('button', { name: 'Remove: Ana Petrov' }).click();
    await expect.poll(() => peer.asked('people.remove')).toHaveLength(1);
    await remove.click();
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(peer.asked('people.remove')).toEqual([{ email: ana.email }]);
    await remove.click();
    await expect.poll(() => peer.asked('people.remove')).toEqual([{ email: ana.email }, { email: bo.email }]);
  });

  it('changes a person, says that an address is taken, and asks before it is cleared', async () => {
    answerPeople([ana, bo]);
    const saved: unknown[] = [];
    peer.answer({
      'people.save': async (input) => {
        saved.push(input);
        return ana;
      },
      'people.clear': async () => ({ removal: 'all', removed: 2 }),
      'removals.putBack': async () => null,
    });
    const { draw } = showScreen(<AddressBook onClose={() => undefined} />);
    await page.getByRole('button', { name: 'Edit: Ana Petrov' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('nothing');
    await page.getByRole('button', { name: 'Save person' }).click();
    await expect.element(page.getByText('Enter a valid e-mail address')).toBeVisible();
    expect(saved).toEqual([]);
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ana@example.com');
    await page.getByRole('button', { name: 'Save person' }).click();
    await expect.poll(() => saved).toEqual([{ was: 'ana@example.org', email: 'ana@example.com', name: 'Ana Petrov' }]);
    await page.getByRole('button', { name: 'Clear…' }).click();
    await expect.element(page.getByText('Remove all 2 people?')).toBeVisible();
    expect(peer.asked('people.clear')).toHaveLength(0);
    await page.getByRole('button', { name: 'Clear address book' }).click();
    await expect.poll(() => peer.asked('people.clear')).toHaveLength(1);
    // The dialog hides the rest of the window, so it says itself what can be undone.
    const undo = page.getByRole('dialog').getByRole('button', { name: 'Undo: Removed: Address book' });
    await expect.element(undo).toBeVisible();
    // Another dialog does not offer to undo what was done before it.
    draw(<AddressBook key="again" onClose={() => undefined} />);
    await expect.element(page.getByRole('dialog').getByText('Removed: Address book')).not.toBeInTheDocument();
    draw(
      <Dialog title="Any" onClose={() => undefined}>
        <UndoStrip />
      </Dialog>,
    );
    await undo.click();
    await expect.poll(() => peer.asked('removals.putBack')).toEqual([{ removal: 'all' }]);
  });
});
