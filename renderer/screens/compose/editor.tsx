import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftContent } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import { type Correctable, type FormJob, isCorrectable } from '../../../contract/forms.ts';
import type { RepeatRule } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { creditTypeOf, lacksCredentials, useOtherConnection } from '../../features/connection-state.tsx';
import { useSelection } from '../../features/files/selection.tsx';
import {
  type DraftState,
  filledRows,
  missingOf,
  requestOf,
  useUncarriedText,
} from '../../features/forms/draft-state.ts';
import { useFormChanges } from '../../features/forms/stored-forms.ts';
import { CorrectionNotice, mayHaveArrived } from '../../features/jobs/correct.tsx';
import { sentToText } from '../../features/jobs/meaning-text.ts';
import { askingJob } from '../../features/jobs/repeats.tsx';
import { RequestOutcome } from '../../features/jobs/request-outcome.tsx';
import { useForms, useJobOfBatch } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { useFocusNext } from '../../parts/hooks/focus-and-scroll.ts';
import { useGoOn } from '../../parts/keys.ts';
import looks from '../../parts/looks.module.css';
import { useGo, useThisPage } from '../../parts/navigation.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { jobTones } from '../../parts/status-chip.tsx';
import css from './compose.module.css';
import { FormFields } from './form-fields.tsx';
import { MoreFields } from './more-fields.tsx';
import { PresetsDialog } from './presets-dialog.tsx';
import { useRecipientProblems } from './recipients.tsx';
import { Review } from './review.tsx';
import { StoredList } from './stored-list.tsx';
import { type DraftForm, useDraft } from './use-draft.ts';

export interface Corrected extends Pick<FormJob, 'failure' | 'isBesideDoubt'> {
  readonly state: Correctable;
}

type Step = { readonly at: 'edit' } | { readonly at: 'review' } | { readonly at: 'sent'; readonly batchId: string };

interface EditorProps {
  readonly start: DraftState;
  readonly draftId: string | null;
  readonly connection: Connection;
  /** The job as which it was sent and which was not taken. */
  readonly corrects: Corrected | null;
}

/** Shows the form, then the review, then the outcome. */
export function Editor(props: EditorProps) {
  const { connection } = props;
  const draft = useDraft(connection.id, props.start, props.draftId);
  const send = useCall('signatures.request');
  const selection = useSelection();
  const [step, setStep] = useState<Step>({ at: 'edit' });
  const [tried, setTried] = useState(false);
  const credit = creditTypeOf(connection, draft.state.content.creditType);
  const uncarriedText = useUncarriedText(draft.state);
  useFocusAtStep(step.at, props.draftId === null && props.start.file !== null);
  const { keep } = useThisPage();
  const { draftId } = draft;
  useEffect(() => {
    if (draftId !== null) keep({ screen: 'compose', draftId });
  }, [draftId, keep]);
  const request = requestOf(draft.state, {
    connectionId: connection.id,
    draftId: draft.draftId,
    creditType: credit?.value ?? null,
  });

  async function sendNow(repeats: RepeatRule | undefined) {
    if (!request) return;
    const sent = await send.run({ ...request, repeats });
    if (!sent.ok) return;
    draft.end();
    // What was sent is not opened again as a form.
    keep({ screen: 'jobs', batchId: sent.value.batchId });
    const { file } = draft.state;
    for (const one of selection.tokens.filter(({ source }) => source === file?.source)) selection.drop(one.token);
    setStep({ at: 'sent', batchId: sent.value.batchId });
  }

  if (step.at === 'sent') return <SentPage batchId={step.batchId} />;
  if (step.at === 'review' && request) {
    return (
      <Review
        request={request}
        connection={connection}
        uncarried={uncarriedText}
        isDoubt={props.corrects !== null && mayHaveArrived(props.corrects)}
        sending={send.busy}
        failure={send.failure}
        onBack={() => setStep({ at: 'edit' })}
        onSend={(repeats) => void sendNow(repeats)}
      />
    );
  }
  return (
    <RequestForm
      {...props}
      draft={draft}
      credit={credit}
      tried={tried}
      onTried={() => setTried(true)}
      onReview={() => setStep({ at: 'review' })}
    />
  );
}

/** The step is another page in the same screen, so the next Tab starts inside it. With the file of a new request at hand, its first signer is typed at once. */
function useFocusAtStep(at: Step['at'], isFileAtHand: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the step changes
  useEffect(() => {
    const main = document.querySelector<HTMLElement>('main');
    main?.scrollTo(0, 0);
    main?.focus({ preventScroll: true });
  }, [at]);
  // After the frame has put the focus on the new screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form is opened
  useEffect(() => {
    if (!isFileAtHand) return;
    const frame = requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('main [data-recipient="0"] input')?.focus({ preventScroll: true }),
    );
    return () => cancelAnimationFrame(frame);
  }, []);
}

function RequestForm(
  props: Pick<EditorProps, 'connection' | 'corrects'> & {
    readonly draft: DraftForm;
    readonly credit: Connection['creditTypes'][number] | null;
    /** True once a person tried to continue: missing fields are shown from then on. */
    readonly tried: boolean;
    readonly onTried: () => void;
    readonly onReview: () => void;
  },
) {
  const { draft, connection, tried, corrects } = props;
  const go = useGo();
  const creditType = props.credit?.value ?? null;
  const problems = useRecipientProblems(connection.id, draft.state.content);
  const missing = missingOf(draft.state, creditType);
  const focusNext = useFocusNext();
  async function review() {
    props.onTried();
    const errors = await problems.now();
    if (missing.length > 0 || errors) return focusNext(firstError);
    await draft.save();
    props.onReview();
  }
  useGoOn(lacksCredentials(connection) ? null : () => void review());
  async function toMany() {
    if (missing.includes('kind')) return focusNext(firstError);
    draft.set({});
    const draftId = await draft.save(true);
    if (draftId) go({ screen: 'bulk', draftId });
  }

  return (
    <FormPage draft={draft} connection={connection}>
      {corrects ? <CorrectionNotice {...corrects} /> : null}
      <div className={`${looks.withAside} ${css.form}`}>
        <div className={looks.stack4}>
          <FormFields
            draft={draft}
            connection={connection}
            creditType={creditType}
            problems={problems}
            missing={tried ? missing : []}
            tried={tried}
          />
          <MoreFields draft={draft} connection={connection} />
          {draft.failure ? <FailureView failure={draft.failure} /> : null}
        </div>
        <div className={css.before}>
          <BeforeCard
            content={draft.state.content}
            connection={connection}
            creditName={props.credit?.name ?? null}
            onReview={() => void review()}
            onMany={() => void toMany()}
          />
        </div>
      </div>
    </FormPage>
  );
}

/** The page around the form, with the saved drafts and presets. */
function FormPage(props: { readonly draft: DraftForm; readonly connection: Connection; readonly children: ReactNode }) {
  const { draft } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState<'drafts' | 'presets' | null>(null);
  const { data, dataUpdatedAt } = useForms('draft', props.connection.id);
  const drafts = data?.length ?? 0;
  const { savedAt, draftId } = draft;
  // It may have been removed meanwhile; a list that was read before it was saved does not tell.
  const isGone = savedAt !== null && dataUpdatedAt > Date.parse(savedAt) && !data?.some(({ id }) => id === draftId);
  const close = () => setOpen(null);
  return (
    <Page
      title={t('compose.formTitle')}
      actions={
        <>
          <span role="status" className={looks.hint}>
            {savedAt && !isGone ? t('compose.draftSaved', { time: format.time(savedAt) }) : null}
          </span>
          <Button onPress={() => setOpen('drafts')}>
            {drafts > 0 ? t('compose.draftsCount', { shown: format.number(drafts) }) : t('compose.draftsButton')}
          </Button>
          <Button onPress={() => setOpen('presets')}>{t('compose.presets')}</Button>
        </>
      }
    >
      {props.children}
      {open === 'drafts' ? <DraftsDialog connectionId={props.connection.id} onClose={close} /> : null}
      {open === 'presets' ? <PresetsDialog draft={draft} connectionId={props.connection.id} onClose={close} /> : null}
    </Page>
  );
}

function firstError(): HTMLElement | null {
  return document.querySelector('main [aria-invalid="true"], main [data-missing]');
}

/** States who will be mailed and the cost; contains the buttons to continue, which stay in sight. */
function BeforeCard(props: {
  readonly content: DraftContent;
  readonly connection: Connection;
  readonly creditName: string | null;
  readonly onReview: () => void;
  readonly onMany: () => void;
}) {
  const { content, connection } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const signers = filledRows(content).filter((person) => person.email !== '').length;
  const copies = content.kind === 'plain' ? 0 : content.ccEmails.filter((email) => email.trim() !== '').length;
  const mails = [
    signers > 0 ? t('compose.people', { count: signers }) : null,
    content.ownerSigns ? t('compose.you') : null,
    copies > 0 ? t('compose.copies', { count: copies }) : null,
  ].filter((part) => part !== null);
  const otherConnection = useOtherConnection(connection.id);
  const noCredentials = lacksCredentials(connection);
  return (
    <Card title={t('compose.before')} isTitleHidden>
      <div className={css.beforeFacts}>
        <Facts
          facts={[
            [t('compose.mailsTo'), mails.length > 0 ? format.list(mails) : null],
            [t('compose.kind'), t(`compose.kinds.${content.kind}`)],
            [
              t('compose.costs'),
              content.kind === 'plain'
                ? t('compose.costsCredit', { credit: props.creditName ?? '—' })
                : t('compose.costsRequest'),
            ],
            [t('compose.sentTo'), otherConnection],
          ]}
        />
      </div>
      {noCredentials ? (
        <div className={looks.warning}>
          <p>{t('register.needCredentials')}</p>
          <Button onPress={() => go({ screen: 'connections' })}>{t('register.toConnections')}</Button>
        </div>
      ) : null}
      <div className={`${looks.stack} ${css.actions}`}>
        <Button kind="primary" isDisabled={noCredentials} onPress={props.onReview}>
          {t('compose.review')}
        </Button>
        <Button onPress={props.onMany}>{t('compose.toMany')}</Button>
      </div>
    </Card>
  );
}

/** Saved requests that were not sent. */
function DraftsDialog(props: { readonly connectionId: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const drafts = useForms('draft', props.connectionId);
  const { remove } = useFormChanges();
  const resume = (draftId: string) => {
    props.onClose();
    go({ screen: 'compose', draftId });
  };
  return (
    <Dialog wide title={t('compose.drafts')} onClose={props.onClose}>
      {drafts.data?.length === 0 ? <p>{t('compose.noDrafts')}</p> : null}
      <StoredList
        label={t('compose.drafts')}
        failure={drafts.error?.failure ?? remove.failure}
        items={(drafts.data ?? []).map(({ id, job, kind, ...draft }) => {
          const name = draft.name || t('compose.untitled');
          const people = t('compose.people', { count: draft.recipientCount });
          return {
            key: id,
            name,
            about: [t(`compose.kinds.${kind}`), people, format.moment(draft.updatedAt)].join(' · '),
            chip: job ? <Chip {...jobTones[job.state]}>{t(`jobs.state.${job.state}`)}</Chip> : null,
            isLocked: job !== null && !isCorrectable(job.state),
            actions: [{ text: t('compose.resume'), isMain: true, run: () => resume(id) }],
            onRemove: () => void remove.run({ id }, name),
          };
        })}
      />
    </Dialog>
  );
}

/** The outcome of the sent request. */
function SentPage(props: { readonly batchId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const job = useJobOfBatch(props.batchId).data;
  return (
    <Page
      title={t('compose.sentTitle')}
      actions={
        <>
          <Button onPress={() => go({ screen: 'compose', fresh: props.batchId }, 'instead')}>
            {t('compose.newRequest')}
          </Button>
          {job?.state === 'refused' || job?.state === 'failed' ? null : (
            <Button
              kind="primary"
              onPress={() => go({ screen: 'signatures', ...(job ? { job: job.id } : {}) }, 'instead')}
            >
              {t('compose.toSignatures')}
            </Button>
          )}
        </>
      }
    >
      {job ? (
        <RequestOutcome
          jobId={job.id}
          title={job.title}
          state={job.state}
          raw={job.raw}
          kind={job.answer?.kind ?? null}
          documentId={job.documentId}
          failure={job.failure}
          at={job.at}
          about={sentToText(job.sentTo)}
          canCorrect={isCorrectable(job.state)}
          asking={askingJob(job)}
        />
      ) : (
        <p role="status">{t('common.loading')}</p>
      )}
    </Page>
  );
}
