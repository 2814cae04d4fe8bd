import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { TeamEvent } from '../../../contract/team.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTeamEvents } from '../../features/team-shared.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { OpenClaims } from './open-claims.tsx';
import css from './team-activity.module.css';

/** What everybody of the team did, newest first, and above it what nobody has finished. */
export function TeamActivity({ connectionId }: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const read = useTeamEvents(connectionId);
  const events = read.data?.pages.flat() ?? [];
  return (
    <div className={css.body}>
      {read.error ? <FailureView failure={read.error.failure} calm onAgain={() => void read.refetch()} /> : null}
      <OpenClaims connectionId={connectionId} />
      <section aria-label={t('team.events')}>
        <h2 className={looks.title}>{t('team.events')}</h2>
        {read.isPending ? <p role="status">{t('common.loading')}</p> : null}
        {read.data && events.length === 0 ? <p>{t('team.noEvents')}</p> : null}
        {events.length > 0 ? (
          <ol className={`${looks.card} ${looks.ruled}`} aria-label={t('team.events')}>
            {events.map((event) => (
              <EventLine key={event.eventId} event={event} connectionId={connectionId} />
            ))}
          </ol>
        ) : null}
      </section>
      {read.hasNextPage ? (
        <div>
          <Button isPending={read.isFetchingNextPage} onPress={() => void read.fetchNextPage()}>
            {t('team.moreEvents')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function EventLine(props: { readonly event: TeamEvent; readonly connectionId: string }) {
  const { event, connectionId } = props;
  const { documentId } = event;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const words = eventText(t, event, format.date);
  return (
    <li className={css.line}>
      <time dateTime={event.at} title={format.fullMoment(event.at)}>
        {format.moment(event.at)}
      </time>
      <span className={css.words} title={event.by.computer}>
        {words}
      </span>
      {documentId && event.kind === 'registered' ? (
        <Button
          kind="quiet"
          aria-label={t('team.openDocument', { title: event.title })}
          onPress={() => go({ screen: 'documents', open: { connectionId, documentId } })}
        >
          {t('verify.open')}
        </Button>
      ) : null}
    </li>
  );
}

/** What happened, in one sentence. */
function eventText(t: TFunction, { kind, title, by }: TeamEvent, date: (iso: string) => string): string {
  const { person } = by;
  if (kind === 'assigned') return t(title === '' ? 'team.event.unassigned' : 'team.event.assigned', { person, title });
  if (kind === 'due-changed')
    return t(title === '' ? 'team.event.due-removed' : 'team.event.due-changed', { person, title: date(title) });
  return t(`team.event.${kind}`, { person, title });
}
