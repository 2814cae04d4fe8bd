import type { JobState } from '../../contract/jobs.ts';
import type { ChipIcon, Tone } from './chip.tsx';

/** Colour and icon of every state; the text is beside it. Unknown is never red and never green. */
export const jobTones: Record<JobState, { readonly tone: Tone; readonly icon?: ChipIcon }> = {
  prepared: { tone: 'silent', icon: 'dashed' },
  waiting: { tone: 'silent', icon: 'clock' },
  sending: { tone: 'info', icon: 'clock' },
  done: { tone: 'confirmed' },
  refused: { tone: 'refused' },
  failed: { tone: 'refused' },
  'in-doubt': { tone: 'remark', icon: 'help' },
  cancelled: { tone: 'silent', icon: 'dashed' },
};

/** Of a job that is kept back. */
export const heldTone = { tone: 'unclear', icon: 'dashed' } as const;

/** States that need a person's action come first. */
export const statesByNeed: readonly JobState[] = [
  'in-doubt',
  'refused',
  'failed',
  'sending',
  'prepared',
  'waiting',
  'done',
  'cancelled',
];
