import type { Bridge, EventName, EventValue } from '../../../contract/index.ts';
import type { Log } from './ports.ts';

/** Tells every listener; never throws. */
export type Emit = <N extends EventName>(name: N, value: EventValue<N>) => void;

export interface Listeners {
  readonly emit: Emit;
  readonly onEvent: Bridge['onEvent'];
}

/** Events to many listeners. One that fails harms neither the others nor the work that told it. */
export function createListeners(log: Log): Listeners {
  // Wrapped, so that the same function given twice is two listeners with two ends.
  const listeners = new Set<{ readonly tell: (name: string, value: unknown) => void }>();
  return {
    emit: (name, value) => {
      for (const listener of [...listeners]) {
        try {
          listener.tell(name, value);
        } catch (error) {
          log.error('a listener failed', { event: name, error: error instanceof Error ? error.name : typeof error });
        }
      }
    },
    onEvent: (tell) => {
      const listener = { tell };
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
