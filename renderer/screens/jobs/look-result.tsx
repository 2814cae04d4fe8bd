import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { Reconciliation, ReconcileCandidate, ReconcileQuestion } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import css from './activity.module.css';

const verdicts = {
  found: { tone: 'info', heading: 'activity.lookFound', text: 'activity.lookFoundText' },
  'not-found': { tone: 'unclear', heading: 'activity.lookNotFound', text: 'activity.lookNotFoundText' },
  'cannot-tell': { tone: 'unclear', heading: 'activity.lookCannotTell', text: 'activity.lookCannotTellText' },
} as const;

/** What the service said when it was asked about a job in doubt, with all that was asked. */
export function LookResult(props: { readonly look: Reconciliation; readonly onAccept: (candidate: ReconcileCandidate) => void }) {
  const { look } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const verdict = verdicts[look.verdict];
  const mayBe = look.verdict === 'cannot-tell' && look.candidates.length > 0;
  return (
    <div className={css.look} role="status">
      <p className={css.deeds}>
        <Chip tone={verdict.tone}>{t(verdict.heading)}</Chip>
        <span title={format.fullMoment(look.askedAt)}>
          {t('activity.lookedAt', { when: format.momentInText(look.askedAt) })}
        </span>
      </p>
      <p>{t(mayBe ? 'activity.lookMayBeText' : verdict.text)}</p>
      {look.candidates.length > 0 ? (
        <ul className={css.candidates} aria-label={t('activity.candidates')}>
          {look.candidates.map((candidate) => (
            <Candidate key={candidate.documentId} candidate={candidate} onAccept={() => props.onAccept(candidate)} />
          ))}
        </ul>
      ) : null}
      {look.questions.length > 0 ? (
        <Fold label={t('activity.evidence')}>
          <ol className={css.steps}>
            {look.questions.map((question) => (
              <li key={`${question.operation} ${question.about}`}>{questionText(t, question)}</li>
            ))}
          </ol>
        </Fold>
      ) : null}
    </div>
  );
}

function Candidate(props: { readonly candidate: ReconcileCandidate; readonly onAccept: () => void }) {
  const { candidate } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const names = (marks: ReconcileCandidate['fits']) => format.list(marks.map((mark) => t(`activity.mark.${mark}`)));
  const about = [candidate.documentName, candidate.name, candidate.email, candidate.clientId].filter(Boolean);
  return (
    <li className={css.candidate}>
      <div className={css.middle}>
        <CopyId id={candidate.documentId} what={t('activity.documentId')} />
        <p>
          {about.join(' · ')}
          {candidate.createdDate ? (
            <span title={candidate.createdDate}>
              {about.length > 0 ? ' · ' : ''}
              {format.momentInText(candidate.createdAt ?? candidate.createdDate)}
            </span>
          ) : null}
        </p>
        {candidate.fits.length > 0 ? <p>{t('activity.fits', { marks: names(candidate.fits) })}</p> : null}
        {candidate.differs.length > 0 ? <p>{t('activity.differs', { marks: names(candidate.differs) })}</p> : null}
        {candidate.isTaken ? <p>{t('activity.taken')}</p> : null}
      </div>
      <Button isDisabled={candidate.isTaken} onPress={props.onAccept}>
        {t('activity.accept')}
      </Button>
    </li>
  );
}

function questionText(t: TFunction, question: ReconcileQuestion): string {
  const { about, entries, failure } = question;
  const asked =
    question.operation === 'GetESignList' && entries !== null
      ? t('activity.askedList', { about, count: entries })
      : question.operation === 'GetESignList'
        ? about
        : t('activity.askedDetails', { about });
  const parts = [
    asked,
    question.isCutOff ? t('activity.cutOff') : null,
    failure ? failureText(t, failure).heading : null,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}
