import { useTranslation } from 'react-i18next';
import type { TrackedGroup, TrackedSigner } from '../../../contract/tracking.ts';
import { useFormat } from '../../parts/format.ts';
import { useWho } from './signer-state.tsx';

/** What a request is called: its document. */
export function useRequestName(): (group: TrackedGroup) => string {
  const { t } = useTranslation();
  return ({ documentName, origDocumentId }) => documentName || origDocumentId || t('tracking.noDocument');
}

/** How many requests there are. */
export function useCountText(): (count: number) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (count) => t('tracking.requestCount', { count, shown: format.number(count) });
}

const order = { waiting: 0, 'not-known': 1, signed: 2 } as const;

/** The people of a request in one line: those who have not signed first, each with since when that is known. `who`: what stands for each, asked in the order of the line. */
export function usePeopleText(): (group: TrackedGroup, who?: (signer: TrackedSigner) => string) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useWho();
  const stateOf = ({ state, at, entry }: TrackedSigner, sentAt: string | null): string => {
    if (state === 'signed')
      return at === null ? t('tracking.state.signed') : t('tracking.signedOn', { time: format.momentInText(at) });
    if (state === 'not-known')
      return at === null ? t('tracking.notListed') : t('tracking.goneSince', { time: format.momentInText(at) });
    // A status that says more than that the service works on it, for example that somebody refused.
    const status = entry?.state === 'status' ? entry.status : null;
    if (status) return status.raw === null ? t('common.noAnswerText') : t('common.quote', { text: status.raw });
    const since = entry?.createdAt ?? sentAt;
    const days = since === null ? 0 : format.daysSince(since);
    return days > 0 ? t('tracking.waitingDays', { count: days }) : t('tracking.state.waiting');
  };
  return ({ signers, signerCount, sentAt, job }, who = nameOf) => {
    const hidden = signerCount - signers.length;
    const more = hidden > 0 ? [t('tracking.more', { count: hidden })] : [];
    if (job !== null) return [format.amounts(signers.map(who)), ...more].filter(Boolean).join(' · ');
    const groups = new Map<string, TrackedSigner[]>();
    for (const signer of signers.toSorted((a, b) => order[a.state] - order[b.state])) {
      const state = stateOf(signer, sentAt);
      groups.set(state, [...(groups.get(state) ?? []), signer]);
    }
    const parts = [...groups].map(([state, some]) =>
      t('tracking.whoState', { who: format.amounts(some.map(who)), state }),
    );
    return [...parts, ...more].join(' · ');
  };
}
