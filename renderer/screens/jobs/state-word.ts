import type { TFunction } from 'i18next';
import type { Batch, JobState } from '../../../contract/jobs.ts';

/** A request is sent, a document registered. */
export function doneWord(t: TFunction, state: JobState, operation: Batch['operation']): string {
  return state === 'done' && operation !== 'AddNewDocument' ? t('bulk.states.done') : t(`jobs.state.${state}`);
}
