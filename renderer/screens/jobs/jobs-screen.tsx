import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Batch, JobState } from '../../../contract/jobs.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { CallButton } from '../../features/call-button.tsx';
import { useOtherConnection } from '../../features/connection-state.tsx';
import { useJobs } from '../../features/jobs/jobs.tsx';
import { ActiveFilters, SentDaysPopup, useSentDays } from '../../features/list/filters.tsx';
import { ListScreen, ListTools, NothingFits } from '../../features/list/list-screen.tsx';
import { useTeamLink } from '../../features/team/team.ts';
import { Button } from '../../parts/button.tsx';
import { Counters } from '../../parts/chip.tsx';
import type { Days } from '../../parts/days/day-field.tsx';
import { boundsOf } from '../../parts/days/today.ts';
import { Empty } from '../../parts/empty.tsx';
import { Segments } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import { useGo, useKeptState } from '../../parts/navigation.tsx';
import { BatchDocuments, partsOf, SaveLog } from './batch-head.tsx';
import { DismissSettled } from './dismiss.tsx';
import { JobsList } from './jobs-list.tsx';
import { type Filter, type Sought, statesOf, useAskedJob, useBatches, useFound } from './jobs-queries.ts';
import { isUniform, layOut, settledOf, sizesOf, totalOf } from './jobs-rows.ts';
import { QueueBanners } from './queue-banners.tsx';
import { JobsBar, useJobSelection } from './selection-bar.tsx';
import { TeamActivity } from './team-activity.tsx';

const searchAfterMs = 150;
/** What narrows the log besides the search. */
type Narrowed = Days & { readonly sent: Sought['sent'] | null };
const nothing: Narrowed = { from: null, to: null, sent: null };

/** What was sent from here, or, where a team was joined, what everybody sent. */
export function JobsScreen(props: {
  readonly batchId: string | null;
  readonly jobId?: string | null;
  readonly filter?: Filter | null;
  readonly sent?: Narrowed['sent'];
}) {
  const { t } = useTranslation();
  const { id } = useCurrentConnection();
  const isJoined = useTeamLink(id) !== null;
  const [whose, setWhose] = useKeptState<'mine' | 'everyone'>('whose', 'mine');
  if (!isJoined || props.batchId !== null)
    return <Jobs key={`${props.batchId} ${props.jobId} ${props.filter}`} {...props} choice={null} />;
  const choice = (
    <Segments
      label={t('team.whoseWork')}
      hideLabel
      value={whose}
      onChange={setWhose}
      choices={[
        { key: 'mine', text: t('team.mine') },
        { key: 'everyone', text: t('team.everyone') },
      ]}
    />
  );
  return whose === 'mine' ? <Jobs {...props} choice={choice} /> : <Everyones connectionId={id} choice={choice} />;
}

function Everyones(props: { readonly connectionId: string; readonly choice: ReactNode }) {
  const { t } = useTranslation();
  const search = useLogSearch(t('team.search'));
  return (
    <ListScreen title={t('jobs.title')} actions={props.choice} head={search.tools(null)} panel={null}>
      <TeamActivity connectionId={props.connectionId} sought={search.sought} onClear={search.clear} />
    </ListScreen>
  );
}

/** The search of the log and its days, the same for one's own as for everybody's. */
function useLogSearch(label: string, sent?: Narrowed['sent']) {
  const { t } = useTranslation();
  const { id } = useCurrentConnection();
  const [typed, setTyped] = useKeptState('search', '');
  const search = useDebounced(typed.trim(), searchAfterMs);
  const [narrowed, setNarrowed] = useKeptState<Narrowed>('narrowed', { ...nothing, sent: sent ?? null });
  const onNarrow = (some: Partial<Narrowed>) => setNarrowed({ ...narrowed, ...some });
  const days = useSentDays(narrowed, true);
  // Everybody's is no list of what was sent from here.
  const over = sent === undefined ? null : narrowed.sent;
  const text = [t('start.sentToday'), useOtherConnection(over?.connectionId ?? id)].filter(Boolean).join(' · ');
  const active = over ? [...days, { text, without: { sent: null } }] : days;
  const sought: Sought = { ...(search && { search }), ...boundsOf(narrowed), ...(over && { sent: over }) };
  return {
    sought,
    tools: (filters: ReactNode) => (
      <>
        <ListTools label={label} placeholder={label} search={typed} onSearch={setTyped}>
          <SentDaysPopup isLog days={narrowed} onChange={onNarrow} />
          {filters}
        </ListTools>
        <ActiveFilters filters={active} onChange={onNarrow} onClear={() => setNarrowed(nothing)} />
      </>
    ),
    clear: () => {
      setTyped('');
      setNarrowed(nothing);
    },
  };
}

/**
 * Everything that was sent from here, newest first: a line for each, with search and export; what can be done with one is where it is opened. Or one
 * batch with all that can be done with it: its counts, its jobs with their progress and outcome; jobs in doubt come first, or the one that was opened.
 */
function Jobs(props: Parameters<typeof JobsScreen>[0] & { readonly choice: ReactNode }) {
  const { batchId, jobId = null, choice } = props;
  const isNarrow = useNarrow();
  const { t } = useTranslation();
  const go = useGo();
  const { queue } = useJobs().view;
  const { batches: all, query, loadMore, ...listed } = useBatches();
  const [filter, setFilter] = useKeptState<Filter | null>('filter', props.filter ?? null);
  const search = useLogSearch(t('jobs.search'), props.sent ?? null);
  const { sought } = search;
  const isSought = Object.keys(sought).length > 0;
  const inSearch = useFound(isSought ? sought : null);
  const [toggled, setToggled] = useKeptState<ReadonlySet<string>>('toggled', new Set());
  const selection = useJobSelection();
  const isLog = batchId === null;
  // A question about a duplicate is answered where it stands.
  const areCards = !isLog || filter === 'asking';
  const batches = isLog ? all : all.filter((batch) => batch.batchId === batchId && totalOf(batch.counts) > 0);
  const [only] = isLog ? [] : batches;
  const counts = only?.counts ?? queue.counts;
  const asked = useAskedJob(jobId);
  // Batches are folded in the log and below the job that was opened, and the only one is not.
  const isFolded = isLog || asked !== null;
  const isOpen = useCallback((batch: Batch) => toggled.has(batch.batchId) === isFolded, [toggled, isFolded]);
  // What a search does not find is not counted either.
  const inView = inSearch ?? { ...queue, ...listed, ...only, counts };
  const sizes = sizesOf(inView);
  const count = filter ? sizes[filter] : totalOf(inView.counts) + sizes.corrected;
  const isFound = isSought || filter === 'dismissed' || filter === 'corrected';
  const found = isFound ? { sought, count: isSought && !inSearch ? 0 : count } : null;
  const layout = layOut({
    batches,
    batchId,
    doubts: counts['in-doubt'],
    asking: sizes.asking,
    filter,
    isOpen,
    found,
    asked,
  });
  const isReading =
    query.isPending || (isSought && inSearch === null) || (!isLog && query.isFetching && only === undefined);
  const isEmpty = !isReading && batches.length === 0 && layout.count === 0 && filter !== 'dismissed';
  const clear = () => {
    setFilter(null);
    search.clear();
  };
  const isSent = !isEmpty || (isLog && listed.dismissedCount > 0);
  const filters =
    !isSent || query.isPending || (only && isUniform(counts)) ? null : (
      <Filters sizes={isLog ? sizes : { ...sizes, dismissed: 0, corrected: 0 }} filter={filter} onFilter={setFilter} />
    );
  return (
    <ListScreen
      title={t('jobs.title')}
      about={isLog && !isNarrow ? t('jobs.lead') : null}
      actions={
        isLog ? (
          <>
            {choice}
            {isEmpty ? null : <SaveLog {...sought} {...statesOf(filter)} />}
            <DismissSettled batchId={null} count={settledOf(counts)} />
          </>
        ) : (
          <>
            {only ? <BatchDocuments batch={only} filter={filter} /> : null}
            <Button onPress={() => go({ screen: 'jobs' })}>{t('jobs.showAll')}</Button>
            <PauseAll />
          </>
        )
      }
      head={
        <>
          <QueueBanners isLog={isLog} isAskingShown={filter === 'asking'} onShowAsking={() => setFilter('asking')} />
          {isLog ? search.tools(filters) : filters}
        </>
      }
      panel={null}
    >
      <JobsList
        layout={layout}
        isReading={isReading}
        query={query}
        isOpen={isOpen}
        onToggle={(batch) => setToggled(withOrWithout(toggled, batch.batchId))}
        selection={areCards ? selection : null}
        onEnd={loadMore}
        empty={
          isEmpty ? <NoJobs allDismissed={listed.dismissedCount > 0 || !isLog} /> : <NothingFits onClear={clear} />
        }
      />
      {areCards ? <JobsBar selection={selection} /> : null}
    </ListScreen>
  );
}

function withOrWithout(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : new Set([...ids, id]);
}

function NoJobs(props: { readonly allDismissed: boolean }) {
  const { t } = useTranslation();
  const go = useGo();
  if (props.allDismissed) {
    return (
      <Empty kind="nothing-yet" heading={t('jobs.dismissedHeading')} text={t('jobs.dismissedText')}>
        <Button onPress={() => go({ screen: 'documents' })}>{t('jobs.toDocuments')}</Button>
      </Empty>
    );
  }
  return (
    <Empty kind="nothing-yet" heading={t('jobs.emptyHeading')} text={t('jobs.emptyText')}>
      <Button kind="primary" onPress={() => go({ screen: 'start' })}>
        {t('jobs.toStart')}
      </Button>
    </Empty>
  );
}

function PauseAll() {
  const { t } = useTranslation();
  const { queue } = useJobs().view;
  const isAnythingOpen = queue.counts.waiting + queue.counts.prepared + queue.counts.sending > 0;
  if (queue.isPaused || !isAnythingOpen) return null;
  return (
    <CallButton call="jobs.pause" input={{ what: 'all' }}>
      {t('jobs.pauseAll')}
    </CallButton>
  );
}

function Filters(props: {
  readonly sizes: Readonly<Record<Filter, number>>;
  readonly filter: Filter | null;
  readonly onFilter: (filter: Filter | null) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { sizes, filter } = props;
  // Documents are registered, requests and notes are sent.
  const wordOf = (state: JobState) => t(state === 'done' ? 'jobs.step.done' : `jobs.state.${state}`);
  const parts = partsOf(t, sizes, wordOf).map(({ tone, count, word, ...part }) => {
    return { ...part, ...tone, size: count, text: `${format.number(count)} ${word}` };
  });
  const off = t('jobs.offList', { shown: format.number(sizes.dismissed) });
  const all = [
    ...parts,
    { key: 'dismissed', tone: 'silent', icon: 'minus', size: sizes.dismissed, text: off },
  ] as const;
  return (
    <Counters<Filter>
      label={t('jobs.filter')}
      selected={filter}
      onSelect={props.onFilter}
      counters={all.filter(({ key, size }) => size > 0 || filter === key)}
    />
  );
}
