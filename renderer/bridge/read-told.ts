import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { EventName, EventValue } from '../../contract/index.ts';
import { listen } from './client.ts';

/** What each event changes in an answer. */
export type Told<T> = { readonly [N in EventName]?: (answer: T, value: EventValue<N>) => T };

/** Reads what events bring, too: those that come while the answer is under way are newer than it, and are put into it. */
export async function readTold<T>(read: () => Promise<T>, told: Told<T>): Promise<T> {
  const changes: ((answer: T) => T)[] = [];
  const stop = follow(told, (change) => changes.push(change));
  try {
    const answer: T = await read();
    return changes.reduce<T>((before, change) => change(before), answer);
  } finally {
    stop();
  }
}

/** Puts what events bring into everything that was read under a key. Returns the function that ends it. */
export function followTold<T>(client: QueryClient, queryKey: QueryKey, told: Told<T>): () => void {
  return follow(told, (change) => client.setQueriesData<T>({ queryKey }, (answer) => answer && change(answer)));
}

function follow<T>(told: Told<T>, onChange: (change: (answer: T) => T) => void): () => void {
  const followOne = <N extends EventName>(name: N, put: Told<T>[N]) =>
    listen(name, (value) => put && onChange((answer) => put(answer, value)));
  const stops = (Object.keys(told) as (keyof Told<T>)[]).map((name) => followOne(name, told[name]));
  return () => {
    for (const stop of stops) stop();
  };
}
