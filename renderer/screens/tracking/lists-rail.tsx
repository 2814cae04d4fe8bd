import type { ReactNode } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { requestStates, type TrackedList, type TrackingState } from '../../../contract/tracking.ts';
import { useCurrentConnection } from '../../bridge/live.tsx';
import type { useViews } from '../../features/saved-views.ts';
import { SharingState } from '../../features/sharing-parts.tsx';
import { useAnswersTable } from '../../features/signature-queries.ts';
import { useTeamLink } from '../../features/team.ts';
import { useTeamViews } from '../../features/team-views.ts';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { RailItem } from './rail-item.tsx';
import { stateTones } from './request-state.tsx';
import { SaveView } from './save-view.tsx';
import { SavedViews } from './saved-views.tsx';
import css from './signatures.module.css';
import { isUsual, type Shown, type TrackedView, usualFilter, viewOf } from './tracked-view.ts';

/** A view as it is shared: what this version understands. */
const contentOf = (text: string) => JSON.stringify(viewOf(text));

/** The connection's lists with their counts, saved views, and links to the other views. */
export function ListsRail(props: {
  readonly state: TrackingState | null;
  readonly shown: Shown;
  readonly view: TrackedView;
  readonly viewId: string | null;
  readonly kept: ReturnType<typeof useViews>;
  readonly onShow: (shown: Shown) => void;
  readonly onView: (view: TrackedView, id: string | null) => void;
  readonly onSaved: (id: string) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, shown, view, viewId } = props;
  const { filter } = view;
  const isJoined = useTeamLink(useCurrentConnection().id) !== null;
  const team = useTeamViews({
    screen: 'tracking',
    kept: props.kept,
    contentOf,
    onCopied: ({ id }) => props.onSaved(id),
  });
  const others = team.views.filter(({ own }) => !own);
  const viewsProps = {
    viewId: shown === 'entries' ? viewId : null,
    kept: props.kept,
    actionsOf: team.actionsOf,
    onView: props.onView,
  };
  const open = (part: Partial<TrackedView['filter']>) =>
    props.onView({ ...view, filter: { ...usualFilter, ...part } }, null);
  const isPlain =
    shown === 'entries' && viewId === null && !filter.changedOnly && !filter.dueOnly && !filter.mine && !filter.request;
  const isList = (listType: number | null) => isPlain && filter.listType === listType;
  const isRead = (state?.lists ?? []).some(({ asOf }) => asOf !== null);
  // None is known of a list that was never read.
  const countOf = (known: boolean, count: number) => (known ? format.number(count) : <NotRead />);
  const all = Object.values(state?.requests ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <nav className={css.rail} aria-label={t('tracking.lists')}>
      <RailItem
        text={t('tracking.allRequests')}
        count={countOf(isRead || all > 0, all)}
        isCurrent={isList(null)}
        onPress={() => open({})}
      />
      <Group title={t('tracking.states')}>
        {([...requestStates, 'elsewhere'] as const).map((request) => (
          <RailItem
            key={request}
            tone={stateTones[request]}
            text={t(`tracking.requestState.${request}`)}
            count={countOf(isRead || all > 0, state?.requests[request] ?? 0)}
            isCurrent={shown === 'entries' && viewId === null && filter.request === request}
            onPress={() => props.onView({ ...view, grouped: true, filter: { ...usualFilter, request } }, null)}
          />
        ))}
      </Group>
      <Group title={t('tracking.serviceLists')} isTitled>
        {(state?.lists ?? []).map((list) => (
          <RailItem
            key={list.listType}
            text={list.name}
            count={countOf(list.asOf !== null, list.total)}
            mark={markOf(list) > 0 ? t('tracking.changedCount', { count: markOf(list) }) : null}
            isCurrent={isList(list.listType)}
            onPress={() => open({ listType: list.listType })}
          />
        ))}
      </Group>
      <Group title={t('tracking.views')}>
        <RailItem
          text={t('tracking.changed')}
          isCurrent={shown === 'entries' && viewId === null && filter.changedOnly}
          onPress={() => open({ changedOnly: true })}
        />
        <RailItem
          text={t('tracking.dueView')}
          count={state && state.dueCount > 0 ? format.number(state.dueCount) : null}
          isCurrent={shown === 'entries' && viewId === null && filter.dueOnly}
          onPress={() => open({ dueOnly: true })}
        />
        {isJoined ? (
          <RailItem
            text={t('team.assignedToMe')}
            isCurrent={shown === 'entries' && viewId === null && filter.mine}
            onPress={() => open({ mine: true })}
          />
        ) : null}
        <SavedViews {...viewsProps} views={team.views.filter(({ own }) => own)} />
        {shown === 'entries' && !isUsual(view) ? (
          <SaveView view={view} kept={props.kept} onSaved={props.onSaved} />
        ) : null}
        <SharingState sharing={team.sharing} />
      </Group>
      {others.length > 0 ? (
        <Group title={t('team.sharing.fromTeam')} isTitled>
          <SavedViews {...viewsProps} views={others} />
        </Group>
      ) : null}
      <Group title={t('tracking.besides')}>
        <OtherPages shown={shown} onShow={props.onShow} />
      </Group>
    </nav>
  );
}

/** In the place of a count that is not known yet. */
function NotRead() {
  const { t } = useTranslation();
  return (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden elementType="span">{t('tracking.neverAsked')}</VisuallyHidden>
    </>
  );
}

/** A group that is told by its place; its name is for screen readers, unless `isTitled`. */
function Group(props: { readonly title: string; readonly isTitled?: boolean; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like the items beside it
    <div role="group" aria-label={props.title} className={css.railGroup}>
      {props.isTitled ? (
        <span aria-hidden="true" className={css.railTitle}>
          {props.title}
        </span>
      ) : null}
      {props.children}
    </div>
  );
}

/** Links to what is not a list of entries. Status words without a meaning have a screen of their own, named only if there are any. */
function OtherPages(props: { readonly shown: Shown; readonly onShow: (shown: Shown) => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const answers = useAnswersTable();
  const unsorted = answers.data?.unsorted.statuses.length ?? 0;
  return (
    <>
      <RailItem text={t('tracking.sent')} isCurrent={props.shown === 'sent'} onPress={() => props.onShow('sent')} />
      <RailItem text={t('tracking.board')} isCurrent={props.shown === 'board'} onPress={() => props.onShow('board')} />
      {unsorted > 0 ? (
        <RailItem
          text={t('tracking.unsorted')}
          count={format.number(unsorted)}
          isCurrent={false}
          onPress={() => go({ screen: 'answers' })}
        />
      ) : null}
    </>
  );
}

function markOf(list: TrackedList): number {
  return list.newCount + list.movedCount;
}
