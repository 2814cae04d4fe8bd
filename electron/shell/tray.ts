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

/** The icon in the system's tray, which is there only while the person wants it. */
export type ProgramTray = ReturnType<typeof createTray>;

/** Creates the tray without an icon. On a system without a tray, none ever appears. */
export function createTray(hasTray: boolean, needs: Needs) {
  let tray: Tray | null = null;
  let staysOpen = false;
  const work = followWork(needs.core, () => draw());
  const draw = () => {
    if (!tray) return;
    const t = needs.texts();
    const { files, tasks } = work();
    const running = [
      ...(files > 0 ? [t('tray.sending', { count: files })] : []),
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
  return {
    /** Shows or removes the icon, in the present language. */
    apply: (preferences: Pick<Preferences, 'tray' | 'closeToTray'>): void => {
      const isWanted = hasTray && preferences.tray;
      staysOpen = isWanted && preferences.closeToTray;
      if (!isWanted) {
        tray?.destroy();
        tray = null;
        return;
      }
      tray ??= newTray(needs);
      draw();
    },
    /** Whether the program runs on without a window: the person wants it, and there is an icon to open it by. */
    keepsRunning: (): boolean => staysOpen && tray !== null,
  };
}

function newTray({ icon, open }: Needs): Tray {
  const tray = new Tray(nativeImage.createFromPath(icon).resize({ height: iconSize }));
  tray.on('click', open);
  return tray;
}
