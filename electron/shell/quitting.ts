import { app, BrowserWindow } from 'electron';
import type { Log } from '../core/foundation/ports.ts';

/** Time for the core to abort transfers, write the ledger and close the database. */
const patienceMs = 8_000;
/** Time for a window to close. A page that does not respond never allows it. */
const windowPatienceMs = 3_000;

/**
 * Waits for the windows and for `close` before the program ends, but at most eleven seconds. Even a hard end is safe, because the ledger
 * is written before the first byte leaves; a program that does not end makes people kill it.
 */
export function quitAfter(close: () => Promise<void>, log: Log): void {
  app.on('before-quit', () => {
    setTimeout(() => {
      for (const window of BrowserWindow.getAllWindows()) window.destroy();
    }, windowPatienceMs);
  });
  let closing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    const late = new Promise<void>((resolve) => setTimeout(resolve, patienceMs));
    const closed = close().catch((error: unknown) => {
      log.error('closing failed', { name: error instanceof Error ? error.name : typeof error });
    });
    void Promise.race([closed, late]).then(() => app.exit(0));
  });
}
