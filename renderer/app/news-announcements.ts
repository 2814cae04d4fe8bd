import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, JobState } from '../../contract/jobs.ts';
import { listen } from '../bridge/client.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { useFormat } from '../parts/format.ts';

const announcedStates: ReadonlySet<JobState> = new Set(['done', 'refused', 'failed', 'in-doubt']);
/** More than these are counted instead of named. */
const mostNamed = 3;

/** Announces the results of jobs to screen readers, on every screen: a few by name, many by their number. */
export function useJobAnnouncements(): void {
  const { t } = useTranslation();
  const format = useFormat();
  const announce = useAnnounce();
  useEffect(() => {
    const said = new Map<string, JobState>();
    let ended: Job[] = [];
    const text = () => {
      const jobs = ended;
      ended = [];
      return jobs.length > mostNamed
        ? countedText(t, format, jobs)
        : jobs.map((job) => t('jobs.announceState', { title: job.title, state: wordOf(t, job) })).join('. ');
    };
    return listen('jobs.changed', ({ jobs }) => {
      for (const job of jobs) {
        // A job that ended changes again when it is dismissed or looked up.
        if (said.get(job.id) !== job.state && announcedStates.has(job.state)) ended.push(job);
        said.set(job.id, job.state);
      }
      if (ended.length > 0) announce(text, 'jobs');
    });
  }, [t, format, announce]);
}

function wordOf(t: TFunction, { operation, state }: Job): string {
  if (state !== 'done' || operation === 'AddNewDocument') return t(`jobs.state.${state}`);
  return operation === 'AddQuickNote' ? t('notes.outcome.done') : t('compose.outcome.done');
}

/** "5 documents: Registered. 2 signature requests: Request sent." */
function countedText(t: TFunction, format: ReturnType<typeof useFormat>, jobs: readonly Job[]): string {
  const counts = new Map<string, { readonly isDocument: boolean; readonly word: string; count: number }>();
  for (const job of jobs) {
    const isDocument = job.operation === 'AddNewDocument';
    const word = wordOf(t, job);
    const group = counts.get(`${isDocument} ${word}`) ?? { isDocument, word, count: 0 };
    group.count += 1;
    counts.set(`${isDocument} ${word}`, group);
  }
  return [...counts.values()]
    .map(({ isDocument, word, count }) => {
      const title = t(isDocument ? 'rail.documents' : 'rail.signatures', { count, shown: format.number(count) });
      return t('jobs.announceState', { title, state: word });
    })
    .join('. ');
}

/** Announces new signatures to screen readers, on every screen. */
export function useSignatureAnnouncements(): void {
  const { t } = useTranslation();
  const announce = useAnnounce();
  useEffect(
    () =>
      listen('tracking.signed', ({ entries, count }) => {
        const said = entries.map(({ who, documentName }) =>
          t('tracking.announceSigned', {
            who: who || t('tracking.someone'),
            document: documentName || t('tracking.noName'),
          }),
        );
        const more = count - entries.length;
        announce([...said, ...(more > 0 ? [t('tracking.moreSigned', { count: more })] : [])].join('. '));
      }),
    [t, announce],
  );
}
