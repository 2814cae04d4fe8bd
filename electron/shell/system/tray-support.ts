import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const patienceMs = 1_500;

/** The programs that can ask the session bus, one of which every Linux desktop has; the answer has the same word in both. */
const questions: readonly (readonly [program: string, args: readonly string[]])[] = [
  [
    'dbus-send',
    [
      '--session',
      '--print-reply',
      '--dest=org.freedesktop.DBus',
      '/org/freedesktop/DBus',
      'org.freedesktop.DBus.NameHasOwner',
      'string:org.kde.StatusNotifierWatcher',
    ],
  ],
  [
    'busctl',
    [
      '--user',
      'call',
      'org.freedesktop.DBus',
      '/org/freedesktop/DBus',
      'org.freedesktop.DBus',
      'NameHasOwner',
      's',
      'org.kde.StatusNotifierWatcher',
    ],
  ],
];

/**
 * Whether icons in a tray are seen. On Linux many desktops have no tray, and Electron does not say so; a window that were closed to it could not be opened
 * again. Never rejects: what cannot be found out counts as no tray.
 */
export async function findTray(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, args] of questions) {
    const answer = await run(program, [...args], { timeout: patienceMs }).catch(() => null);
    if (answer) return /\btrue\b/.test(answer.stdout);
  }
  return false;
}
