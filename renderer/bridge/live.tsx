import { createContext, type ReactNode, use, useEffect, useMemo, useReducer, useState } from 'react';
import type { AppInfo } from '../../contract/app.ts';
import type { Connection, ConnectionsState } from '../../contract/connections.ts';
import type { Download } from '../../contract/documents.ts';
import type { Failure } from '../../contract/failure.ts';
import type { FileToken } from '../../contract/files.ts';
import { type ActivityView, noActivity, withActivity } from './activity-view.ts';
import { ask, listen } from './door.ts';

/** State that the core owns: read once, then told whole. */
export interface Live {
  readonly info: AppInfo;
  readonly connections: ConnectionsState;
  readonly activity: ActivityView;
  /** By download ID, in the order they were started. */
  readonly downloads: ReadonlyMap<string, Download>;
  /** Every file that came from outside the window so far, in order. */
  readonly arrived: readonly FileToken[];
  /** Takes jobs off the list that the core was told to dismiss: it does not tell what is gone. */
  readonly forgetJobs: (ids: readonly string[]) => void;
  readonly loadOlderJobs: () => Promise<void>;
}

const LiveContext = createContext<Live | null>(null);
const jobsPerRead = 500;

/** Reads the core's state, subscribing first so that no change is missed, and shows its children once it is there. */
export function LiveProvider(props: {
  readonly children: ReactNode;
  readonly waiting: ReactNode;
  readonly failed: (failure: Failure, again: () => void) => ReactNode;
}) {
  const [info, setInfo] = useState<AppInfo | null>(null);
  const [connections, setConnections] = useState<ConnectionsState | null>(null);
  const [activity, tellActivity] = useReducer(withActivity, noActivity);
  const [downloads, addDownload] = useReducer(withDownload, new Map<string, Download>());
  const [arrived, addArrived] = useReducer(withArrived, []);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` starts it all again
  useEffect(() => {
    const stops = [
      listen('app.changed', setInfo),
      listen('connections.changed', setConnections),
      listen('activity.changed', (value) => tellActivity({ kind: 'changed', ...value, at: performance.now() })),
      listen('documents.downloadProgressed', addDownload),
      // The desktop hands over what came with the command line as soon as anyone listens: here, not in a screen.
      listen('files.arrived', addArrived),
    ];
    void readAll();
    return () => {
      for (const stop of stops) stop();
    };

    async function readAll() {
      const [app, book, jobs] = await Promise.all([
        ask('app.info', {}),
        ask('connections.state', {}),
        ask('activity.list', { limit: jobsPerRead }),
      ]);
      const failed = [app, book, jobs].find((envelope) => !envelope.ok);
      if (failed && !failed.ok) return setFailure(failed.failure);
      if (app.ok) setInfo(app.value);
      if (book.ok) setConnections(book.value);
      if (jobs.ok) tellActivity({ kind: 'read', ...jobs.value });
    }
  }, [attempt]);

  const live = useMemo<Live | null>(
    () =>
      info && connections
        ? {
            info,
            connections,
            activity,
            downloads,
            arrived,
            forgetJobs: (ids) => tellActivity({ kind: 'forgotten', ids }),
            loadOlderJobs: async () => {
              const older = await ask('activity.list', { offset: activity.jobs.size, limit: jobsPerRead });
              if (older.ok) tellActivity({ kind: 'read', ...older.value });
            },
          }
        : null,
    [info, connections, activity, downloads, arrived],
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
