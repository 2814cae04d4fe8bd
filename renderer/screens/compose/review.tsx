import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PreviewChild, RequestPreview } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { SignatureRequest } from '../../../contract/signatures.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { useFormat } from '../../parts/format.ts';
import { Card, Facts, Page } from '../../parts/page.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import css from './compose.module.css';

/** Shows exactly what will be sent, element by element, the cost, and who will be mailed. */
export function Review(props: {
  readonly request: SignatureRequest;
  readonly connection: Connection;
  /** True if it corrects a request that the service may have taken. */
  readonly isDoubt: boolean;
  readonly sending: boolean;
  readonly failure: Failure | null;
  readonly onBack: () => void;
  readonly onSend: () => void;
}) {
  const { t } = useTranslation();
  const preview = useQuery({
    queryKey: ['preview', props.request],
    queryFn: () => askValue('compose.preview', props.request),
    gcTime: 0,
  });
  return (
    <Page
      title={t('compose.reviewTitle')}
      lead={t('compose.reviewLead', { connection: props.connection.name })}
      actions={<Button onPress={props.onBack}>{t('compose.back')}</Button>}
    >
      {preview.error ? (
        <FailureView failure={preview.error.failure}>
          <Button onPress={props.onBack}>{t('compose.back')}</Button>
        </FailureView>
      ) : null}
      {preview.isPending ? <p role="status">{t('common.loading')}</p> : null}
      {preview.data ? (
        <div className={css.form}>
          <Children preview={preview.data} />
          <div className={css.side}>
            <Consequences preview={preview.data} {...props} />
          </div>
        </div>
      ) : null}
    </Page>
  );
}

function Children(props: { readonly preview: RequestPreview }) {
  const { t } = useTranslation();
  const { preview } = props;
  return (
    <Card title={t('compose.childrenTitle', { operation: preview.operation, count: preview.children.length })}>
      <table className={css.table}>
        <thead>
          <tr>
            <th>{t('compose.child')}</th>
            <th>{t('compose.childValue')}</th>
          </tr>
        </thead>
        <tbody>
          {preview.children.map((child) => (
            <tr key={child.name} className={child.sent ? undefined : css.leftOut}>
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
    </Card>
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

function Consequences(props: {
  readonly preview: RequestPreview;
  readonly isDoubt: boolean;
  readonly sending: boolean;
  readonly failure: Failure | null;
  readonly connection: Connection;
  readonly onSend: () => void;
}) {
  const { preview } = props;
  const { t } = useTranslation();
  const [accepted, setAccepted] = useState(false);
  const [acceptedDoubt, setAcceptedDoubt] = useState(false);
  const errors = preview.problems.filter((problem) => problem.severity === 'error');
  const warnings = preview.problems.filter((problem) => problem.severity === 'warning');
  return (
    <>
      <Mails preview={preview} />
      <Card title={t('compose.before')}>
        <CostFacts preview={preview} />
        {errors.length > 0 ? (
          <div className={css.warning} role="alert">
            <ProblemTexts problems={errors} />
          </div>
        ) : null}
        {warnings.length > 0 ? (
          <div className={css.warning}>
            <ProblemTexts problems={warnings} />
            <Checkbox isSelected={accepted} onChange={setAccepted}>
              {t('compose.sendAnyway')}
            </Checkbox>
          </div>
        ) : null}
        {props.isDoubt ? (
          <div className={css.warning}>
            <p>{t('corrections.doubtMails')}</p>
            <Checkbox isSelected={acceptedDoubt} onChange={setAcceptedDoubt}>
              {t('corrections.sendDoubt')}
            </Checkbox>
          </div>
        ) : null}
        {props.connection.kind === 'practice' ? <p className={css.help}>{t('compose.practice')}</p> : null}
        {props.failure ? <FailureView failure={props.failure} /> : null}
        <Button
          kind="primary"
          isDisabled={errors.length > 0 || (warnings.length > 0 && !accepted) || (props.isDoubt && !acceptedDoubt)}
          isPending={props.sending}
          onPress={props.onSend}
        >
          {t('compose.send')}
        </Button>
      </Card>
    </>
  );
}

function Mails(props: { readonly preview: RequestPreview }) {
  const { t } = useTranslation();
  return (
    <Card title={t('compose.whoIsMailed')}>
      <ul className={css.list}>
        {props.preview.mails.map((mail) => (
          <li key={`${mail.role}-${mail.email}`} className={css.item}>
            <div>
              <strong>{mail.name || mail.email || t('compose.yourself')}</strong>
              {mail.name ? mail.email : null}
            </div>
            <span>{t(`compose.role.${mail.role}`)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function CostFacts(props: { readonly preview: RequestPreview }) {
  const { cost, address } = props.preview;
  const { t } = useTranslation();
  const costs = [
    cost.creditType ? t('compose.costsCredit', { credit: cost.creditType.name }) : t('compose.costsRequest'),
    cost.prepaidCredits ? t('compose.costsPrepaid', { count: cost.prepaidCredits }) : null,
    cost.idChecks > 0 ? t('compose.costsIdChecks', { count: cost.idChecks }) : null,
  ].filter((part) => part !== null);
  return (
    <Facts
      facts={[
        [t('compose.costs'), costs.join('. ')],
        [
          t('compose.address'),
          <code key="address" className={css.address}>
            {address}
          </code>,
        ],
        [t('compose.cannotUndo'), t('compose.cannotUndoText')],
      ]}
    />
  );
}

function ProblemTexts(props: { readonly problems: RequestPreview['problems'] }) {
  const { t } = useTranslation();
  return props.problems.map((problem) => (
    <p key={`${problem.kind}-${problem.list}-${problem.index}`}>{t(`compose.problem.${problem.kind}`)}</p>
  ));
}
