import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { useFocusNext } from '../../renderer/parts/hooks/focus-and-scroll.ts';
import { SidePanel } from '../../renderer/parts/overlays/side-panel.tsx';
import { showPart } from './harness/show.tsx';

/** A form whose first try finds its errors only later, and whose second finds other ones. */
function Form(props: { readonly check: () => Promise<string> }) {
  const [bad, setBad] = useState('');
  const focusNext = useFocusNext();
  const save = () => {
    focusNext(() => document.querySelector<HTMLElement>('input[aria-invalid="true"]'));
    void props.check().then(setBad);
  };
  return (
    <>
      <button type="button" onClick={save}>
        Save
      </button>
      {['Name', 'Address'].map((label) => (
        <input key={label} aria-label={label} aria-invalid={bad === label} />
      ))}
    </>
  );
}

const field = (name: string) => page.getByRole('textbox', { name });
const save = page.getByRole('button', { name: 'Save' });

function ListWithPanel() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Row
      </button>
      {isOpen ? (
        <SidePanel label="Request" title="Lease" onClose={() => setOpen(false)}>
          <p>Signers</p>
        </SidePanel>
      ) : null}
    </>
  );
}

it('the focus goes from a panel back to its row by one Esc, also where a tooltip is shown', async () => {
  showPart(<ListWithPanel />);
  const row = page.getByRole('button', { name: 'Row' });
  const panel = page.getByRole('complementary', { name: 'Request' });
  await expect.element(row).toBeVisible();
  (row.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(panel).toBeVisible();
  await userEvent.tab();
  await expect.element(page.getByRole('tooltip')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(panel).not.toBeInTheDocument();
  await expect.element(row).toHaveFocus();
  await expect.element(page.getByRole('tooltip')).not.toBeInTheDocument();
});

describe('the focus after a step', () => {
  it('waits for the outcome of the step, however long that takes', async () => {
    let end: (bad: string) => void = () => undefined;
    const outcome = new Promise<string>((resolve) => {
      end = resolve;
    });
    showPart(<Form check={() => outcome} />);
    await save.click();
    await expect.element(save).toHaveFocus();
    end('Address');
    await expect.element(field('Address')).toHaveFocus();
  });

  it('stays where a person went meanwhile', async () => {
    let end: (bad: string) => void = () => undefined;
    const outcome = new Promise<string>((resolve) => {
      end = resolve;
    });
    showPart(<Form check={() => outcome} />);
    await save.click();
    await userEvent.keyboard('{Tab}');
    await expect.element(field('Name')).toHaveFocus();
    end('Address');
    await expect.element(field('Address')).toHaveAttribute('aria-invalid', 'true');
    await expect.element(field('Name')).toHaveFocus();
  });
});
