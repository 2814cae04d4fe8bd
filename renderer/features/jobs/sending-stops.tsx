import { CloudOff, HardDrive, KeyRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { BackingOff, HeldConnection } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { useConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { CallButton } from '../call-button.tsx';
import { ConfirmedCall } from '../confirmed-call.tsx';
import { useRowsToCome } from './bulks.ts';
import { useJobs } from './jobs.tsx';
import { waitsForCredentials } from './jobs-view.ts';

/** Why nothing goes over a connection, in words, and what a person can do: the same on Home and in Activity. */
export function useBackingOff(backoff: BackingOff) {
  const { connectionId, failure, nextTryAt } = backoff;
  const count = backoff.openJobs + useRowsToCome()(connectionId);
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const connection = useConnection(connectionId)?.name ?? t('documents.gone');
  const { isPaused } = useJobs().view.queue;
  const isTeam = failure.detail?.startsWith('team-') ?? false;
  if (waitsForCredentials(backoff))
    return {
      icon: <KeyRound aria-hidden="true" />,
      heading: t('jobs.noCredentialsHeading', { connection }),
      text: t('jobs.noCredentialsText', { count }),
      actions: (
        <Button onPress={() => go({ screen: 'connections', edit: connectionId })}>{t('jobs.toConnections')}</Button>
      ),
    };
  const { heading, advice } = failureText(t, failure);
  // The service was not asked: the register of the team, or the organisation's policy; or this computer has a trouble of its own.
  const [isBefore, isHere] = [failure.code === 'not-connected', failure.detail === 'too-many-open-files'];
  const isAnswered = failure.detail === 'http-status';
  // A page or another address: not the service answers, and waiting may not help.
  const isElse = failure.detail === 'html-page' || failure.detail === 'redirected';
  const isTrying = nextTryAt === null && !isPaused && !isTeam;
  const next = nextTryAt === null ? null : t('jobs.nextTry', { when: format.seconds(nextTryAt) });
  const when = isTrying ? t('jobs.trying') : isPaused ? null : next;
  const away = isElse
    ? t('failures.about', { subject: connection, heading })
    : t(isAnswered ? 'jobs.awayHeading' : 'jobs.offlineHeading', { connection });
  const why = isElse ? advice : isHere || isAnswered ? null : heading;
  return {
    icon: isHere ? <HardDrive aria-hidden="true" /> : <CloudOff aria-hidden="true" />,
    heading: isHere || isBefore ? heading : away,
    text: t('jobs.offlineText', { count }),
    about: isBefore ? advice : [why, when].filter(Boolean).join(' · '),
    actions: (
      <>
        <CallButton isPending={isTrying} call={isTeam ? 'team.tryNow' : 'jobs.tryNow'} input={{ connectionId }}>
          {t('jobs.tryNow')}
        </CallButton>
        {isTeam ? (
          <Button kind="quiet" onPress={() => go({ screen: 'connections', team: connectionId })}>
            {t('team.settings')}
          </Button>
        ) : null}
      </>
    ),
  };
}

/** Several consecutive adds got no answer: a person decides whether more are sent. In words, with the button that asks; the same on Home and in Activity. */
export function useHeldConnection({ connectionId, doubtsInRow, openJobs, since }: HeldConnection) {
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useConnection(connectionId)?.name ?? t('documents.gone');
  const go = useGo();
  const newest = t('jobs.heldDoubts', { count: doubtsInRow, when: format.momentInText(since) });
  const waiting = openJobs + useRowsToCome()(connectionId);
  const inDoubt = useJobs().view.queue.counts['in-doubt'];
  // Since a person let it go on once, these are the newest of them.
  const doubts = inDoubt > doubtsInRow ? `${newest} ${t('jobs.heldInAll', { count: inDoubt })}` : newest;
  const action = (text: string) => (
    <ConfirmedCall
      call="jobs.resume"
      input={{ what: 'connection', connectionId }}
      text={text}
      title={t('start.held', { connection })}
      confirm={t('jobs.continueSending')}
    >
      <p>{doubts}</p>
      <p>{t('jobs.heldAdvice')}</p>
      {inDoubt > 0 ? (
        <p>
          <Button onPress={() => go({ screen: 'jobs', filter: 'in-doubt' })}>{t('jobs.showDoubts')}</Button>
        </p>
      ) : null}
    </ConfirmedCall>
  );
  return {
    connection,
    doubts,
    waiting: waiting > 0 ? t('jobs.heldWaiting', { count: waiting }) : '',
    action,
  } as const;
}

/** Lets jobs go that may have been sent already, after a question. */
export function ResumeRestored({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  return (
    <ConfirmedCall
      danger
      call="jobs.resume"
      input={{ what: 'restored' }}
      text={t('jobs.resumeRestored')}
      title={t('jobs.resumeRestoredTitle', { count })}
      confirm={t('jobs.resumeRestoredConfirm')}
    >
      <p>{t('jobs.resumeRestoredText')}</p>
    </ConfirmedCall>
  );
}
