import { useTranslation } from 'react-i18next';
import type { DuplicateOf, Job } from '../../../contract/jobs.ts';
import { useOpenClaims } from '../../features/team-shared.ts';
import { useFormat } from '../../parts/format.ts';
import css from './jobs.module.css';

/** Who of the team has the same, and how far it is there. */
export function HeldByColleague(props: {
  readonly job: Job;
  readonly same: DuplicateOf & Required<Pick<DuplicateOf, 'by'>>;
}) {
  const { job, same } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isOpen = same.state === 'sending' && job.pausedBy === 'duplicate';
  const claims = useOpenClaims(job.connectionId, isOpen);
  const claim = claims.data?.find(({ claimId }) => claimId === same.claim?.claimId);
  const { person, computer } = same.by;
  const words = { person, computer, title: same.title, when: format.momentInText(same.at) };
  const state = same.state === 'done' ? 'done' : same.state === 'in-doubt' ? 'doubt' : 'sending';
  return (
    <p className={css.proof}>
      {t(`team.${state}By`, words)}
      {same.skipsWhenDone && same.state !== 'done' ? (
        <span className={css.silentSince}>{t('team.skipsWhenDone')}</span>
      ) : null}
      {isOpen && claim?.isSilent ? (
        <span className={css.silentSince}>{t('team.silentSince', { when: format.momentInText(claim.seenAt) })}</span>
      ) : null}
    </p>
  );
}
