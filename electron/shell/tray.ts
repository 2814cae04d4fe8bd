import { app, Menu, nativeImage, Tray } from 'electron';
import type { Preferences } from '../../contract/app.ts';
import type { Core } from '../core/core.ts';
import type { Texts } from './system/desktop-texts.ts';
import { followWork } from './system/work-counts.ts';

/** Height of the icon in device-independent pixels. */
const iconSize = process.platform === 'darwin' ? 18 : 22;

interface Needs {
  readonly core: Core;
  readonly texts: () => Texts;
  /** Absolute path of a PNG. */
  readonly icon: string;
  /** Shows the window. */
  readonly open: () => void;
}

type Wanted = Pick<Preferences, 'tray' | 'closeToTray'>;

/** The icon in the system's tray, which is there only while the person wants it. */
export type ProgramTray = ReturnType<typeof createTray>;

/** Creates the tray without an icon. On a system without a tray, none ever appears; elsewhere once that is known. */
export function createTray(hasTray: Promise<boolean>, needs: Needs) {
  let tray: Tray | null = null;
  let staysOpen = false;
  let wanted: Wanted = { tray: false, closeToTray: false };
  let isThere = false;
  const work = followWork(needs.core, () => draw());
  const draw = () => {
    if (!tray) return;
    const t = needs.texts();
    const { sending, inCountdown, waiting, tasks } = work();
    const running = [
      ...(sending > 0 ? [t('tray.sending', { count: sending })] : []),
      ...(inCountdown > 0 ? [t('tray.inCountdown', { shown: inCountdown })] : []),
      ...(waiting > 0 ? [t('tray.waiting', { shown: waiting })] : []),
      ...(tasks > 0 ? [t('tray.tasks', { count: tasks })] : []),
    ];
    const status = running.length > 0 ? running : [t('tray.nothing')];
    tray.setToolTip([app.name, ...running].join(' · '));
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: t('tray.open'), click: needs.open },
        { type: 'separator' },
        ...status.map((label) => ({ label, enabled: false })),
        { type: 'separator' },
        { label: t('menu.quit'), click: () => app.quit() },
      ]),
    );
  };
  /** Shows or removes the icon, in the present language. */
  const apply = (preferences = wanted) => {
    wanted = preferences;
    const isWanted = isThere && wanted.tray;
    staysOpen = isWanted && wanted.closeToTray;
    if (!isWanted) {
      tray?.destroy();
      tray = null;
      return;
    }
    tray ??= newTray(needs);
    draw();
  };
  const known = hasTray.then((there) => {
    isThere = there;
    apply();
  });
  return {
    apply,
    /** Whether the program runs on without a window: the person wants it, and there is an icon to open it by. */
    keepsRunning: (): Promise<boolean> => known.then(() => staysOpen && tray !== null),
  };
}

function newTray({ icon, open }: Needs): Tray {
  const tray = new Tray(nativeImage.createFromPath(icon).resize({ height: iconSize }));
  tray.on('click', open);
  return tray;
}
