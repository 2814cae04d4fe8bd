import type { Envelope } from './failure.ts';
import type { Ask, Bridge, EventName, EventValue } from './index.ts';

/** Typed subscription to one event; returns the function that ends it. */
export type Listen = <N extends EventName>(name: N, listener: (value: EventValue<N>) => void) => () => void;

/**
 * The typed client of a bridge, derived from the contract. Never rejects: if the bridge breaks (a closing window, an ended host), the call answers a
 * failure.
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

/** Typed subscriptions to the events of a bridge. */
export function listenWith(bridge: Bridge): Listen {
  return (name, listener) =>
    bridge.onEvent((published, value) => {
      if (published === name) listener(value as Parameters<typeof listener>[0]);
    });
}
