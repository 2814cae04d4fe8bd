import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import {
  isNotTaken,
  type TrackedEntry,
  type TrackedGroup,
  type TrackedList,
  type TrackedStatus,
  type UntakenJob,
} from '../../../contract/tracking.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { CorrectAction } from '../../features/correct.tsx';
import { useTeamRequest } from '../../features/team-shared.ts';
import type { Windowed } from '../../features/use-pages.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { RequestSigner } from './request-signer.tsx';
import { RequestStateChip, stateTones } from './request-state.tsx';
import css from './requests.module.css';

/** Height of a card with its people on one line; higher ones are measured. */
const cardHeight = 88;

interface CardsProps {
  readonly connectionId: string;
  readonly lists: readonly TrackedList[];
  readonly chosen: string | null;
  readonly onChoose: (entry: TrackedEntry) => void;
  /** Shows the entries of a request as a list. */
  readonly onOpen: (origDocumentId: string) => void;
  /** A person came to see one request. */
  readonly isOneWanted: boolean;
}

/** One card per request: how many signed, and each person's state; unfolded, its entries. */
export function RequestCards(props: CardsProps & { readonly groups: Windowed<TrackedGroup> }) {
  const { groups } = props;
  const { t } = useTranslation();
  // Kept here, because cards out of sight are not rendered.
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const toggle = (key: string) =>
    setUnfolded((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (
    <VirtualList
      label={t('tracking.requests')}
      items={{ length: groups.total ?? 0, at: groups.rowAt }}
      rowHeight={cardHeight}
      gap={8}
      className={css.cards}
      keyOf={keyOfGroup}
      onRange={groups.onRange}
      takesFocus={props.isOneWanted}
    >
      {(group) => (
        <RequestCard
          {...props}
          group={group}
          isUnfolded={unfolded.has(keyOfGroup(group))}
          onToggle={() => toggle(keyOfGroup(group))}
        />
      )}
    </VirtualList>
  );
}

const keyOfGroup = (group: TrackedGroup) => group.id;

function RequestCard(
  props: CardsProps & { readonly group: TrackedGroup; readonly isUnfolded: boolean; readonly onToggle: () => void },
) {
  const { group, isUnfolded, onOpen } = props;
  const { origDocumentId, signers, signerCount, signedCount, job } = group;
  const { t } = useTranslation();
  const format = useFormat();
  const name = group.documentName || origDocumentId || t('tracking.noDocument');
  const hidden = signerCount - signers.length;
  // A change of a person who is named is marked at the person.
  const hiddenChanges = group.changedCount - signers.filter(({ entry }) => (entry?.mark ?? null) !== null).length;
  const progress = t('tracking.signedOf', {
    count: signerCount,
    signed: format.number(signedCount),
    shown: format.number(signerCount),
  });
  return (
    <article className={css.card} aria-label={job === null ? `${name} · ${progress}` : name}>
      <div className={css.head}>
        <h2>
          {signers.length > 0 ? (
            <AriaButton className={css.name ?? ''} aria-expanded={isUnfolded} onPress={props.onToggle}>
              <ChevronRight aria-hidden="true" />
              <MiddleCut text={name} />
            </AriaButton>
          ) : (
            <MiddleCut text={name} />
          )}
        </h2>
        <RequestStateChip group={group} />
        {job === null ? (
          <span className={css.progress}>
            {group.state === 'not-known' ? t('tracking.seenSoFar', { progress }) : progress}
          </span>
        ) : null}
        {group.isFromElsewhere ? <Chip {...stateTones.elsewhere}>{t('tracking.requestState.elsewhere')}</Chip> : null}
        {hiddenChanges > 0 ? <Chip tone="info">{t('tracking.changedCount', { count: hiddenChanges })}</Chip> : null}
        <TeamChips connectionId={props.connectionId} documentId={origDocumentId} />
        {group.sentAt ? <time className={css.sent}>{format.moment(group.sentAt)}</time> : null}
      </div>
      <ul className={isUnfolded ? css.entries : css.people}>
        {signers.map((signer, at) => (
          <RequestSigner
            key={signer.entry?.id ?? `${at} ${signer.email}`}
            signer={signer}
            list={props.lists.find(({ listType }) => listType === signer.entry?.listType)}
            isChosen={signer.entry !== null && signer.entry.id === props.chosen}
            connectionId={props.connectionId}
            isFull={isUnfolded}
            isSent={job === null}
            onChoose={props.onChoose}
          />
        ))}
        {origDocumentId && hidden > 0 ? (
          <li>
            <Button kind="quiet" onPress={() => onOpen(origDocumentId)}>
              {t('tracking.more', { count: hidden })}
            </Button>
          </li>
        ) : null}
      </ul>
      {job && isNotTaken(job) ? <NotTaken job={job} /> : null}
      {isUnfolded && origDocumentId && group.state === 'not-known' ? (
        <CheckStatus connectionId={props.connectionId} documentId={origDocumentId} />
      ) : null}
    </article>
  );
}

/** Why the service did not take it, and what a person can do. */
function NotTaken(props: { readonly job: UntakenJob }) {
  const { jobId, failure } = props.job;
  const { t } = useTranslation();
  const go = useGo();
  return (
    <div className={css.notTaken}>
      {failure ? <span>{failureText(t, failure).heading}</span> : null}
      <CorrectAction quiet jobId={jobId} />
      <Button kind="quiet" onPress={() => go({ screen: 'jobs' })}>
        {t('compose.showInActivity')}
      </Button>
    </div>
  );
}

/** Asks the service about a request that its lists do not tell. */
function CheckStatus(props: { readonly connectionId: string; readonly documentId: string }) {
  const { t } = useTranslation();
  const ask = useCall('tracking.askRequestStatus');
  const [status, setStatus] = useState<TrackedStatus | null>(null);
  return (
    <div className={css.notTaken}>
      <Button
        kind="quiet"
        isPending={ask.busy}
        onPress={async () => {
          const asked = await ask.run(props);
          if (asked.ok) setStatus(asked.value);
        }}
      >
        {t('documents.askStatus')}
      </Button>
      {status ? <StatusChip status={status} /> : null}
      {ask.failure ? <FailureView failure={ask.failure} calm /> : null}
    </div>
  );
}

/** Who of the team takes care of a request, and until when. */
function TeamChips(props: { readonly connectionId: string; readonly documentId: string | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const request = useTeamRequest(props.connectionId, props.documentId).data;
  if (!request) return null;
  return (
    <>
      {request.assignee ? <Chip tone="info">{t('team.assignedToWho', { person: request.assignee })}</Chip> : null}
      {request.dueOn ? (
        <Chip tone="silent" icon="clock">
          {t('team.dueOn', { date: format.date(request.dueOn) })}
        </Chip>
      ) : null}
    </>
  );
}
