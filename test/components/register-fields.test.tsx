import { useState } from 'react';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { RegisterDraft } from '../../renderer/features/files/selection.tsx';
import { RegisterFields } from '../../renderer/screens/register/register-fields.tsx';
import { showScreen } from './harness/show.tsx';

it('names the parts of a file name in words, in the field as in its menu', async () => {
  let last = '';
  function Fields() {
    const [draft, setDraft] = useState({ name: '{name}', clientId: '{folder}', description: '' } as RegisterDraft);
    last = draft.clientId;
    return (
      <RegisterFields
        draft={draft}
        setDraft={setDraft}
        creditTypes={[]}
        credit={null}
        errors={{}}
        hasPatterns
        first={{ name: 'Lease.pdf', folder: 'leases', sizeBytes: 1, index: 0 } as never}
      />
    );
  }
  showScreen(<Fields />);
  const reference = page.getByRole('textbox', { name: 'Client reference' });
  await expect.element(reference).toHaveValue('‹Folder›');
  await page.getByRole('button', { name: 'Insert into Client reference' }).click();
  await page.getByRole('menuitem', { name: 'Number' }).click();
  await expect.element(reference).toHaveValue('‹Folder›‹Number›');
  expect(last).toBe('{folder}{n}');
  await reference.fill('No. ‹Number› of ‹Fold');
  await expect.poll(() => last).toBe('No. {n} of ‹Fold');
  await expect.element(page.getByText('First: “No. 1 of ‹Fold”')).toBeVisible();
});
