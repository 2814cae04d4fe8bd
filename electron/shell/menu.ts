import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { HostTexts } from './system/host-texts.ts';

export interface MenuActions {
  /** Opens the picker; what was chosen lands in the chooser. */
  openFiles(): void;
  openFolder(): void;
  showLog(): void;
}

type Items = MenuItemConstructorOptions[];

/** The system's own roles where there is one, so that shortcuts are what each system expects; Electron words them in English alone. */
export function applicationMenu(actions: MenuActions, { menu }: HostTexts): Menu {
  const isMac = process.platform === 'darwin';
  const line = { type: 'separator' } as const;
  const file: Items = [
    { label: menu.openFiles, accelerator: 'CmdOrCtrl+O', click: actions.openFiles },
    { label: menu.openFolder, accelerator: 'CmdOrCtrl+Shift+O', click: actions.openFolder },
    line,
    isMac ? { role: 'close', label: menu.closeWindow } : { role: 'quit', label: menu.quit },
  ];
  const edit: Items = [
    { role: 'undo', label: menu.undo },
    { role: 'redo', label: menu.redo },
    line,
    { role: 'cut', label: menu.cut },
    { role: 'copy', label: menu.copy },
    { role: 'paste', label: menu.paste },
    { role: 'delete', label: menu.delete },
    line,
    { role: 'selectAll', label: menu.selectAll },
  ];
  const view: Items = [
    { role: 'resetZoom', label: menu.actualSize },
    { role: 'zoomIn', label: menu.zoomIn },
    { role: 'zoomOut', label: menu.zoomOut },
    line,
    { role: 'togglefullscreen', label: menu.fullScreen },
    // For developers, in the words of the tools.
    ...(app.isPackaged ? [] : ([{ role: 'reload' }, { role: 'toggleDevTools' }] as const)),
  ];
  const window: Items = [
    { role: 'minimize', label: menu.minimize },
    { role: 'zoom', label: menu.zoomWindow },
    ...(isMac
      ? ([line, { role: 'front', label: menu.front }] as const)
      : ([{ role: 'close', label: menu.closeWindow }] as const)),
  ];
  const help: Items = [
    { label: menu.showLog, click: actions.showLog },
    ...(isMac ? [] : ([line, { role: 'about', label: menu.about }] as const)),
  ];
  return Menu.buildFromTemplate([
    ...(isMac ? [programMenu(menu)] : []),
    { label: menu.file, submenu: file },
    { label: menu.edit, submenu: edit },
    { label: menu.view, submenu: view },
    { role: 'window', label: menu.window, submenu: window },
    { role: 'help', label: menu.help, submenu: help },
  ]);
}

function programMenu(menu: HostTexts['menu']): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about', label: menu.about },
      { type: 'separator' },
      { role: 'services', label: menu.services },
      { type: 'separator' },
      { role: 'hide', label: menu.hide },
      { role: 'hideOthers', label: menu.hideOthers },
      { role: 'unhide', label: menu.showAll },
      { type: 'separator' },
      { role: 'quit', label: menu.quit },
    ],
  };
}
