import { failureOf } from '../../electron/core/foundation/app-error.ts';
import { fuzzCall, fuzzSettings, fuzzTable, fuzzWsdl } from './inputs.ts';
import { type Random, randomOf } from './random.ts';
import { fuzzReply } from './replies.ts';

/** Kinds of cases with their share. */
const kinds: Readonly<Record<string, { readonly share: number; readonly run: (random: Random) => unknown }>> = {
  reply: { share: 50, run: fuzzReply },
  call: { share: 20, run: fuzzCall },
  wsdl: { share: 12, run: fuzzWsdl },
  table: { share: 10, run: fuzzTable },
  settings: { share: 8, run: fuzzSettings },
};
const wheel = Object.entries(kinds).flatMap(([name, { share }]) => Array.from({ length: share }, () => name));

/** A case that takes longer hangs, in time of the processor: it has a few kilobytes. */
const longestMs = 5_000;

export interface Fuzzed {
  /** Cases by kind, and by what came of them. */
  readonly counts: Readonly<Record<string, number>>;
  /** Cases that ended in anything but success or a known failure. Each can be run alone by its seed. */
  readonly wrong: readonly string[];
}

/** Runs `cases` cases; case N of a seed is the same whatever came before. */
export async function fuzz(
  seed: number,
  cases: number,
  onCase: (done: number) => void = () => undefined,
): Promise<Fuzzed> {
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  for (let at = 0; at < cases; at++) {
    const random = randomOf(Math.imul(seed + at, 0x9e3779b1));
    const kind = random.one(wheel);
    const outcome = await outcomeOf(() => kinds[kind]?.run(random));
    const key = `${kind}: ${outcome.text}`;
    counts[key] = (counts[key] ?? 0) + 1;
    if (outcome.isWrong) wrong.push(`seed ${seed + at}, ${key}`);
    onCase(at + 1);
  }
  return { counts, wrong };
}

async function outcomeOf(work: () => unknown): Promise<{ readonly text: string; readonly isWrong: boolean }> {
  const since = process.cpuUsage();
  try {
    await work();
    const { user } = process.cpuUsage(since);
    return user / 1000 > longestMs ? { text: `took ${user / 1000} ms`, isWrong: true } : { text: 'ok', isWrong: false };
  } catch (error) {
    const failure = failureOf(error);
    if (failure && failure.code !== 'bug') return { text: failure.code, isWrong: false };
    return { text: error instanceof Error ? (error.stack ?? error.message) : String(error), isWrong: true };
  }
}
