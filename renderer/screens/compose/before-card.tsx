import { useTranslation } from 'react-i18next';
import type { DraftContent } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { lacksCredentials } from '../../features/connection-state.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import css from './compose.module.css';
import { filledRows } from './draft-state.ts';

/** States who will be mailed and the cost; contains the buttons to continue, which stay in sight. */
export function BeforeCard(props: {
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
  const isOtherConnection = useCurrentConnection().id !== connection.id;
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
            [t('compose.sentTo'), isOtherConnection ? connection.name : null],
          ]}
        />
      </div>
      {noCredentials ? (
        <div className={looks.warning}>
          <p>{t('register.needCredentials')}</p>
          <Button onPress={() => go({ screen: 'connections' })}>{t('register.toConnections')}</Button>
        </div>
      ) : null}
      <div className={css.actions}>
        <Button kind="primary" isDisabled={noCredentials} onPress={props.onReview}>
          {t('compose.review')}
        </Button>
        <Button onPress={props.onMany}>{t('compose.toMany')}</Button>
      </div>
    </Card>
  );
}
