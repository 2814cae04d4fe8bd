import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job, JobState } from '../../contract/jobs.ts';
import { jobStates } from '../../contract/jobs.ts';
import { createWorkProgress, noProgress, unknownShare } from '../../electron/shell/system/work-progress.ts';

const job = (id: string, state: JobState, sentBytes = 0) => ({ id, state, sentBytes, totalBytes: 1000 }) as Job;
const counts = (some: Partial<Record<JobState, number>>) =>
  Object.fromEntries(jobStates.map((state) => [state, some[state] ?? 0]));
const download = (taskId: string, receivedBytes: number, totalBytes: number | null) => ({
  taskId,
  kind: 'download',
  progress: { receivedBytes, totalBytes },
});

describe('the progress in the taskbar', () => {
  let shown: number[] = [];
  let progress = createWorkProgress(() => undefined);
  const queue = (some: Partial<Record<JobState, number>>, ...jobs: readonly Job[]) =>
    progress.follow('jobs.changed', { counts: counts(some), jobs });

  beforeEach(() => {
    vi.useFakeTimers();
    shown = [];
    progress = createWorkProgress((share) => shown.push(share));
  });
  afterEach(() => {
    progress.stop();
    vi.useRealTimers();
  });

  it('is off while nothing is sent, whatever waits', () => {
    queue({ waiting: 3, 'in-doubt': 2, done: 7 });
    vi.advanceTimersByTime(5000);
    expect(shown).toEqual([]);
  });

  it('grows with the bytes and the jobs that are sent, and goes when nothing runs', () => {
    queue({ waiting: 1, sending: 1 }, job('a', 'sending'));
    queue({ waiting: 1, sending: 1 }, job('a', 'sending', 500));
    queue({ waiting: 1, done: 1 }, job('a', 'done'));
    vi.advanceTimersByTime(500);
    queue({ sending: 1, done: 1 }, job('b', 'sending', 500));
    queue({ done: 2 }, job('b', 'done'));
    expect(shown).toEqual([0, 0.25, 0.75]);
    vi.advanceTimersByTime(1500);
    expect(shown).toEqual([0, 0.25, 0.75, noProgress]);
  });

  it('begins anew with the next work', () => {
    queue({ sending: 1 }, job('a', 'sending', 900));
    queue({ done: 1 }, job('a', 'done'));
    vi.advanceTimersByTime(1500);
    queue({ sending: 1, done: 1 }, job('b', 'sending', 100));
    expect(shown).toEqual([0.9, noProgress, 0.1]);
  });

  it('goes when the queue is paused with jobs left', () => {
    queue({ waiting: 9, sending: 1 }, job('a', 'sending'));
    queue({ waiting: 9, done: 1 }, job('a', 'done'));
    vi.advanceTimersByTime(1500);
    expect(shown.at(-1)).toBe(noProgress);
  });

  it('goes although files are still being prepared', () => {
    queue({ sending: 1, prepared: 3 }, job('a', 'sending'));
    for (let turn = 0; turn < 20; turn += 1) {
      queue({ prepared: 3, done: 1 });
      vi.advanceTimersByTime(100);
    }
    expect(shown.at(-1)).toBe(noProgress);
  });

  it('follows downloads, and promises no share where none is known', () => {
    progress.follow('tasks.started', download('x', 0, null));
    progress.follow('tasks.progressed', download('x', 500, null));
    progress.follow('tasks.progressed', download('x', 500, 1000));
    progress.follow('tasks.started', {
      taskId: 'y',
      kind: 'bulk-download',
      progress: { doneCount: 0, failedCount: 0, total: 4 },
    });
    progress.follow('tasks.ended', download('x', 1000, 1000));
    progress.follow('tasks.progressed', {
      taskId: 'y',
      kind: 'bulk-download',
      progress: { doneCount: 2, failedCount: 1, total: 4 },
    });
    progress.follow('tasks.ended', { taskId: 'y' });
    vi.advanceTimersByTime(1500);
    expect(shown).toEqual([unknownShare, 0.5, 0.25, 0, 0.75, noProgress]);
  });

  it('takes no notice of other work and other events', () => {
    progress.follow('tasks.started', { taskId: 'z', kind: 'report', progress: { writtenFiles: 0, totalFiles: 3 } });
    progress.follow('app.changed', {});
    vi.advanceTimersByTime(1500);
    expect(shown).toEqual([]);
  });
});
