import type { VerdictGroup } from '../../../contract/answer.ts';
import type { Tone } from '../../parts/chip.tsx';

/** Colour and picture of every group. No answer is grey, never red. */
export const verdictTones: Record<VerdictGroup, Tone> = {
  confirmed: 'confirmed',
  'confirmed-with-remark': 'remark',
  'not-confirmed': 'refused',
  unclear: 'unclear',
  'no-answer': 'silent',
};

/** Failures first. */
export const verdictsByNeed: readonly VerdictGroup[] = [
  'not-confirmed',
  'unclear',
  'no-answer',
  'confirmed-with-remark',
  'confirmed',
];
