import { MoreHorizontal } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedGroup } from '../../../contract/tracking.ts';
import { DownloadButton } from '../../features/files/download-part.tsx';
import { CorrectAction } from '../../features/jobs/correct.tsx';
import { useProgressText } from '../../features/signature-queries.ts';
import { useTeamRequest } from '../../features/team/team-shared.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import type { GridColumn } from '../../parts/grid/grid-column.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { MoreMenu, Popup } from '../../parts/overlays/menu-button.tsx';
import { usePeopleTexts, useRequestName } from './people-text.ts';
import { type RequestAction, useRequestActions } from './request-actions.tsx';
import css from './requests.module.css';
import { RequestStateChip, signedText, stateTones } from './state-chips.tsx';

type Act = (action: RequestAction, groups: readonly TrackedGroup[]) => void;

type Column = GridColumn<TrackedGroup, 'name' | 'people' | 'state' | 'time' | 'actions'>;

interface CellProps {
  readonly connectionId: string;
  readonly group: TrackedGroup;
  readonly isTight: boolean;
  readonly onOpen: (group: TrackedGroup) => void;
  readonly onAct: Act;
}

/**
 * One line per request: what it is, who signed and who did not, since when, and what can be done next. `isTight`: beside the panel or in a small window,
 * the people are below the name.
 */
export function useRequestColumns(props: Omit<CellProps, 'group'>): readonly Column[] {
  const { connectionId, isTight, onOpen, onAct } = props;
  const { t } = useTranslation();
  return useMemo(() => {
    const given = { connectionId, isTight, onOpen, onAct };
    const columns: readonly Column[] = [
      {
        id: 'name',
        title: t('tracking.column.documentName'),
        width: 'minmax(11rem, 1.6fr)',
        cell: (group) => <Name {...given} group={group} />,
      },
      {
        id: 'people',
        title: t('tracking.signers'),
        width: 'minmax(12rem, 1fr)',
        fold: 4,
        cell: (group) => <People group={group} />,
      },
      {
        id: 'state',
        title: t('tracking.column.status'),
        width: isTight ? '13rem' : '15.5rem',
        fold: 1,
        // How many signed is below the name.
        slim: { width: '2.75rem', cell: (group) => <RequestStateChip group={group} isIconOnly /> },
        cell: (group) => <State {...given} group={group} />,
      },
      {
        id: 'time',
        title: t('tracking.column.createdAt'),
        width: '11.25rem',
        fold: 3,
        cell: (group) => <RequestTime group={group} />,
      },
      {
        id: 'actions',
        title: t('list.actions'),
        // The longest of all languages: buttons have no part that could be left out.
        width: '13.25rem',
        fold: 2,
        slim: { width: '3.25rem', cell: (group) => <FoldedButtons key={group.id} {...given} group={group} /> },
        isAction: true,
        // Cells are used for other rows while the list scrolls: what a button shows belongs to its request.
        cell: (group) => <RowButtons key={group.id} {...given} group={group} />,
      },
    ];
    return isTight ? columns.filter(({ id }) => id !== 'people' && id !== 'time') : columns;
  }, [connectionId, isTight, onOpen, onAct, t]);
}

function Name({ group, isTight }: CellProps) {
  const { t } = useTranslation();
  const name = useRequestName()(group);
  const progress = useProgressText();
  const changed = t('tracking.changedCount', { count: group.changedCount });
  return (
    <>
      {group.changedCount > 0 ? <span className={looks.dot} role="img" aria-label={changed} title={changed} /> : null}
      <span className={css.name}>
        <MiddleCut text={name} />
        {isTight ? (
          <span className={css.below}>
            {progress(group) ? <span title={progress(group)}>{progress(group, true)}</span> : null}
            <People group={group} />
          </span>
        ) : null}
      </span>
    </>
  );
}

/** Shorter where there is no room, by person: never in the middle of what is said of them. */
function People({ group }: Pick<CellProps, 'group'>) {
  const [whole, ...shorter] = usePeopleTexts()(group);
  return (
    <span className={css.people}>
      <MiddleCut isSentence text={whole} shorter={shorter} />
    </span>
  );
}

function State({ connectionId, group, isTight }: CellProps) {
  const { t } = useTranslation();
  const progress = useProgressText();
  return (
    <>
      <RequestStateChip group={group} />
      {isTight || !progress(group) ? null : (
        <span className={looks.inRow} title={progress(group)}>
          {progress(group, group.state === 'partly-signed')}
        </span>
      )}
      {group.isFromElsewhere ? (
        <Chip {...stateTones.elsewhere} isIconOnly>
          {t('tracking.requestState.elsewhere')}
        </Chip>
      ) : null}
      <TeamChips connectionId={connectionId} documentId={group.origDocumentId} />
    </>
  );
}

/** When it left, if it did, or what is the last that was seen of it; it says which. */
function RequestTime({ group }: Pick<CellProps, 'group'>) {
  const { job, state, signers, sentAt } = group;
  const { t } = useTranslation();
  const format = useFormat();
  const signed = signers.filter((signer) => signer.state === 'signed' && signer.at !== null);
  const isWhole = state === 'complete' && signed.length === group.signerCount;
  const last = isWhole ? signed.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? '')).at(-1) : undefined;
  const at = last?.at ?? sentAt;
  if (at === null) return null;
  const time = format.momentInText(at);
  return (
    <time className={looks.inRow} dateTime={at} title={format.fullMoment(at)}>
      {job ? format.moment(at) : last ? signedText(t, last, format.momentInText) : t('tracking.sentOn', { time })}
    </time>
  );
}

/** What is done next, at the same place in every row. Keys have the panel and the selection: the grid is one Tab stop. */
function RowButtons(props: CellProps) {
  const { group, onAct } = props;
  const { write, more } = useRowActions(props);
  return (
    <span className={css.buttons}>
      <NextButtons {...props} write={write} isInGrid />
      {more.length > 0 ? <MoreMenu isInGrid choices={more} onChoose={(action) => onAct(action, [group])} /> : null}
    </span>
  );
}

/** The same behind one button, where there is no room for more. */
function FoldedButtons(props: CellProps) {
  const { t } = useTranslation();
  const { write, more } = useRowActions(props);
  const label = t('connections.moreActions');
  return (
    <span className={css.buttons}>
      <Popup label={label} title={label} icon={<MoreHorizontal aria-hidden="true" />}>
        {({ close }) => {
          const onAct: Act = (...asked) => {
            close();
            props.onAct(...asked);
          };
          const onOpen = (group: TrackedGroup) => {
            close();
            props.onOpen(group);
          };
          return (
            <span className={looks.line}>
              <NextButtons {...props} onAct={onAct} onOpen={onOpen} write={write} isInGrid={false} />
              {more.map(({ key, text, unavailable }) => (
                <Button key={key} kind="quiet" unavailable={unavailable} onPress={() => onAct(key, [props.group])}>
                  {text}
                </Button>
              ))}
            </span>
          );
        }}
      </Popup>
    </span>
  );
}

function useRowActions({ connectionId, group }: CellProps) {
  const all = useRequestActions(connectionId, [group]);
  const write = all.find(({ key }) => key === 'write');
  return { write, more: all.filter((one) => one !== write) };
}

/** What has a button of its own. */
function NextButtons(
  props: CellProps & Pick<ReturnType<typeof useRowActions>, 'write'> & { readonly isInGrid: boolean },
) {
  const { connectionId, group, write, isInGrid, onOpen, onAct } = props;
  const { t } = useTranslation();
  const { state, origDocumentId, answer } = group;
  const needed = state === 'needs-you' ? group.job : null;
  const isAsking = needed?.state === 'in-doubt' || needed?.state === 'queued';
  return (
    <>
      {isAsking ? (
        <Button kind="quiet" excludeFromTabOrder={isInGrid} onPress={() => onOpen(group)}>
          {t('start.decide')}
        </Button>
      ) : null}
      {needed && !isAsking ? <CorrectAction quiet isInRow jobId={needed.jobId} /> : null}
      {state === 'complete' && origDocumentId !== null ? (
        <DownloadButton
          isInGrid={isInGrid}
          connectionId={connectionId}
          documentId={origDocumentId}
          suggestedName={group.documentName ?? origDocumentId}
          onFailure={() => onOpen(group)}
        />
      ) : null}
      {write ? (
        <Button
          kind="quiet"
          excludeFromTabOrder={isInGrid}
          unavailable={write.unavailable}
          onPress={() => onAct('write', [group])}
        >
          {t('tracking.write')}
        </Button>
      ) : null}
      {state !== 'complete' && answer?.link ? (
        <CopyButton isInGrid={isInGrid} text={answer.link} label={t('compose.copyLink')} shown={t('tracking.link')} />
      ) : null}
    </>
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
