import { describe, expect, it } from 'vitest';
import type { Bulk } from '../../contract/bulk.ts';
import type { Countdown, Job, JobState } from '../../contract/jobs.ts';
import { emptyJobsView, isOnlyProgress, transferOf, withUpdate } from '../../renderer/features/jobs/jobs-view.ts';

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
    answerAwaitedSince: null,
    createdAt: '2026-01-01T00:00:00Z',
    at: updatedAt,
  } as Job;
}

const { queue } = emptyJobsView;
const changed = (jobs: readonly Job[], at: number) => ({ kind: 'changed', queue, jobs, at }) as const;

describe('the view of the activity', () => {
  it('has the jobs that are being sent from the first read, and keeps them at a later one of the queue', () => {
    const jobs = [job('a', 'sending', 10, '2026-01-01T00:00:01Z'), job('b', 'done', 1000, '2026-01-01T00:00:02Z')];
    const read = withUpdate(emptyJobsView, { kind: 'read', queue, jobs });
    expect([...read.sending.keys()]).toEqual(['a']);
    const again = withUpdate(read, { kind: 'read', queue: { ...queue, isPaused: true } });
    expect([again.queue.isPaused, again.sending.size]).toEqual([true, 1]);
  });

  it('reckons speed and time left from what has left', () => {
    const at = (sentBytes: number, atMs: number) =>
      changed([job('a', 'sending', sentBytes, '2026-01-01T00:00:01Z')], atMs);
    const view = withUpdate(withUpdate(emptyJobsView, at(0, 0)), at(500, 1000));
    expect(transferOf(view)).toMatchObject({ bytesPerSecond: 500, secondsLeft: 1 });
  });

  it('has neither speed nor time left for what waits for its answer alone', () => {
    const one = job('a', 'sending', 1000, '2026-01-01T00:00:01Z');
    const views = [changed([{ ...one, sentBytes: 0 }], 0), changed([one], 1000)];
    const sent = views.reduce(withUpdate, emptyJobsView);
    expect(transferOf(sent)).toMatchObject({ bytesPerSecond: 1000, secondsLeft: 0 });
    const waits = withUpdate(sent, changed([{ ...one, answerAwaitedSince: '2026-01-01T00:00:02Z' }], 1100));
    expect(transferOf(waits)).toMatchObject({ bytesPerSecond: 0, secondsLeft: null });
  });

  it('promises no time while more waits than is being sent', () => {
    const busy = { ...queue, counts: { ...queue.counts, sending: 1, waiting: 3 } };
    const at = (sentBytes: number, atMs: number) =>
      ({ ...changed([job('a', 'sending', sentBytes, '2026-01-01T00:00:01Z')], atMs), queue: busy }) as const;
    const view = withUpdate(withUpdate(emptyJobsView, at(0, 0)), at(500, 1000));
    expect(transferOf(view)).toEqual({
      uploads: 1,
      deciding: 0,
      uploadsOfBulks: 0,
      waiting: 3,
      waitingAway: 0,
      onHold: 0,
      bytesPerSecond: 500,
      secondsLeft: null,
    });
  });

  it('does not count as waiting what waits for a person', () => {
    const stopped: Countdown = {
      batchId: 'b',
      connectionId: 'c',
      jobId: 'j',
      title: 'Lease',
      operation: 'AddNewDocumentESign',
      count: 3,
      bulkId: null,
      leftMs: null,
      isStopped: true,
      isBesideDoubt: false,
    };
    const counts = { ...emptyJobsView.queue.counts, waiting: 6 };
    const view = { ...emptyJobsView, queue: { ...emptyJobsView.queue, counts, askingCount: 2, countdowns: [stopped] } };
    expect(transferOf(view).waiting).toBe(1);
  });

  it('counts the rows of a bulk by their bulk, and what waits on a connection on hold by that connection, each once', () => {
    const sending = [job('a', 'sending', 0, '2026-01-01T00:00:01Z'), job('b', 'sending', 0, '2026-01-01T00:00:01Z')];
    const counts = { ...queue.counts, sending: 2, waiting: 24 };
    const held = { connectionId: 'held', doubtsInRow: 3, since: '2026-01-01T00:00:00Z', openJobs: 4 };
    // Reached no more, and on hold: they wait for the person only.
    const failure = { code: 'service-unreachable', note: '', retryable: true } as const;
    const backingOff = [{ connectionId: 'held', openJobs: 4, failure, nextTryAt: null }];
    const busy = { ...queue, counts, held: [held], backingOff };
    const view = withUpdate(emptyJobsView, { kind: 'read', queue: busy, jobs: sending });
    const rows = (waiting: number) => ({ waiting, asking: 0 }) as Bulk['counts'];
    const bulk = { connectionId: 'practice', batchId: 'batch', counts: rows(17) };
    expect(transferOf(view)).toMatchObject({ uploadsOfBulks: 0, waiting: 20, waitingAway: 0, onHold: 4 });
    expect(transferOf(view, [bulk])).toMatchObject({ uploads: 2, uploadsOfBulks: 2, waiting: 5, onHold: 4 });
    // Those of a bulk on hold are among what waits there.
    const onHold = { connectionId: 'held', batchId: 'other', counts: rows(4) };
    expect(transferOf(view, [bulk, onHold])).toMatchObject({ waiting: 5, onHold: 4 });
  });

  it('forgets the speed of a job that has ended', () => {
    const sending = withUpdate(emptyJobsView, changed([job('a', 'sending', 0, '2026-01-01T00:00:01Z')], 0));
    expect(sending.rates.size).toBe(1);
    const done = withUpdate(sending, changed([job('a', 'done', 1000, '2026-01-01T00:00:02Z')], 9));
    expect([done.rates.size, done.sending.size]).toEqual([0, 0]);
  });

  it('tells bytes that moved from states that changed', () => {
    const sending = withUpdate(emptyJobsView, changed([job('a', 'sending', 0, '2026-01-01T00:00:01Z')], 0));
    expect(isOnlyProgress(sending, [job('a', 'sending', 9, '2026-01-01T00:00:02Z')])).toBe(true);
    expect(isOnlyProgress(sending, [job('b', 'sending', 9, '2026-01-01T00:00:02Z')])).toBe(false);
    expect(isOnlyProgress(sending, [job('a', 'done', 9, '2026-01-01T00:00:02Z')])).toBe(false);
  });
});
