import type { CommandLine } from '../harness/command-line.ts';
import type { Behaviour } from './behaviour.ts';
import { openBench, type Result } from './run-behaviour.ts';

/** Behaviours at the same time, each with a core and a home of its own: most of their time is waiting. A lane costs as much at its start as ten of them. */
const [mostLanes, fewestInLane] = [4, 10];

/** Runs the behaviours and returns their results in the same order. */
export async function runAll(
  cli: CommandLine,
  behaviours: readonly Behaviour[],
  onResult: (result: Result, done: number) => void = () => undefined,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  let done = 0;
  const work = async () => {
    const own = cli.inAnotherHome();
    const bench = await openBench(own, behaviours);
    for (let at = next++; at < behaviours.length; at = next++) {
      const result = await bench.run(behaviours[at] as Behaviour);
      results[at] = result;
      onResult(result, ++done);
    }
    await bench.close();
    own.remove();
  };
  const lanes = Math.min(mostLanes, Math.ceil(behaviours.length / fewestInLane));
  await Promise.all(Array.from({ length: lanes }, work));
  return results;
}
