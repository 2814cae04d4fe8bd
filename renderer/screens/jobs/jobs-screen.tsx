import { type ReactNode, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobCounts } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useJobs } from '../../features/jobs.tsx';
import { NothingFits } from '../../features/list/list-screen.tsx';
import { useTeamLink } from '../../features/team.ts';
import { Button } from '../../parts/button.tsx';
import { Counters } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { SearchField, Segments } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { jobTones, statesByNeed } from '../../parts/job-tones.ts';
import { useGo, useKeptState } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { useDebounced } from '../../parts/use-debounced.ts';
import { BatchDocuments } from './batch-documents.tsx';
import { DismissSettled } from './dismiss-settled.tsx';
import { isUniform, settledOf } from './job-counts.ts';
import css from './jobs.module.css';
import { JobsList } from './jobs-list.tsx';
import { type Filter, useBatches, useFoundCount } from './jobs-queries.ts';
import { layOut } from './jobs-rows.ts';
import { QueueBanners } from './queue-banners.tsx';
import { SaveLog } from './save-log.tsx';
import { JobsBar } from './selection-bar.tsx';
import { TeamActivity } from './team-activity.tsx';
import { useJobSelection } from './use-job-selection.ts';

const searchAfterMs = 150;

/** What was sent from here, or, where a team was joined, what everybody sent. */
export function JobsScreen(props: { readonly batchId: string | null }) {
  const { t } = useTranslation();
  const { id } = useCurrentConnection();
  const isJoined = useTeamLink(id) !== null;
  const [whose, setWhose] = useKeptState<'mine' | 'everyone'>('whose', 'mine');
  if (!isJoined || props.batchId !== null)
    return props.batchId === null ? <Log choice={null} /> : <OneBatch batchId={props.batchId} />;
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
  if (whose === 'mine') return <Log choice={choice} />;
  return (
    <Page title={t('jobs.title')} fill actions={choice}>
      <TeamActivity connectionId={id} />
    </Page>
  );
}

/** Everything that was sent from here, newest first: a line for each, with search and export. What can be done with one is where it is opened. */
function Log(props: { readonly choice: ReactNode }) {
  const { t } = useTranslation();
  const { queue } = useJobs().view;
  const { batches, allDismissed, query, loadMore } = useBatches();
  const [filter, setFilter] = useKeptState<Filter | null>('filter', null);
  const [typed, setTyped] = useKeptState('search', '');
  const search = useDebounced(typed.trim(), searchAfterMs);
  const count = useFoundCount(search, filter);
  const [open, setOpen] = useKeptState<ReadonlySet<string>>('open', new Set());
  const selection = useJobSelection();
  const isOpen = useCallback((batch: (typeof batches)[number]) => open.has(batch.batchId), [open]);
  const asking = queue.askingCount;
  const found = search === '' ? null : { search, count: count ?? 0 };
  const layout = layOut({ batches, batchId: null, doubts: queue.counts['in-doubt'], asking, filter, isOpen, found });
  const isReading = query.isPending || (found !== null && count === null);
  const isEmpty = !query.isPending && batches.length === 0;
  const clear = () => {
    setFilter(null);
    setTyped('');
  };
  return (
    <Page
      title={t('jobs.title')}
      lead={t('jobs.lead')}
      fill
      actions={
        <>
          {props.choice}
          {isEmpty ? null : (
            <SearchField label={t('jobs.search')} placeholder={t('jobs.search')} value={typed} onChange={setTyped} />
          )}
          {isEmpty ? null : <SaveLog />}
          <DismissSettled batchId={null} count={settledOf(queue.counts)} />
        </>
      }
    >
      <QueueBanners isLog isAskingShown={filter === 'asking'} onShowAsking={() => setFilter('asking')} />
      <ReadFailure query={query} />
      {isReading ? <p role="status">{t('jobs.loading')}</p> : null}
      {isEmpty ? <NoJobs allDismissed={allDismissed} /> : null}
      {isEmpty || query.isPending ? null : (
        <Filters counts={queue.counts} asking={asking} filter={filter} onFilter={setFilter} />
      )}
      {!isEmpty && !isReading && layout.count === 0 ? <NothingFits onClear={clear} /> : null}
      {layout.count > 0 && !isReading ? (
        <JobsList
          layout={layout}
          isOpen={isOpen}
          onToggle={({ batchId }) => setOpen((before) => toggled(before, batchId))}
          // A question about a duplicate is answered where it stands.
          selection={filter === 'asking' ? selection : null}
          onEnd={loadMore}
          className={css.list}
        />
      ) : null}
    </Page>
  );
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(before);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** One batch with all that can be done with it: its counts, its jobs with their progress and outcome; jobs in doubt come first. */
function OneBatch({ batchId }: { readonly batchId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const { queue } = useJobs().view;
  const { batches: all, query, loadMore } = useBatches();
  const [filter, setFilter] = useKeptState<Filter | null>('filter', null);
  const [isFolded, setFolded] = useKeptState('folded', false);
  const selection = useJobSelection();

  const batches = all.filter((batch) => batch.batchId === batchId);
  const [only] = batches;
  const counts = only?.counts ?? queue.counts;
  const isOpen = useCallback(() => !isFolded, [isFolded]);
  const asking = queue.askingCount;
  const layout = layOut({ batches, batchId, doubts: counts['in-doubt'], asking, filter, isOpen, found: null });
  const isReading = query.isPending || (query.isFetching && !only);
  const isEmpty = !isReading && batches.length === 0;

  return (
    <Page
      title={t('jobs.title')}
      fill
      actions={
        <>
          <Button onPress={() => go({ screen: 'jobs' })}>{t('jobs.showAll')}</Button>
          <PauseAll />
        </>
      }
    >
      {only ? <BatchDocuments batch={only} /> : null}
      <QueueBanners isAskingShown={filter === 'asking'} onShowAsking={() => setFilter('asking')} />
      <ReadFailure query={query} />
      {isReading ? <p role="status">{t('jobs.loading')}</p> : null}
      {isEmpty ? <NoJobs allDismissed /> : null}
      {isEmpty || isReading || isUniform(counts) ? null : (
        <Filters counts={counts} asking={asking} filter={filter} onFilter={setFilter} />
      )}
      {!isEmpty && !isReading && layout.count === 0 ? <NothingFits onClear={() => setFilter(null)} /> : null}
      {layout.count > 0 && !isReading ? (
        <JobsList
          layout={layout}
          isOpen={isOpen}
          onToggle={() => setFolded(!isFolded)}
          selection={selection}
          onEnd={loadMore}
          className={css.list}
        />
      ) : null}
      <JobsBar jobs={selection.jobs} onClear={selection.clear} />
    </Page>
  );
}

function ReadFailure({ query }: Pick<ReturnType<typeof useBatches>, 'query'>) {
  const { t } = useTranslation();
  if (!query.error) return null;
  return (
    <FailureView failure={query.error.failure} subject={t('jobs.failedHeading')}>
      <Button onPress={() => void query.refetch()}>{t('common.tryAgain')}</Button>
    </FailureView>
  );
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
  const pause = useCall('jobs.pause');
  const isAnythingOpen = queue.counts.waiting + queue.counts.prepared + queue.counts.sending > 0;
  if (queue.isPaused || !isAnythingOpen) return null;
  return (
    <>
      <Button isPending={pause.busy} onPress={() => void pause.run({ what: 'all' })}>
        {t('jobs.pauseAll')}
      </Button>
      {pause.failure ? <FailureView failure={pause.failure} /> : null}
    </>
  );
}

function Filters(props: {
  readonly counts: JobCounts;
  readonly asking: number;
  readonly filter: Filter | null;
  readonly onFilter: (filter: Filter | null) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { counts, asking, filter } = props;
  return (
    <Counters<Filter>
      label={t('jobs.filter')}
      selected={filter}
      onSelect={props.onFilter}
      counters={[
        ...statesByNeed
          .filter((state) => counts[state] > 0 || filter === state)
          .map((state) => ({
            key: state,
            ...jobTones[state],
            // Documents are registered, requests and notes are sent.
            text: `${format.number(counts[state])} ${state === 'done' ? t('jobs.step.done') : t(`jobs.state.${state}`)}`,
          })),
        ...(asking > 0 || filter === 'asking'
          ? [
              {
                key: 'asking' as const,
                tone: 'unclear' as const,
                text: `${format.number(asking)} ${t('jobs.asking')}`,
              },
            ]
          : []),
      ]}
    />
  );
}
