import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { replaceFileSync } from '../core/files/atomic-write.ts';

/** Positions and sizes in device-independent pixels. */
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

/** Reads the window's last position; if the file is missing or damaged, the default position, never an error. */
export function readWindowState(file: string): WindowState {
  try {
    return windowState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return firstWindow;
  }
}

/**
 * Writes the window's position. Called while the window closes, so it is synchronous and never throws: a lost
 * position does no harm.
 */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFileSync(file, JSON.stringify(state));
  } catch {
    // A lost position does no harm.
  }
}

/** Drops the position if no screen shows enough of the window to move it (after a monitor was unplugged). */
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
