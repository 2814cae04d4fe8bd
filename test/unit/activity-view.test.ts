import { describe, expect, it } from 'vitest';
import type { Job, JobState } from '../../contract/activity.ts';
import { noActivity, transferOf, withActivity } from '../../renderer/bridge/activity-view.ts';

function job(id: string, state: JobState, sentBytes: number, updatedAt: string): Job {
  return {
    id,
    batchId: 'batch',
    connectionId: 'practice',
    operation: 'AddNewDocument',
    title: `${id}.pdf`,
    sizeBytes: 1000,
    sha256: null,
    state,
    sentBytes,
    totalBytes: 1000,
    raw: null,
    answer: null,
    documentId: null,
    failure: null,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt,
  } as Job;
}

const { counts } = noActivity;

describe('the view of the activity', () => {
  it('does not let a read overwrite what was told meanwhile', () => {
    const told = withActivity(noActivity, {
      kind: 'changed',
      jobs: [job('a', 'done', 1000, '2026-01-01T00:00:02Z')],
      counts,
      at: 0,
    });
    const read = withActivity(told, { kind: 'read', jobs: [job('a', 'sending', 10, '2026-01-01T00:00:01Z')], counts });
    expect(read.jobs.get('a')?.state).toBe('done');
  });

  it('reckons speed and time left from what has left', () => {
    const at = (sentBytes: number, atMs: number) =>
      ({ kind: 'changed', jobs: [job('a', 'sending', sentBytes, '2026-01-01T00:00:01Z')], counts, at: atMs }) as const;
    const view = withActivity(withActivity(noActivity, at(0, 0)), at(500, 1000));
    expect(transferOf(view)).toEqual({ uploads: 1, bytesPerSecond: 500, secondsLeft: 1 });
  });

  it('forgets the speed of a job that has ended, and the job once it is dismissed', () => {
    const sending = withActivity(noActivity, {
      kind: 'changed',
      jobs: [job('a', 'sending', 0, '2026-01-01T00:00:01Z')],
      counts,
      at: 0,
    });
    const done = withActivity(sending, {
      kind: 'changed',
      jobs: [job('a', 'done', 1000, '2026-01-01T00:00:02Z')],
      counts,
      at: 9,
    });
    expect(done.rates.size).toBe(0);
    expect(withActivity(done, { kind: 'forgotten', ids: ['a'] }).jobs.size).toBe(0);
  });
});
