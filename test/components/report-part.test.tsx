import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Reporter } from '../../contract/verify.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { useReportParts } from '../../renderer/screens/verify/report-part.tsx';
import { peer } from './harness/core-peer.ts';
import { showScreen } from './harness/show.tsx';

function Piece() {
  const { button, lines } = useReportParts('run-1', null);
  return (
    <>
      {button}
      {lines}
    </>
  );
}

function show(known: Reporter | null) {
  let reporter = known;
  peer.answer({
    'verify.reporter': async () => reporter,
    'verify.setReporter': async (given) => {
      reporter = given;
      return null;
    },
    'verify.saveReport': async () => null,
    'tasks.list': async () => [],
  });
  showScreen(
    <TasksProvider>
      <Piece />
    </TasksProvider>,
  );
}

async function choose(item: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Save report…' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}
const dialog = () => page.getByRole('alertdialog', { name: 'Who makes reports?' });

it('asks before the first report who makes it, and not before the second', async () => {
  show(null);
  await choose(/^PDF/);
  await expect.element(dialog().getByRole('button', { name: 'Keep' })).toBeDisabled();
  expect(peer.asked('verify.saveReport')).toEqual([]);
  await dialog().getByRole('textbox', { name: 'Your name' }).fill(' Ana Rossi ');
  await dialog().getByRole('button', { name: 'Keep' }).click();
  await expect.poll(() => peer.asked('verify.saveReport')).toMatchObject([{ runId: 'run-1', format: 'pdf' }]);
  expect(peer.asked('verify.setReporter')).toEqual([{ person: 'Ana Rossi', organisation: '' }]);
  await choose(/^CSV/);
  await expect.poll(() => peer.asked('verify.saveReport').length).toBe(2);
});

it('saves nothing where the question is closed, and changes the name without saving', async () => {
  show({ person: 'Ana Rossi', organisation: 'Rossi Notaries' });
  await choose(/^Name in reports/);
  await expect.element(dialog().getByRole('textbox', { name: 'Organisation' })).toHaveValue('Rossi Notaries');
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await choose(/^Name in reports/);
  await dialog().getByRole('textbox', { name: 'Your name' }).fill('Mei Tanaka');
  await dialog().getByRole('button', { name: 'Keep' }).click();
  const changed = [{ person: 'Mei Tanaka', organisation: 'Rossi Notaries' }];
  await expect.poll(() => peer.asked('verify.setReporter')).toEqual(changed);
  expect(peer.asked('verify.saveReport')).toEqual([]);
});
