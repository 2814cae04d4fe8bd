import { setTimeout as pause } from 'node:timers/promises';

/** What a piece of work cost the process. */
export interface Figures {
  readonly ms: number;
  /** Growth of the resident memory, at its highest. */
  readonly memoryMb: number;
  /** Longest turn of the event loop, in time of the processor: time in which other programs ran does not count. */
  readonly blockMs: number;
}

const everyMs = 4;

/** Runs `work` and measures the process meanwhile. With `--expose-gc` earlier garbage does not count. */
export async function measured<T>(work: () => Promise<T>): Promise<Figures & { readonly value: T }> {
  (globalThis as { gc?: () => void }).gc?.();
  await pause(everyMs * 2);
  const before = process.memoryUsage.rss();
  let [most, block] = [before, 0];
  let [wall, cpu] = [performance.now(), threadMs()];
  const sample = () => {
    const [nowWall, nowCpu] = [performance.now(), threadMs()];
    block = Math.max(block, Math.min(nowWall - wall, nowCpu - cpu));
    [wall, cpu] = [nowWall, nowCpu];
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, everyMs);
  const since = performance.now();
  try {
    const value = await work();
    const ms = performance.now() - since;
    await pause(everyMs * 2);
    sample();
    return { value, ms, memoryMb: (most - before) / 1024 ** 2, blockMs: block };
  } finally {
    clearInterval(timer);
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
