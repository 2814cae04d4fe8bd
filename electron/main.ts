import './shell/disable-debug.ts';

import { join } from 'node:path';
import { app, type BrowserWindow, Menu } from 'electron';
import { startPractice } from '../practice/practice-service.ts';
import type { Core } from './core/core.ts';
import { createCore } from './core/create-core.ts';
import type { Ports } from './core/foundation/ports.ts';
import { dataDirIn, programDir } from './host-kit/data-dir.ts';
import { createKeychain } from './host-kit/keychain.ts';
import { forwardEvents, registerIpc } from './shell/ipc.ts';
import { claimSingleInstance } from './shell/launch-files.ts';
import { lockDownApp, lockedSession } from './shell/lockdown.ts';
import { applicationMenu } from './shell/menu.ts';
import { quitAfter } from './shell/quitting.ts';
import { createDesktop } from './shell/system/desktop.ts';
import { createDesktopTexts, type DesktopTexts, systemLanguages } from './shell/system/desktop-texts.ts';
import { cannotStart, createDialogs } from './shell/system/dialogs.ts';
import { askAboutLedger } from './shell/system/ledger-questions.ts';
import { createLogFile } from './shell/system/log-file.ts';
import { createNetwork } from './shell/system/network.ts';
import { createNotifications } from './shell/system/notifications.ts';
import { followPreferences } from './shell/system/preferences.ts';
import { watchForTrouble } from './shell/system/trouble.ts';
import { showProgressOn } from './shell/system/work-progress.ts';
import { openWindow, reveal } from './shell/window.ts';

// Composition root of the desktop app: steps before the app is ready, paths, ports, core, IPC, window.
lockDownApp();
if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', programDir());

let window: BrowserWindow | null = null;
const arrivals = claimSingleInstance(() => window && reveal(window));
if (arrivals === null) app.exit(0);
else void main().catch(giveUp);

/** The texts are loaded while Electron starts. */
async function main(): Promise<void> {
  const [texts] = await Promise.all([createDesktopTexts(), app.whenReady()]);
  await start(texts).catch((error: unknown) => cannotStart(error, texts.current()));
}

/** Ends the program if the texts could not be loaded: without them no dialog can be shown. */
function giveUp(error: unknown): void {
  console.error(error);
  app.exit(1);
}

async function start(desktopTexts: DesktopTexts): Promise<void> {
  const texts = desktopTexts.current;
  const home = app.getPath('userData');
  const program = app.getAppPath();
  const assetsDir = app.isPackaged ? join(process.resourcesPath, 'assets') : join(program, 'assets');
  const logFile = join(home, 'logs', 'sealdesk.log');

  const log = createLogFile(logFile);
  watchForTrouble(log, texts);
  const folders = { page: join(program, 'dist', 'renderer'), viewer: join(program, 'dist', 'viewer') };
  // The core is there before any page can ask for bytes.
  const session = lockedSession(folders, (token) => core.previewedFile(token));
  const dialogs = createDialogs(() => window, texts);
  const desktop = createDesktop();
  const ports: Ports = {
    host: 'desktop',
    version: __VERSION__,
    dataDir: dataDirIn(home),
    assetsDir,
    keychain: createKeychain(),
    dialogs,
    desktop,
    notifications: createNotifications(() => (window ? reveal(window) : show())),
    network: createNetwork(session),
    systemLanguages,
    practice: { start: (dataDir) => startPractice({ dataDir, assetsDir }) },
    log,
  };
  const core = await createCore(ports, { ask: askAboutLedger(texts) });

  const endTransfers = registerIpc(core, log, () => {
    arrivals?.connect((paths) => void core.arrive(paths));
  });
  const show = () => {
    window = openWindow({
      session,
      preload: join(program, 'dist', 'preload', 'preload.cjs'),
      stateFile: join(home, 'window.json'),
      icon: join(assetsDir, 'icons', 'sealdesk.png'),
      texts,
    });
    const stopEvents = forwardEvents(core, window.webContents);
    const stopProgress = showProgressOn(window, core);
    window.once('closed', () => {
      stopEvents();
      stopProgress();
      endTransfers();
      window = null;
    });
  };
  await installMenu(core, desktopTexts, { dialogs, desktop, logFile });
  quitAfter(() => core.close(), log);
  app.on('window-all-closed', () => process.platform === 'darwin' || app.quit());
  app.on('activate', () => (window ? reveal(window) : show()));
  show();
}

/** Sets the application menu in the language of the preferences, now and after each change. */
async function installMenu(
  core: Core,
  desktopTexts: DesktopTexts,
  { dialogs, desktop, logFile }: Pick<Ports, 'dialogs' | 'desktop'> & { readonly logFile: string },
): Promise<void> {
  const pick = async (kind: 'documents' | 'folder') => {
    const paths = await dialogs.chooseFiles(kind);
    if (paths) await core.arrive(paths);
  };
  const actions = {
    openFiles: () => void pick('documents'),
    openFolder: () => void pick('folder'),
    showLog: () => void desktop.showInFolder(logFile),
  };
  await followPreferences(core, async ({ language }) => {
    if (await desktopTexts.apply(language)) Menu.setApplicationMenu(applicationMenu(actions, desktopTexts.current()));
  });
}
