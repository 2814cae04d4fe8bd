/** Milliseconds of processors that the work takes in this process: unlike the time that passes, other programs hardly change them. */
export async function processorMs(work: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/** The least of several tries, because other work on the machine only ever makes one slower. */
export async function leastProcessorMs(tries: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let one = 0; one < tries; one += 1) least = Math.min(least, await processorMs(work));
  return least;
}

/** The most milliseconds of processors between two turns of the event loop while the work goes on. */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let last = process.cpuUsage();
  let longest = 0;
  const look = () => {
    const { user, system } = process.cpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.cpuUsage();
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return longest;
}
