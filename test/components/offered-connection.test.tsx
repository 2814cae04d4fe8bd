import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { Notices } from '../../renderer/app/notices.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const office = { ...connection, id: 'managed-office', name: 'Office', kind: 'service' as const };
const show = async () => {
  showScreen(
    <>
      <p>Ready</p>
      <Notices />
    </>,
  );
  await expect.element(page.getByText('Ready')).toBeVisible();
};
const offer = (offeredId: string | null) =>
  peer.send('connections.changed', {
    connections: [connection, office],
    health: {},
    currentId: connection.id,
    offeredId,
  });

it('says which connection the organisation provides and which stays in use, and switches when a person says so', async () => {
  peer.answer({ 'connections.use': async () => null });
  await show();
  offer(office.id);
  const told = page.getByText(/stays in use until you switch/);
  await expect.poll(() => told.element().textContent).toMatch(/Your organisation provides.+Office.+Practice/);
  await page.getByRole('button', { name: /Use .?Office/ }).click();
  expect(peer.asked('connections.use')).toEqual([{ id: office.id }]);
  offer(null);
  await expect.element(page.getByRole('region', { name: 'Notices' })).not.toBeInTheDocument();
});

it('leaves room for a list in a small window', async () => {
  await page.viewport(720, 600);
  onTestFinished(() => page.viewport(1280, 800));
  await show();
  offer(office.id);
  const notices = page.getByRole('region', { name: 'Notices' });
  await expect.element(notices).toBeVisible();
  expect(notices.element().getBoundingClientRect().height).toBeLessThan(56);
});

it('is out of the way when it is dismissed, and changes nothing then', async () => {
  await show();
  offer(office.id);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(page.getByRole('region', { name: 'Notices' })).not.toBeInTheDocument();
  expect(peer.asked('connections.use')).toEqual([]);
});
