import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const patienceMs = 1_500;

/** A method of a program on the session bus of Linux, with a text as its only argument or none. */
export interface BusQuestion {
  readonly program: string;
  readonly path: string;
  readonly interface: string;
  readonly method: string;
  readonly argument?: string;
}

/** What one of the two programs that can ask the session bus prints, one of which every Linux desktop has; null if none got an answer. Never rejects. */
export async function askSessionBus(question: BusQuestion): Promise<string | null> {
  const { program, path, interface: name, method, argument } = question;
  const words: readonly (readonly [string, readonly string[]])[] = [
    [
      'dbus-send',
      [
        ...['--session', '--print-reply', `--dest=${program}`, path, `${name}.${method}`],
        ...(argument === undefined ? [] : [`string:${argument}`]),
      ],
    ],
    ['busctl', ['--user', 'call', program, path, name, method, ...(argument === undefined ? [] : ['s', argument])]],
  ];
  for (const [tool, args] of words) {
    const answer = await run(tool, [...args], { timeout: patienceMs }).catch(() => null);
    if (answer) return answer.stdout;
  }
  return null;
}

/**
 * Whether icons in a tray are seen. On Linux many desktops have no tray, and Electron does not say so; a window that were closed to it could not be opened
 * again. Never rejects: what cannot be found out counts as no tray.
 */
export async function findTray(platform: NodeJS.Platform = process.platform): Promise<boolean> {
  if (platform !== 'linux') return true;
  const answer = await askSessionBus({
    program: 'org.freedesktop.DBus',
    path: '/org/freedesktop/DBus',
    interface: 'org.freedesktop.DBus',
    method: 'NameHasOwner',
    argument: 'org.kde.StatusNotifierWatcher',
  });
  return answer !== null && /\btrue\b/.test(answer);
}
