import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { statusGroups } from '../../../contract/answer.ts';
import type { TrackedFilter, TrackingState } from '../../../contract/tracking.ts';
import { askValue } from '../../bridge/client.ts';
import { useViews } from '../../features/saved-views.ts';
import { useTeamLink } from '../../features/team.ts';
import { ViewsMenu } from '../../features/views-menu.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { DayPresets } from '../../parts/day-presets.tsx';
import { SearchField, Segments, TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { Popup } from '../../parts/popup.tsx';
import css from './signatures.module.css';
import { type StatusFilter, useStatusText } from './status-text.ts';
import {
  cleared,
  isNarrowed,
  type TableColumn,
  type TrackedView,
  tableColumns,
  usualView,
  viewOf,
} from './tracked-view.ts';

interface BarProps {
  readonly state: TrackingState;
  readonly view: TrackedView;
  readonly onView: (view: TrackedView) => void;
}

/** Search, filters, views, columns and what is listed; below it what the filters hide. */
export function FilterBar(props: BarProps & { readonly children: ReactNode }) {
  const { state, view, onView } = props;
  const { t } = useTranslation();
  const { filter } = view;
  const set = (part: Partial<TrackedFilter>) => onView({ ...view, filter: { ...filter, ...part } });
  return (
    <>
      <search className={css.tools}>
        <div className={css.search}>
          <SearchField
            label={t('tracking.search')}
            placeholder={t('tracking.searchPlaceholder')}
            value={filter.search}
            onChange={(search) => set({ search })}
          />
        </div>
        <SentDays filter={filter} onChange={set} />
        <Filters connectionId={state.connectionId} filter={filter} onChange={set} />
        <Views {...props} />
        {view.grouped ? null : <Columns {...props} />}
        <Segments
          hideLabel
          label={t('tracking.showAs')}
          value={view.grouped ? 'requests' : 'entries'}
          onChange={(as) =>
            // Signers are told from each other by their lists, requests by their states.
            onView({ ...view, grouped: as === 'requests', filter: { ...filter, request: null, listType: null } })
          }
          choices={[
            { key: 'requests', text: t('tracking.requests') },
            { key: 'entries', text: t('tracking.serviceLists') },
          ]}
        />
        {props.children}
      </search>
      <ActiveFilters filter={filter} onChange={set} onClear={() => onView({ ...view, filter: cleared(filter) })} />
    </>
  );
}

/** When it was sent: days that people ask for, else two days. */
function SentDays(props: {
  readonly filter: TrackedFilter;
  readonly onChange: (part: Partial<TrackedFilter>) => void;
}) {
  const { filter, onChange } = props;
  const { t } = useTranslation();
  return (
    <Popup label={t('tracking.sentDays')} title={t('tracking.sentDays')}>
      <DayPresets label={t('tracking.sentDays')} days={filter} onChange={onChange} isAgeAsked />
      <div className={css.two}>
        <DayField label={t('tracking.from')} value={filter.from} onChange={(from) => onChange({ from })} />
        <DayField label={t('tracking.to')} value={filter.to} onChange={(to) => onChange({ to })} />
      </div>
      <p className={css.hint}>{t('tracking.daysHelp')}</p>
    </Popup>
  );
}

function Filters(props: {
  readonly connectionId: string;
  readonly filter: TrackedFilter;
  readonly onChange: (part: Partial<TrackedFilter>) => void;
}) {
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
      <StatusChoice {...props} />
    </Popup>
  );
}

/** The words in which the service last answered about documents, with the number of documents, and their meanings. */
function StatusChoice(props: Parameters<typeof Filters>[0]) {
  const { connectionId, filter, onChange } = props;
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
        text: `${textOf(status)} · ${t('tracking.documents', { count: documents, shown: format.number(documents) })}`,
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

function Views({ state, view, onView }: BarProps) {
  const { t } = useTranslation();
  const kept = useViews('tracking');
  const isJoined = useTeamLink(state.connectionId) !== null;
  const only = (part: Partial<TrackedFilter>, grouped = view.grouped): TrackedView => ({
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
        { key: 'everything', text: t('tracking.allRequests'), view: only({}, true) },
        { key: 'changed', text: t('tracking.changed'), view: only({ changedOnly: true }) },
        { key: 'due', text: t('tracking.dueView'), view: only({ dueOnly: true }) },
        ...(isJoined ? [{ key: 'mine', text: t('team.assignedToMe'), view: only({ mine: true }) }] : []),
      ]}
      viewOf={viewOf}
      onChange={onView}
      kept={kept}
    />
  );
}

function Columns({ view, onView }: BarProps) {
  const { t } = useTranslation();
  return (
    <Popup label={t('list.columns')} title={t('list.columns')}>
      {tableColumns.map((column) => (
        <Checkbox
          key={column}
          isSelected={view.columns.includes(column)}
          isDisabled={column === 'documentName'}
          onChange={(on) => onView({ ...view, columns: withColumn(view, column, on) })}
        >
          {t(`tracking.column.${column}`)}
        </Checkbox>
      ))}
    </Popup>
  );
}

/** What hides something, each with a press that shows it again. The search and the counters say it themselves. */
function ActiveFilters(props: {
  readonly filter: TrackedFilter;
  readonly onChange: (part: Partial<TrackedFilter>) => void;
  readonly onClear: () => void;
}) {
  const { filter, onChange } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const textOf = useStatusText();
  const { person, document, from, to, origDocumentId, jobId, status } = filter;
  const filters = [
    person && { text: `${t('tracking.person')}: ${person}`, without: { person: '' } },
    document && { text: `${t('tracking.document')}: ${document}`, without: { document: '' } },
    from && { text: `${t('tracking.from')} ${format.date(from)}`, without: { from: null } },
    to && { text: `${t('tracking.to')} ${format.date(to)}`, without: { to: null } },
    (origDocumentId ?? jobId) && { text: t('tracking.oneRequest'), without: { origDocumentId: null, jobId: null } },
    status && { text: t('tracking.oneStatus', { status: textOf(status) }), without: { status: null } },
    filter.request === 'open' && { text: t('tracking.requestState.open'), without: { request: null } },
    filter.changedOnly && { text: t('tracking.changed'), without: { changedOnly: false } },
    filter.dueOnly && { text: t('tracking.dueView'), without: { dueOnly: false } },
    filter.mine && { text: t('team.assignedToMe'), without: { mine: false } },
  ].filter((one) => typeof one === 'object' && one !== null);
  if (filters.length === 0 && !isNarrowed(filter)) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like the chips above it
    <div role="group" aria-label={t('list.filters')} className={css.active}>
      {filters.map(({ text, without }) => (
        <Button
          key={text}
          kind="quiet"
          icon={<X aria-hidden="true" />}
          aria-label={t('list.withoutFilter', { filter: text })}
          onPress={() => onChange(without)}
        >
          {text}
        </Button>
      ))}
      <Button kind="quiet" onPress={props.onClear}>
        {t('list.clearFilters')}
      </Button>
    </div>
  );
}

/** Columns in the order of the table, independent of the order of ticking. */
function withColumn(view: TrackedView, column: TableColumn, on: boolean): readonly TableColumn[] {
  return tableColumns.filter((one) => (one === column ? on : view.columns.includes(one)));
}
