import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { JobState } from '../../contract/jobs.ts';
import { listen } from '../bridge/client.ts';
import { useAnnounce } from '../parts/announcer.tsx';

const announcedStates: ReadonlySet<JobState> = new Set(['done', 'refused', 'failed', 'in-doubt']);

/** Announces the results of jobs to screen readers, on every screen. */
export function useJobAnnouncements(): void {
  const { t } = useTranslation();
  const announce = useAnnounce();
  useEffect(
    () =>
      listen('jobs.changed', ({ jobs }) => {
        const ended = jobs.filter((job) => announcedStates.has(job.state)).slice(0, 3);
        if (ended.length === 0) return;
        announce(
          ended
            .map((job) => t('jobs.announceState', { title: job.title, state: t(`jobs.state.${job.state}`) }))
            .join('. '),
        );
      }),
    [t, announce],
  );
}
