import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RequestPreview } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import type { SignatureRequest } from '../../../contract/signatures.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import looks from '../../parts/looks.module.css';
import { Card, Facts } from '../../parts/page.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import css from './compose.module.css';

/** What sending has as its consequence, in plain words. */
export function ReviewFacts(props: {
  readonly preview: RequestPreview;
  readonly request: SignatureRequest;
  readonly uncarried: string | null;
  readonly connection: Connection;
}) {
  const { preview, connection } = props;
  const { t } = useTranslation();
  const isOtherConnection = useCurrentConnection().id !== connection.id;
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
            [t('compose.document'), <DocumentText key="document" preview={preview} />],
            [t('compose.kind'), t(`compose.kinds.${props.request.kind}`)],
            [t('compose.notSent'), props.uncarried],
            [t('compose.costs'), <CostText key="cost" cost={preview.cost} />],
            [t('compose.sentTo'), isOtherConnection ? connection.name : null],
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
