import { app, BrowserWindow, nativeTheme, type Session, screen } from 'electron';
import { pageUrl } from './trusted-url.ts';
import { readWindowState, smallestWindow, visibleOn, writeWindowState } from './window-state.ts';

/** The paper colours of renderer/styles, so that nothing flashes before the page has drawn. */
const paper = { light: '#fbfaf7', dark: '#16181d' } as const;

export interface WindowParts {
  readonly session: Session;
  /** Absolute path of the preload file. */
  readonly preload: string;
  /** Where place and size are kept. */
  readonly stateFile: string;
  /** Absolute path of a PNG; only Linux needs it. */
  readonly icon: string;
}

/** Opens the one window, at the place of last time, and shows it once it has something to show. */
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
  // A page that renames itself must not rename the window: people tell real windows by it.
  window.on('page-title-updated', (event) => event.preventDefault());
  window.once('ready-to-show', () => {
    if (maximized) window.maximize();
    window.show();
  });
  window.on('close', () => {
    writeWindowState(parts.stateFile, { ...window.getNormalBounds(), maximized: window.isMaximized() });
  });
  const repaint = () => window.setBackgroundColor(paperNow());
  nativeTheme.on('updated', repaint);
  window.once('closed', () => nativeTheme.off('updated', repaint));
  comeBackAfterCrash(window);
  void window.loadURL(pageUrl);
  return window;
}

/** A page that crashed is loaded again, but not over and over: work in the core goes on in either case. */
function comeBackAfterCrash(window: BrowserWindow): void {
  let last = 0;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || Date.now() - last < 10_000) return;
    last = Date.now();
    void window.loadURL(pageUrl);
  });
}

/** Brings a window back that a person looks for: started a second time, or clicked in the dock. */
export function reveal(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function paperNow(): string {
  return nativeTheme.shouldUseDarkColors ? paper.dark : paper.light;
}
