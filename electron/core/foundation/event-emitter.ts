import type { Bridge, EventName, EventValue } from '../../../contract/index.ts';
import type { Log } from './ports.ts';

/** Calls every listener with an event; never throws. */
export type Emit = <N extends EventName>(name: N, value: EventValue<N>) => void;

export interface Listeners {
  readonly emit: Emit;
  readonly onEvent: Bridge['onEvent'];
}

/** Delivers events to listeners. A listener that throws affects neither the others nor the emitter; the error is logged. */
export function createListeners(log: Log): Listeners {
  // Wrapped, so that the same function given twice is two listeners that are removed separately.
  const listeners = new Set<{ readonly notify: (name: string, value: unknown) => void }>();
  return {
    emit: (name, value) => {
      for (const listener of [...listeners]) {
        try {
          listener.notify(name, value);
        } catch (error) {
          log.error('a listener failed', { event: name, error: error instanceof Error ? error.name : typeof error });
        }
      }
    },
    onEvent: (notify) => {
      const listener = { notify };
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
