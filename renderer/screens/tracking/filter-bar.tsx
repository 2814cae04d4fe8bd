import { useQuery } from '@tanstack/react-query';
import type { Dispatch, ReactNode, SetStateAction } from 'react';
import { useTranslation } from 'react-i18next';
import { statusGroups } from '../../../contract/answers.ts';
import { requestStates, type TrackedFilter, type TrackingState } from '../../../contract/tracking.ts';
import { askValue } from '../../bridge/client.ts';
import {
  type ActiveFilter,
  ActiveFilters,
  ColumnsPopup,
  SentDaysPopup,
  useSentDays,
} from '../../features/list/filters.tsx';
import { ListTools } from '../../features/list/list-screen.tsx';
import { useViews } from '../../features/saved-views.ts';
import { useTeamLink } from '../../features/team/team.ts';
import { ViewsMenu } from '../../features/views-menu.tsx';
import { Button } from '../../parts/button.tsx';
import { Counters } from '../../parts/chip.tsx';
import { Choice } from '../../parts/choice.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Popup } from '../../parts/overlays/menu-button.tsx';
import { cleared, type TrackedView, tableColumns, usualView, viewOf } from './tracked-view.ts';

interface BarProps {
  readonly state: TrackingState;
  readonly view: TrackedView;
  readonly onView: Dispatch<SetStateAction<TrackedView>>;
  readonly onFilter: (part: Partial<TrackedFilter>) => void;
}

/** Search, filters, views, columns and what is listed; below it what the filters hide. */
export function FilterBar(props: BarProps & { readonly children: ReactNode }) {
  const { state, view, onView, onFilter } = props;
  const { t } = useTranslation();
  const { filter } = view;
  const isJoined = useTeamLink(state.connectionId) !== null;
  return (
    <>
      <ListTools
        label={t('tracking.search')}
        placeholder={t('tracking.searchPlaceholder')}
        search={filter.search}
        onSearch={(search) => onFilter({ search })}
      >
        <SentDays filter={filter} onChange={onFilter} />
        <Filters connectionId={state.connectionId} isGrouped={view.grouped} filter={filter} onChange={onFilter} />
        {isJoined ? (
          <Counters
            label={t('team.assignedTo')}
            counters={[{ key: 'mine', text: t('team.mine') }]}
            selected={filter.mine ? 'mine' : null}
            onSelect={(mine) => onFilter({ mine: mine !== null })}
          />
        ) : null}
        <Views view={view} onView={onView} />
        {view.grouped ? null : (
          <ColumnsPopup
            all={tableColumns}
            shown={view.columns}
            always="documentName"
            titleOf={(column) => t(`tracking.column.${column}`)}
            onChange={(columns) => onView((now) => ({ ...now, columns }))}
          />
        )}
        {props.children}
      </ListTools>
      <ActiveFilters filters={useActive(filter)} onChange={onFilter} onClear={() => onFilter(cleared(filter))} />
    </>
  );
}

interface FilterProps {
  readonly filter: TrackedFilter;
  readonly onChange: (part: Partial<TrackedFilter>) => void;
}

/** When it was sent: days that people ask for, else two days. */
function SentDays({ filter, onChange }: FilterProps) {
  const { t } = useTranslation();
  return (
    <SentDaysPopup days={filter} onChange={onChange} isAgeAsked>
      <p className={`${looks.aside} ${looks.wrapped}`}>{t('tracking.daysHelp')}</p>
    </SentDaysPopup>
  );
}

function Filters(props: FilterProps & { readonly connectionId: string; readonly isGrouped: boolean }) {
  const { filter, onChange } = props;
  const { t } = useTranslation();
  return (
    <Popup label={t('list.filters')} title={t('list.filters')}>
      <TextField label={t('tracking.person')} value={filter.person} onChange={(person) => onChange({ person })} />
      <TextField
        label={t('tracking.document')}
        value={filter.document}
        onChange={(document) => onChange({ document })}
      />
      {useNarrow() && props.isGrouped ? <StateChoice {...props} /> : null}
      <StatusChoice {...props} />
    </Popup>
  );
}

/** The counters above the list, of which a small window leaves out those of nothing. */
function StateChoice({ filter, onChange }: FilterProps) {
  const { t } = useTranslation();
  return (
    <Choice
      label={t('tracking.states')}
      value={filter.request ?? 'any'}
      choices={(['any', 'open', ...requestStates, 'elsewhere'] as const).map((key) => ({
        key,
        text: key === 'any' ? t('tracking.anyStatus') : t(`tracking.requestState.${key}`),
      }))}
      onChange={(key) => onChange({ request: key === 'any' ? null : key })}
    />
  );
}

/** The words in which the service last answered about documents, with the number of documents, and their meanings. */
function StatusChoice({ connectionId, filter, onChange }: FilterProps & { readonly connectionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const textOf = useStatusText();
  const board = useQuery({
    queryKey: ['tracked', connectionId, 'board'],
    queryFn: () => askValue('tracking.board', { connectionId }),
  });
  const words = board.data?.words ?? [];
  const choices: { readonly key: string; readonly text: string; readonly status: StatusFilter | null }[] = [
    { key: 'any', text: t('tracking.anyStatus'), status: null },
    ...statusGroups.flatMap((group) => {
      const some = words.filter((word) => word.group === group);
      const counted = (status: StatusFilter, documents: number) => ({
        key: JSON.stringify(status),
        status,
        text: `${textOf(status)} · ${t('tracking.documents', format.counted(documents))}`,
      });
      const sum = some.reduce((all, { documents }) => all + documents, 0);
      return [
        ...(some.length > 1 ? [counted({ group }, sum)] : []),
        ...some.map(({ raw, documents }) => counted({ word: raw }, documents)),
      ];
    }),
  ];
  return (
    <>
      <Choice
        label={t('tracking.column.status')}
        value={filter.status === null ? 'any' : JSON.stringify(filter.status)}
        choices={choices}
        onChange={(key) => onChange({ status: choices.find((choice) => choice.key === key)?.status ?? null })}
      />
      <Button kind="quiet" onPress={() => go({ screen: 'answers' })}>
        {t('tracking.toAnswers')}
      </Button>
    </>
  );
}

function Views({ view, onView }: Pick<BarProps, 'view' | 'onView'>) {
  const { t } = useTranslation();
  const kept = useViews('tracking');
  const only = (part: Partial<TrackedFilter>, grouped = true): TrackedView => ({
    ...usualView,
    columns: view.columns,
    grouped,
    filter: { ...usualView.filter, ...part },
  });
  return (
    <ViewsMenu
      screen="tracking"
      view={view}
      builtIn={[
        { key: 'everything', text: t('tracking.allRequests'), view: only({}) },
        { key: 'lists', text: t('tracking.serviceLists'), view: only({}, false) },
        // Requests: who has left the lists since, or was never in one, is in no list.
        { key: 'changed', text: t('tracking.changed'), view: only({ changedOnly: true }) },
        { key: 'due', text: t('tracking.dueView'), view: only({ dueOnly: true }) },
      ]}
      viewOf={viewOf}
      onChange={onView}
      kept={kept}
    />
  );
}

/** What hides something and does not say so elsewhere, as the search, the counters and *Mine* do. */
function useActive(filter: TrackedFilter): readonly ActiveFilter<Partial<TrackedFilter>>[] {
  const { t } = useTranslation();
  const textOf = useStatusText();
  const sentDays = useSentDays(filter);
  const { person, document, origDocumentId, jobId, status } = filter;
  return [
    person && { text: `${t('tracking.person')}: ${person}`, without: { person: '' } },
    document && { text: `${t('tracking.document')}: ${document}`, without: { document: '' } },
    ...sentDays,
    (origDocumentId ?? jobId) && { text: t('tracking.oneRequest'), without: { origDocumentId: null, jobId: null } },
    status && { text: t('tracking.oneStatus', { status: textOf(status) }), without: { status: null } },
    filter.request === 'open' && { text: t('tracking.requestState.open'), without: { request: null } },
    filter.changedOnly && { text: t('tracking.changed'), without: { changedOnly: false } },
    filter.dueOnly && { text: t('tracking.dueView'), without: { dueOnly: false } },
  ].filter((one) => typeof one === 'object' && one !== null);
}

type StatusFilter = NonNullable<TrackedFilter['status']>;

/** Text of a status filter: a word of the service, or a meaning. */
function useStatusText(): (status: StatusFilter) => string {
  const { t } = useTranslation();
  return (status) => {
    if ('group' in status) return t(`documents.group.${status.group}`);
    return status.word === null ? t('common.noAnswerText') : t('common.quote', { text: status.word });
  };
}
