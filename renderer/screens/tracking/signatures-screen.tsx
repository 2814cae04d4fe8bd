import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackingState } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useViews } from '../../features/saved-views.ts';
import { useTracking } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { Entries } from './entries.tsx';
import { EntryPanel } from './entry-panel.tsx';
import { ListsRail } from './lists-rail.tsx';
import { SentList } from './sent-list.tsx';
import css from './signatures.module.css';
import { StatusBoard } from './status-board.tsx';
import type { StatusFilter } from './status-text.ts';
import { type Shown, type TrackedView, usualColumns, usualFilter } from './tracked-view.ts';

interface StartAt {
  readonly entryId: string | null;
  readonly listType: number | null;
  readonly changedOnly: boolean;
  /** The original document of the one request to show, or the address of the person whose requests to show. */
  readonly request?: string | null;
  readonly person?: string | null;
  /** Requests that wait, until the day on which they were sent. */
  readonly open?: { readonly until: string | null } | null;
}

/** Lists and views at the side, entries, and the selected entry. `wanted`: an entry to open. */
export function SignaturesScreen(props: StartAt) {
  const { id } = useCurrentConnection();
  return <Signatures key={id} {...props} />;
}

function Signatures(props: StartAt) {
  const { t } = useTranslation();
  const connection = useCurrentConnection();
  const tracking = useTracking(connection.id);
  const kept = useViews('tracking');
  const { shown, view, viewId, chosen, movedTo, actions } = useShown(props);
  const state = tracking.data;
  useFirstReading(state);
  return (
    <div className={`${css.split} ${chosen && shown === 'entries' ? css.withPanel : ''}`}>
      <ListsRail
        state={state ?? null}
        shown={shown}
        view={view}
        viewId={viewId}
        kept={kept}
        onShow={actions.show}
        onView={actions.open}
        onSaved={actions.saved}
      />
      <div className={css.middle}>
        {tracking.error ? (
          <FailureView failure={tracking.error.failure}>
            <Button onPress={() => void tracking.refetch()}>{t('common.tryAgain')}</Button>
          </FailureView>
        ) : null}
        {shown === 'entries' && state ? (
          <Entries
            state={state}
            view={view}
            chosen={movedTo ?? chosen}
            onView={actions.change}
            onChoose={(entry: TrackedEntry) => actions.choose(entry.id)}
          />
        ) : null}
        {shown === 'sent' ? <SentList connectionId={connection.id} /> : null}
        {shown === 'board' ? <StatusBoard connectionId={connection.id} onShow={actions.openStatus} /> : null}
      </div>
      {chosen && shown === 'entries' ? (
        <EntryPanel
          key={chosen}
          connection={connection}
          entryId={chosen}
          onMoved={actions.moved}
          onFollow={actions.follow}
          onClose={() => actions.choose(null)}
        />
      ) : null}
    </div>
  );
}

/** Reads the lists of a connection when they are opened for the first time: nobody opens them to see nothing. */
function useFirstReading(state: TrackingState | undefined): void {
  const refresh = useCall('tracking.refresh');
  const isBegun = useRef(false);
  const { run } = refresh;
  useEffect(() => {
    if (!state || state.lists.length === 0 || isBegun.current) return;
    if (state.lists.some(({ asOf, isRefreshing, failure }) => asOf !== null || isRefreshing || failure !== null))
      return;
    isBegun.current = true;
    void run({ connectionId: state.connectionId });
  }, [state, run]);
}

/** What the screen shows, and the actions that change it. Without a requested entry or list it starts with the requests. */
function useShown({ entryId, listType, changedOnly, request = null, person = null, open = null }: StartAt) {
  const [shown, setShown] = useState<Shown>('entries');
  const [view, setView] = useState<TrackedView>({
    filter: {
      ...{ ...usualFilter, listType, changedOnly, origDocumentId: request, person: person ?? '' },
      ...(open ? { request: 'open', to: open.until } : {}),
    },
    columns: usualColumns,
    grouped: request !== null || (entryId === null && listType === null && !changedOnly),
  });
  const [viewId, setViewId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(entryId);
  // The panel stays the same while its entry moves to another list: focus and typed texts are kept.
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const choose = (id: string | null) => {
    setChosen(id);
    setMovedTo(null);
  };
  useEffect(() => {
    setChosen(entryId);
    setMovedTo(null);
  }, [entryId]);

  /** A view that a person changed is no longer the saved one. */
  const change = (next: TrackedView) => {
    setView(next);
    setViewId(null);
  };
  return {
    shown,
    view,
    viewId,
    chosen,
    movedTo,
    actions: {
      show: setShown,
      choose,
      moved: setMovedTo,
      saved: setViewId,
      change,
      open: (next: TrackedView, id: string | null) => {
        setShown('entries');
        setView(next);
        setViewId(id);
        choose(null);
      },
      openStatus: (status: StatusFilter) => {
        setShown('entries');
        change({ ...view, grouped: false, filter: { ...usualFilter, status } });
      },
      follow: (origDocumentId: string | null) => {
        const filter = { ...usualFilter, origDocumentId, changedOnly: origDocumentId === null };
        change({ ...view, grouped: false, filter });
        choose(null);
      },
    },
  };
}
