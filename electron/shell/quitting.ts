import { app } from 'electron';
import type { Log } from '../core/foundation/ports.ts';

/** What the core may take to break off transfers, write the ledger and close the database. */
const patienceMs = 8_000;

/**
 * Lets `close` end before the program does, but never waits longer than eight seconds: a ledger written before the first
 * byte leaves makes even a hard end safe, a program that does not go away makes people kill it.
 */
export function quitAfter(close: () => Promise<void>, log: Log): void {
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
