import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { HelpTopic } from '../../contract/app.ts';
import { keysOf, type MenuShortcut, type ShortcutId, screenShortcuts } from '../../contract/shortcuts.ts';
import type { Texts } from './system/desktop-texts.ts';

export interface MenuActions {
  /** Opens the file dialog; the chosen files are shown in the chooser. */
  openFiles(): void;
  openFolder(): void;
  showLog(): void;
  /** Opens Help in the window. */
  openHelp(topic: HelpTopic): void;
  /** Carries out a shortcut in the window. */
  act(shortcut: MenuShortcut): void;
}

type Items = MenuItemConstructorOptions[];
const line = { type: 'separator' } as const;

/**
 * Uses Electron's roles where they exist, so that shortcuts are those of each system. The labels are set, because
 * Electron has them in English only.
 */
export function applicationMenu(actions: MenuActions, t: Texts, direction: 'ltr' | 'rtl'): Menu {
  const isMac = process.platform === 'darwin';
  const accelerator = (id: ShortcutId) => acceleratorOf(keysOf(id, { isMac, direction }));
  const item = (id: MenuShortcut, label: string) => ({
    label,
    accelerator: accelerator(id),
    click: () => actions.act(id),
  });
  const file: Items = [
    item('newRequest', t('menu.newRequest')),
    line,
    { label: t('menu.openFiles'), accelerator: accelerator('openFiles'), click: actions.openFiles },
    { label: t('menu.openFolder'), accelerator: accelerator('openFolder'), click: actions.openFolder },
    line,
    isMac ? { role: 'close', label: t('menu.closeWindow') } : { role: 'quit', label: t('menu.quit') },
  ];
  const view: Items = [
    item('refresh', t('menu.refresh')),
    line,
    { role: 'resetZoom', label: t('menu.actualSize') },
    { role: 'zoomIn', label: t('menu.zoomIn') },
    { role: 'zoomOut', label: t('menu.zoomOut') },
    line,
    { role: 'togglefullscreen', label: t('menu.fullScreen') },
    // For developers, with Electron's own labels.
    ...(app.isPackaged ? [] : ([{ role: 'reload' }, { role: 'toggleDevTools' }] as const)),
  ];
  const go: Items = [
    item('back', t('menu.back')),
    item('forward', t('menu.forward')),
    line,
    ...screenShortcuts.map((screen) => item(screen, t(`screens.${screen}`))),
    line,
    item('next', t('menu.next')),
    item('previous', t('menu.previous')),
  ];
  const about = { label: t('menu.about'), click: () => actions.openHelp('about') };
  const help: Items = [
    { label: t('menu.guide'), accelerator: accelerator('help'), click: () => actions.openHelp('guide') },
    { label: t('menu.firstSteps'), click: () => actions.openHelp('tour') },
    { label: t('menu.shortcuts'), click: () => actions.openHelp('shortcuts') },
    line,
    { label: t('menu.showLog'), click: actions.showLog },
    ...(isMac ? [] : [line, about]),
  ];
  return Menu.buildFromTemplate([
    ...(isMac ? [programMenu(about, t)] : []),
    { label: t('menu.file'), submenu: file },
    { label: t('menu.edit'), submenu: editMenu(t) },
    { label: t('menu.view'), submenu: view },
    { label: t('menu.go'), submenu: go },
    { role: 'window', label: t('menu.window'), submenu: windowMenu(t, isMac) },
    { role: 'help', label: t('menu.help'), submenu: help },
  ]);
}

function windowMenu(t: Texts, isMac: boolean): Items {
  const last: Items = isMac
    ? [line, { role: 'front', label: t('menu.front') }]
    : [{ role: 'close', label: t('menu.closeWindow') }];
  return [{ role: 'minimize', label: t('menu.minimize') }, { role: 'zoom', label: t('menu.zoomWindow') }, ...last];
}

function editMenu(t: Texts): Items {
  return [
    { role: 'undo', label: t('menu.undo') },
    { role: 'redo', label: t('menu.redo') },
    line,
    { role: 'cut', label: t('menu.cut') },
    { role: 'copy', label: t('menu.copy') },
    { role: 'paste', label: t('menu.paste') },
    { role: 'delete', label: t('menu.delete') },
    line,
    { role: 'selectAll', label: t('menu.selectAll') },
  ];
}

/** Keys in Electron's notation. */
function acceleratorOf(keys: string): string {
  return keys.replace('mod', 'CmdOrCtrl').replace('Arrow', '');
}

function programMenu(about: MenuItemConstructorOptions, t: Texts): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      about,
      line,
      { role: 'services', label: t('menu.services') },
      line,
      { role: 'hide', label: t('menu.hide') },
      { role: 'hideOthers', label: t('menu.hideOthers') },
      { role: 'unhide', label: t('menu.showAll') },
      line,
      { role: 'quit', label: t('menu.quit') },
    ],
  };
}
