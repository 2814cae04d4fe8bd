import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { installationOf, programFolder } from '../../electron/host-kit/data-dir.ts';
import { findTray } from '../../electron/shell/system/session-bus.ts';

describe('what installed the program', () => {
  const packaged = { isPackaged: true, env: {} };
  it.each([
    ['source', { ...packaged, isPackaged: false, platform: 'linux', program: '/opt/electron' }],
    ['disk-image', { ...packaged, platform: 'darwin', program: '/Applications/Sealdesk.app' }],
    [
      'appimage',
      { ...packaged, env: { APPIMAGE: '/x/S.AppImage' }, platform: 'linux', program: '/tmp/.mount/sealdesk' },
    ],
    ['package', { ...packaged, platform: 'linux', program: '/opt/Sealdesk/sealdesk' }],
    ['folder', { ...packaged, platform: 'linux', program: '/home/office/sealdesk/sealdesk' }],
  ] as const)('is %s', (installation, found) => {
    expect(installationOf(found)).toBe(installation);
  });

  it('is told apart on Windows by the remover of the installer', () => {
    const found = { ...packaged, platform: 'win32', program: 'C:\\Sealdesk\\Sealdesk.exe' } as const;
    expect(installationOf(found, (path) => path === 'C:\\Sealdesk\\Uninstall Sealdesk.exe')).toBe('windows-installer');
    expect(installationOf(found, () => false)).toBe('windows-msi');
  });

  it('is replaced in its folder, and a macOS app in the one that holds it', () => {
    expect(programFolder('win32', 'C:\\Program Files\\Sealdesk\\Sealdesk.exe')).toBe('C:\\Program Files\\Sealdesk');
    expect(programFolder('darwin', '/Applications/Sealdesk.app/Contents/MacOS/Sealdesk')).toBe('/Applications');
    expect(programFolder('linux', '/opt/Sealdesk/sealdesk')).toBe('/opt/Sealdesk');
  });
});

describe('a tray', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is there on Windows and macOS', async () => {
    expect(await findTray('win32')).toBe(true);
    expect(await findTray('darwin')).toBe(true);
  });

  it.skipIf(process.platform !== 'linux').each([
    ['the bus knows one', 'echo "   boolean true"', true],
    ['the bus knows none', 'echo "   boolean false"', false],
    ['there is no bus', 'exit 1', false],
    ['nothing answers', 'sleep 60', false],
  ])('on Linux if %s', async (_what, script, expected) => {
    const bin = mkdtempSync(join(tmpdir(), 'sealdesk-bin-'));
    for (const program of ['dbus-send', 'busctl']) {
      writeFileSync(join(bin, program), `#!/bin/sh\n${script}\n`);
      chmodSync(join(bin, program), 0o755);
    }
    vi.stubEnv('PATH', `${bin}:${process.env.PATH}`);
    expect(await findTray('linux')).toBe(expected);
    rmSync(bin, { recursive: true });
  });
});
