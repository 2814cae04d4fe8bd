import type { VerdictGroup } from '../../../contract/answer.ts';
import type { ComparisonState, FileChange } from '../../../contract/verify-result.ts';
import type { ChipIcon, Tone } from '../../parts/chip.tsx';

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

interface Look {
  readonly tone: Tone;
  readonly icon: ChipIcon;
}

/** A change is a fact, neither good nor bad. */
export const changeLooks: Record<FileChange, Look> = {
  'verdict-changed': { tone: 'unclear', icon: 'swap' },
  altered: { tone: 'info', icon: 'pencil' },
  new: { tone: 'info', icon: 'plus' },
  gone: { tone: 'silent', icon: 'minus' },
  unchanged: { tone: 'silent', icon: 'equal' },
};

export const changesByNeed: readonly FileChange[] = ['verdict-changed', 'altered', 'new', 'gone', 'unchanged'];

/** Other bytes than the service's copy are a fact too: never red. */
export const comparisonLooks: Record<ComparisonState, Look | { readonly tone: Tone }> = {
  comparing: { tone: 'silent', icon: 'clock' },
  same: { tone: 'confirmed', icon: 'equal' },
  different: { tone: 'info', icon: 'unequal' },
  'no-copy': { tone: 'silent', icon: 'minus' },
  'no-answer': { tone: 'silent' },
  stopped: { tone: 'silent', icon: 'dashed' },
};
