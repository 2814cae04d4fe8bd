import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { TrackedList, TrackingState } from '../../../contract/tracking.ts';
import type { useViews } from '../../features/saved-views.ts';
import { useAnswersTable } from '../../features/signature-queries.ts';
import { IconButton } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import css from './signatures.module.css';
import { type Shown, type TrackedView, usualColumns, usualFilter, viewOf } from './tracked-view.ts';

/** The connection's lists with their counts, saved views, and links to the other views. */
export function ListsRail(props: {
  readonly state: TrackingState | null;
  readonly shown: Shown;
  readonly view: TrackedView;
  readonly viewId: string | null;
  readonly kept: ReturnType<typeof useViews>;
  readonly onShow: (shown: Shown) => void;
  readonly onView: (view: TrackedView, id: string | null) => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, shown, view, viewId } = props;
  const { filter } = view;
  const open = (part: Partial<TrackedView['filter']>, grouped = false) =>
    props.onView({ ...view, grouped, filter: { ...usualFilter, ...part } }, null);
  const isPlain = shown === 'entries' && viewId === null && !filter.changedOnly && !filter.dueOnly;
  const isRequests = isPlain && view.grouped && filter.listType === null;
  const isList = (listType: number | null) => isPlain && !isRequests && filter.listType === listType;
  const total = (state?.lists ?? []).reduce((sum, list) => sum + list.total, 0);
  return (
    <nav className={css.rail} aria-label={t('tracking.lists')}>
      <RailItem text={t('tracking.requests')} isCurrent={isRequests} onPress={() => open({}, true)} />
      <h2>{t('tracking.lists')}</h2>
      {(state?.lists ?? []).map((list) => (
        <RailItem
          key={list.listType}
          text={list.name}
          count={format.number(list.total)}
          mark={markOf(list) > 0 ? t('tracking.changedCount', { count: markOf(list) }) : null}
          isCurrent={isList(list.listType)}
          onPress={() => open({ listType: list.listType })}
        />
      ))}
      <RailItem
        text={t('tracking.allLists')}
        count={format.number(total)}
        isCurrent={isList(null)}
        onPress={() => open({})}
      />
      <h2>{t('tracking.views')}</h2>
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
      <SavedViews {...props} />
      <h2>{t('tracking.besides')}</h2>
      <OtherPages shown={shown} onShow={props.onShow} />
    </nav>
  );
}

function SavedViews(props: {
  readonly shown: Shown;
  readonly viewId: string | null;
  readonly kept: ReturnType<typeof useViews>;
  readonly onView: (view: TrackedView, id: string | null) => void;
}) {
  const { t } = useTranslation();
  async function removeView(id: string) {
    const isGone = await props.kept.remove(id);
    if (isGone) props.onView({ filter: usualFilter, columns: usualColumns, grouped: false }, null);
  }
  return props.kept.views.map((saved) => {
    const isCurrent = props.shown === 'entries' && props.viewId === saved.id;
    return (
      <RailItem
        key={saved.id}
        text={saved.name}
        isCurrent={isCurrent}
        onPress={() => props.onView(viewOf(saved.content), saved.id)}
        aside={
          isCurrent ? (
            <IconButton
              label={t('tracking.removeView', { name: saved.name })}
              icon={<X aria-hidden="true" />}
              onPress={() => void removeView(saved.id)}
            />
          ) : null
        }
      />
    );
  });
}

/** Links to what is not a list of entries. Status words without a meaning have a screen of their own. */
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
      <RailItem
        text={t('tracking.unsorted')}
        count={unsorted > 0 ? format.number(unsorted) : null}
        isCurrent={false}
        onPress={() => go({ screen: 'answers' })}
      />
    </>
  );
}

function RailItem(props: {
  readonly text: string;
  readonly count?: string | null;
  readonly mark?: string | null;
  readonly isCurrent: boolean;
  readonly onPress: () => void;
  readonly aside?: ReactNode;
}) {
  return (
    <div className={css.railItem} data-current={props.isCurrent ? '' : undefined}>
      <AriaButton
        className={css.railButton ?? ''}
        aria-current={props.isCurrent ? 'true' : undefined}
        onPress={props.onPress}
      >
        <span className={css.cut}>{props.text}</span>
        {props.mark ? <span className={css.dot} role="img" aria-label={props.mark} title={props.mark} /> : null}
        {props.count ? <span className={css.count}>{props.count}</span> : null}
      </AriaButton>
      {props.aside}
    </div>
  );
}

function markOf(list: TrackedList): number {
  return list.newCount + list.movedCount;
}
