import type { ElectronApplication } from 'playwright-core';

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

/** Measures blocks of the program's main process. */
export async function watchMain(app: ElectronApplication): Promise<() => Promise<Blocks>> {
  await app.evaluate((_electron, text) => {
    const start = new Function(`return (${text})`)() as typeof watchLoop;
    Object.assign(globalThis, { stopWatching: start() });
  }, watchLoop.toString());
  return () => app.evaluate(() => (globalThis as unknown as { stopWatching: () => Blocks }).stopWatching());
}

export function blocksText({ p50, p95, longest, over16, over50 }: Blocks): string {
  const ms = (value: number) => value.toFixed(1);
  return `${ms(p50)} / ${ms(p95)} / ${ms(longest)} (${over16} > 16, ${over50} > 50)`;
}
