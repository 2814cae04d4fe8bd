import { useTranslation } from 'react-i18next';
import type { StatusGroup } from '../../contract/answers.ts';
import type { DocumentStatus } from '../../contract/documents.ts';
import type { Job, JobState } from '../../contract/jobs.ts';
import { Chip, type ChipIcon, type Tone } from './chip.tsx';

const groupTones: Record<StatusGroup, { readonly tone: Tone; readonly icon?: ChipIcon }> = {
  'in-progress': { tone: 'info', icon: 'clock' },
  completed: { tone: 'confirmed' },
  attention: { tone: 'remark' },
  'not-found': { tone: 'silent', icon: 'help' },
  'not-sorted': { tone: 'unclear', icon: 'help' },
};

/** The last known status; words without a meaning are shown as the service answered them. */
export function StatusChip(props: {
  readonly status: DocumentStatus | null;
  /** What is known until the service is asked: the document was registered or sent from here. */
  readonly from?: 'registered' | 'sent' | undefined;
}) {
  const { t } = useTranslation();
  if (!props.status && props.from) {
    const text = t(props.from === 'sent' ? 'bulk.states.done' : 'jobs.state.done');
    return (
      <Chip tone="confirmed" title={t('documents.notAsked')}>
        {text}
      </Chip>
    );
  }
  if (!props.status) {
    return (
      <Chip tone="silent" icon="dashed" title={t('documents.notAsked')}>
        {t('documents.notAsked')}
      </Chip>
    );
  }
  const { raw, answer } = props.status;
  const word = t(`documents.group.${answer.group}`);
  const quoted = raw === null ? t('common.noAnswerText') : t('common.quote', { text: raw });
  return (
    <Chip {...groupTones[answer.group]} title={quoted}>
      {answer.group === 'not-sorted' && raw !== null ? quoted : word}
    </Chip>
  );
}

/** Colour and icon of every state; the text is beside it. Unknown is never red and never green. */
export const jobTones: Record<JobState, { readonly tone: Tone; readonly icon?: ChipIcon }> = {
  prepared: { tone: 'silent', icon: 'dashed' },
  waiting: { tone: 'silent', icon: 'clock' },
  sending: { tone: 'info', icon: 'clock' },
  done: { tone: 'confirmed' },
  refused: { tone: 'refused' },
  failed: { tone: 'refused' },
  'in-doubt': { tone: 'remark', icon: 'help' },
  'passed-over': { tone: 'silent', icon: 'dashed' },
  cancelled: { tone: 'silent', icon: 'dashed' },
};

/** Of a job that left and was corrected since. */
export const correctedTone = { tone: 'silent', icon: 'minus' } as const;

/** Of a job that is kept back. */
export const heldTone = { tone: 'unclear', icon: 'dashed' } as const;

export const toneOf = ({ pausedBy, state }: Pick<Job, 'pausedBy' | 'state'>) => (pausedBy ? heldTone : jobTones[state]);

/** States that need a person's action come first. */
export const statesByNeed: readonly JobState[] = [
  'in-doubt',
  'refused',
  'failed',
  'sending',
  'prepared',
  'waiting',
  'done',
  'passed-over',
  'cancelled',
];
