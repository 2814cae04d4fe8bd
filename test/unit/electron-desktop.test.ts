import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dataDirIn, programDir } from '../../electron/host-kit/data-dir.ts';
import { createLogFile } from '../../electron/host-kit/log-file.ts';
import { browserAddress } from '../../electron/shell/system/desktop.ts';
import { readWindowState, visibleOn, writeWindowState } from '../../electron/shell/window-state.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealdesk-desktop-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('addresses for the browser', () => {
  it.each(['https://sign.example/a?b=c#d', 'mailto:ana@example.org?subject=Lease'])('accepts %s', (address) => {
    expect(browserAddress(address)).toBe(address);
  });

  it.each([
    'http://sign.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'ms-msdt:/id',
    'smb://host/share',
    'https://user:word@sign.example/',
    ' https://sign.example/',
    'https://sign.example/\n',
    '//sign.example/',
    'https:',
    '',
    `https://sign.example/${'a'.repeat(2000)}`,
  ])('refuses %j', (address) => {
    expect(browserAddress(address)).toBeNull();
  });
});

describe('the log file', () => {
  it('omits fields with secret names at every depth, and bounds long values', () => {
    const file = join(folder, 'lines.log');
    const log = createLogFile(file);
    log.warn('m', {
      apiKey: 'KEY-1',
      deep: { secretWord: 'WORD-1', token: 'TOKEN-1' },
      note: 'apiSig=SIG-1; <password>PASS-1</password>',
      text: 'x'.repeat(9999),
    });
    log.debug('m', { list: Array(9999).fill('abc') });
    log.info('two\nlines');
    const [line = '', long = '', ...rest] = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(line).not.toMatch(/KEY-1|WORD-1|TOKEN-1|SIG-1|PASS-1/);
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', message: 'm' });
    expect(line.length).toBeLessThan(1000);
    expect(long.length).toBeLessThan(8001);
    expect(rest).toHaveLength(1);
  });

  it('is private and keeps one older file, never more', () => {
    const file = join(folder, 'logs', 'sealdesk.log');
    const log = createLogFile(file);
    for (let line = 0; line < 6000; line += 1) log.info('filling', { text: 'y'.repeat(400) });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(file).size + statSync(`${file}.old`).size).toBeLessThan(2.2 * 1024 * 1024);
    for (const line of readFileSync(file, 'utf8').trim().split('\n').slice(-3))
      expect(JSON.parse(line).level).toBe('info');
  });

  it('reports nothing if it cannot be written', () => {
    writeFileSync(join(folder, 'plain'), '');
    expect(() => createLogFile(join(folder, 'plain', 'x.log')).error('m')).not.toThrow();
  });
});

describe('the position of the window', () => {
  const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }];

  it('is restored', () => {
    const file = join(folder, 'state', 'window.json');
    const state = { x: 10, y: 20, width: 900, height: 700, maximized: true };
    writeWindowState(file, state);
    expect(readWindowState(file)).toEqual(state);
  });

  it.each(['', '{', '{"width":1e999}', '{"width":10,"height":10,"maximized":false}', '[]'])(
    'forgets damage: %j',
    (text) => {
      const file = join(folder, 'damaged.json');
      writeFileSync(file, text);
      expect(readWindowState(file)).toEqual({ width: 1280, height: 800, maximized: false });
    },
  );

  it('stays if a screen shows it, otherwise the window is centred', () => {
    const shown = { x: 100, y: 100, width: 900, height: 700, maximized: false };
    expect(visibleOn(shown, screens)).toEqual(shown);
    for (const gone of [{ x: 2500 }, { y: -200 }, { x: -880 }]) {
      expect(visibleOn({ ...shown, ...gone }, screens)).toEqual({ width: 900, height: 700, maximized: false });
    }
  });
});

describe('the data folder', () => {
  it('is in the usual place of each system', () => {
    expect(programDir('linux', { XDG_CONFIG_HOME: '/c' })).toBe('/c/Sealdesk');
    expect(programDir('linux', { XDG_CONFIG_HOME: 'relative' })).toMatch(/\/\.config\/Sealdesk$/);
    expect(programDir('darwin', {})).toMatch(/Library\/Application Support\/Sealdesk$/);
    expect(programDir('win32', { LOCALAPPDATA: '/l', APPDATA: '/r' })).toBe('/l/Sealdesk');
    expect(dataDirIn('/c/Sealdesk')).toBe('/c/Sealdesk/data');
  });

  it('leaves the roaming profile of Windows once, with everything in it', () => {
    const home = mkdtempSync(join(tmpdir(), 'sealdesk-profile-'));
    try {
      const env = { LOCALAPPDATA: join(home, 'Local'), APPDATA: join(home, 'Roaming') };
      mkdirSync(join(env.APPDATA, 'Sealdesk', 'data'), { recursive: true });
      writeFileSync(join(env.APPDATA, 'Sealdesk', 'data', 'settings.json'), '{}');
      expect(programDir('win32', env)).toBe(join(env.LOCALAPPDATA, 'Sealdesk'));
      expect(readFileSync(join(env.LOCALAPPDATA, 'Sealdesk', 'data', 'settings.json'), 'utf8')).toBe('{}');
      // An old version that is started again makes a folder of its own: it must not take the place of the moved one.
      mkdirSync(join(env.APPDATA, 'Sealdesk'));
      expect(programDir('win32', env)).toBe(join(env.LOCALAPPDATA, 'Sealdesk'));
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('stays in the roaming profile of Windows where it cannot be moved', () => {
    const home = mkdtempSync(join(tmpdir(), 'sealdesk-profile-'));
    try {
      const env = { LOCALAPPDATA: join(home, 'Local'), APPDATA: join(home, 'Roaming') };
      mkdirSync(join(env.APPDATA, 'Sealdesk'), { recursive: true });
      // A file where the folder should be: nothing can be moved below it.
      writeFileSync(env.LOCALAPPDATA, '');
      expect(programDir('win32', env)).toBe(join(env.APPDATA, 'Sealdesk'));
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
