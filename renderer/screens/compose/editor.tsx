import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { Correctable } from '../../../contract/corrections.ts';
import type { Failure } from '../../../contract/failure.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { CorrectionNotice } from '../../features/correct.tsx';
import { useSelection } from '../../features/work.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { BeforeCard } from './before-card.tsx';
import css from './compose.module.css';
import { type Composing, missingOf, requestOf } from './composing.ts';
import { DraftsDialog } from './drafts-dialog.tsx';
import { FormFields } from './form-fields.tsx';
import { MoreCard } from './more-card.tsx';
import { PresetsDialog } from './presets-dialog.tsx';
import { Review } from './review.tsx';
import { SentPage } from './sent-page.tsx';
import { useDraft } from './use-draft.ts';
import { useRecipientProblems } from './use-recipient-problems.ts';

export interface Corrected {
  readonly state: Correctable;
  readonly failure: Failure | null;
}

type Step = { readonly at: 'edit' } | { readonly at: 'review' } | { readonly at: 'sent'; readonly batchId: string };

/** The form, then everything once more, then what became of it. */
export function Editor(props: {
  readonly start: Composing;
  readonly draftId: string | null;
  readonly connection: Connection;
  /** The job that it was sent as and that was not taken. */
  readonly corrects: Corrected | null;
}) {
  const { connection } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const work = useSelection();
  const draft = useDraft(connection.id, props.start, props.draftId);
  const send = useTask('signatures.request');
  const [step, setStep] = useState<Step>({ at: 'edit' });
  const [tried, setTried] = useState(false);
  const [open, setOpen] = useState<'drafts' | 'presets' | null>(null);
  const { content, file } = draft.composing;
  const credit =
    connection.creditTypes.find((type) => type.value === content.creditType) ?? connection.creditTypes[0] ?? null;
  const creditType = credit?.value ?? null;
  const problems = useRecipientProblems(connection.id, content);
  const missing = missingOf(draft.composing, creditType);
  // Another page in the same screen: the next Tab starts inside it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the step changes
  useEffect(() => {
    const main = document.querySelector<HTMLElement>('main');
    main?.scrollTo(0, 0);
    main?.focus({ preventScroll: true });
  }, [step.at]);
  const request = requestOf(draft.composing, { connectionId: connection.id, draftId: draft.draftId, creditType });

  async function review() {
    setTried(true);
    const errors = await problems.now();
    if (missing.length > 0 || errors) return focusFirstError();
    await draft.save();
    setStep({ at: 'review' });
  }
  async function sendNow() {
    if (!request) return;
    const sent = await send.run(request);
    if (!sent.ok) return;
    draft.end();
    for (const one of work.tokens.filter(({ source }) => source === file?.source)) work.drop(one.token);
    setStep({ at: 'sent', batchId: sent.value.batchId });
  }
  async function toMany() {
    draft.set({});
    const draftId = await draft.save();
    if (draftId) go({ screen: 'bulk', draftId });
  }

  if (step.at === 'sent') return <SentPage batchId={step.batchId} />;
  if (step.at === 'review' && request) {
    return (
      <Review
        request={request}
        connection={connection}
        isDoubt={props.corrects?.state === 'in-doubt'}
        sending={send.busy}
        failure={send.failure}
        onBack={() => setStep({ at: 'edit' })}
        onSend={() => void sendNow()}
      />
    );
  }
  const lead = [
    t(`compose.kinds.${content.kind}`),
    draft.savedAt ? t('compose.draftSaved', { time: format.time(draft.savedAt) }) : null,
  ];
  return (
    <Page
      title={t('compose.title')}
      lead={<span role="status">{lead.filter((part) => part !== null).join(' · ')}</span>}
      actions={
        <>
          <Button onPress={() => setOpen('drafts')}>{t('compose.drafts')}</Button>
          <Button onPress={() => setOpen('presets')}>{t('compose.presets')}</Button>
        </>
      }
    >
      {props.corrects ? <CorrectionNotice {...props.corrects} /> : null}
      <div className={css.form}>
        <FormFields
          draft={draft}
          connection={connection}
          creditType={creditType}
          problems={problems}
          missing={tried ? missing : []}
          tried={tried}
        />
        <div className={css.side}>
          <BeforeCard
            content={content}
            connection={connection}
            creditName={credit?.name ?? null}
            onReview={() => void review()}
            onMany={() => void toMany()}
          />
          <MoreCard draft={draft} connection={connection} />
          {draft.failure ? <FailureView failure={draft.failure} /> : null}
        </div>
      </div>
      {open === 'drafts' ? <DraftsDialog connectionId={connection.id} onClose={() => setOpen(null)} /> : null}
      {open === 'presets' ? <PresetsDialog draft={draft} onClose={() => setOpen(null)} /> : null}
    </Page>
  );
}

/** After the next drawing, when the errors stand at their fields. */
function focusFirstError(): void {
  setTimeout(() => document.querySelector<HTMLElement>('main [aria-invalid="true"], main [data-missing]')?.focus(), 50);
}
