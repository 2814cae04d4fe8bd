import { CloudOff, Copy, HardDrive, History, KeyRound, OctagonPause, Pause } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { BackingOff, HeldConnection } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { CancelWaiting } from '../../features/cancel-waiting.tsx';
import { useJobs } from '../../features/jobs.tsx';
import { ResumeRestored } from '../../features/resume-restored.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import css from './jobs.module.css';
import { SkipAsking } from './skip-asking.tsx';

/** The reasons why the queue waits: a pause, a service that cannot be reached, questions. None of them is a failure. */
export function QueueBanners(props: {
  readonly onShowAsking: () => void;
  readonly isAskingShown: boolean;
  /** In the log nothing is sent by a press: what a person lets go is on Home. */
  readonly isLog?: boolean;
}) {
  const { t } = useTranslation();
  const { queue } = useJobs().view;
  const resume = useCall('jobs.resume');
  return (
    <>
      {queue.isPaused ? (
        <Banner icon={<Pause aria-hidden="true" />} heading={t('jobs.pausedHeading')} text={t('jobs.pausedText')}>
          <Button isPending={resume.busy} onPress={() => void resume.run({ what: 'all' })}>
            {t('jobs.resumeAll')}
          </Button>
        </Banner>
      ) : null}
      {props.isLog ? null : queue.held.map((held) => <HeldBanner key={held.connectionId} held={held} />)}
      {queue.backingOff.map((backoff) => (
        <BackoffBanner key={backoff.connectionId} backoff={backoff} />
      ))}
      {queue.storage ? <StorageBanner failure={queue.storage} /> : null}
      {queue.restoredCount > 0 && !props.isLog ? <RestoredBanner count={queue.restoredCount} /> : null}
      {queue.askingCount > 0 ? (
        <Banner
          icon={<Copy aria-hidden="true" />}
          heading={t('jobs.askingHeading', { count: queue.askingCount })}
          text={t('jobs.askingText')}
        >
          <div className={css.actions}>
            {props.isAskingShown ? null : <Button onPress={props.onShowAsking}>{t('jobs.showAsking')}</Button>}
            <SkipAsking count={queue.askingCount} />
          </div>
        </Banner>
      ) : null}
    </>
  );
}

/** Several consecutive adds got no answer: a person decides whether more are sent. */
function HeldBanner(props: { readonly held: HeldConnection }) {
  const { connectionId, doubtsInRow, openJobs, since } = props.held;
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useConnection(connectionId)?.name ?? t('documents.gone');
  const resume = useCall('jobs.resume');
  const [isAsking, setAsking] = useState(false);
  return (
    <Banner
      icon={<OctagonPause aria-hidden="true" />}
      heading={t('jobs.heldHeading', { connection })}
      text={[
        t('jobs.heldDoubts', { count: doubtsInRow, when: format.momentInText(since) }),
        t('jobs.heldWaiting', { count: openJobs }),
      ].join(' ')}
      about={t('jobs.heldAdvice')}
    >
      <div className={css.actions}>
        <Button isPending={resume.busy} onPress={() => void resume.run({ what: 'connection', connectionId })}>
          {t('jobs.continueSending')}
        </Button>
        {openJobs > 0 ? (
          <Button kind="quiet" onPress={() => setAsking(true)}>
            {t('jobs.cancelWaiting', { count: openJobs })}
          </Button>
        ) : null}
        {resume.failure ? <FailureView failure={resume.failure} /> : null}
      </div>
      {isAsking ? <CancelWaiting where={{ connectionId }} count={openJobs} onClose={() => setAsking(false)} /> : null}
    </Banner>
  );
}

/** The register is older than it was: only a person can know what has been sent since. */
function RestoredBanner(props: { readonly count: number }) {
  const { t } = useTranslation();
  return (
    <Banner
      icon={<History aria-hidden="true" />}
      heading={t('jobs.restoredHeading', props)}
      text={t('jobs.restoredText')}
    >
      <ResumeRestored count={props.count} />
    </Banner>
  );
}

function BackoffBanner(props: { readonly backoff: BackingOff }) {
  const { backoff } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const connection = useConnection(backoff.connectionId)?.name ?? t('documents.gone');
  const tryNow = useCall('jobs.tryNow');
  const count = backoff.openJobs;
  if (backoff.failure.detail?.startsWith('team-')) return <TeamBanner backoff={backoff} />;
  if (backoff.failure.code === 'not-connected') {
    return (
      <Banner
        icon={<KeyRound aria-hidden="true" />}
        heading={t('jobs.noCredentialsHeading', { connection })}
        text={t('jobs.noCredentialsText', { count })}
      >
        <Button onPress={() => go({ screen: 'connections', edit: backoff.connectionId })}>
          {t('jobs.toConnections')}
        </Button>
      </Banner>
    );
  }
  const reason = failureText(t, backoff.failure).heading;
  const nextTry = t('jobs.nextTry', { when: format.seconds(backoff.nextTryAt) });
  // A trouble of this computer, independent of the service.
  const isHere = backoff.failure.detail === 'too-many-open-files';
  return (
    <Banner
      icon={isHere ? <HardDrive aria-hidden="true" /> : <CloudOff aria-hidden="true" />}
      heading={isHere ? reason : t('jobs.offlineHeading', { connection })}
      text={t('jobs.offlineText', { count })}
      about={isHere ? nextTry : `${reason} · ${nextTry}`}
    >
      <Button isPending={tryNow.busy} onPress={() => void tryNow.run({ connectionId: backoff.connectionId })}>
        {t('jobs.tryNow')}
      </Button>
    </Banner>
  );
}

/** Copies or answers cannot be stored. */
function StorageBanner(props: { readonly failure: Failure }) {
  const { t } = useTranslation();
  const { heading, advice } = failureText(t, props.failure);
  return <Banner icon={<HardDrive aria-hidden="true" />} heading={heading} text={advice} />;
}

/** The team register cannot be asked: nothing is sent over its connection meanwhile, unless a person decides so for a batch. */
function TeamBanner(props: { readonly backoff: BackingOff }) {
  const { connectionId, failure, openJobs } = props.backoff;
  const { t } = useTranslation();
  const go = useGo();
  const tryNow = useCall('team.tryNow');
  const { heading, advice } = failureText(t, failure);
  return (
    <Banner
      icon={<CloudOff aria-hidden="true" />}
      heading={heading}
      text={t('jobs.offlineText', { count: openJobs })}
      about={advice}
    >
      <div className={css.actions}>
        <Button isPending={tryNow.busy} onPress={() => void tryNow.run({ connectionId })}>
          {t('jobs.tryNow')}
        </Button>
        <Button kind="quiet" onPress={() => go({ screen: 'connections', team: connectionId })}>
          {t('team.settings')}
        </Button>
      </div>
    </Banner>
  );
}

function Banner(props: {
  readonly icon: ReactNode;
  readonly heading: string;
  readonly text: string;
  readonly about?: string;
  readonly children?: ReactNode;
}) {
  return (
    <section className={css.banner} aria-label={props.heading}>
      {props.icon}
      <div>
        <p className={css.bannerHeading}>{props.heading}</p>
        <p>{props.text}</p>
        {props.about ? <p className={css.about}>{props.about}</p> : null}
      </div>
      {props.children}
    </section>
  );
}
