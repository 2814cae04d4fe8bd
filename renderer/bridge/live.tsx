import { createContext, type ReactNode, use, useEffect, useMemo, useReducer, useState } from 'react';
import type { AppInfo } from '../../contract/app.ts';
import type { Connection, ConnectionsState } from '../../contract/connections.ts';
import type { Download } from '../../contract/documents.ts';
import type { Failure } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';
import { ask, listen } from './client.ts';

/** State that the core owns: read once, then told whole. */
export interface Live {
  readonly info: AppInfo;
  readonly connections: ConnectionsState;
  /** By download ID, in the order they were started. */
  readonly downloads: ReadonlyMap<string, Download>;
  /** Every file that came from outside the window so far, in order. */
  readonly arrived: readonly FileToken[];
}

const LiveContext = createContext<Live | null>(null);

/** Reads the core's state, subscribing first so that no change is missed, and shows its children once it is there. */
export function LiveProvider(props: {
  readonly children: ReactNode;
  readonly waiting: ReactNode;
  readonly failed: (failure: Failure, again: () => void) => ReactNode;
}) {
  const [info, setInfo] = useState<AppInfo | null>(null);
  const [connections, setConnections] = useState<ConnectionsState | null>(null);
  const [downloads, addDownload] = useReducer(withDownload, new Map<string, Download>());
  const [arrived, addArrived] = useReducer(withArrived, []);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` starts it all again
  useEffect(() => {
    const stops = [
      listen('app.changed', setInfo),
      listen('connections.changed', setConnections),
      listen('documents.downloadProgressed', addDownload),
      // The desktop hands over what came with the command line as soon as anyone listens: here, not in a screen.
      listen('files.arrived', addArrived),
    ];
    void readAll();
    return () => {
      for (const stop of stops) stop();
    };

    async function readAll() {
      const [app, book] = await Promise.all([ask('app.info', {}), ask('connections.state', {})]);
      const failed = [app, book].find((envelope) => !envelope.ok);
      if (failed && !failed.ok) return setFailure(failed.failure);
      if (app.ok) setInfo(app.value);
      if (book.ok) setConnections(book.value);
    }
  }, [attempt]);

  const live = useMemo<Live | null>(
    () => (info && connections ? { info, connections, downloads, arrived } : null),
    [info, connections, downloads, arrived],
  );

  if (failure) {
    return props.failed(failure, () => {
      setFailure(null);
      setAttempt((n) => n + 1);
    });
  }
  return live ? <LiveContext value={live}>{props.children}</LiveContext> : props.waiting;
}

function withDownload(all: ReadonlyMap<string, Download>, one: Download): Map<string, Download> {
  return new Map(all).set(one.downloadId, one);
}

function withArrived(all: readonly FileToken[], more: readonly FileToken[]): readonly FileToken[] {
  return [...all, ...more];
}

/** The core's state. Only below LiveProvider. */
export function useLive(): Live {
  const live = use(LiveContext);
  if (!live) throw new Error('useLive outside LiveProvider');
  return live;
}

/** The connection that new work goes to. There is always one: the practice connection cannot be removed. */
export function useCurrentConnection(): Connection {
  const { connections } = useLive();
  const current =
    connections.connections.find((connection) => connection.id === connections.currentId) ?? connections.connections[0];
  if (!current) throw new Error('the core told of no connection');
  return current;
}

/** A connection by its ID, also one that was removed meanwhile (null). */
export function useConnection(id: string): Connection | null {
  return useLive().connections.connections.find((connection) => connection.id === id) ?? null;
}
