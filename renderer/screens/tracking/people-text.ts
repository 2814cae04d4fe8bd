import { useTranslation } from 'react-i18next';
import type { TrackedGroup, TrackedSigner } from '../../../contract/tracking.ts';
import { isolated } from '../../../locales/isolate.ts';
import { useFormat, visibleName } from '../../parts/format.ts';
import { signedText, useWho } from './state-chips.tsx';

/** What a request is called: its document. */
export function useRequestName(): (group: TrackedGroup) => string {
  const { t } = useTranslation();
  return ({ documentName, origDocumentId }) => documentName || origDocumentId || t('tracking.noDocument');
}

/** How many requests there are, or signers. */
export function useCountText(): (count: number, ofSigners?: boolean) => string {
  const { t } = useTranslation();
  const format = useFormat();
  return (count, ofSigners) => t(ofSigners ? 'tracking.entries' : 'tracking.requestCount', format.counted(count));
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufefc]/;
const order = { waiting: 0, 'not-known': 1, signed: 2 } as const;

/**
 * The people of a request in one line, those who have not signed first, each with since when that is known; then the same for less room: one person of each state and how
 * many more there are, and one of all. Each has a direction of their own.
 */
export function usePeopleTexts(): (group: TrackedGroup) => readonly [whole: string, ...shorter: string[]] {
  const { t, i18n } = useTranslation();
  const format = useFormat();
  const nameOf = useWho();
  const who = (signer: TrackedSigner) => {
    const name = visibleName(nameOf(signer));
    return i18n.dir() === 'ltr' && !rightToLeft.test(name) ? name : `\u2068${name}\u2069`;
  };
  const firstOf = (signers: readonly TrackedSigner[], others = signers.length - 1) =>
    [
      ...signers.slice(0, 1).map(who),
      ...(others > 0 ? [isolated(`+${format.number(others)}`, i18n.language)] : []),
    ].join(' ');
  const stateOf = (signer: TrackedSigner, sentAt: string | null): string => {
    const { state, at, entry } = signer;
    if (state === 'signed') return signedText(t, signer, format.momentInText);
    if (state === 'not-known')
      return at === null
        ? // A list whose meaning is not set may have it.
          t(entry === null ? 'tracking.notListed' : 'tracking.requestState.not-known')
        : t('tracking.goneSince', { time: format.momentInText(at) });
    // A status that says more than that the service works on it, for example that somebody refused.
    const status = entry?.state === 'status' ? entry.status : null;
    if (status) return status.raw === null ? t('common.noAnswerText') : t('common.quote', { text: status.raw });
    if (at !== null) return t('tracking.waitingAsked', { time: format.momentInText(at) });
    const since = entry?.createdAt ?? sentAt;
    const days = since === null ? 0 : format.daysSince(since);
    return days > 0 ? t('tracking.waitingDays', { count: days }) : t('tracking.state.waiting');
  };
  return ({ signers, signerCount, sentAt, job }) => {
    const hidden = signerCount - signers.length;
    const more = hidden > 0 ? [t('tracking.more', { count: hidden })] : [];
    const sorted = job === null ? signers.toSorted((a, b) => order[a.state] - order[b.state]) : signers;
    const one = firstOf(sorted, signerCount - 1);
    if (job !== null) return [[format.amounts(signers.map(who)), ...more].filter(Boolean).join(' · '), one];
    const groups = new Map<string, TrackedSigner[]>();
    for (const signer of sorted) {
      const state = stateOf(signer, sentAt);
      groups.set(state, [...(groups.get(state) ?? []), signer]);
    }
    const line = (people: (some: readonly TrackedSigner[]) => string) =>
      [...[...groups].map(([state, some]) => t('tracking.whoState', { who: people(some), state })), ...more].join(
        ' · ',
      );
    return [line((some) => format.amounts(some.map(who))), line(firstOf), one];
  };
}
