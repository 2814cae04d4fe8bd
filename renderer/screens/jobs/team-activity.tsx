import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TeamClaim, TeamEvent } from '../../../contract/team.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { NothingFits } from '../../features/list/list-screen.tsx';
import { useTeamLink } from '../../features/team/team.ts';
import { useOpenClaims, useTeamEvents } from '../../features/team/team-shared.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { DeclareInDoubt, SettleClaim } from './decide-claim.tsx';
import jobs from './jobs.module.css';
import type { Sought } from './jobs-queries.ts';
import css from './team-activity.module.css';

/** What everybody of the team did, newest first, and above it what nobody has finished; or what of it is searched for. */
export function TeamActivity(props: {
  readonly connectionId: string;
  readonly sought: Sought;
  readonly onClear: () => void;
}) {
  const { connectionId, sought } = props;
  const { t } = useTranslation();
  const read = useTeamEvents(connectionId, sought);
  const isSought = Object.keys(sought).length > 0;
  const events = read.data?.pages.flat() ?? [];
  return (
    <div className={css.body}>
      {read.error ? <FailureView failure={read.error.failure} calm onAgain={() => void read.refetch()} /> : null}
      {isSought ? null : <OpenClaims connectionId={connectionId} />}
      <section aria-label={t('team.events')}>
        <h2 className={looks.title}>{t('team.events')}</h2>
        {read.isPending ? <p role="status">{t('common.loading')}</p> : null}
        {read.data && events.length === 0 ? (
          isSought ? (
            <NothingFits onClear={props.onClear} />
          ) : (
            <p>{t('team.noEvents')}</p>
          )
        ) : null}
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

type Asking = { readonly what: 'declare' | 'settle'; readonly claim: TeamClaim } | null;

/** What is being sent or in doubt anywhere in the team, oldest first. A lead decides about what a silent program left. */
function OpenClaims({ connectionId }: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const claims = useOpenClaims(connectionId);
  const isLead = useTeamLink(connectionId)?.role === 'lead';
  const [asking, setAsking] = useState<Asking>(null);
  const close = () => setAsking(null);
  // The events above say why the register cannot be read.
  if (claims.error && claims.error.failure.code !== 'not-connected')
    return <FailureView failure={claims.error.failure} calm />;
  if (!claims.data || claims.data.length === 0) return null;
  return (
    <section aria-label={t('team.claims')}>
      <h2 className={looks.title}>{t('team.claims')}</h2>
      <ul className={`${looks.card} ${looks.ruled}`}>
        {claims.data.map((claim) => (
          <ClaimLine key={claim.claimId} claim={claim} isLead={isLead} onAsk={(what) => setAsking({ what, claim })} />
        ))}
      </ul>
      {asking?.what === 'declare' ? (
        <DeclareInDoubt connectionId={connectionId} claim={asking.claim} onClose={close} />
      ) : null}
      {asking?.what === 'settle' ? (
        <SettleClaim connectionId={connectionId} claim={asking.claim} onClose={close} />
      ) : null}
    </section>
  );
}

function ClaimLine(props: {
  readonly claim: TeamClaim;
  readonly isLead: boolean;
  readonly onAsk: (what: 'declare' | 'settle') => void;
}) {
  const { claim, isLead, onAsk } = props;
  const { state, isSilent, isMine } = claim;
  const { t } = useTranslation();
  const format = useFormat();
  const isDoubt = state === 'in-doubt';
  const words = { ...claim.by, when: format.momentInText(claim.claimedAt) };
  return (
    <li className={css.line}>
      <span className={css.words}>
        <bdi>{claim.title}</bdi>
        <small>
          {t(isDoubt ? 'team.claimDoubt' : 'team.claimSending', words)}
          {claim.declaredBy ? ` · ${t('team.declaredBy', { person: claim.declaredBy })}` : ''}
        </small>
        {isSilent && !isDoubt ? (
          <small className={jobs.silentSince}>
            {t('team.silentSince', { when: format.momentInText(claim.seenAt) })}
          </small>
        ) : null}
      </span>
      {isDoubt ? (
        <Chip tone="unclear" icon="help">
          {t('jobs.state.in-doubt')}
        </Chip>
      ) : null}
      {isLead && !isMine && isSilent && !isDoubt ? (
        <Button onPress={() => onAsk('declare')}>{t('team.declare')}</Button>
      ) : null}
      {isLead && !isMine && isDoubt ? <Button onPress={() => onAsk('settle')}>{t('team.settle')}</Button> : null}
    </li>
  );
}
