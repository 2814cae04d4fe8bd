import { createContext, type ReactNode, use, useEffect, useMemo, useReducer } from 'react';
import type { BulkDownload, StatusRefresh } from '../../contract/documents.ts';
import { listen } from '../bridge/client.ts';

/** Long work about documents, of this session: it stays on show while somebody looks at other screens. */
interface Transfers {
  /** By bulk ID, in the order they were started. */
  readonly bulks: ReadonlyMap<string, BulkDownload>;
  /** The latest of each connection. */
  readonly refreshes: ReadonlyMap<string, StatusRefresh>;
  readonly tellBulk: (bulk: BulkDownload) => void;
  readonly tellRefresh: (refresh: StatusRefresh) => void;
  readonly dismiss: (id: string) => void;
}

type Told =
  | { readonly kind: 'bulk'; readonly bulk: BulkDownload }
  | { readonly kind: 'refresh'; readonly refresh: StatusRefresh }
  | { readonly kind: 'dismissed'; readonly id: string };

const TransfersContext = createContext<Transfers | null>(null);
const nothing: Pick<Transfers, 'bulks' | 'refreshes'> = { bulks: new Map(), refreshes: new Map() };

/** Follows bulk downloads and status refreshes. */
export function TransfersProvider(props: { readonly children: ReactNode }) {
  const [state, tell] = useReducer(withTold, nothing);
  useEffect(() => {
    const stops = [
      listen('documents.bulkDownloadProgressed', (bulk) => tell({ kind: 'bulk', bulk })),
      listen('documents.statusesRefreshed', (refresh) => tell({ kind: 'refresh', refresh })),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const transfers = useMemo<Transfers>(
    () => ({
      ...state,
      tellBulk: (bulk) => tell({ kind: 'bulk', bulk }),
      tellRefresh: (refresh) => tell({ kind: 'refresh', refresh }),
      dismiss: (id) => tell({ kind: 'dismissed', id }),
    }),
    [state],
  );
  return <TransfersContext value={transfers}>{props.children}</TransfersContext>;
}

/** An answer to the starting call never overwrites what an event said meanwhile: it is told only where nothing was told yet. */
function withTold(state: typeof nothing, told: Told): typeof nothing {
  if (told.kind === 'bulk') {
    const known = state.bulks.get(told.bulk.bulkId);
    if (known && known.state !== 'running' && told.bulk.state === 'running') return state;
    return { ...state, bulks: new Map(state.bulks).set(told.bulk.bulkId, told.bulk) };
  }
  if (told.kind === 'refresh') {
    const { refresh } = told;
    const known = state.refreshes.get(refresh.connectionId);
    if (known?.refreshId === refresh.refreshId && known.state !== 'running' && refresh.state === 'running')
      return state;
    return { ...state, refreshes: new Map(state.refreshes).set(refresh.connectionId, refresh) };
  }
  return {
    bulks: new Map([...state.bulks].filter(([id]) => id !== told.id)),
    refreshes: new Map([...state.refreshes].filter(([, { refreshId }]) => refreshId !== told.id)),
  };
}

/** Only below TransfersProvider. */
export function useTransfers(): Transfers {
  const transfers = use(TransfersContext);
  if (!transfers) throw new Error('useTransfers outside TransfersProvider');
  return transfers;
}
