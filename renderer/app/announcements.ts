import type { TFunction } from 'i18next';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, JobState } from '../../contract/jobs.ts';
import type { Task } from '../../contract/tasks.ts';
import { listen } from '../bridge/client.ts';
import { failureText } from '../bridge/failure-text.ts';
import { taskText } from '../features/tasks/running.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import { useFormat, visibleName } from '../parts/format.ts';
import { verdictsByNeed } from '../screens/verify/verdict-tones.ts';

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
      const title = t(isDocument ? 'rail.documents' : 'rail.signatures', format.counted(count));
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

/** How often the progress of a task is spoken. */
const progressEveryMs = 10_000;
/** A task that ends sooner is only spoken at its end. */
const startAfterMs = 2_000;
const lookEveryMs = 500;

interface Spoken {
  readonly task: Task;
  readonly text: string;
  /** When the progress is spoken next. */
  readonly nextAt: number;
}

/** Announces the progress of long tasks and the results of all to screen readers, on every screen. */
export function useTaskAnnouncements(): void {
  const { t } = useTranslation();
  const format = useFormat();
  const announce = useAnnounce();
  useEffect(() => {
    const running = new Map<string, Spoken>();
    const timer = setInterval(() => {
      for (const [taskId, { task, text: before, nextAt }] of running) {
        if (performance.now() < nextAt) continue;
        const text = taskText(t, format, task);
        if (before !== text) announce(text, taskId);
        running.set(taskId, { task, text, nextAt: performance.now() + progressEveryMs });
      }
    }, lookEveryMs);
    const note = (task: Task) => {
      const known = running.get(task.taskId) ?? { text: '', nextAt: performance.now() + startAfterMs };
      running.set(task.taskId, { ...known, task });
    };
    const stops = [
      listen('tasks.started', note),
      listen('tasks.progressed', note),
      listen('tasks.ended', (task) => {
        running.delete(task.taskId);
        const text = endText(t, format, task);
        // What was said of its progress is over, too.
        announce(text ?? '', task.taskId);
      }),
    ];
    return () => {
      clearInterval(timer);
      for (const stop of stops) stop();
    };
  }, [t, format, announce]);
}

/** The result of a task; null if nobody waits for it. A person who stops a task knows, but not how far it came. */
function endText(t: TFunction, format: ReturnType<typeof useFormat>, task: Task): string | null {
  if (task.state === 'failed' && task.failure) {
    return t('tasks.named', { kind: t(`tasks.kind.${task.kind}`), what: failureText(t, task.failure).heading });
  }
  if (task.kind === 'bulk-download' && task.state === 'stopped') {
    const { doneCount, total, folderName } = task.progress;
    const [done, of] = [format.number(doneCount), format.number(total)];
    return t('documents.bulkStopped', { done, total: of, folder: visibleName(folderName) });
  }
  if (task.state !== 'done') return null;
  switch (task.kind) {
    case 'download':
    case 'report':
      return t('documents.downloaded', { name: visibleName(task.progress.fileName) });
    case 'bulk-download': {
      const { doneCount: count, folderName } = task.progress;
      return t('documents.bulkDone', { count, folder: visibleName(folderName) });
    }
    case 'verification': {
      const { counts } = task.progress.run;
      const counted = verdictsByNeed
        .filter((group) => counts[group] > 0)
        .map((group) => t(`verify.counter.${group}`, { count: counts[group] }));
      return t('verify.announceFinished', { summary: counted.join(', ') });
    }
    default:
      return null;
  }
}
