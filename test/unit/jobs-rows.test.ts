import { describe, expect, it } from 'vitest';
import type { Batch, JobCounts } from '../../contract/jobs.ts';
import { type Filter, jobList } from '../../renderer/screens/jobs/jobs-queries.ts';
import { layOut, stretchAt, visibleLists } from '../../renderer/screens/jobs/jobs-rows.ts';

const none: JobCounts = {
  prepared: 0,
  waiting: 0,
  sending: 0,
  done: 0,
  refused: 0,
  failed: 0,
  'in-doubt': 0,
  'passed-over': 0,
  cancelled: 0,
};

function batch(batchId: string, counts: Partial<JobCounts>): Batch {
  const all = { ...none, ...counts };
  const about = {
    title: batchId,
    operation: 'AddNewDocument',
    totalBytes: 0,
    pausedCount: 0,
    stoppedCount: 0,
    correctedCount: 0,
    askingCount: 0,
    createdAt: '',
  } as const;
  return { batchId, connectionId: 'c', counts: all, ...about };
}

const batches = [batch('new', { done: 9_998, failed: 2, 'in-doubt': 1 }), batch('old', { done: 3 })];
const lay = (filter: Filter | null, open: readonly string[], search = '') =>
  layOut({
    batches,
    batchId: null,
    doubts: 1,
    asking: 0,
    filter,
    isOpen: ({ batchId }) => open.includes(batchId),
    found: search === '' ? null : { sought: { search }, count: 7 },
  });

describe('the rows of the activity', () => {
  it('puts what is in doubt first where one batch is looked at, and in the log where it was sent', () => {
    const one = { batches, doubts: 1, asking: 0, filter: null, isOpen: () => true, found: null };
    const rows = (stretches: ReturnType<typeof layOut>['stretches']) => stretches.map(({ key, count }) => [key, count]);
    expect(rows(layOut({ ...one, batches: batches.slice(0, 1), batchId: 'new' }).stretches)).toEqual([
      ['doubt', 1],
      ['doubt-jobs', 1],
      ['head-new', 1],
      ['jobs-new', 10_000],
    ]);
    const { stretches, count } = lay(null, ['new']);
    expect(rows(stretches)).toEqual([
      ['head-new', 1],
      ['jobs-new', 10_001],
      ['head-old', 1],
    ]);
    expect(count).toBe(10_003);
  });

  it('is what a search finds, in one list', () => {
    const [found, ...others] = lay('failed', [], 'lease').stretches;
    expect([found?.count, others]).toEqual([7, []]);
  });

  it('shows only what the filter lets through, folded or not', () => {
    expect(lay('failed', []).stretches.map(({ key, count }) => [key, count])).toEqual([
      ['head-new', 1],
      ['jobs-new', 2],
    ]);
    expect(lay('in-doubt', []).count).toBe(1);
    expect(lay('waiting', ['new', 'old']).count).toBe(0);
  });

  it('does not count among what waits what a person decides about: a duplicate, or a countdown that nobody saw', () => {
    const asks = { ...batch('asks', { waiting: 7 }), askingCount: 4, stoppedCount: 2 };
    const one = { batches: [asks], batchId: null, doubts: 0, asking: 4, isOpen: () => true, found: null };
    const { stretches } = layOut({ ...one, filter: 'waiting' });
    expect(stretches.map(({ key, count }) => [key, count])).toEqual([
      ['head-asks', 1],
      ['jobs-asks', 1],
    ]);
    expect(stretches[1]).toMatchObject({ list: { key: ['jobs', 'jobs', { asking: false }] } });
    const [, stopped] = layOut({ ...one, filter: 'stopped' }).stretches;
    expect(stopped).toMatchObject({ count: 2, list: { key: ['jobs', 'jobs', { stopped: true }] } });
  });

  it('gives a job by itself no heading', () => {
    const { stretches } = layOut({
      batches: [batch('one', { done: 1 })],
      batchId: null,
      doubts: 0,
      asking: 0,
      filter: null,
      isOpen: () => false,
      found: null,
    });
    expect(stretches.map(({ key }) => key)).toEqual(['jobs-one']);
  });

  it('finds the stretch of any row and reads only what is on show', () => {
    const { stretches, count } = lay(null, ['new', 'old']);
    for (const index of [0, 1, 2, 5_000, 10_001, 10_002, count - 1]) {
      const stretch = stretchAt(stretches, index);
      expect(stretch && index >= stretch.start && index < stretch.start + stretch.count, String(index)).toBe(true);
    }
    expect(stretchAt(stretches, count)).toBeUndefined();
    expect(visibleLists(stretches, { first: 9_990, last: 10_003 }).map(({ span }) => span)).toEqual([
      { first: 9_989, last: 10_000 },
      { first: 0, last: 0 },
    ]);
  });
});

it('puts the job of a batch that a person opened before all, also what is in doubt', () => {
  const one = { batches: batches.slice(0, 1), batchId: 'new', doubts: 1, asking: 0, filter: null, found: null };
  const { stretches } = layOut({ ...one, isOpen: () => true, asked: jobList({}, 1) });
  expect(stretches.map(({ key, count }) => `${key} ${count}`)).toEqual(['asked 1', 'head-new 1', 'jobs-new 10001']);
});
