import type { TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  RequestState,
  TrackedEntry,
  TrackedGroup,
  TrackedList,
  TrackedSigner,
} from '../../../contract/tracking.ts';
import { Chip, type ChipTone } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { jobTones, StatusChip } from '../../parts/status-chip.tsx';
import css from './signatures.module.css';

/**
 * Draws what is known about a signer, with its day: the list of the entry says it, or a status that says more. `list`: the entry's list, undefined if it
 * was removed. `isNamed`: says who signed, where the name is not beside it. The time is that at which this program first saw the signature.
 */
export function useSignerState() {
  const { t } = useTranslation();
  const format = useFormat();
  const who = useWho();
  return useCallback(
    (entry: TrackedEntry, list: Pick<TrackedList, 'name'> | undefined, isNamed = false) => {
      const { state, signedAt } = entry;
      if (state === 'status' && entry.status) return <StatusChip status={entry.status} />;
      if (state === 'waiting') {
        const days = entry.createdAt ? format.daysSince(entry.createdAt) : 0;
        return (
          <Chip tone="info" icon="clock">
            {days > 0 ? t('tracking.waitingDays', { count: days }) : t('tracking.state.waiting')}
          </Chip>
        );
      }
      if (state !== 'signed')
        return (
          <Chip tone="silent" icon="dashed">
            {list?.name ?? String(entry.listType)}
          </Chip>
        );
      const time = signedAt === null ? null : format.momentInText(signedAt);
      const plain = time === null ? t('tracking.state.signed') : t('tracking.signedOn', { time });
      const text = isNamed ? t('tracking.signedBy', { who: who(entry) }) : plain;
      const title = signedAt === null ? text : t('tracking.firstSeen', { time: format.fullMoment(signedAt) });
      return (
        <Chip tone="confirmed" title={title}>
          {text}
        </Chip>
      );
    },
    [t, format, who],
  );
}

/** Name of an entry's signer, else the address. */
export function useWho(): (person: { readonly name: string | null; readonly email: string | null }) => string {
  const { t } = useTranslation();
  return useCallback(({ name, email }) => name || email || t('tracking.someone'), [t]);
}

/**
 * How an entry changed since its list was viewed: "Ana Petrov signed". `isStateShown`: the signature is told elsewhere in the row, and only that it is
 * new is said here.
 */
export function ChangeChip(props: {
  readonly entry: TrackedEntry;
  readonly list: Pick<TrackedList, 'name'> | undefined;
  readonly isStateShown?: boolean;
}) {
  const { entry, list, isStateShown = false } = props;
  const { t } = useTranslation();
  const who = useWho();
  if (entry.hasSigned && !isStateShown) {
    const text = t('tracking.signedBy', { who: who(entry) });
    return (
      <Chip tone="info" title={text}>
        {text}
      </Chip>
    );
  }
  if (isStateShown && (entry.hasSigned || entry.mark === 'new'))
    return <span className={css.mark} role="img" aria-label={t('tracking.mark.new')} title={t('tracking.mark.new')} />;
  const isMoved = entry.mark === 'moved' && entry.movedFrom !== null && !entry.hasSigned;
  return (
    <Chip tone="info">
      {isMoved ? t('tracking.movedTo', { list: list?.name ?? String(entry.listType) }) : t('tracking.mark.new')}
    </Chip>
  );
}

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

/** That somebody signed, and by what and when it was seen. */
export function signedText(t: TFunction, { at, isByStatus }: TrackedSigner, moment: (iso: string) => string): string {
  if (at === null) return t('tracking.state.signed');
  return t(isByStatus ? 'tracking.completedOn' : 'tracking.signedOn', { time: moment(at) });
}

/** What is known about a signer whom no list shows now. */
export function UnlistedSignerState(props: { readonly signer: TrackedSigner }) {
  const { state, at } = props.signer;
  const { t } = useTranslation();
  const format = useFormat();
  if (state === 'signed') return <Chip tone="confirmed">{signedText(t, props.signer, format.momentInText)}</Chip>;
  if (state === 'waiting')
    return (
      <Chip {...stateTones.waiting}>
        {at === null ? t('tracking.state.waiting') : t('tracking.waitingAsked', { time: format.momentInText(at) })}
      </Chip>
    );
  return (
    <Chip {...stateTones['not-known']} title={at === null ? t('tracking.neverListed') : format.fullMoment(at)}>
      {at === null ? t('tracking.notListed') : t('tracking.goneSince', { time: format.momentInText(at) })}
    </Chip>
  );
}
