import { app, Menu, type MenuItemConstructorOptions } from 'electron';

export interface MenuActions {
  /** Opens the picker; what was chosen lands in the chooser. */
  openFiles(): void;
  openFolder(): void;
  showLog(): void;
}

/** The system's own roles where there is one, so that shortcuts and wording are what each system expects. */
export function applicationMenu(actions: MenuActions): Menu {
  const isMac = process.platform === 'darwin';
  const file: MenuItemConstructorOptions = {
    label: '&File',
    submenu: [
      { label: 'Open Files…', accelerator: 'CmdOrCtrl+O', click: actions.openFiles },
      { label: 'Open Folder…', accelerator: 'CmdOrCtrl+Shift+O', click: actions.openFolder },
      { type: 'separator' },
      isMac ? { role: 'close' } : { role: 'quit' },
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: '&View',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
      ...(app.isPackaged ? [] : ([{ role: 'reload' }, { role: 'toggleDevTools' }] as const)),
    ],
  };
  const help: MenuItemConstructorOptions = {
    role: 'help',
    submenu: [
      { label: 'Show Log File', click: actions.showLog },
      ...(isMac ? [] : ([{ type: 'separator' }, { role: 'about' }] as const)),
    ],
  };
  return Menu.buildFromTemplate([
    ...(isMac ? ([{ role: 'appMenu' }] as const) : []),
    file,
    { role: 'editMenu' },
    view,
    { role: 'windowMenu' },
    help,
  ]);
}
