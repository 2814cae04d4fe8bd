import { createContext, type ReactNode, use, useEffect, useMemo, useReducer, useState } from 'react';
import type { AppInfo } from '../../contract/app.ts';
import type { Connection, ConnectionsState } from '../../contract/connections.ts';
import type { Failure } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';
import { ask, listen } from './client.ts';
import { readTold } from './read-told.ts';

/** State that the core owns: read once, then replaced by events. */
export interface Live {
  readonly info: AppInfo;
  readonly connections: ConnectionsState;
  /** All files that came from outside the window so far, in order. */
  readonly arrived: readonly FileToken[];
}

const LiveContext = createContext<Live | null>(null);

/** Reads the core's state, after subscribing so that no change is missed, and renders its children when the state is there. */
export function LiveProvider(props: {
  readonly children: ReactNode;
  readonly waiting: ReactNode;
  readonly failed: (failure: Failure, again: () => void) => ReactNode;
}) {
  const [info, setInfo] = useState<AppInfo | null>(null);
  const [connections, setConnections] = useState<ConnectionsState | null>(null);
  const [arrived, addArrived] = useReducer(
    (all: readonly FileToken[], more: readonly FileToken[]) => [...all, ...more],
    [],
  );
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` starts it all again
  useEffect(() => {
    const stops = [
      listen('app.changed', setInfo),
      listen('connections.changed', setConnections),
      // The desktop delivers the files of the command line to the first subscriber: this one, not a screen.
      listen('files.arrived', addArrived),
    ];
    void readAll();
    return () => {
      for (const stop of stops) stop();
    };

    async function readAll() {
      const [app, state] = await Promise.all([
        readTold(() => ask('app.info', {}), { 'app.changed': (_, value) => ({ ok: true as const, value }) }),
        readTold(() => ask('connections.state', {}), {
          'connections.changed': (_, value) => ({ ok: true as const, value }),
        }),
      ]);
      const failed = [app, state].find((envelope) => !envelope.ok);
      if (failed && !failed.ok) return setFailure(failed.failure);
      if (app.ok) setInfo(app.value);
      if (state.ok) setConnections(state.value);
    }
  }, [attempt]);

  const live = useMemo<Live | null>(
    () => (info && connections ? { info, connections, arrived } : null),
    [info, connections, arrived],
  );

  if (failure) {
    return props.failed(failure, () => {
      setFailure(null);
      setAttempt((n) => n + 1);
    });
  }
  return live ? <LiveContext value={live}>{props.children}</LiveContext> : props.waiting;
}

/** The core's state. Only below LiveProvider. */
export function useLive(): Live {
  const live = use(LiveContext);
  if (!live) throw new Error('useLive outside LiveProvider');
  return live;
}

/** The connection for new work. There is always one: the practice connection cannot be removed. */
export function useCurrentConnection(): Connection {
  const { connections } = useLive();
  const current =
    connections.connections.find((connection) => connection.id === connections.currentId) ?? connections.connections[0];
  if (!current) throw new Error('the core has no connection');
  return current;
}

/** A connection by its ID; null if it was removed in the meantime. */
export function useConnection(id: string): Connection | null {
  return useLive().connections.connections.find((connection) => connection.id === id) ?? null;
}
