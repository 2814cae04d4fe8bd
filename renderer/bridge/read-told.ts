import type { EventName, EventValue } from '../../contract/index.ts';
import { listen } from './client.ts';

/** What each event changes in an answer. */
type Told<T> = { readonly [N in EventName]?: (answer: T, value: EventValue<N>) => T };

/** Reads what events bring, too: those that come while the answer is under way are newer than it, and are put into it. */
export async function readTold<T>(read: () => Promise<T>, told: Told<T>): Promise<T> {
  const changes: ((answer: T) => T)[] = [];
  const follow = <N extends EventName>(name: N, put: Told<T>[N]) =>
    listen(name, (value) => put && changes.push((answer) => put(answer, value)));
  const stops = (Object.keys(told) as (keyof Told<T>)[]).map((name) => follow(name, told[name]));
  try {
    const answer: T = await read();
    return changes.reduce<T>((before, change) => change(before), answer);
  } finally {
    for (const stop of stops) stop();
  }
}
