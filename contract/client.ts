import type { Envelope } from './failure.ts';
import type { Ask, Bridge, EventName, EventValue } from './index.ts';

/** Typed subscription to one event; answers the function that stops it. */
export type Listen = <N extends EventName>(name: N, listener: (value: EventValue<N>) => void) => () => void;

/**
 * The typed face of a bridge, derived from the contract. Never rejects: a wire that breaks (a window closing, a
 * host that is gone) is answered as a failure too.
 */
export function askWith(bridge: Bridge): Ask {
  return async <T>(name: string, input: unknown): Promise<Envelope<T>> => {
    try {
      return (await bridge.call(name, input)) as Envelope<T>;
    } catch {
      return { ok: false, failure: { code: 'bug', note: `the bridge broke during ${name}`, retryable: false } };
    }
  };
}

/** Typed listening to one event of a bridge. */
export function listenWith(bridge: Bridge): Listen {
  return (name, listener) =>
    bridge.onEvent((told, value) => {
      if (told === name) listener(value as Parameters<typeof listener>[0]);
    });
}
