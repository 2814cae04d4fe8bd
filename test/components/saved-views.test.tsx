import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { useViews } from '../../renderer/features/saved-views.ts';
import { UndoStrip } from '../../renderer/features/undo.tsx';
import { ViewsMenu } from '../../renderer/features/views-menu.tsx';
import { firstView, viewOf } from '../../renderer/screens/documents/documents-view.ts';
import { peer, Refusal } from './harness/core-peer.ts';
import { showScreen } from './harness/show.tsx';

const leases = { id: 'leases', name: 'Leases', content: JSON.stringify({ ...firstView, search: 'Lease' }) };

const named = { name: leases.name, content: leases.content };

function Views() {
  const kept = useViews('documents');
  const [view, setView] = useState(firstView);
  return (
    <>
      <ViewsMenu screen="documents" builtIn={[]} {...{ view, viewOf, kept }} onChange={setView} />
      <output aria-label="Search">{view.search}</output>
      <UndoStrip />
    </>
  );
}

describe('a saved view', () => {
  const menu = (name: string) => page.getByRole('button', { name, exact: true });
  const item = (name: RegExp | string) => page.getByRole('menuitem', { name });

  beforeEach(async () => {
    peer.answer({ 'views.state': async () => ({ views: [leases], layout: null }) });
    showScreen(<Views />);
    await menu('Views').click();
    await item('Leases').click();
    await expect.element(page.getByRole('status', { name: 'Search' })).toHaveTextContent('Lease');
  });

  it('stays the current one, with the reason, if it cannot be removed', async () => {
    peer.answer({
      'views.remove': async () => {
        throw new Refusal({ code: 'storage-full' });
      },
    });
    await menu('Leases').click();
    await item(/Remove/).click();
    await expect.element(page.getByRole('alert')).toBeVisible();
    await expect.element(menu('Leases')).toBeVisible();
    // The reason is not about the name that is asked for next.
    await menu('Leases').click();
    await item('Save view…').click();
    await expect.element(page.getByRole('textbox', { name: 'View name' })).toBeVisible();
    expect(page.getByRole('alert').elements()).toEqual([]);
  });

  it('is no longer the current one when it is removed', async () => {
    peer.answer({
      'views.remove': async () => {
        peer.answer({ 'views.state': async () => ({ views: [], layout: null }) });
        return { removal: 'leases gone' };
      },
      'removals.putBack': async () => {
        peer.answer({ 'views.state': async () => ({ views: [leases], layout: null }) });
        return null;
      },
    });
    await menu('Leases').click();
    await item(/Remove/).click();
    await expect.element(menu('Views')).toBeVisible();
    expect(peer.asked('views.remove')).toEqual([{ screen: 'documents', id: 'leases' }]);
    await page.getByRole('button', { name: 'Undo: Removed: Leases' }).click();
    await expect.poll(() => peer.asked('removals.putBack')).toEqual([{ removal: 'leases gone' }]);
    await menu('Views').click();
    await expect.element(item('Leases')).toBeVisible();
  });

  it('that is saved over can be put back as it was', async () => {
    peer.answer({ 'views.save': async () => ({ views: [leases], layout: null }) });
    await menu('Leases').click();
    await item(/Update/).click();
    await page.getByRole('button', { name: 'Undo: Changed: Leases' }).click();
    await expect.poll(() => peer.asked('views.save').at(-1)).toEqual({ screen: 'documents', id: 'leases', ...named });
  });

  it('gets another name, which can be undone', async () => {
    const renamed = { ...leases, name: 'Rents' };
    peer.answer({ 'views.save': async ({ name }) => ({ views: [{ ...leases, name }], layout: null }) });
    await menu('Leases').click();
    await item('Rename…').click();
    const name = page.getByRole('textbox', { name: 'View name' });
    await expect.element(name).toHaveValue('Leases');
    await name.fill('Rents');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await expect.poll(() => peer.asked('views.save')).toEqual([{ screen: 'documents', ...renamed }]);
    await page.getByRole('button', { name: 'Undo: Changed: Rents' }).click();
    await expect.poll(() => peer.asked('views.save').at(-1)).toEqual({ screen: 'documents', ...leases });
  });
});
