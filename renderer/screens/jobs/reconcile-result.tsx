import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job, ReconcileCandidate, ReconcileQuestion, Reconciliation } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { CorrectAction } from '../../features/jobs/correct.tsx';
import {
  isFileKnown,
  isNeverListed,
  LookForJob,
  unsettledAnswer,
  useAccept,
} from '../../features/jobs/doubt-action.tsx';
import { SortAnswer, unsorted } from '../../features/jobs/sort-answer.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Fold, Technical } from '../../parts/problem.tsx';
import css from './jobs.module.css';
import { SendAgain } from './send-again.tsx';

const verdicts = {
  found: { tone: 'info', heading: 'jobs.lookFound', text: 'jobs.lookFoundText' },
  'not-found': { tone: 'unclear', heading: 'jobs.lookNotFound', text: 'jobs.lookNotFoundText' },
  'cannot-tell': { tone: 'unclear', heading: 'jobs.lookCannotTell', text: 'jobs.lookCannotTellText' },
  unanswered: { tone: 'unclear', heading: 'jobs.lookUnanswered', text: 'jobs.lookCannotTellText' },
} as const;

/** The result of asking the service about a job in doubt, with all questions. */
function ReconcileResult(props: {
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
      {result.unanswered ? (
        <p>
          {t('jobs.lookUnanswered')} · {t('jobs.lookedAt', { when: format.momentInText(result.unanswered.askedAt) })}
        </p>
      ) : null}
      {result.questions.length > 0 ? (
        <Fold label={t('jobs.evidence')}>
          <ol className={`${looks.lines} ${looks.said}`}>
            {[result, result.unanswered].map((asked) =>
              asked?.questions.map((question) => (
                <li key={`${asked.askedAt} ${question.operation} ${question.about}`}>{questionText(t, question)}</li>
              )),
            )}
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
        {candidate.unlisted && candidate.email ? (
          <p>{t('jobs.listedInPart', { listed: candidate.email, others: format.list(candidate.unlisted) })}</p>
        ) : null}
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
  const asked = {
    GetESignList: entries === null ? about : t('jobs.askedList', { about, count: entries }),
    ValidateDocument: about ? t('jobs.askedFile', { answer: t('common.quote', { text: about }) }) : t('jobs.checkFile'),
    GetDocumentDetails: t('jobs.askedDetails', { about }),
  }[question.operation];
  const parts = [asked, question.isCutOff ? t('jobs.cutOff') : null, failure ? failureText(t, failure).heading : null];
  return parts.filter((part) => part !== null).join(' · ');
}

/** A job with an unknown outcome: what the service itself shows of it first, sending again last. */
export function InDoubt(props: { readonly job: Job }) {
  const { job } = props;
  const { sameFileAs } = job;
  const isNote = isNeverListed(job);
  // One that an earlier version noted for a note asked nothing.
  const look = isNote ? null : job.look;
  const { t } = useTranslation();
  const reconcile = useCall('jobs.reconcile');
  const [isSending, setSending] = useState(false);
  const accepting = useAccept(job);
  const [id, setId] = useState('');

  return (
    <div className={css.explain}>
      <strong>{t(isNote ? 'corrections.heading.in-doubt' : 'jobs.doubtHeading')}</strong>
      {isNote ? <p>{t('jobs.notesNotListed')}</p> : null}
      {job.raw ? <p>{t('jobs.said', { raw: t('common.quote', { text: job.raw }) })}</p> : null}
      {look ? <ReconcileResult result={look} isBusy={accepting.busy} onAccept={accepting.accept} /> : null}
      {!look && sameFileAs ? <p>{t('jobs.fileOfOtherText', { title: sameFileAs })}</p> : null}
      {accepting.failure ? <FailureView failure={accepting.failure} calm /> : null}
      {(look ? look.verdict !== 'found' || isFileKnown(look) : sameFileAs) ? (
        <Form
          className={looks.byId}
          onSubmit={() => id.trim() !== '' && void reconcile.run({ jobId: job.id, documentId: id.trim() })}
        >
          <TextField label={t('jobs.askAboutId')} value={id} onChange={setId} mono maxLength={200} />
          <Button type="submit" isDisabled={id.trim() === ''} isPending={reconcile.busy}>
            {t('jobs.askAboutIdConfirm')}
          </Button>
        </Form>
      ) : null}
      {reconcile.failure ? <FailureView failure={reconcile.failure} calm /> : null}
      <div className={looks.line}>
        {isNote ? (
          <Button isPending={accepting.busy} onPress={() => accepting.accept(null)}>
            {t('jobs.serviceHasIt')}
          </Button>
        ) : null}
        {isNote || sameFileAs ? null : <LookForJob job={job} />}
        <CorrectAction quiet jobId={job.id} />
        <Button kind="quiet" onPress={() => setSending(true)}>
          {t('jobs.sendAgain')}
        </Button>
        {sameFileAs ? <LookForJob job={job} /> : null}
      </div>
      {job.failure ? (
        <Fold label={t('common.technical')}>
          <Technical text={failureText(t, job.failure).technical} />
        </Fold>
      ) : null}
      {isSending ? <SendAgain job={job} onClose={() => setSending(false)} /> : null}
    </div>
  );
}
