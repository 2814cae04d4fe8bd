import { askSessionBus } from './session-bus.ts';

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
