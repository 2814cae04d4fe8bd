import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { TeamLink } from '../../../contract/team.ts';
import { Chip, type ChipIcon, type Tone } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { useTeamLink } from './team.ts';

const looks: Readonly<Record<TeamLink['state'], { readonly tone: Tone; readonly icon?: ChipIcon }>> = {
  connecting: { tone: 'silent', icon: 'dashed' },
  'catching-up': { tone: 'silent', icon: 'dashed' },
  connected: { tone: 'confirmed' },
  away: { tone: 'silent' },
  busy: { tone: 'remark' },
  'read-only': { tone: 'remark' },
  closed: { tone: 'remark' },
  newer: { tone: 'remark' },
  refused: { tone: 'remark' },
};

/** The state of a team register as a text, with its time unless all is well; or how much of what was registered before joining is reported. */
export function teamStateText(t: TFunction, link: TeamLink, momentInText: (iso: string) => string): string {
  if (link.state === 'connected' && link.earlier) return t('team.reportingEarlier', link.earlier);
  if (link.state === 'catching-up' && link.failure) return t('team.notStored', { time: momentInText(link.since) });
  if (link.failure?.heldBy) return t('team.held', { who: link.failure.heldBy, time: momentInText(link.since) });
  return t(`team.state.${link.state}`, { time: momentInText(link.since) });
}

/** The same with a picture. */
export function TeamStateChip({ link }: { readonly link: TeamLink }) {
  const { t } = useTranslation();
  const format = useFormat();
  // What cannot be stored is no mere copying.
  const look = looks[link.state === 'catching-up' && link.failure ? 'refused' : link.state];
  return <Chip {...look}>{teamStateText(t, link, format.momentInText)}</Chip>;
}

/** That the team has used up its automatic calls of this hour, and when there are some again; else null. The program's own limit is said apart. */
export function useTeamCallsText(connectionId: string): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const freeAt = useTeamLink(connectionId)?.callsFreeAt ?? null;
  return freeAt && t('team.callsUsedUp', { time: format.time(freeAt) });
}
