import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { DownloadedHere, FileHistory, KnownHere } from '../../../contract/verify-result.ts';
import { useConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Facts } from '../../parts/page.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import { HistoryCard } from './history-card.tsx';
import { namesakeText } from './result-texts.ts';

/** Local knowledge about the same bytes: registrations, then downloads. */
export function KnownHereCard(props: { readonly history: FileHistory }) {
  const { t } = useTranslation();
  const { here, downloads, namesake, sha256 } = props.history;
  const format = useFormat();
  const [registration, ...registrations] = here;
  const [download, ...others] = downloads;
  const isUnread = sha256 === null;
  const isKnown = registration !== undefined || download !== undefined;
  return (
    <HistoryCard
      whose={t('verify.story.here')}
      tone={isKnown ? 'confirmed' : 'silent'}
      icon={isKnown ? undefined : isUnread ? 'clock' : 'minus'}
      answer={knownAnswer(t, props.history)}
    >
      {namesake ? (
        <>
          <p>{namesakeText(t, format, props.history)}</p>
          <Registration known={namesake} />
        </>
      ) : null}
      {registration ? <Registration known={registration} /> : null}
      {registrations.length > 0 ? (
        <Fold label={t('verify.story.more', { count: registrations.length })}>
          <div className={looks.stack}>
            {registrations.map((known) => (
              <Registration key={`${known.connectionId}/${keyOf(known)}`} known={known} />
            ))}
          </div>
        </Fold>
      ) : null}
      {download ? <SavedCopy download={download} /> : null}
      {others.length > 0 ? (
        <Fold label={t('verify.story.moreDownloads', { count: others.length })}>
          <div className={looks.stack}>
            {others.map((other) => (
              <SavedCopy key={`${other.connectionId}/${other.documentId}`} download={other} />
            ))}
          </div>
        </Fold>
      ) : null}
    </HistoryCard>
  );
}

function knownAnswer(t: TFunction, { here, downloads, sha256, origin }: FileHistory): string {
  const answers = [
    here.length > 0 ? t('verify.story.registeredHere', { count: here.length }) : '',
    downloads.length > 0 ? t('verify.story.downloadedHere') : '',
  ].filter((answer) => answer !== '');
  if (answers.length > 0) return answers.join(' · ');
  if (origin) return t('verify.story.hereEarlier');
  return t(sha256 === null ? 'verify.story.hereUnread' : 'verify.story.hereNone');
}

/** A download of the same bytes: from which document, when. */
function SavedCopy(props: { readonly download: DownloadedHere }) {
  const { connectionId, documentId, name, downloadedAt } = props.download;
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useConnection(connectionId)?.name ?? t('documents.gone');
  return (
    <Facts
      facts={[
        [t('verify.downloadedFrom'), visibleName(name)],
        [t('verify.downloadedAt'), format.fullMoment(downloadedAt)],
        [t('verify.connection'), connection],
        [t('verify.documentId'), <CopyId key="id" id={documentId} what={t('verify.documentId')} short />],
      ]}
    />
  );
}

function Registration(props: { readonly known: KnownHere }) {
  const { known } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useConnection(known.connectionId)?.name ?? t('documents.gone');
  return (
    <div className={looks.stack}>
      <Facts
        facts={[
          [t('verify.registeredName'), known.name],
          [t('verify.registeredAt'), format.fullMoment(known.registeredAt)],
          [t('verify.reference'), known.clientId || null],
          [t('verify.sentTo'), known.sentTo || null],
          [t('verify.connection'), connection],
          [
            t('verify.documentId'),
            known.documentId === null ? (
              t('verify.noId')
            ) : (
              <CopyId key="id" id={known.documentId} what={t('verify.documentId')} short />
            ),
          ],
        ]}
      />
      <OpenDocument known={known} />
    </div>
  );
}

/** By which the register has it. */
const keyOf = ({ documentId, jobId }: KnownHere) => documentId ?? jobId ?? '';

/** Leads to a registered document. */
export function OpenDocument({ known }: { readonly known: KnownHere }) {
  const { t } = useTranslation();
  const go = useGo();
  return (
    <div>
      <Button
        kind="quiet"
        onPress={() =>
          go({ screen: 'documents', open: { connectionId: known.connectionId, documentId: keyOf(known) } })
        }
      >
        {t('verify.openDocument')}
      </Button>
    </div>
  );
}
