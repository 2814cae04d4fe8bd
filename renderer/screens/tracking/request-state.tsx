import { useTranslation } from 'react-i18next';
import type { RequestState, TrackedGroup, TrackedSigner } from '../../../contract/tracking.ts';
import { Chip, type ChipTone } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { jobTones } from '../../parts/status-chip.tsx';

/** Colour and icon of every state of a request; the word is beside it. */
export const stateTones: Record<RequestState | 'elsewhere', ChipTone> = {
  'needs-you': { tone: 'remark' },
  'not-sent': jobTones.waiting,
  waiting: { tone: 'info', icon: 'clock' },
  'partly-signed': { tone: 'info', icon: 'pencil' },
  complete: { tone: 'confirmed' },
  'not-known': { tone: 'unclear' },
  elsewhere: { tone: 'silent', icon: 'swap' },
};

/** The state of a request; of one that the service has not taken that of its job. */
export function RequestStateChip(props: { readonly group: TrackedGroup; readonly isIconOnly?: boolean }) {
  const { state, job } = props.group;
  const { t } = useTranslation();
  const look = { isIconOnly: props.isIconOnly ?? false };
  // What waits for a decision is not merely waiting.
  if (job === null || (job.state === 'queued' && state === 'needs-you'))
    return (
      <Chip {...look} {...stateTones[state]}>
        {t(`tracking.requestState.${state}`)}
      </Chip>
    );
  const isOnItsWay = job.state === 'queued' || job.state === 'sending';
  return (
    <Chip {...look} {...jobTones[job.state === 'queued' ? 'waiting' : job.state]}>
      {isOnItsWay ? t(`tracking.unlistedState.${job.state}`) : t(`jobs.state.${job.state}`)}
    </Chip>
  );
}

/** What is known about a signer whom no list shows now. */
export function UnlistedSignerState(props: { readonly signer: TrackedSigner }) {
  const { state, at } = props.signer;
  const { t } = useTranslation();
  const format = useFormat();
  if (state === 'signed')
    return (
      <Chip tone="confirmed">
        {at === null ? t('tracking.state.signed') : t('tracking.signedOn', { time: format.momentInText(at) })}
      </Chip>
    );
  if (state === 'waiting')
    return (
      <Chip {...stateTones.waiting}>
        {at === null ? t('tracking.state.waiting') : t('tracking.waitingAsked', { time: format.momentInText(at) })}
      </Chip>
    );
  return (
    <Chip {...stateTones['not-known']} title={at === null ? t('tracking.notListed') : format.fullMoment(at)}>
      {at === null ? t('tracking.notListed') : t('tracking.goneSince', { time: format.momentInText(at) })}
    </Chip>
  );
}
