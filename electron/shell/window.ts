import {
  app,
  BrowserWindow,
  dialog,
  Menu,
  type MenuItemConstructorOptions,
  nativeTheme,
  type Session,
  screen,
} from 'electron';
import type { Texts } from './system/desktop-texts.ts';
import { pageOrigin, pageUrl } from './trusted-url.ts';
import { readWindowState, smallestWindow, visibleOn, writeWindowState } from './window-state.ts';

/** The background colours of renderer/styles, so that nothing flashes before the page is drawn. */
const paper = { light: '#fbfaf7', dark: '#16181d' } as const;

export interface WindowParts {
  readonly session: Session;
  /** Absolute path of the preload file. */
  readonly preload: string;
  /** Path of the file for position and size. */
  readonly stateFile: string;
  /** Absolute path of a PNG; only Linux needs it. */
  readonly icon: string;
  /** Read each time a message is shown. */
  readonly texts: () => Texts;
  /** Resolves when the core is there and its preferences are applied. */
  readonly ready: Promise<void>;
}

/** Opens the only window at its last position, and shows it when it has something to show and can answer. */
export function openWindow(parts: WindowParts): BrowserWindow {
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const { maximized, ...place } = visibleOn(readWindowState(parts.stateFile), screens);
  const window = new BrowserWindow({
    ...place,
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    title: app.name,
    show: false,
    backgroundColor: paperNow(),
    ...(process.platform === 'linux' ? { icon: parts.icon } : {}),
    webPreferences: {
      session: parts.session,
      preload: parts.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      devTools: !app.isPackaged,
    },
  });
  // A page must not rename the window: people recognise real windows by the title.
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', async () => {
    await parts.ready;
    if (window.isDestroyed()) return;
    if (maximized) window.maximize();
    window.show();
  });
  window.on('close', () => {
    writeWindowState(parts.stateFile, { ...window.getNormalBounds(), maximized: window.isMaximized() });
  });
  const repaint = () => window.setBackgroundColor(paperNow());
  nativeTheme.on('updated', repaint);
  window.once('closed', () => nativeTheme.off('updated', repaint));
  offerContextMenu(window, parts.texts);
  comeBackAfterCrash(window);
  helpWhenUnresponsive(window, parts.texts);
  void window.loadURL(pageUrl);
  return window;
}

/** Resolves when the page has its first script, or loads no more: until then this process must be free to hand it over. */
export function scriptsAreThere({ webContents }: BrowserWindow): Promise<void> {
  const { webRequest } = webContents.session;
  return new Promise((resolve) => {
    webContents.once('did-stop-loading', () => resolve());
    webRequest.onCompleted({ urls: [`${pageOrigin}/*.js`] }, () => {
      webRequest.onCompleted(null);
      resolve();
    });
  });
}

/** Reloads a page that crashed, but not again and again: work in the core continues in either case. */
function comeBackAfterCrash(window: BrowserWindow): void {
  let last = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || performance.now() - last < 10_000) return;
    last = performance.now();
    void window.loadURL(pageUrl);
  });
}

/** A page that does not respond cannot even be closed: asks whether to wait, to load it again or to quit. The question goes if the page responds again. */
function helpWhenUnresponsive(window: BrowserWindow, texts: () => Texts): void {
  let question: AbortController | null = null;
  const withdraw = () => question?.abort();
  window.on('responsive', withdraw);
  window.once('closed', withdraw);
  window.on('unresponsive', async () => {
    if (question) return;
    question = new AbortController();
    const t = texts();
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: t('unresponsive.title'),
      detail: t('unresponsive.text'),
      buttons: [t('unresponsive.wait'), t('unresponsive.reload'), t('menu.quit')],
      defaultId: 0,
      cancelId: 0,
      signal: question.signal,
    });
    question = null;
    // The page of an ended process is loaded again (comeBackAfterCrash).
    if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
    if (response === 2) app.quit();
  });
}

/** Shows and focuses a window that a person asks for: by starting the program again, or in the dock. */
export function reveal(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function paperNow(): string {
  return nativeTheme.shouldUseDarkColors ? paper.dark : paper.light;
}

/** Opens the menu of a text field or of selected text by the right mouse button or the menu key: Electron has none of its own. */
function offerContextMenu(window: BrowserWindow, texts: () => Texts): void {
  window.webContents.on('context-menu', (_event, { editFlags, isEditable, selectionText, menuSourceType, x, y }) => {
    const t = texts();
    const copy: MenuItemConstructorOptions = { role: 'copy', label: t('menu.copy'), enabled: editFlags.canCopy };
    const selectAll: MenuItemConstructorOptions = {
      role: 'selectAll',
      label: t('menu.selectAll'),
      enabled: editFlags.canSelectAll,
    };
    const inField: readonly MenuItemConstructorOptions[] = [
      { role: 'undo', label: t('menu.undo'), enabled: editFlags.canUndo },
      { role: 'redo', label: t('menu.redo'), enabled: editFlags.canRedo },
      { type: 'separator' },
      { role: 'cut', label: t('menu.cut'), enabled: editFlags.canCut },
      copy,
      { role: 'paste', label: t('menu.paste'), enabled: editFlags.canPaste },
      { role: 'delete', label: t('menu.delete'), enabled: editFlags.canDelete },
      { type: 'separator' },
      selectAll,
    ];
    if (!isEditable && selectionText === '') return;
    const menu = Menu.buildFromTemplate(isEditable ? [...inField] : [copy]);
    // At the pointer, or where the keyboard's focus is.
    menu.popup(menuSourceType === 'keyboard' ? { window, x, y } : { window });
  });
}
