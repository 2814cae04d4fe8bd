import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReconcileCandidate, ReconcileQuestion, Reconciliation } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { isFileKnown, unsettledAnswer } from '../../features/jobs/doubt-action.tsx';
import { SortAnswer, unsorted } from '../../features/jobs/sort-answer.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import css from './jobs.module.css';

const verdicts = {
  found: { tone: 'info', heading: 'jobs.lookFound', text: 'jobs.lookFoundText' },
  'not-found': { tone: 'unclear', heading: 'jobs.lookNotFound', text: 'jobs.lookNotFoundText' },
  'cannot-tell': { tone: 'unclear', heading: 'jobs.lookCannotTell', text: 'jobs.lookCannotTellText' },
} as const;

/** The result of asking the service about a job in doubt, with all questions. */
export function ReconcileResult(props: {
  readonly result: Reconciliation;
  readonly isBusy: boolean;
  /** Null: the file that the service knows. */
  readonly onAccept: (candidate: ReconcileCandidate | null) => void;
}) {
  const { result } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [isSorting, setSorting] = useState(false);
  const verdict = verdicts[result.verdict];
  const isKnown = isFileKnown(result);
  const answer = unsettledAnswer(result);
  const other = result.explainedBy;
  const unsettled = answer ? 'jobs.fileUnclearText' : verdict.text;
  const mayBe = result.verdict === 'cannot-tell' && result.candidates.length > 0;
  const text = isKnown ? 'jobs.fileKnownText' : mayBe ? 'jobs.lookMayBeText' : unsettled;
  return (
    <div className={css.result} role="status">
      <p className={looks.line}>
        <Chip tone={verdict.tone}>
          {answer
            ? t('jobs.askedFile', { answer: t('common.quote', { text: answer }) })
            : t(isKnown || other !== undefined ? 'jobs.fileKnown' : mayBe ? 'jobs.lookFound' : verdict.heading)}
        </Chip>
        <span title={format.fullMoment(result.askedAt)}>
          {t('jobs.lookedAt', { when: format.momentInText(result.askedAt) })}
        </span>
      </p>
      <p>{other === undefined ? t(text) : t('jobs.fileOfOtherText', { title: other })}</p>
      {answer ? (
        <Button kind="quiet" onPress={() => setSorting(true)}>
          {t('answers.sort')}
        </Button>
      ) : null}
      {answer && isSorting ? <SortAnswer thing={unsorted(answer)} onClose={() => setSorting(false)} /> : null}
      {isKnown ? (
        <Button isPending={props.isBusy} onPress={() => props.onAccept(null)}>
          {t('jobs.countRegistered')}
        </Button>
      ) : null}
      {result.candidates.length > 0 ? (
        <ul className={looks.stack} aria-label={t('jobs.candidates')}>
          {result.candidates.map((candidate) => (
            <Candidate
              key={candidate.documentId}
              candidate={candidate}
              isBusy={props.isBusy}
              onAccept={() => props.onAccept(candidate)}
            />
          ))}
        </ul>
      ) : null}
      {result.questions.length > 0 ? (
        <Fold label={t('jobs.evidence')}>
          <ol className={`${looks.lines} ${looks.said}`}>
            {result.questions.map((question) => (
              <li key={`${question.operation} ${question.about}`}>{questionText(t, question)}</li>
            ))}
          </ol>
        </Fold>
      ) : null}
    </div>
  );
}

function Candidate(props: {
  readonly candidate: ReconcileCandidate;
  readonly isBusy: boolean;
  readonly onAccept: () => void;
}) {
  const { candidate } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const names = (marks: ReconcileCandidate['fits']) => format.list(marks.map((mark) => t(`jobs.mark.${mark}`)));
  const about = [candidate.documentName, candidate.name, candidate.email, candidate.clientId].filter(Boolean);
  return (
    <li className={css.candidate}>
      <div className={css.middle}>
        <CopyId id={candidate.documentId} what={t('jobs.documentId')} />
        <p>
          {about.join(' · ')}
          {candidate.createdDate ? (
            <span title={candidate.createdDate}>
              {about.length > 0 ? ' · ' : ''}
              {format.momentInText(candidate.createdAt ?? candidate.createdDate)}
            </span>
          ) : null}
        </p>
        {candidate.fits.length > 0 ? <p>{t('jobs.fits', { marks: names(candidate.fits) })}</p> : null}
        {candidate.differs.length > 0 ? <p>{t('jobs.differs', { marks: names(candidate.differs) })}</p> : null}
        {candidate.isTaken ? <p>{t('jobs.taken')}</p> : null}
      </div>
      <Button isDisabled={candidate.isTaken} isPending={props.isBusy} onPress={props.onAccept}>
        {t('start.itIsThis')}
      </Button>
    </li>
  );
}

function questionText(t: TFunction, question: ReconcileQuestion): string {
  const { about, entries, failure } = question;
  const asked =
    question.operation === 'GetESignList' && entries !== null
      ? t('jobs.askedList', { about, count: entries })
      : question.operation === 'GetESignList'
        ? about
        : question.operation === 'ValidateDocument'
          ? t('jobs.askedFile', { answer: t('common.quote', { text: about }) })
          : t('jobs.askedDetails', { about });
  const parts = [asked, question.isCutOff ? t('jobs.cutOff') : null, failure ? failureText(t, failure).heading : null];
  return parts.filter((part) => part !== null).join(' · ');
}
