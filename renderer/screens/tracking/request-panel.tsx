import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { Job } from '../../../contract/jobs.ts';
import type { TakenAnswer, TrackedEntry, TrackedGroup, TrackedStatus, UntakenJob } from '../../../contract/tracking.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { CallButton } from '../../features/call-button.tsx';
import { DownloadPart } from '../../features/files/download-part.tsx';
import { CorrectAction } from '../../features/jobs/correct.tsx';
import { DoubtAction, EnterId, useDoubtText } from '../../features/jobs/doubt-action.tsx';
import { Asking, askingJob, useJob } from '../../features/jobs/repeats.tsx';
import { OpenAnswer } from '../../features/jobs/request-outcome.tsx';
import { useProgressText } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton, CopyId } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { SidePanel } from '../../parts/overlays/side-panel.tsx';
import { Facts } from '../../parts/page.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';
import { timesOf } from './entry-history.tsx';
import { useRequestName } from './people-text.ts';
import { DueDatePart } from './request-dialogs.tsx';
import { RequestSigner } from './request-signer.tsx';
import css from './signatures.module.css';
import { RequestStateChip, useWho } from './state-chips.tsx';
import { TeamPart } from './team-part.tsx';

/** Everything about one request: its signers in order, where it is signed, and what happened. */
export function RequestPanel(props: {
  readonly connection: Connection;
  readonly group: TrackedGroup;
  /** Another request has its document. */
  readonly isShared: boolean;
  readonly onChoose: (entry: TrackedEntry) => void;
  /** Shows the entries of the request as a list. */
  readonly onList: (origDocumentId: string) => void;
  readonly onClose: () => void;
}) {
  const { connection, group } = props;
  const { job, origDocumentId, signers } = group;
  const { t } = useTranslation();
  const name = useRequestName()(group);
  const progress = useProgressText()(group);
  const hidden = group.signerCount - signers.length;
  const [asked, setAsked] = useState<TrackedStatus | null>(null);
  // What was asked here is shown at once; later answers come with the request.
  const status = asked && asked.askedAt > (group.status?.askedAt ?? '') ? asked : group.status;
  return (
    <SidePanel label={t('tracking.panel')} title={name} onClose={props.onClose}>
      <div className={looks.line} role="status">
        <RequestStateChip group={group} />
        {progress ? <span className={looks.hint}>{progress}</span> : null}
      </div>
      <RestsOn group={group} />
      {props.isShared && group.state === 'not-known' ? <p>{t('tracking.sharedDocument')}</p> : null}
      {job && group.state !== 'not-sent' ? <NotTaken job={job} /> : null}
      {group.answer && group.state !== 'complete' ? <SigningLink answer={group.answer} /> : null}
      {origDocumentId === null && group.answer && group.state === 'not-known' ? (
        <>
          <p>{`${t('tracking.noId')} ${t('documents.noIdText')}`}</p>
          <EnterId jobId={group.answer.jobId} />
        </>
      ) : null}
      {origDocumentId && job === null ? (
        <>
          <div className={looks.line}>
            <CallButton
              call="tracking.askRequestStatus"
              input={{ connectionId: connection.id, documentId: origDocumentId }}
              onDone={setAsked}
              failed={{ calm: true }}
            >
              {t('documents.askStatus')}
            </CallButton>
            {status && !isOutdated(group, status) ? <StatusAsOf status={status} /> : null}
          </div>
          <DownloadPart
            connectionId={connection.id}
            documentId={origDocumentId}
            suggestedName={group.documentName ?? origDocumentId}
            plain
          />
        </>
      ) : null}
      <h3>{t('tracking.signers')}</h3>
      <ul className={looks.stack} aria-label={t('tracking.signers')}>
        {signers.map((signer, at) => (
          <RequestSigner
            key={signer.entry?.id ?? `${at} ${signer.email}`}
            group={group}
            signer={signer}
            list={connection.lists.find(({ value }) => value === signer.entry?.listType)}
            connectionId={connection.id}
            onChoose={props.onChoose}
          />
        ))}
      </ul>
      {origDocumentId && hidden > 0 ? (
        <div>
          <Button kind="quiet" onPress={() => props.onList(origDocumentId)}>
            {t('tracking.more', { count: hidden })}
          </Button>
        </div>
      ) : null}
      {origDocumentId && group.due ? (
        <DueDatePart connectionId={connection.id} documentId={origDocumentId} due={group.due} />
      ) : null}
      {origDocumentId ? <TeamPart connectionId={connection.id} documentId={origDocumentId} /> : null}
      {job === null ? <RequestHistory group={group} status={status} /> : null}
      {origDocumentId ? (
        <Facts
          facts={[
            [
              t('tracking.column.documentId'),
              <CopyId key="id" id={origDocumentId} what={t('tracking.column.documentId')} />,
            ],
          ]}
        />
      ) : null}
      {job === null && group.state !== 'complete' ? <p className={looks.hint}>{t('tracking.honest')}</p> : null}
    </SidePanel>
  );
}

/** The last status, with its time beside a state that may be newer. */
function StatusAsOf({ status }: { readonly status: TrackedStatus }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <StatusChip status={status} />
      <span className={looks.hint}>{t('documents.asOf', { time: format.momentInText(status.askedAt) })}</span>
    </>
  );
}

/** Whether all signed after the answer that signatures are missing: it stays in the history. */
function isOutdated({ state, signers }: TrackedGroup, { answer, askedAt }: TrackedStatus): boolean {
  const wasSeenLater = signers.some((signer) => signer.state === 'signed' && (signer.at ?? '') > askedAt);
  return state === 'complete' && answer.group === 'in-progress' && wasSeenLater;
}

/** Of a request that is waited for, while of nobody of it this is known: the answer that says so. */
function RestsOn({ group }: { readonly group: TrackedGroup }) {
  const { state, signers, status } = group;
  const { t } = useTranslation();
  const format = useFormat();
  const said = useSaid();
  const isOpen = state === 'waiting' || state === 'partly-signed';
  if (!status || !isOpen || signers.some((signer) => signer.state === 'waiting')) return null;
  const time = format.momentInText(status.askedAt);
  return <p className={looks.hint}>{t('tracking.restsOn', { word: said(status), time })}</p>;
}

/** What the service answered, in its words. */
function useSaid(): (status: TrackedStatus) => string {
  const { t } = useTranslation();
  return ({ raw }) => (raw === null ? t('common.noAnswerText') : t('common.quote', { text: raw }));
}

/** Why the service did not take it, or it has not left, and what a person can do. */
function NotTaken(props: { readonly job: UntakenJob }) {
  const { jobId, state, failure } = props.job;
  const { t } = useTranslation();
  const go = useGo();
  if (state === 'in-doubt' || state === 'queued') return <Undecided jobId={jobId} />;
  return (
    <>
      {failure ? <p>{failureText(t, failure).heading}</p> : null}
      <div className={looks.line}>
        <CorrectAction jobId={jobId} />
        <Button kind="quiet" onPress={() => go({ screen: 'jobs' })}>
          {t('compose.showInActivity')}
        </Button>
      </div>
    </>
  );
}

/** Of a doubt what the service itself shows of it first, as on Start; sending again last. Of one that was corrected, which is done once, what was sent in its place. */
function Undecided({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const { data: job, error } = useJob(jobId);
  if (error) return <FailureView failure={error.failure} calm />;
  if (!job) return null;
  const isDoubt = job.state === 'in-doubt';
  const isOpen = isDoubt && !job.isDismissed;
  const place = job.correction ?? { batchId: job.batchId, jobId };
  if (!isDoubt && !askingJob(job)) return null;
  return (
    <>
      {isDoubt ? <DoubtText job={job} /> : <Asking job={job} />}
      <div className={looks.line}>
        {isOpen ? <DoubtAction job={job} /> : null}
        <Button kind="quiet" onPress={() => go({ screen: 'jobs', ...place })}>
          {t('compose.showInActivity')}
        </Button>
        {isOpen ? <CorrectAction quiet jobId={jobId} /> : null}
      </div>
    </>
  );
}

function DoubtText({ job }: { readonly job: Job }) {
  return <p>{useDoubtText(job)}</p>;
}

/** Where the request is signed, if the service said it; otherwise what it answered. */
function SigningLink({ answer }: { readonly answer: TakenAnswer }) {
  const { jobId, link } = answer;
  const { t } = useTranslation();
  if (link === null) return <p className={looks.hint}>{t('tracking.noLink')}</p>;
  return (
    <div className={looks.line}>
      <CopyButton text={link} label={t('compose.copyLink')} />
      <OpenAnswer kind="quiet" jobId={jobId} />
    </div>
  );
}

/** When it was sent, each signature was first seen, and the service was asked, the newest first. */
function RequestHistory(props: { readonly group: TrackedGroup; readonly status: TrackedStatus | null }) {
  const { status } = props;
  const { sentAt, signers } = props.group;
  const { t } = useTranslation();
  const format = useFormat();
  const who = useWho();
  const said = useSaid();
  const step = (at: string | null | undefined, say: (time: string) => string) =>
    at ? [{ at, text: say(format.moment(at)) }] : [];
  const steps = [
    ...signers.flatMap((signer) =>
      signer.state === 'signed' && !signer.isByStatus
        ? step(signer.at, (time) => t('tracking.signedAt', { time, who: who(signer) }))
        : [],
    ),
    ...step(sentAt, (time) => t('tracking.created', { time })),
    ...(status ? timesOf(status) : []).flatMap((at) =>
      step(at, (time) => t('tracking.statusSince', { time, word: status ? said(status) : '' })),
    ),
  ];
  return (
    <>
      <h3>{t('tracking.happened')}</h3>
      <ol className={css.history} aria-label={t('tracking.happened')}>
        {steps
          .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
          .map(({ at, text }) => (
            <li key={text} title={format.fullMoment(at)}>
              {text}
            </li>
          ))}
      </ol>
    </>
  );
}
