import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { TrackedFilter, TrackedGroup, TrackingState } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import type { Windowed } from '../../features/list/pages.ts';
import { useTrackedGroups, useTracking } from '../../features/signature-queries.ts';
import { useKeptState } from '../../parts/navigation.tsx';
import { EntryPanel } from './entry-panel.tsx';
import { RequestPanel } from './request-panel.tsx';
import { SignatureLists } from './signature-lists.tsx';
import { type TrackedView, usualFilter, usualView } from './tracked-view.ts';

interface StartAt {
  readonly entryId: string | null;
  readonly listType: number | null;
  readonly changedOnly: boolean;
  /** The original document of the one request to show, or the address of the person whose requests to show. */
  readonly request?: string | null;
  /** The job that sent the one request to show, which is then opened. */
  readonly job?: string | null;
  readonly person?: string | null;
  /** Requests that wait, or of which it is not known, until the day on which they were sent. */
  readonly open?: { readonly until: string | null; readonly state?: 'not-known' } | null;
}

/** Requests or the service's lists, and the selected request or entry beside them. */
export function SignaturesScreen(props: StartAt) {
  const { id } = useCurrentConnection();
  return <Signatures key={id} {...props} />;
}

function Signatures(props: StartAt) {
  const connection = useCurrentConnection();
  const tracking = useTracking(connection.id);
  const [view, setView] = useKeptState(`view ${connection.id}`, () => viewAt(props));
  const filter = useDeferredValue(view.filter);
  const groups = useTrackedGroups(connection.id, filter, view.grouped);
  const { chosen, movedTo, opened, actions } = useChosen(connection.id, props);
  const { group, isShared } = useCurrentGroup(connection.id, groups, opened);
  const state = tracking.data;
  useFirstReading(state, props.job != null);
  const isOneWanted = (props.request ?? props.job ?? null) !== null;
  // Of several with one document none is meant more than another.
  useOpened(isOneWanted && groups.total === 1 ? groups.rowAt(0) : undefined, actions.open);
  const showList = (part: Partial<TrackedFilter>) => {
    setView({ ...view, grouped: false, filter: { ...usualFilter, ...part } });
    actions.close();
  };
  if (!state)
    return tracking.error ? (
      <FailureView failure={tracking.error.failure} onAgain={() => void tracking.refetch()} />
    ) : null;
  const panel =
    chosen?.kind === 'request' && group ? (
      <RequestPanel
        key={chosen.id}
        connection={connection}
        group={group}
        isShared={isShared}
        onChoose={({ id }) => actions.chooseEntry(id)}
        onList={(origDocumentId) => showList({ origDocumentId })}
        onClose={actions.close}
      />
    ) : chosen?.kind === 'entry' ? (
      <EntryPanel
        key={chosen.id}
        connection={connection}
        entryId={chosen.id}
        onMoved={actions.moved}
        onFollow={(origDocumentId) => showList({ origDocumentId, changedOnly: origDocumentId === null })}
        onClose={actions.close}
      />
    ) : null;
  return (
    <SignatureLists
      state={state}
      view={view}
      filter={filter}
      groups={groups}
      chosen={movedTo ?? chosen?.id ?? null}
      isOneWanted={isOneWanted}
      panel={panel}
      onView={setView}
      onChoose={actions.chooseEntry}
      onOpen={actions.open}
    />
  );
}

/** Opens the one request that a person came for, once. */
function useOpened(group: TrackedGroup | undefined, open: (group: TrackedGroup) => void): void {
  const isOpened = useRef(false);
  useEffect(() => {
    if (!group || isOpened.current) return;
    isOpened.current = true;
    open(group);
  }, [group, open]);
}

/** Reads the lists of a connection when they are opened and were not all read yet, as nobody opens them to see nothing, and for a request that was just sent. */
function useFirstReading(state: TrackingState | undefined, isJustSent: boolean): void {
  const refresh = useCall('tracking.refresh');
  const isBegun = useRef(false);
  const { run } = refresh;
  useEffect(() => {
    if (!state || state.lists.length === 0 || isBegun.current) return;
    const isBeingRead = state.lists.some(({ isRefreshing, failure }) => isRefreshing || failure !== null);
    const isRead = isBeingRead || state.lists.every(({ asOf }) => asOf !== null);
    if (isRead && !isJustSent) return;
    isBegun.current = true;
    void run({ connectionId: state.connectionId });
  }, [state, run, isJustSent]);
}

/** Without a requested entry or list the screen starts with the requests. */
function viewAt(props: StartAt): TrackedView {
  const { entryId, listType, changedOnly, request = null, job = null, person = null, open = null } = props;
  return {
    ...usualView,
    filter: {
      ...usualFilter,
      listType: changedOnly ? null : listType,
      changedOnly,
      origDocumentId: request,
      jobId: job,
      person: person ?? '',
      ...(open ? { request: open.state ?? 'open', to: open.until } : {}),
    },
    grouped: request !== null || job !== null || changedOnly || (entryId === null && listType === null),
  };
}

/** The selected request or entry; an entry that was opened from a request leads back to it. */
function useChosen(connectionId: string, { entryId }: StartAt) {
  const [opened, setOpened] = useKeptState<TrackedGroup | null>(`opened ${connectionId}`, null);
  const [chosenEntry, setEntry] = useKeptState<string | null>(`entry ${connectionId}`, entryId);
  // The panel stays the same while its entry moves to another list: focus and typed texts are kept.
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const chooseEntry = (id: string | null) => {
    setEntry(id);
    setMovedTo(null);
  };
  const chosen =
    chosenEntry !== null
      ? ({ kind: 'entry', id: chosenEntry } as const)
      : opened !== null
        ? ({ kind: 'request', id: opened.id } as const)
        : null;
  return {
    chosen,
    movedTo,
    opened,
    actions: {
      moved: setMovedTo,
      chooseEntry,
      open: (next: TrackedGroup) => {
        setOpened(next);
        chooseEntry(null);
      },
      close: () => {
        if (chosenEntry === null) setOpened(null);
        chooseEntry(null);
      },
    },
  };
}

/** The selected request as it is now: as its document is answered, else as the list has it, else as it was when it was selected. `isShared`: its document is that of another one too. */
function useCurrentGroup(connectionId: string, listed: Windowed<TrackedGroup>, opened: TrackedGroup | null) {
  const origDocumentId = opened?.origDocumentId ?? null;
  const ofDocument = useTrackedGroups(connectionId, { origDocumentId }, origDocumentId !== null);
  const isIt = ({ id }: TrackedGroup) => id === opened?.id;
  const answered = origDocumentId === null ? undefined : ofDocument.find(isIt);
  return { group: answered ?? listed.find(isIt) ?? opened, isShared: answered !== undefined && ofDocument.total !== 1 };
}
