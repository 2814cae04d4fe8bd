import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PreviewChild, RequestPreview, SignatureRequest } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { RepeatRule } from '../../../contract/jobs.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useOtherConnection } from '../../features/connection-state.tsx';
import { FirstPage } from '../../features/files/pdf-frame.tsx';
import { AcceptDoubt } from '../../features/jobs/correct.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { Fold } from '../../parts/problem.tsx';
import css from './compose.module.css';

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
  /** `ask`: nothing was said of an earlier request, and what was sent since then is asked about. */
  readonly onSend: (repeats?: RepeatRule) => void;
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
      {preview.data ? (
        <Reviewed {...props} preview={preview.data} look={async () => (await preview.refetch()).data} />
      ) : null}
    </Page>
  );
}

interface ReviewedProps extends ReviewProps {
  readonly preview: RequestPreview;
  /** Looks again whether the same was sent meanwhile, and shows it. */
  readonly look: () => Promise<RequestPreview | undefined>;
}

function Reviewed(props: ReviewedProps) {
  const { preview, connection } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [accepted, setAccepted] = useState(false);
  const [acceptedDoubt, setAcceptedDoubt] = useState(false);
  const errors = preview.problems.filter((problem) => problem.severity === 'error');
  const warnings = preview.problems.filter((problem) => problem.severity === 'warning');
  const mayNotSend = errors.length > 0 || (warnings.length > 0 && !accepted) || (props.isDoubt && !acceptedDoubt);
  return (
    <div className={`${looks.narrow} ${css.review}`}>
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
        <div className={looks.warning} role="alert">
          <p>{t(`bulk.problem.${preview.sentBefore.kind}`, { time: format.moment(preview.sentBefore.sentAt) })}</p>
        </div>
      ) : null}
      {props.isDoubt ? (
        <AcceptDoubt text={t('corrections.doubtMails')} isSelected={acceptedDoubt} onChange={setAcceptedDoubt} />
      ) : null}
      <div className={looks.row4}>
        {'fileToken' in props.request ? <Document preview={preview} token={props.request.fileToken} /> : null}
        <ReviewFacts preview={preview} request={props.request} uncarried={props.uncarried} connection={connection} />
      </div>
      <ReviewFields preview={preview} />
      <SendBar {...props} mayNotSend={mayNotSend} />
    </div>
  );
}

function SendBar(props: ReviewedProps & { readonly mayNotSend: boolean }) {
  const { preview, mayNotSend } = props;
  const { t } = useTranslation();
  const [isLooking, setLooking] = useState(false);

  async function send() {
    setLooking(!props.isDoubt);
    const now = props.isDoubt ? preview : await props.look();
    setLooking(false);
    // What has changed since it was shown is shown first.
    const isShown = JSON.stringify(now?.sentBefore) === JSON.stringify(preview.sentBefore);
    if (isShown) props.onSend(preview.sentBefore ? undefined : 'ask');
  }

  return (
    <div className={css.sendBar}>
      {props.failure ? <FailureView failure={props.failure} /> : null}
      <div className={looks.line3}>
        <Button onPress={props.onBack}>{t('compose.back')}</Button>
        <Button
          kind="primary"
          isDisabled={mayNotSend}
          isPending={props.sending || isLooking}
          onPress={() => void send()}
        >
          {t('compose.send')}
        </Button>
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

/** What sending has as its consequence, in plain words. */
function ReviewFacts(props: {
  readonly preview: RequestPreview;
  readonly request: SignatureRequest;
  readonly uncarried: string | null;
  readonly connection: Connection;
}) {
  const { preview, connection } = props;
  const { t } = useTranslation();
  const otherConnection = useOtherConnection(connection.id);
  const letter = useLetterFacts(preview);
  const isPractice = connection.kind === 'practice';
  return (
    <div className={`${looks.stack4} ${looks.grow}`}>
      <Card title={t('compose.whoIsMailed')}>
        {isPractice ? <p className={looks.hint}>{t('compose.practice')}</p> : null}
        <Mails preview={preview} />
        <Facts facts={letter} />
      </Card>
      <Card title={t('compose.before')} isTitleHidden>
        <Facts
          facts={[
            [t('compose.file'), <DocumentText key="document" preview={preview} />],
            [t('compose.kind'), t(`compose.kinds.${props.request.kind}`)],
            [t('compose.notSent'), props.uncarried],
            [t('compose.costs'), <CostText key="cost" cost={preview.cost} />],
            [t('compose.sentTo'), otherConnection],
            [t('compose.cannotUndo'), t('compose.cannotUndoText')],
          ]}
        />
      </Card>
    </div>
  );
}

/** The people in their order; what each of them does is said where not all of them sign. */
function Mails(props: { readonly preview: RequestPreview }) {
  const { t } = useTranslation();
  const { mails } = props.preview;
  return (
    <ol className={css.numbered} aria-label={t('compose.whoIsMailed')}>
      {mails.map((mail) => (
        <li key={`${mail.role}-${mail.email}`} className={css.item}>
          <div className={looks.grow}>
            <strong>{visibleName(mail.name) || mail.email || t('compose.yourself')}</strong>
            {mail.name ? mail.email : null}
          </div>
          {mails.every(({ role }) => role === 'signer') ? null : <span>{t(`compose.role.${mail.role}`)}</span>}
        </li>
      ))}
    </ol>
  );
}

/** Subject and message, of requests that have them. */
function useLetterFacts({ children }: RequestPreview): readonly (readonly [string, ReactNode | null])[] {
  const { t } = useTranslation();
  const textOf = (name: string) => {
    const child = children.find((one) => one.name === name);
    if (!child) return null;
    return child.value ? (
      <div key={name} className={css.value}>
        {child.value}
      </div>
    ) : (
      t('compose.servicesOwn')
    );
  };
  const own = children.filter(({ name }) => name === 'CustomSubject' || name === 'MessageToSigners');
  if (own.length > 0 && own.every(({ value }) => !value)) return [[t('compose.letter'), t('compose.servicesOwn')]];
  return [
    [t('compose.subject'), textOf('CustomSubject')],
    [t('compose.message'), textOf('MessageToSigners')],
  ];
}

function DocumentText(props: { readonly preview: RequestPreview }) {
  const { children } = props.preview;
  const of = (name: string) => children.find((child) => child.name === name);
  const file = of('Document')?.file?.name;
  const parts = [visibleName(of('DocumentName')?.value ?? ''), file ? visibleName(file) : of('TemplateID')?.value];
  return <>{parts.filter(Boolean).join(' · ')}</>;
}

function CostText(props: { readonly cost: RequestPreview['cost'] }) {
  const { cost } = props;
  const { t } = useTranslation();
  const costs = [
    cost.creditType ? t('compose.costsCredit', { credit: cost.creditType.name }) : t('compose.costsRequest'),
    cost.prepaidCredits ? t('compose.costsPrepaid', { count: cost.prepaidCredits }) : null,
    cost.idChecks > 0 ? t('compose.costsIdChecks', { count: cost.idChecks }) : null,
  ];
  return <>{costs.filter((part) => part !== null).join('. ')}</>;
}
