import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PreviewChild, RequestPreview } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { SignatureRequest } from '../../../contract/signatures.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { FirstPage } from '../../features/files/pdf-frame.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Page } from '../../parts/page.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import css from './compose.module.css';
import { ReviewFacts } from './review-facts.tsx';

interface ReviewProps {
  readonly request: SignatureRequest;
  readonly connection: Connection;
  /** What is filled in and not sent; null if everything is. */
  readonly uncarried: string | null;
  /** True if it corrects a request that the service may have taken. */
  readonly isDoubt: boolean;
  readonly sending: boolean;
  readonly failure: Failure | null;
  readonly onBack: () => void;
  readonly onSend: () => void;
}

/** Whom the request mails, with which texts, its cost, and that it is final; each field as it will be sent is folded beneath. */
export function Review(props: ReviewProps) {
  const { t } = useTranslation();
  const preview = useQuery({
    queryKey: ['preview', props.request],
    queryFn: () => askValue('compose.preview', props.request),
    gcTime: 0,
  });
  return (
    <Page
      title={t('compose.reviewTitle')}
      back={{ text: t('app.backTo', { page: t('screens.compose') }), go: props.onBack }}
    >
      {preview.error ? (
        <FailureView failure={preview.error.failure}>
          <Button onPress={props.onBack}>{t('compose.back')}</Button>
        </FailureView>
      ) : null}
      {preview.isPending ? <p role="status">{t('common.loading')}</p> : null}
      {preview.data ? <Reviewed {...props} preview={preview.data} /> : null}
    </Page>
  );
}

function Reviewed(props: ReviewProps & { readonly preview: RequestPreview }) {
  const { preview, connection } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [accepted, setAccepted] = useState(false);
  const [acceptedDoubt, setAcceptedDoubt] = useState(false);
  const errors = preview.problems.filter((problem) => problem.severity === 'error');
  const warnings = preview.problems.filter((problem) => problem.severity === 'warning');
  const mayNotSend = errors.length > 0 || (warnings.length > 0 && !accepted) || (props.isDoubt && !acceptedDoubt);
  return (
    <div className={css.review}>
      {errors.length > 0 ? (
        <div className={looks.warning} role="alert">
          <ProblemTexts problems={errors} />
        </div>
      ) : null}
      {warnings.length > 0 ? (
        <div className={looks.warning}>
          <ProblemTexts problems={warnings} />
          <Checkbox isSelected={accepted} onChange={setAccepted}>
            {t('compose.sendAnyway')}
          </Checkbox>
        </div>
      ) : null}
      {preview.sentBefore !== null && !props.isDoubt ? (
        <div className={looks.warning}>
          <p>{t('bulk.sentBefore', { time: format.moment(preview.sentBefore) })}</p>
        </div>
      ) : null}
      {props.isDoubt ? (
        <div className={looks.warning}>
          <p>{t('corrections.doubtMails')}</p>
          <Checkbox isSelected={acceptedDoubt} onChange={setAcceptedDoubt}>
            {t('corrections.sendDoubt')}
          </Checkbox>
        </div>
      ) : null}
      <div className={looks.row4}>
        {'fileToken' in props.request ? <Document preview={preview} token={props.request.fileToken} /> : null}
        <ReviewFacts preview={preview} request={props.request} uncarried={props.uncarried} connection={connection} />
      </div>
      <ReviewFields preview={preview} />
      <div className={css.sendBar}>
        {props.failure ? <FailureView failure={props.failure} /> : null}
        <div className={looks.line3}>
          <Button onPress={props.onBack}>{t('compose.back')}</Button>
          <Button kind="primary" isDisabled={mayNotSend} isPending={props.sending} onPress={props.onSend}>
            {t('compose.send')}
          </Button>
        </div>
      </div>
    </div>
  );
}

function Document({ preview, token }: { readonly preview: RequestPreview; readonly token: string }) {
  const name = preview.children.find((one) => one.name === 'Document')?.file?.name ?? '';
  return (
    <div className={css.largePage}>
      <FirstPage file={{ of: 'token', token }} name={name} />
    </div>
  );
}

function ProblemTexts(props: { readonly problems: RequestPreview['problems'] }) {
  const { t } = useTranslation();
  return props.problems.map((problem) => (
    <p key={`${problem.kind}-${problem.list}-${problem.index}`}>{t(`compose.problem.${problem.kind}`)}</p>
  ));
}

/** Every field as it will be sent, in its order, and the address; folded, because nobody needs it to send a letter. */
function ReviewFields(props: { readonly preview: RequestPreview }) {
  const { address, operation, children } = props.preview;
  const { t } = useTranslation();
  return (
    <Fold label={t('common.details')}>
      <p className={looks.mono}>{`${operation} · ${address}`}</p>
      <table className={looks.table}>
        <thead>
          <tr>
            <th>{t('compose.child')}</th>
            <th>{t('compose.childValue')}</th>
          </tr>
        </thead>
        <tbody>
          {children.map((child) => (
            <tr key={child.name} className={child.sent ? undefined : looks.hint}>
              <td>
                <code>{child.wireName}</code>
              </td>
              <td>
                <ChildValue child={child} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Fold>
  );
}

function ChildValue(props: { readonly child: PreviewChild }) {
  const { child } = props;
  const { t } = useTranslation();
  const format = useFormat();
  if (!child.sent) return <>{t('compose.leftOut')}</>;
  if (child.isSecret) return <>{t('compose.secretSent')}</>;
  if (child.file) return <>{`${visibleName(child.file.name)} · ${format.bytes(child.file.sizeBytes)}`}</>;
  if (child.value === '') return <>{t('compose.emptySent')}</>;
  return <div className={css.value}>{child.value}</div>;
}
