import type { VerdictGroup } from '../../../contract/answers.ts';
import type { ComparisonState, FileChange, VerdictFinding } from '../../../contract/verify-result.ts';
import type { ChipIcon, ChipTone, Tone } from '../../parts/chip.tsx';

/** Colour and icon of every group. No answer is grey, never red. */
export const verdictTones: Record<VerdictGroup, ChipTone> = {
  confirmed: { tone: 'confirmed' },
  'confirmed-with-remark': { tone: 'remark' },
  'not-confirmed': { tone: 'refused' },
  unclear: { tone: 'unclear' },
  'no-answer': { tone: 'silent' },
  'not-pdf': { tone: 'silent', icon: 'minus' },
};

/** Icons of findings, so that two answers of one group differ in more than their words. */
const findingIcons: Partial<Record<VerdictFinding, ChipIcon>> = { changed: 'unequal', unknown: 'not-found' };

/** Colour and icon of an answer. */
export function verdictLook(group: VerdictGroup, finding: VerdictFinding | null): ChipTone {
  const icon = finding && findingIcons[finding];
  return icon ? { ...verdictTones[group], icon } : verdictTones[group];
}

/** Failures first. */
export const verdictsByNeed: readonly VerdictGroup[] = [
  'not-confirmed',
  'unclear',
  'no-answer',
  'not-pdf',
  'confirmed-with-remark',
  'confirmed',
];

interface ToneAndIcon {
  readonly tone: Tone;
  readonly icon: ChipIcon;
}

/** A change is a fact, neither good nor bad. */
export const changeTones: Record<FileChange, ToneAndIcon> = {
  'verdict-changed': { tone: 'unclear', icon: 'swap' },
  altered: { tone: 'info', icon: 'pencil' },
  new: { tone: 'info', icon: 'plus' },
  gone: { tone: 'silent', icon: 'minus' },
  unchanged: { tone: 'silent', icon: 'equal' },
};

export const changesByNeed: readonly FileChange[] = ['verdict-changed', 'altered', 'new', 'gone', 'unchanged'];

/** A difference from the service's copy is a fact too: never red. */
export const comparisonTones: Record<ComparisonState, ToneAndIcon | { readonly tone: Tone }> = {
  comparing: { tone: 'silent', icon: 'clock' },
  same: { tone: 'confirmed', icon: 'equal' },
  different: { tone: 'info', icon: 'unequal' },
  'no-copy': { tone: 'silent', icon: 'minus' },
  'no-answer': { tone: 'silent' },
  stopped: { tone: 'silent', icon: 'dashed' },
};
