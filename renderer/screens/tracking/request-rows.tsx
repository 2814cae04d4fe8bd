import { Button as AriaButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { isNotTaken, type TrackedEntry, type TrackedGroup } from '../../../contract/tracking.ts';
import { CorrectAction } from '../../features/correct.tsx';
import { DownloadButton } from '../../features/download-part.tsx';
import type { Windowed } from '../../features/list/pages.ts';
import { useTeamRequest } from '../../features/team-shared.ts';
import { Chip } from '../../parts/chip.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { usePeopleText, useProgressText } from './people-text.ts';
import { RemindersMenu } from './reminder-mail.tsx';
import { RequestStateChip, stateTones } from './request-state.tsx';
import css from './requests.module.css';

/** Height of a row until it is measured. */
const rowHeight = 38;

interface RowsProps {
  readonly connectionId: string;
  readonly chosen: string | null;
  readonly onOpen: (group: TrackedGroup) => void;
}

/** One line per request: its state, who signed and who did not, since when, and what can be done next. */
export function RequestRows(
  props: RowsProps & { readonly groups: Windowed<TrackedGroup>; readonly isOneWanted: boolean },
) {
  const { groups } = props;
  const { t } = useTranslation();
  return (
    <VirtualList
      label={t('tracking.requests')}
      items={{ length: groups.total ?? 0, at: groups.rowAt }}
      rowHeight={rowHeight}
      className={css.rows}
      keyOf={keyOfGroup}
      onRange={groups.onRange}
      takesFocus={props.isOneWanted}
    >
      {(group) => <RequestRow {...props} group={group} />}
    </VirtualList>
  );
}

const keyOfGroup = (group: TrackedGroup) => group.id;

/** What a request is called: its document. */
export function useRequestName(): (group: TrackedGroup) => string {
  const { t } = useTranslation();
  return ({ documentName, origDocumentId }) => documentName || origDocumentId || t('tracking.noDocument');
}

function RequestRow(props: RowsProps & { readonly group: TrackedGroup }) {
  const { group } = props;
  const { job } = group;
  const { t } = useTranslation();
  const name = useRequestName()(group);
  const progress = useProgressText()(group);
  const people = usePeopleText()(group);
  const isChosen = group.id === props.chosen;
  return (
    <article
      className={css.row}
      aria-label={job === null ? `${name} · ${progress}` : name}
      data-chosen={isChosen ? '' : undefined}
    >
      <AriaButton
        className={css.open ?? ''}
        data-opens=""
        aria-current={isChosen ? 'true' : undefined}
        onPress={() => props.onOpen(group)}
      >
        <span className={css.name}>
          {group.changedCount > 0 ? (
            <span
              className={css.dot}
              role="img"
              aria-label={t('tracking.changedCount', { count: group.changedCount })}
              title={t('tracking.changedCount', { count: group.changedCount })}
            />
          ) : null}
          <MiddleCut text={name} />
        </span>
        <span className={css.people} title={people}>
          {people}
        </span>
      </AriaButton>
      <div className={css.state}>
        <RequestStateChip group={group} />
        {job === null ? <span className={css.progress}>{progress}</span> : null}
        {group.isFromElsewhere ? <Chip {...stateTones.elsewhere}>{t('tracking.requestState.elsewhere')}</Chip> : null}
        <TeamChips connectionId={props.connectionId} documentId={group.origDocumentId} />
      </div>
      <RequestTime group={group} />
      <div className={css.actions}>
        <RequestActions {...props} />
      </div>
    </article>
  );
}

/** When it was sent, or what is the last that was seen of it; it says which. */
function RequestTime({ group }: { readonly group: TrackedGroup }) {
  const { job, state, signers, sentAt } = group;
  const { t } = useTranslation();
  const format = useFormat();
  const signed = signers.flatMap((signer) => (signer.state === 'signed' && signer.at !== null ? signer.at : []));
  const last = state === 'complete' && signed.length === group.signerCount ? signed.sort().at(-1) : undefined;
  const at = job?.at ?? last ?? sentAt;
  if (at === null) return <span />;
  const time = format.momentInText(at);
  return (
    <time className={css.time} dateTime={at} title={format.fullMoment(at)}>
      {job ? format.moment(at) : t(last === undefined ? 'tracking.sentOn' : 'tracking.signedOn', { time })}
    </time>
  );
}

/** What is done next, at the same place in every row. */
function RequestActions(props: RowsProps & { readonly group: TrackedGroup }) {
  const { connectionId, group } = props;
  const { t } = useTranslation();
  if (group.job !== null) return isNotTaken(group.job) ? <CorrectAction quiet jobId={group.job.jobId} /> : null;
  if (group.state === 'complete')
    return group.origDocumentId === null ? null : (
      <DownloadButton
        connectionId={connectionId}
        documentId={group.origDocumentId}
        suggestedName={group.documentName ?? group.origDocumentId}
        onFailure={() => props.onOpen(group)}
      />
    );
  return (
    <>
      <RemindersMenu connectionId={connectionId} entries={waitingEntries(group)} />
      {group.answer?.link ? <CopyButton text={group.answer.link} label={t('compose.copyLink')} /> : null}
    </>
  );
}

/** Those whom a reminder can be written to. */
const waitingEntries = ({ signers }: TrackedGroup): readonly TrackedEntry[] =>
  signers.flatMap(({ entry }) => (entry === null || entry.hasSigned || !entry.email ? [] : entry));

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
