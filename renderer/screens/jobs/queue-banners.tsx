import { Copy, HardDrive, History, OctagonPause, Pause } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { BackingOff, HeldConnection } from '../../../contract/jobs.ts';
import { ask } from '../../bridge/client.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { CallButton } from '../../features/call-button.tsx';
import { useJobs } from '../../features/jobs/jobs.tsx';
import { CancelWaiting } from '../../features/jobs/queue-actions.tsx';
import { ResumeRestored, useBackingOff, useHeldConnection } from '../../features/jobs/sending-stops.tsx';
import { Button } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import css from './jobs.module.css';

/** Jobs that one decision takes. */
const atOnce = 500;

/** The reasons why the queue waits: a pause, a service that cannot be reached, questions. None of them is a failure. */
export function QueueBanners(props: {
  readonly onShowAsking: () => void;
  readonly isAskingShown: boolean;
  /** In the log nothing is sent by a press: what a person lets go is on Home. */
  readonly isLog?: boolean;
}) {
  const { t } = useTranslation();
  const { queue } = useJobs().view;
  const storage = queue.storage && failureText(t, queue.storage);
  return (
    <>
      {queue.isPaused ? (
        <Banner icon={<Pause aria-hidden="true" />} heading={t('jobs.pausedHeading')} text={t('jobs.pausedText')}>
          <CallButton call="jobs.resume" input={{ what: 'all' }}>
            {t('jobs.resumeAll')}
          </CallButton>
        </Banner>
      ) : null}
      {props.isLog ? null : queue.held.map((held) => <HeldBanner key={held.connectionId} held={held} />)}
      {queue.backingOff.map((backoff) => (
        <BackoffBanner key={backoff.connectionId} backoff={backoff} />
      ))}
      {storage ? (
        // Copies or answers cannot be stored.
        <Banner icon={<HardDrive aria-hidden="true" />} heading={storage.heading} text={storage.advice} />
      ) : null}
      {queue.restoredCount > 0 && !props.isLog ? (
        // The register is older than it was: only a person can know what has been sent since.
        <Banner
          icon={<History aria-hidden="true" />}
          heading={t('jobs.restoredHeading', { count: queue.restoredCount })}
          text={t('jobs.restoredText')}
        >
          <ResumeRestored count={queue.restoredCount} />
        </Banner>
      ) : null}
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

function HeldBanner(props: { readonly held: HeldConnection }) {
  const { connectionId, openJobs } = props.held;
  const { t } = useTranslation();
  const { connection, doubts, waiting, action } = useHeldConnection(props.held);
  return (
    <Banner
      icon={<OctagonPause aria-hidden="true" />}
      heading={t('jobs.heldHeading', { connection })}
      text={`${doubts} ${waiting}`.trim()}
      about={t('jobs.heldAdvice')}
    >
      <div className={css.actions}>
        {action(t('jobs.continueSending'))}
        <CancelWaiting where={{ connectionId }} count={openJobs} />
      </div>
    </Banner>
  );
}

function BackoffBanner(props: { readonly backoff: BackingOff }) {
  const { actions, ...banner } = useBackingOff(props.backoff);
  return (
    <Banner {...banner}>
      <div className={css.actions}>{actions}</div>
    </Banner>
  );
}

/** Skips all jobs whose bytes are already registered. Sending them is decided one by one. */
export function SkipAsking(props: { readonly count: number }) {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function skip() {
    setBusy(true);
    setFailure(await skipAll());
    setBusy(false);
  }

  return (
    <>
      <Button isPending={isBusy} onPress={() => void skip()}>
        {t('jobs.skipAll', { count: props.count })}
      </Button>
      {failure ? <FailureView failure={failure} /> : null}
    </>
  );
}

async function skipAll(): Promise<Failure | null> {
  for (;;) {
    const page = await ask('jobs.list', { asking: true, limit: atOnce });
    if (!page.ok) return page.failure;
    const jobIds = page.value.jobs.map((job) => job.id);
    if (jobIds.length === 0) return null;
    const decided = await ask('jobs.decide', { jobIds, decision: 'skip' });
    if (!decided.ok) return decided.failure;
  }
}

function Banner(props: {
  readonly icon: ReactNode;
  readonly heading: string;
  readonly text: string;
  readonly about?: string | undefined;
  readonly children?: ReactNode;
}) {
  return (
    <section className={css.banner} aria-label={props.heading}>
      {props.icon}
      <div className={looks.grow}>
        <strong>{props.heading}</strong>
        <p>{props.text}</p>
        {props.about ? <p className={looks.hint}>{props.about}</p> : null}
      </div>
      {props.children}
    </section>
  );
}
