import { type Batch, type Job, type JobCounts, type JobState, jobStates } from '../../../contract/jobs.ts';
import { settledStates, waitingOf } from '../../features/jobs/jobs-view.ts';
import type { PagedList, Span } from '../../features/list/pages.ts';
import { type Filter, jobList, type Sought, statesOf } from './jobs-queries.ts';

/** A section of rows: one heading, or the jobs of one list. */
export type Stretch =
  | { readonly kind: 'doubt'; readonly key: string; readonly start: number; readonly count: 1; readonly doubts: number }
  | { readonly kind: 'batch'; readonly key: string; readonly start: number; readonly count: 1; readonly batch: Batch }
  | {
      readonly kind: 'jobs';
      readonly key: string;
      readonly start: number;
      readonly count: number;
      readonly list: PagedList<Job>;
      /** True if the heading of their batch stands above the jobs. */
      readonly isUnderHead: boolean;
      /** True if that heading says the state of all of them. */
      readonly isUniform: boolean;
      /** Its rows are departures. */
      readonly isSent?: boolean;
    };

type WithoutStart = Stretch extends infer S ? (S extends Stretch ? Omit<S, 'start'> : never) : never;

const certain = jobStates.filter((state) => state !== 'in-doubt');

/**
 * The order of the rows of one batch: jobs in doubt first, then its heading and, if it is open, its jobs; of the log (`batchId` is null), each batch in the order of time. This
 * needs only counts, so thousands of jobs cost nothing until they are visible. `found`: what was sought and found, in place of all. `asked`: the job of a batch that a person opened: it comes before all, also those in doubt.
 */
export function layOut(input: {
  readonly batches: readonly Batch[];
  readonly batchId: string | null;
  readonly doubts: number;
  readonly asking: number;
  readonly filter: Filter | null;
  readonly isOpen: (batch: Batch) => boolean;
  readonly found: { readonly sought: Sought; readonly count: number } | null;
  readonly asked?: PagedList<Job> | null;
}): { readonly stretches: readonly Stretch[]; readonly count: number } {
  const { batches, batchId, doubts, asking, filter, found } = input;
  const where = batchId === null ? {} : { batchId };
  const stretches: WithoutStart[] = [];
  const flat = (key: string, count: number, list: PagedList<Job>, isSent = false) =>
    withStarts([{ kind: 'jobs', key, count, list, isUnderHead: false, isUniform: false, isSent }]);
  if (found) {
    const { sought, count } = found;
    const list = jobList({ ...sought, ...statesOf(filter) }, count);
    return flat(`found ${JSON.stringify(sought)}`, count, list, sought.sent !== undefined);
  }
  if (filter === 'asking') return flat('asking', asking, jobList({ ...where, asking: true }, asking));
  if (filter === 'in-doubt' && batchId === null)
    return flat('doubts', doubts, jobList({ states: ['in-doubt'] }, doubts));
  const asked = filter === null && batches.some(({ counts }) => totalOf(counts) > 1) ? (input.asked ?? null) : null;
  if (asked) {
    const first = { kind: 'jobs', key: 'asked', count: 1, list: asked } as const;
    stretches.push({ ...first, isUnderHead: false, isUniform: false });
  } else if (doubts > 0 && batchId !== null && (filter === null || filter === 'in-doubt')) {
    const list = jobList({ ...where, states: ['in-doubt'] }, doubts);
    stretches.push({ kind: 'doubt', key: 'doubt', count: 1, doubts });
    stretches.push({ kind: 'jobs', key: 'doubt-jobs', count: doubts, list, isUnderHead: false, isUniform: false });
  }
  if (filter === 'in-doubt') return withStarts(stretches);
  for (const batch of batches) {
    const own = filter === null ? null : jobStates.filter((state) => state === filter);
    const states = own ?? (batchId === null || asked ? jobStates : certain);
    const corrected = batchId === null && filter === null ? batch.correctedCount : 0;
    const count = countIn(batch, filter, states) + corrected;
    if (filter !== null && count === 0) continue;
    // A batch of one job needs no heading, because its card has the same information.
    const isSingle = totalOf(batch.counts) + corrected === 1;
    if (!isSingle) stretches.push({ kind: 'batch', key: `head-${batch.batchId}`, count: 1, batch });
    if (count === 0 || !(isSingle || filter !== null || input.isOpen(batch))) continue;
    const narrowed =
      filter === null ? { states, ...(corrected > 0 && { corrected: 'too' as const }) } : statesOf(filter);
    const list = jobList({ batchId: batch.batchId, ...narrowed }, count);
    stretches.push({
      kind: 'jobs',
      key: `jobs-${batch.batchId}`,
      count,
      list,
      isUnderHead: !isSingle,
      isUniform: !isSingle && isUniform(batch.counts),
    });
  }
  return withStarts(stretches);
}

/** How many each filter lets through; of one batch nothing is off the list. */
export function sizesOf(
  view: Parameters<typeof waitingOf>[0] & Pick<Batch, 'correctedCount'> & { readonly dismissedCount?: number },
): Readonly<Record<Filter, number>> {
  const { askingCount: asking, stoppedCount: stopped, dismissedCount: dismissed = 0, correctedCount: corrected } = view;
  return { ...view.counts, waiting: waitingOf(view), asking, stopped, dismissed, corrected };
}

/** How many of its jobs a filter lets through. */
function countIn(batch: Batch, filter: Filter | null, states: readonly JobState[]): number {
  if (filter === 'stopped') return batch.stoppedCount;
  return filter === 'waiting' ? waitingOf(batch) : sumOf(batch.counts, states);
}

function withStarts(stretches: readonly WithoutStart[]) {
  let start = 0;
  const all = stretches.map((stretch) => {
    const one = { ...stretch, start } as Stretch;
    start += stretch.count;
    return one;
  });
  return { stretches: all, count: start };
}

/** The section that contains a row. */
export function stretchAt(stretches: readonly Stretch[], index: number): Stretch | undefined {
  let low = 0;
  let high = stretches.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const stretch = stretches[middle];
    if (!stretch) return undefined;
    if (index < stretch.start) high = middle - 1;
    else if (index >= stretch.start + stretch.count) low = middle + 1;
    else return stretch;
  }
  return undefined;
}

/** The visible parts of the lists. */
export function visibleLists(stretches: readonly Stretch[], span: Span) {
  return stretches.flatMap((stretch) => {
    if (stretch.kind !== 'jobs') return [];
    const first = Math.max(span.first, stretch.start) - stretch.start;
    const last = Math.min(span.last, stretch.start + stretch.count - 1) - stretch.start;
    return last < first ? [] : [{ list: stretch.list, span: { first, last } }];
  });
}

export function totalOf(counts: JobCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Number of jobs that can be dismissed together. */
export function settledOf(counts: JobCounts): number {
  return sumOf(counts, settledStates);
}

export function sumOf(counts: JobCounts, states: readonly JobState[]): number {
  return states.reduce((sum, state) => sum + counts[state], 0);
}

/** True if all jobs of a batch are in the same state: its heading says it once for all of them. */
export function isUniform(counts: JobCounts): boolean {
  return Object.values(counts).filter((count) => count > 0).length === 1;
}
