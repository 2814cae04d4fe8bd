import './shell/disable-debug.ts';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { app, type BrowserWindow, Menu } from 'electron';
import type { HelpTopic } from '../contract/app.ts';
import { directionOf } from '../contract/languages.ts';
import type { MenuShortcut } from '../contract/shortcuts.ts';
import { languageFor } from '../locales/choose-language.ts';
import type { Core } from './core/core.ts';
import type { Ports } from './core/foundation/ports.ts';
import { dataDirIn, installationOf, programDir, programFolder } from './host-kit/data-dir.ts';
import { createKeychain } from './host-kit/keychain.ts';
import { createLogFile } from './host-kit/log-file.ts';
import { systemPolicy } from './host-kit/system-policy.ts';
import { forwardEvents, publishTo, registerIpc } from './shell/ipc.ts';
import { claimSingleInstance } from './shell/launch-files.ts';
import { lockDownApp, lockedSession } from './shell/lockdown.ts';
import { applicationMenu, type MenuActions } from './shell/menu.ts';
import { quitAfter } from './shell/quitting.ts';
import { createDesktop, createNetwork, followPreferences } from './shell/system/desktop.ts';
import { createDesktopTexts, type DesktopTexts, systemLanguages, type Texts } from './shell/system/desktop-texts.ts';
import { cannotStart, createDialogs } from './shell/system/dialogs.ts';
import { askAboutLedger } from './shell/system/ledger-questions.ts';
import { createNotifications } from './shell/system/notifications.ts';
import { findTray } from './shell/system/session-bus.ts';
import { keepCrashDumps, watchCrashes, watchForTrouble } from './shell/system/watch-crashes.ts';
import { showProgressOn } from './shell/system/work-progress.ts';
import { createTray, type ProgramTray } from './shell/tray.ts';
import { openWindow, reveal, scriptsAreThere } from './shell/window.ts';

// Composition root of the desktop app: steps before the app is ready, paths, ports, core, IPC, window.
lockDownApp();
// Windows joins windows, notifications and pinned icons of a program by it; the same as appId in electron-builder.yml.
app.setAppUserModelId('org.sealdesk.desktop');
// The Linux packages leave out the engine's software for 3D, which no page here uses: a computer without a graphics card starts faster so, and takes less memory.
if (process.platform === 'linux') app.commandLine.appendSwitch('disable-software-rasterizer');
if (!app.commandLine.hasSwitch('user-data-dir')) app.setPath('userData', programDir());
keepCrashDumps();

let window: BrowserWindow | null = null;
/** Shows the window, which the tray may have outlived; nothing before there is a core. */
let open = (): void => undefined;
const arrivals = claimSingleInstance(() => open());
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
  const icon = join(assetsDir, 'icons', 'sealdesk.png');
  const logFile = join(home, 'logs', 'sealdesk.log');
  const log = createLogFile(logFile);
  const crashes = watchCrashes(log);
  watchForTrouble(log, texts, crashes);
  const folders = { page: join(program, 'dist', 'renderer'), viewer: join(program, 'dist', 'viewer') };
  const session = await lockedSession(folders, async (token) => (await opening).previewedFile(token));
  const dialogs = createDialogs(() => window, texts);
  const desktop = createDesktop();
  const begun = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  // Asks another program: nothing waits for it, and to start that one holds up this process, which the first screen waits for.
  const hasTray = ready.promise.then(() => sleep(1_000)).then(() => findTray());
  const given = { crashes, dialogs, desktop, log, logFile, assetsDir, hasTray };
  const opening = openCore(begun.promise, given, texts);

  // A topic that was chosen while there was no window (macOS): the next one opens it.
  let wantedHelp: HelpTopic | null = null;
  const endTransfers = registerIpc(opening, log, (page, core) => {
    arrivals?.connect((paths) => void core.arrive(paths));
    if (wantedHelp) publishTo(page, 'app.helpWanted', { topic: wantedHelp });
    wantedHelp = null;
  });
  const show = () => {
    const shown = openWindow({
      session,
      preload: join(program, 'dist', 'preload', 'preload.cjs'),
      stateFile: join(home, 'window.json'),
      icon,
      texts,
      ready: ready.promise,
    });
    window = shown;
    void scriptsAreThere(shown).then(begun.resolve);
    // Where the core is not opened, that is said below.
    const following = opening.then(
      (core) => (shown.isDestroyed() ? [] : [forwardEvents(core, shown.webContents), showProgressOn(shown, core)]),
      () => [],
    );
    shown.once('closed', async () => {
      endTransfers();
      arrivals?.disconnect();
      window = null;
      for (const stop of await following) stop();
    });
  };
  show();
  const core = await opening;
  open = () => (window ? reveal(window) : show());
  const tray = createTray(hasTray, { core, texts, icon, open });
  const openHelp = (topic: HelpTopic) => {
    if (window) publishTo(window.webContents, 'app.helpWanted', { topic });
    else wantedHelp = topic;
    open();
  };
  const act = (id: MenuShortcut) => {
    if (window) publishTo(window.webContents, 'app.shortcutWanted', { id });
    else show();
  };
  const showLog = () => void desktop.showInFolder(logFile);
  await applyPreferences(core, desktopTexts, tray, { dialogs, desktop, openHelp, act, showLog });
  quitAfter(() => core.close(), log);
  app.on(
    'window-all-closed',
    async () => process.platform === 'darwin' || (await tray.keepsRunning()) || window || app.quit(),
  );
  app.on('activate', open);
  ready.resolve();
}

/**
 * Loads the core, half of the program, and opens the data folder, from `begun` on: while the page is loaded by another process, and after this one has handed it
 * over. What the page asks waits for the core. Rejects as createCore.
 */
async function openCore(begun: Promise<void>, given: DesktopPorts, texts: () => Texts): Promise<Core> {
  // While the engine starts the page's process, which takes longer than this part of the core.
  await import('../contract/index.ts');
  await begun;
  const { createCore } = await import('./core/create-core.ts');
  return createCore(portsOf(given), { ask: askAboutLedger(texts) });
}

type DesktopPorts = Pick<Ports, 'crashes' | 'dialogs' | 'desktop' | 'log' | 'logFile' | 'assetsDir' | 'hasTray'>;

/** What the core needs of the desktop. */
function portsOf(given: DesktopPorts): Ports {
  const { assetsDir } = given;
  const home = app.getPath('userData');
  return {
    ...given,
    host: 'desktop',
    version: __VERSION__,
    installation: installationOf({
      platform: process.platform,
      isPackaged: app.isPackaged,
      env: process.env,
      program: app.getPath('exe'),
    }),
    // In development root starts it without, on purpose.
    isSandboxed: !(app.isPackaged && app.commandLine.hasSwitch('no-sandbox')),
    otherLogFiles: [join(dataDirIn(home), 'command-line.log')],
    dataDir: dataDirIn(home),
    licencesFile: join(app.getAppPath(), 'dist', 'licences.json'),
    keychain: createKeychain(),
    notifications: createNotifications(() => open()),
    network: createNetwork(),
    systemLanguages,
    // Loaded when it is first used.
    practice: {
      start: async (dataDir) => (await import('../practice/practice-service.ts')).startPractice({ dataDir, assetsDir }),
    },
    policy: systemPolicy(),
    updater: {
      program: process.env.APPIMAGE ?? null,
      folder: programFolder(process.platform, app.getPath('exe')),
      // Loaded only once a feed is set and looked into.
      open: async (source) => (await import('./shell/system/updater.ts')).openUpdater(source),
    },
  };
}

/** Sets the application menu and the tray in the language of the preferences, now and after each change. */
async function applyPreferences(
  core: Core,
  desktopTexts: DesktopTexts,
  tray: ProgramTray,
  { dialogs, desktop, ...rest }: Pick<Ports, 'dialogs' | 'desktop'> & Omit<MenuActions, 'openFiles' | 'openFolder'>,
): Promise<void> {
  const pick = async (kind: 'documents' | 'folder') => {
    const paths = await dialogs.chooseFiles(kind);
    if (paths) await core.arrive(paths);
  };
  const actions = {
    openFiles: () => void pick('documents'),
    openFolder: () => void pick('folder'),
    ...rest,
  };
  await followPreferences(core, async (preferences) => {
    if (!(await desktopTexts.apply(preferences.language))) return;
    const direction = directionOf(languageFor(preferences.language, systemLanguages()));
    Menu.setApplicationMenu(applicationMenu(actions, desktopTexts.current(), direction));
    tray.apply(preferences);
  });
}
