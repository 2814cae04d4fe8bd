import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The settings of somebody who wants requests sent at once: tests of other things do not wait for the countdown. `dataDir`: the core's folder, which may not exist yet. */
export function sendAtOnce(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const settings = { version: 1, preferences: { requestWait: 0 } };
  writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
}
