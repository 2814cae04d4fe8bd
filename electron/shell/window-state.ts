import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

/** Places and sizes in device-independent pixels. */
const windowState = z.object({
  x: z.int().min(-100_000).max(100_000).optional(),
  y: z.int().min(-100_000).max(100_000).optional(),
  width: z.int().min(720).max(20_000),
  height: z.int().min(480).max(20_000),
  maximized: z.boolean(),
});
export type WindowState = z.output<typeof windowState>;

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const smallestWindow = { width: 720, height: 480 } as const;
const firstWindow: WindowState = { width: 1280, height: 800, maximized: false };

/** The place of last time; a missing or damaged file means the first place, never an error. */
export function readWindowState(file: string): WindowState {
  try {
    return windowState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return firstWindow;
  }
}

/** Called while the window closes, so at once and never throwing: a lost place is no harm. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // See above.
  }
}

/** Drops the place where no screen shows enough of the window to take hold of it (a monitor that was unplugged). */
export function visibleOn(state: WindowState, screens: readonly Area[]): WindowState {
  const { x, y, ...size } = state;
  if (x === undefined || y === undefined) return size;
  const grip = { x: x + 40, y: y + 10 };
  const shown = screens.some(
    (screen) =>
      grip.x >= screen.x &&
      grip.x + 80 <= screen.x + screen.width &&
      grip.y >= screen.y &&
      grip.y + 20 <= screen.y + screen.height,
  );
  return shown ? state : size;
}
