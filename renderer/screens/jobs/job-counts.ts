import type { TFunction } from 'i18next';
import type { Batch, JobCounts, JobState } from '../../../contract/jobs.ts';
import { settledStates } from '../../features/jobs/jobs-view.ts';
import { heldTone, jobTones, statesByNeed } from '../../parts/status-chip.tsx';

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

/** A request is sent, a document registered. */
export function doneWord(t: TFunction, state: JobState, operation: Batch['operation']): string {
  return state === 'done' && operation !== 'AddNewDocument' ? t('bulk.states.done') : t(`jobs.state.${state}`);
}

/** How many jobs of a batch are in which state, what needs a person first: also what would wait for ever. */
export function partsOf(t: TFunction, { counts, stoppedCount, operation }: Batch) {
  const stopped = { key: 'stopped', tone: heldTone, count: stoppedCount, word: t('jobs.pausedBy.countdown-stopped') };
  const others = statesByNeed.map((state) => ({
    ...{ key: state, tone: jobTones[state], word: doneWord(t, state, operation) },
    count: counts[state] - (state === 'waiting' ? stoppedCount : 0),
  }));
  return [stopped, ...others].filter(({ count }) => count > 0);
}
