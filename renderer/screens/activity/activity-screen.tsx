import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, JobCounts, JobState } from '../../../contract/activity.ts';
import { endedStates } from '../../bridge/activity-view.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Button } from '../../parts/button.tsx';
import { Counters } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import css from './activity.module.css';
import { JobCard } from './job-card.tsx';
import { jobTones, statesByNeed } from './job-tones.ts';

const dismissedAtOnce = 500;

/** Every job with its progress and its end; what is in doubt stands first. */
export function ActivityScreen(props: { readonly batchId: string | null }) {
  const { t } = useTranslation();
  const { activity } = useLive();
  const [state, setState] = useState<JobState | null>(null);
  const go = useGo();
  const { batchId } = props;
  const jobs = useOrdered(activity.jobs, batchId);
  const counts = batchId ? countsOf(jobs) : activity.counts;
  const shown = state ? jobs.filter((job) => job.state === state) : jobs;

  return (
    <Page
      title={t('activity.title')}
      lead={batchId && jobs.length > 0 ? t('activity.batchLead', { count: jobs.length }) : t('activity.lead')}
      fill
      actions={
        <>
          {batchId ? <Button onPress={() => go({ screen: 'activity' })}>{t('activity.showAll')}</Button> : null}
          <DismissEnded jobs={jobs} />
        </>
      }
    >
      {jobs.length > 0 ? (
        <Counters
          label={t('activity.filter')}
          selected={state}
          onSelect={setState}
          counters={statesByNeed
            .filter((one) => counts[one] > 0)
            .map((one) => ({
              key: one,
              ...jobTones[one],
              text: `${counts[one]} ${t(`activity.state.${one}`)}`,
            }))}
        />
      ) : null}
      {jobs.length === 0 ? (
        <Empty kind="nothing-yet" heading={t('activity.emptyHeading')} text={t('activity.emptyText')}>
          <Button kind="primary" onPress={() => go({ screen: 'start' })}>
            {t('activity.toStart')}
          </Button>
        </Empty>
      ) : null}
      {jobs.length > 0 && shown.length === 0 ? (
        <Empty kind="filtered" heading={t('activity.filteredHeading')} text={t('activity.filteredText')}>
          <Button onPress={() => setState(null)}>{t('activity.clearFilter')}</Button>
        </Empty>
      ) : null}
      {shown.length > 0 ? (
        <VirtualList
          label={t('activity.list')}
          items={shown}
          total={shown.length}
          rowHeight={84}
          gap={10}
          className={css.list}
          keyOf={(job) => job.id}
        >
          {(job) => <JobCard job={job} />}
        </VirtualList>
      ) : null}
    </Page>
  );
}

function DismissEnded(props: { readonly jobs: readonly Job[] }) {
  const { t } = useTranslation();
  const { forgetJobs } = useLive();
  const dismiss = useTask('activity.dismiss');
  const ended = props.jobs.filter((job) => endedStates.has(job.state)).slice(0, dismissedAtOnce);
  if (ended.length === 0) return null;
  const jobIds = ended.map((job) => job.id);
  return (
    <>
      <Button
        isPending={dismiss.busy}
        onPress={async () => {
          const done = await dismiss.run({ jobIds });
          if (done.ok) forgetJobs(jobIds);
        }}
      >
        {t('activity.dismissEnded', { count: ended.length })}
      </Button>
      {dismiss.failure ? <FailureView failure={dismiss.failure} /> : null}
    </>
  );
}

/** In doubt first, then the newest batch; within a batch in the order of the files. */
function useOrdered(all: ReadonlyMap<string, Job>, batchId: string | null): readonly Job[] {
  return useMemo(() => {
    const jobs = [...all.values()].filter((job) => batchId === null || job.batchId === batchId);
    const started = new Map<string, string>();
    for (const job of jobs) {
      const known = started.get(job.batchId);
      if (known === undefined || job.createdAt < known) started.set(job.batchId, job.createdAt);
    }
    const rank = (job: Job) => (job.state === 'in-doubt' ? 0 : 1);
    return jobs.sort(
      (a, b) =>
        rank(a) - rank(b) ||
        (started.get(b.batchId) ?? '').localeCompare(started.get(a.batchId) ?? '') ||
        a.createdAt.localeCompare(b.createdAt),
    );
  }, [all, batchId]);
}

function countsOf(jobs: readonly Job[]): JobCounts {
  const counts = { prepared: 0, waiting: 0, sending: 0, done: 0, refused: 0, failed: 0, 'in-doubt': 0, cancelled: 0 };
  for (const job of jobs) counts[job.state] += 1;
  return counts;
}
