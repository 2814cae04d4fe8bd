import { useTranslation } from 'react-i18next';
import type { FileHistory, KnownHere } from '../../../contract/verify-result.ts';
import { useConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { Facts } from '../../parts/page.tsx';
import { HistoryCard } from './history-card.tsx';
import css from './verify.module.css';

/** Local knowledge about the same bytes. */
export function KnownHereCard(props: { readonly history: FileHistory }) {
  const { t } = useTranslation();
  const { here, sha256 } = props.history;
  const [first, ...others] = here;
  const isUnread = sha256 === null;
  const answer = isUnread ? 'hereUnread' : 'hereNone';
  return (
    <HistoryCard
      whose={t('verify.story.here')}
      question={t('verify.story.hereQuestion')}
      tone={first ? 'confirmed' : 'silent'}
      icon={first ? undefined : isUnread ? 'clock' : 'minus'}
      answer={first ? t('verify.story.hereYes', { count: here.length }) : t(`verify.story.${answer}`)}
    >
      {first ? <Registration known={first} /> : <p>{isUnread ? null : t('verify.story.hereNoneText')}</p>}
      {others.length > 0 ? (
        <Fold label={t('verify.story.more', { count: others.length })}>
          <div className={css.others}>
            {others.map((known) => (
              <Registration key={`${known.connectionId}/${known.documentId}`} known={known} />
            ))}
          </div>
        </Fold>
      ) : null}
    </HistoryCard>
  );
}

function Registration(props: { readonly known: KnownHere }) {
  const { known } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const connection = useConnection(known.connectionId)?.name ?? t('documents.gone');
  return (
    <div className={css.registration}>
      <Facts
        facts={[
          [t('verify.registeredName'), known.name],
          [t('verify.registeredAt'), format.fullMoment(known.registeredAt)],
          [t('verify.reference'), known.clientId || null],
          [t('verify.sentTo'), known.sentTo || null],
          [t('verify.connection'), connection],
          [t('verify.documentId'), <CopyId key="id" id={known.documentId} what={t('verify.documentId')} short />],
        ]}
      />
      <div>
        <Button kind="quiet" onPress={() => go({ screen: 'documents', search: known.documentId })}>
          {t('verify.openDocument')}
        </Button>
      </div>
    </div>
  );
}
