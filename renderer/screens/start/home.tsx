import { useQuery } from '@tanstack/react-query';
import { Check, ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { HomeSummary } from '../../../contract/home.ts';
import type { BackingOff } from '../../../contract/jobs.ts';
import type { TrackedList } from '../../../contract/tracking.ts';
import { askValue } from '../../bridge/client.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { ConnectionStateIcon, useConnectionState, useHeld } from '../../features/connection-state.tsx';
import { usePausedBulks } from '../../features/jobs/bulks.ts';
import { useJobs } from '../../features/jobs/jobs.tsx';
import { countNeeds, waitsForCredentials } from '../../features/jobs/jobs-view.ts';
import { useBackingOff } from '../../features/jobs/sending-stops.tsx';
import { NotRead, useCopyText, useRestText } from '../../features/list-readings.tsx';
import { useProgressText, useTracking } from '../../features/signature-queries.ts';
import { useTeamLink } from '../../features/team/team.ts';
import { teamStateText } from '../../features/team/team-state.tsx';
import { Button } from '../../parts/button.tsx';
import { boundsOf, dayBefore } from '../../parts/days/today.ts';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { type Route, useGo } from '../../parts/navigation.tsx';
import { Fold } from '../../parts/problem.tsx';
import css from './home.module.css';
import { most, NeedsYou } from './needs-you.tsx';
import { RunningStrip } from './running-strip.tsx';

/** Home in one line, above the files that are chosen: what needs the person stays in reach. */
export function FoldedHome({ summary }: { readonly summary: HomeSummary }) {
  const { t } = useTranslation();
  const format = useFormat();
  const needs = t('start.needsYou', { shown: format.number(useNeedsCount()) });
  const { count } = summary.waiting;
  const waiting = count === null ? t('tracking.neverAsked') : format.number(count);
  return (
    <Fold label={`${needs} · ${t('start.waitingForOthers')} ${waiting}`}>
      <Home summary={summary} />
    </Fold>
  );
}

const useNeedsCount = () => countNeeds(useJobs().view.queue) + usePausedBulks().length;

/** What needs the person, what waits for others, and what happened meanwhile. */
export function Home(props: { readonly summary: HomeSummary }) {
  const { waiting, signed, sent } = props.summary;
  const { t } = useTranslation();
  const format = useFormat();
  const { id: connectionId } = useCurrentConnection();
  const tracking = useTracking(connectionId).data;
  const { from = '' } = boundsOf({ from: dayBefore(0), to: null });
  const { queue } = useJobs().view;
  const notKnown = tracking?.requests['not-known'] ?? 0;
  const unknownLong = waiting.unknownLongCount;
  return (
    <>
      <Connected lists={tracking?.lists ?? []} />
      {queue.backingOff.map((backoff) =>
        waitsForCredentials(backoff) ? null : <Away key={backoff.connectionId} backoff={backoff} />,
      )}
      <NeedsYou count={useNeedsCount()} />
      <RunningStrip />
      <div className={css.sums}>
        <Sum
          title={t('start.waitingForOthers')}
          count={waiting.count}
          to={{ screen: 'signatures', open: { until: null } }}
        >
          {waiting.longCount > 0 ? (
            <Way to={{ screen: 'signatures', open: { until: waiting.longUntil } }}>
              {t('start.waitingLong', format.counted(waiting.longCount))}
            </Way>
          ) : tracking && (waiting.count ?? 0) > 0 && notKnown === 0 ? (
            <p className={looks.bar}>{t('start.noneLong')}</p>
          ) : null}
          {notKnown > 0 ? (
            <Way to={{ screen: 'signatures', open: { until: null, state: 'not-known' } }}>
              {[
                t('start.notKnown', format.counted(notKnown)),
                ...(unknownLong > 0 ? [t('start.waitingLong', format.counted(unknownLong))] : []),
              ].join(' · ')}
            </Way>
          ) : null}
        </Sum>
        <Signed signed={signed} />
        <Sum title={t('start.sentToday')} count={sent.count} to={{ screen: 'jobs', sent: { connectionId, from } }}>
          {sent.count === 0 ? null : (
            <p className={`${looks.row} ${looks.said}`}>
              {sent.taken === sent.count ? <Check aria-hidden="true" /> : null}
              {sent.taken === sent.count
                ? t('start.sentTaken')
                : t('start.sentTakenSome', { taken: format.number(sent.taken), total: format.number(sent.count) })}
            </p>
          )}
        </Sum>
      </div>
    </>
  );
}

/** Requests with a signature that is news: the last few, or all of them. */
function Signed({ signed }: Pick<HomeSummary, 'signed'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const progress = useProgressText();
  const [isAll, setAll] = useState(false);
  const asked = { connectionId: useCurrentConnection().id, today: dayBefore(0), isHere: false, most };
  const all = useQuery({
    queryKey: ['tracked', asked.connectionId, 'home', asked.today, 'all'],
    queryFn: () => askValue('home.summary', asked),
    enabled: isAll,
  });
  const { requests } = (isAll ? all.data?.signed : undefined) ?? signed;
  return (
    <Sum
      title={t('start.signedSince')}
      count={signed.count}
      about={signed.since === null ? undefined : t('start.signedSinceTip', { when: format.momentInText(signed.since) })}
    >
      {requests.map((request) => (
        <Way
          key={`${request.origDocumentId} ${request.documentName}`}
          to={{ screen: 'signatures', request: request.origDocumentId }}
        >
          <MiddleCut text={request.documentName} />
          <span className={css.progress}>{progress(request, true)}</span>
        </Way>
      ))}
      {(signed.count ?? 0) > requests.length ? (
        <Button kind="link" onPress={() => (isAll ? go({ screen: 'signatures' }) : setAll(true))}>
          {t('jobs.showAll')}
        </Button>
      ) : null}
      {isAll ? (
        <Button kind="link" onPress={() => setAll(false)}>
          {t('jobs.showFewer')}
        </Button>
      ) : null}
    </Sum>
  );
}

/** Whether the service and the team answer, and of when the lists are. */
function Connected(props: { readonly lists: readonly TrackedList[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useCurrentConnection();
  const state = useConnectionState(connection);
  const link = useTeamLink(connection.id);
  // That sending over it stopped is said below: that it works would contradict it.
  const isHeld = useHeld(connection);
  const parts = [
    connection.name,
    isHeld ? null : state?.text,
    useCopyText(props.lists, 'tracking.listAsOf'),
    useRestText(props.lists),
    link && teamStateText(t, link, format.momentInText),
  ];
  return (
    <p className={css.connected} title={state?.advice ?? undefined}>
      <ConnectionStateIcon connection={connection} />
      {parts.filter(Boolean).join(' · ')}
    </p>
  );
}

/** A connection whose jobs wait because its service or its team's register does not answer. */
function Away(props: { readonly backoff: BackingOff }) {
  const { icon, heading, text, about, actions } = useBackingOff(props.backoff);
  return (
    <section className={css.running} aria-label={heading}>
      {icon}
      <span className={`${looks.row} ${looks.grow}`}>{[heading, text, about].filter(Boolean).join(' · ')}</span>
      {actions}
    </section>
  );
}

/** A number with its name, which leads to what was counted, and what stands out of it. */
function Sum(props: {
  readonly title: string;
  /** Null: not known, as what it is counted from was never read. */
  readonly count: number | null;
  readonly about?: string | undefined;
  readonly to?: Route;
  readonly children: ReactNode;
}) {
  const { title, count, to } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  return (
    <section className={css.sum} aria-labelledby={id} title={props.about}>
      <h2 id={id}>
        {title} <span className={css.number}>{count === null ? <NotRead /> : format.number(count)}</span>
      </h2>
      {props.children}
      {to && count !== null && count > 0 ? <Way to={to}>{t('jobs.showAll')}</Way> : null}
    </section>
  );
}

/** A line that leads somewhere. */
function Way(props: { readonly to: Route; readonly children: ReactNode }) {
  const go = useGo();
  return (
    <Button kind="link" onPress={() => go(props.to)}>
      <span className={`${looks.row} ${looks.grow}`}>{props.children}</span>
      <ChevronRight aria-hidden="true" />
    </Button>
  );
}
