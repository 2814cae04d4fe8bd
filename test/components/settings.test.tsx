import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { AppInfo, UpdateState } from '../../contract/app.ts';
import { supportFiles } from '../../contract/diagnostics.ts';
import { SettingsScreen } from '../../renderer/screens/settings/settings-screen.tsx';
import { defaultPreferences } from '../harness/default-preferences.ts';
import { noPolicyState } from '../harness/no-policy.ts';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const bytes = { database: 4_000_000, copies: 0, practice: 0, setAside: 0, logs: 2_000, other: 0 };
const usage = { folder: '/home/office/Sealdesk/data', bytes, isComplete: true };

const offState: UpdateState = {
  stage: 'off',
  offReason: 'package',
  version: null,
  receivedBytes: 0,
  totalBytes: 0,
  lastCheckedAt: null,
  problem: null,
};

/** The screen before a core that keeps what is chosen. */
async function show(change: Partial<AppInfo> = {}, updates: UpdateState = offState) {
  let info: AppInfo = {
    version: '1.2.3',
    host: 'desktop',
    installation: 'package',
    hasTray: true,
    preferences: defaultPreferences,
    policy: noPolicyState,
    log: { level: 'info', until: null },
    notices: [],
    ...change,
  };
  const keep = (preferences: AppInfo['preferences']) => {
    info = { ...info, preferences };
    peer.send('app.changed', info);
  };
  showScreen(<SettingsScreen />);
  peer.answer({
    'app.info': async () => info,
    'app.setPreferences': async (given) => {
      keep({ ...info.preferences, ...given } as AppInfo['preferences']);
      return null;
    },
    'app.resetPreferences': async () => {
      keep(defaultPreferences);
      return null;
    },
    'budget.state': async () => ({ perHour: 120, used: 3, freeAt: null, isAutomatic: true }),
    'updates.state': async () => updates,
    'updates.check': async () => updates,
    'updates.restart': async () => 'work-running',
    'storage.usage': async () => usage,
    'people.list': async () => ({ people: [], total: 0 }),
  });
  await expect.element(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
}

it('sends each choice alone, and shows what holds', async () => {
  await show();
  await page.getByText('High contrast', { exact: true }).click();
  await page.getByText('Signature requests and due dates', { exact: true }).click();
  const files = page.getByRole('textbox', { name: 'Files at once' });
  await userEvent.fill(files, '3');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => peer.asked('app.setPreferences'))
    .toEqual([{ theme: 'contrast' }, { notifications: false }, { atOnce: 3 }]);
  await expect.element(files).toHaveValue('3');
  await expect.element(page.getByText(`${connection.name} allows 2.`)).toBeVisible();
});

it('says what the organisation has set, and leaves it as it is', async () => {
  await show({ policy: { ...noPolicyState, isPresent: true, locked: ['theme'] } });
  const theme = page.getByRole('radiogroup', { name: 'Theme' });
  await expect.element(theme).toHaveAccessibleDescription('Managed by your organisation');
  await userEvent.click(page.getByText('Dark', { exact: true }), { force: true });
  await page.getByText('Signature requests and due dates', { exact: true }).click();
  await expect.poll(() => peer.asked('app.setPreferences')).toEqual([{ notifications: false }]);
});

it('lets the program run on without a window only with an icon to open it by', async () => {
  await show();
  const runOn = page.getByRole('checkbox', { name: 'Keep running when the window is closed' });
  await expect.element(runOn).toBeDisabled();
  await page.getByText('Show tray icon', { exact: true }).click();
  await page.getByText('Keep running when the window is closed').click();
  await expect.element(runOn).toBeChecked();
  await page.getByText('Show tray icon', { exact: true }).click();
  await expect.element(runOn).not.toBeChecked();
});

it('says that there is no tray instead of offering one', async () => {
  await show({ hasTray: false });
  await expect.element(page.getByText('This system has no tray.')).toBeVisible();
  expect(page.getByRole('checkbox', { name: 'Show tray icon' }).elements()).toEqual([]);
});

it('names the version and what updates it, with nothing to press', async () => {
  await show();
  await expect.element(page.getByText('Version 1.2.3')).toBeVisible();
  await expect.element(page.getByText('Installed as a system package. To update, install a newer one.')).toBeVisible();
  for (const name of ['Check now', 'Restart to finish'])
    expect(page.getByRole('button', { name }).elements()).toEqual([]);
});

it('says why updates are off, and what they come to', async () => {
  await show({ installation: 'appimage' }, { ...offState, offReason: 'no-key' });
  await expect.element(page.getByText('Automatic updates are off: no key to check them with is set.')).toBeVisible();
  await expect.element(page.getByText('Runs from an AppImage. To update, replace that file.')).toBeVisible();
  const on: UpdateState = { ...offState, stage: 'idle', offReason: null };
  peer.send('updates.changed', on);
  await expect.element(page.getByText('Not checked yet')).toBeVisible();
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect.poll(() => peer.asked('updates.check')).toEqual([{}]);
  peer.send('updates.changed', { ...on, stage: 'downloading', version: '2.0.0', receivedBytes: 5e6, totalBytes: 1e8 });
  await expect.element(page.getByText('Downloading version 2.0.0: 5 MB of 100 MB')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Check now' })).toBeDisabled();
  peer.send('updates.changed', { ...on, stage: 'ready', version: '2.0.0' });
  await expect.element(page.getByText('Version 2.0.0 is ready. It is installed when you quit.')).toBeVisible();
  await page.getByRole('button', { name: 'Restart to finish' }).click();
  await expect.element(page.getByText('Files are still in progress. Restart when they are finished.')).toBeVisible();
  peer.send('updates.changed', { ...on, problem: 'unsigned' });
  await expect.element(page.getByText('No update: it has no valid signature. Tell your IT department.')).toBeVisible();
});

it('changes the limits of automatic refreshes', async () => {
  await show();
  peer.answer({
    'tracking.setBudget': async (limits) => {
      const budget = { ...limits, used: 3, freeAt: null };
      peer.send('budget.changed', budget);
      return budget;
    },
  });
  await page.getByText('Refresh automatically', { exact: true }).click();
  await expect.poll(() => peer.asked('tracking.setBudget')).toEqual([{ perHour: 120, isAutomatic: false }]);
});

it('shows what is kept here, and clears logs alone, once it said what they are for', async () => {
  await show();
  peer.answer({ 'storage.clearLogs': async () => ({ ...usage, bytes: { ...bytes, logs: 0 } }) });
  await expect.element(page.getByText(usage.folder)).toBeVisible();
  const clear = page.getByRole('button', { name: 'Clear logs' });
  await clear.click();
  const dialog = page.getByRole('alertdialog', { name: 'Clear logs' });
  await expect.element(dialog.getByText(/help support/)).toBeVisible();
  expect(peer.asked('storage.clearLogs')).toEqual([]);
  await dialog.getByRole('button', { name: 'Clear logs' }).click();
  await expect.element(clear).toBeDisabled();
});

it('makes the report once, to be looked at before it is saved', async () => {
  await show();
  const saved: string[] = [];
  let made = 0;
  peer.answer({
    'diagnostics.report': async () => {
      made += 1;
      const files = supportFiles.map((name) => ({ name, text: `About ${name}\nProgram: 1.2.3` }));
      return { id: `report-${made}`, files };
    },
    'diagnostics.save': async ({ id }) => {
      saved.push(id);
      return { fileName: 'report.zip' };
    },
  });
  await page.getByRole('button', { name: 'Create report…' }).click();
  await expect.element(page.getByRole('textbox', { name: 'Program' })).toHaveValue('About program\nProgram: 1.2.3');
  await page.getByText('Log', { exact: true }).last().click();
  await expect.element(page.getByRole('textbox', { name: 'Log' })).toHaveValue('About log\nProgram: 1.2.3');
  await page.getByRole('button', { name: 'Save report…' }).click();
  await expect.element(page.getByText('Saved as report.zip')).toBeVisible();
  expect([made, saved]).toEqual([1, ['report-1']]);
});

it('sets how much is logged, and says until when', async () => {
  await show({ log: { level: 'debug', until: '2026-03-04T05:06:07.000Z' } });
  peer.answer({ 'diagnostics.setLogLevel': async () => null });
  await expect.element(page.getByText(/^Until .+ or the next start, then Normal\.$/)).toBeVisible();
  await page.getByRole('button', { name: /Log$/ }).click();
  await page.getByRole('option', { name: 'Errors and warnings' }).click();
  await expect.poll(() => peer.asked('diagnostics.setLogLevel')).toEqual([{ level: 'warn' }]);
});

it('resets after a question whose harmless answer has the focus', async () => {
  await show({ preferences: { ...defaultPreferences, theme: 'dark', atOnce: 2 } });
  await page.getByRole('button', { name: 'Reset settings…' }).click();
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset settings' }).click();
  await expect.element(page.getByRole('radio', { name: 'System' })).toBeChecked();
  await expect.element(page.getByRole('textbox', { name: 'Files at once' })).toHaveValue('8');
});
