import type { ElectronApplication } from 'playwright-core';
import { mainThreadClock, watchTurns } from '../test/harness/processor-time.ts';

/** How long a process was blocked, in ms. */
export interface Blocks {
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
  /** So many longer than a frame at 60 a second, and longer than three. */
  readonly over16: number;
  readonly over50: number;
}

/**
 * Measures blocks of the event loop in the calling process: the delays of a one-millisecond timer. Self-contained, so that its source text can also run
 * in another process.
 */
export function watchLoop(): () => Blocks {
  const late: number[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - last - 1));
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    late.push(Math.max(0, performance.now() - last - 1));
    late.sort((a, b) => a - b);
    const at = (share: number) => late[Math.min(late.length - 1, Math.floor(late.length * share))] ?? Number.NaN;
    const over = (ms: number) => late.filter((each) => each > ms).length;
    return { p50: at(0.5), p95: at(0.95), longest: at(1), over16: over(16), over50: over(50) };
  };
}

/** Blocks of the program's main process by the clock, and the milliseconds that the longest turn of its loop computed, without waiting for a processor. */
export interface MainBlocks {
  readonly blocks: Blocks;
  readonly longestTurnMs: number;
}

/** Measures blocks of the program's main process. */
export async function watchMain(app: ElectronApplication): Promise<() => Promise<MainBlocks>> {
  await app.evaluate((_electron, text) => {
    Object.assign(globalThis, { stopWatching: (new Function(`return ${text}`) as () => () => MainBlocks)()() });
  }, `() => { const [blocks, turns] = [(${watchLoop})(), (${watchTurns})((${mainThreadClock})())]; return () => ({ blocks: blocks(), longestTurnMs: turns() }); }`);
  return () => app.evaluate(() => (globalThis as unknown as { stopWatching: () => MainBlocks }).stopWatching());
}

export function blocksText({ p50, p95, longest, over16, over50 }: Blocks): string {
  const ms = (value: number) => value.toFixed(1);
  return `${ms(p50)} / ${ms(p95)} / ${ms(longest)} (${over16} > 16, ${over50} > 50)`;
}
