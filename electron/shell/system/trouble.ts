import { app, dialog } from 'electron';
import type { Log } from '../../core/foundation/ports.ts';
import { traceOf } from '../../core/foundation/unexpected.ts';
import type { CrashRecords } from './crash-records.ts';
import type { Texts } from './desktop-texts.ts';

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
