import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  DownloadedHere,
  EarlierAnswer,
  EarlierRevision,
  FileHistory,
  KnownHere,
} from '../../../contract/verify-result.ts';
import { useConnection } from '../../bridge/live.tsx';
import { CallButton } from '../../features/call-button.tsx';
import { Button } from '../../parts/button.tsx';
import { Badge, type ChipIcon, type Tone } from '../../parts/chip.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import page from '../../parts/page.module.css';
import { Card, Facts } from '../../parts/page.tsx';
import { Fold } from '../../parts/problem.tsx';
import { namesakeText, originText, verdictHeading } from './result-texts.ts';
import css from './verify.module.css';

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
function OpenDocument({ known }: { readonly known: KnownHere }) {
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

/** One answer: its source, the answer, its facts. */
export function HistoryCard(props: {
  readonly whose: string;
  readonly tone: Tone;
  readonly icon?: ChipIcon | undefined;
  readonly answer: string;
  readonly children: ReactNode;
}) {
  return (
    <section className={`${page.card} ${looks.small}`} aria-label={props.whose}>
      <h2>{props.whose}</h2>
      <p className={css.historyAnswer}>
        <Badge tone={props.tone} icon={props.icon} />
        <strong className={looks.wrapped}>{props.answer}</strong>
      </p>
      {props.children}
    </section>
  );
}

/** The file that this one was before something was added, as far as it is known here. */
export function OriginCard(props: {
  readonly runId: string;
  readonly index: number;
  readonly origin: EarlierRevision;
  /** False where no service is asked. */
  readonly isAskable: boolean;
}) {
  const { runId, index, origin } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [saved, setSaved] = useState<string | null>(null);
  const [answered, setAnswered] = useState<EarlierAnswer | null>(null);
  return (
    <Card title={originText(t, format, origin)}>
      <p>{t('own.originNote')}</p>
      <Facts
        facts={[
          [t('verify.size'), format.bytes(origin.sizeBytes)],
          [t('verify.sha256'), <CopyId key="sha" id={origin.sha256} what={t('verify.sha256')} />],
        ]}
      />
      {origin.registered ? <OpenDocument known={origin.registered} /> : null}
      <div className={looks.line}>
        <CallButton call="verify.saveEarlier" input={{ runId, index }} onDone={setSaved}>
          {t('own.earlier.save')}
        </CallButton>
        {props.isAskable ? (
          <CallButton call="verify.askEarlier" input={{ runId, index }} onDone={setAnswered}>
            {t('own.earlier.ask')}
          </CallButton>
        ) : null}
      </div>
      {props.isAskable ? <p className={looks.hint}>{t('own.earlier.askNote')}</p> : null}
      <div role="status">
        {saved ? <p>{t('own.earlier.saved', { name: visibleName(saved) })}</p> : null}
        {answered ? (
          <p>
            {t('own.earlier.answered', {
              answer: verdictHeading(t, {
                group: answered.answer.group,
                finding: answered.finding,
                qualification: null,
              }),
            })}
          </p>
        ) : null}
      </div>
    </Card>
  );
}
