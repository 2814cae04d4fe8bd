import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { DayField } from '../../renderer/parts/days/day-field.tsx';
import { showPart } from './harness/show.tsx';

function Day(props: { readonly first: string | null }) {
  const [day, setDay] = useState(props.first);
  return (
    <>
      <DayField label="Day" value={day} onChange={setDay} />
      <output aria-label="Value">{String(day)}</output>
    </>
  );
}

const value = () => page.getByRole('status', { name: 'Value' });
const parts = () =>
  page
    .getByRole('group', { name: 'Day' })
    .getByRole('spinbutton')
    .elements()
    .map((part) => part.getAttribute('data-type'));

describe('a day', () => {
  it('is asked for in the order of the window’s language', () => {
    showPart(<Day first={null} />, 'de');
    return expect.poll(parts).toEqual(['day', 'month', 'year']);
  });

  it('is asked for in Arabic by the rules of Arabic', async () => {
    const { box } = showPart(<Day first="2030-01-31" />, 'ar');
    await expect.poll(parts).toEqual(['day', 'month', 'year']);
    const shown = new Intl.NumberFormat('ar', { useGrouping: false }).format(2030);
    expect(box.querySelector('[data-type="year"]')?.textContent).toBe(shown);
  });

  it('is typed, a part after the other, and emptied again', async () => {
    showPart(<Day first={null} />);
    await page.getByRole('spinbutton', { name: /month/ }).click();
    await userEvent.keyboard('01312030');
    await expect.element(value()).toHaveTextContent('2030-01-31');
    for (const part of ['year', 'day', 'month']) {
      await page.getByRole('spinbutton', { name: new RegExp(part) }).click();
      await userEvent.keyboard('{Backspace>4/}');
    }
    await expect.element(value()).toHaveTextContent('null');
  });

  it('is picked from a calendar', async () => {
    showPart(<Day first="2030-01-31" />);
    await page.getByRole('group', { name: 'Day' }).getByRole('button').click();
    await page.getByRole('button', { name: /January 15, 2030/ }).click();
    await expect.element(value()).toHaveTextContent('2030-01-15');
  });
});
