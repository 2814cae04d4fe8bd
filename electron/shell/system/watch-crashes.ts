import { arch, release } from 'node:os';
import { join } from 'node:path';
import { app, crashReporter, dialog, powerMonitor } from 'electron';
import type { Log } from '../../core/foundation/ports.ts';
import { traceOf } from '../../core/foundation/unexpected.ts';
import { boundDumps, type CrashRecords, openCrashRecords } from './crash-records.ts';
import type { Texts } from './desktop-texts.ts';

/** Where the browser engine writes memory images. */
const dumpFolder = () => join(app.getPath('userData'), 'crashes');

/**
 * Keeps memory images of processes that crash, on this computer only: there is no address that they could be sent to. Before the app is ready, so that
 * every process has a handler.
 */
export function keepCrashDumps(): void {
  app.setPath('crashDumps', dumpFolder());
  crashReporter.start({ uploadToServer: false, ignoreSystemCrashHandler: false });
}

/** Records what ends unexpectedly from now on, and logs the start and every end. */
export function watchCrashes(log: Log): CrashRecords {
  boundDumps(dumpFolder());
  const crashes = openCrashRecords(join(app.getPath('userData'), 'crashes.json'), dumpFolder());
  const { node, electron, chrome } = process.versions;
  const system = { platform: process.platform, release: release(), arch: arch() };
  log.info('started', { version: __VERSION__, ...system, node, electron, chrome, packaged: app.isPackaged });
  let isEnding = false;
  app.on('before-quit', () => {
    isEnding = true;
  });
  const gone = (part: string, reason: string, exitCode: number) => {
    log.error('a process ended', { part, reason, exitCode });
    if (reason !== 'clean-exit' && !isEnding) crashes.add(part, reason);
  };
  app.on('render-process-gone', (_event, _contents, { reason, exitCode }) => gone('window', reason, exitCode));
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    // The others start again by themselves, and a computer without a graphics card loses that process at each start.
    log.error('a process ended', { part: type, reason, exitCode });
  });
  const ended = () => crashes.ended();
  // Also after app.exit, but not after a kill or a crash of the whole program.
  process.on('exit', () => {
    log.info('ended');
    ended();
  });
  // The system may end the program without waiting for it.
  powerMonitor.on('shutdown', ended);
  app.on('browser-window-created', (_event, window) => {
    window.on('session-end', ended);
  });
  return crashes;
}

/**
 * Handles uncaught errors. Electron would show or print the error's own text, and texts of libraries may quote a
 * whole request, including credentials: only name and code places are logged. After an unhandled rejection the
 * program continues; after an uncaught error nothing in memory can be relied on, so the program ends (the ledger on
 * disk makes that safe).
 */
export function watchForTrouble(log: Log, texts: () => Texts, crashes: Pick<CrashRecords, 'add'>): void {
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', traceOf(error)));
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', traceOf(error));
    crashes.add('program', 'exception');
    const t = texts();
    dialog.showErrorBox(t('hasToEnd.title'), t('hasToEnd.text'));
    app.exit(1);
  });
}
