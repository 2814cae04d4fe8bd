import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useViews } from '../../features/saved-views.ts';
import { useTracking } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { Entries } from './entries.tsx';
import { EntryPanel } from './entry-panel.tsx';
import { ListsRail } from './lists-rail.tsx';
import { SentList } from './sent-list.tsx';
import css from './signatures.module.css';
import { StatusBoard } from './status-board.tsx';
import { type Shown, type TrackedView, usualColumns, usualFilter } from './tracked-view.ts';

interface StartAt {
  readonly entryId: string | null;
  readonly listType: number | null;
  readonly changedOnly: boolean;
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
  const [shown, setShown] = useState<Shown>('entries');
  const [view, setView] = useState<TrackedView>({
    filter: {
      ...usualFilter,
      listType: props.listType ?? (props.entryId || props.changedOnly ? null : (connection.lists[0]?.value ?? null)),
      changedOnly: props.changedOnly,
    },
    columns: usualColumns,
    grouped: false,
  });
  const kept = useViews('tracking');
  const [viewId, setViewId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(props.entryId);
  useEffect(() => setChosen(props.entryId), [props.entryId]);

  const state = tracking.data;
  const change = (next: TrackedView) => {
    setView(next);
    setViewId(null);
  };
  return (
    <div className={`${css.split} ${chosen && shown === 'entries' ? css.withPanel : ''}`}>
      <ListsRail
        state={state ?? null}
        shown={shown}
        view={view}
        viewId={viewId}
        kept={kept}
        onShow={setShown}
        onView={(next, id) => {
          setShown('entries');
          setView(next);
          setViewId(id);
          setChosen(null);
        }}
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
            kept={kept}
            chosen={chosen}
            onView={change}
            onSaved={setViewId}
            onChoose={(entry: TrackedEntry) => setChosen(entry.id)}
          />
        ) : null}
        {shown === 'sent' ? <SentList connectionId={connection.id} /> : null}
        {shown === 'board' ? (
          <StatusBoard
            connectionId={connection.id}
            onShow={(status) => {
              setShown('entries');
              change({ ...view, grouped: false, filter: { ...usualFilter, status } });
            }}
          />
        ) : null}
      </div>
      {chosen && shown === 'entries' ? (
        <EntryPanel
          key={chosen}
          connection={connection}
          entryId={chosen}
          onFollow={(origDocumentId) => {
            change({
              ...view,
              grouped: false,
              filter: { ...usualFilter, origDocumentId, changedOnly: origDocumentId === null },
            });
            setChosen(null);
          }}
          onClose={() => setChosen(null)}
        />
      ) : null}
    </div>
  );
}
