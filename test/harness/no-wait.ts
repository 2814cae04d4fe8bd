import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The settings of somebody who wants requests sent at once: tests of other things do not wait for the countdown. `dataDir`: the core's folder, which may not exist yet; settings in it stay. */
export function sendAtOnce(dataDir: string): void {
  const path = join(dataDir, 'settings.json');
  if (existsSync(path)) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const settings = { version: 1, preferences: { requestWait: 0 } };
  writeFileSync(path, JSON.stringify(settings), { mode: 0o600 });
}
