import { FilterX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TrackedFilter } from '../../../contract/tracking.ts';
import { IconButton } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { SearchField, Segments, TextField } from '../../parts/field.tsx';
import { Popup } from '../../parts/popup.tsx';
import css from './signatures.module.css';
import { useStatusText } from './status-text.ts';
import { cleared, isNarrowed, type TableColumn, type TrackedView, tableColumns } from './tracked-view.ts';

/** Search, filters, columns and grouping of the entries. */
export function FilterBar(props: { readonly view: TrackedView; readonly onView: (view: TrackedView) => void }) {
  const { view } = props;
  const { t } = useTranslation();
  const { filter } = view;
  const set = (part: Partial<TrackedFilter>) => props.onView({ ...view, filter: { ...filter, ...part } });
  return (
    <search className={css.tools}>
      <div className={css.search}>
        <SearchField
          label={t('tracking.search')}
          placeholder={t('tracking.searchPlaceholder')}
          value={filter.search}
          onChange={(search) => set({ search })}
        />
      </div>
      <Filters filter={filter} onChange={set} />
      {isNarrowed(filter) ? (
        <IconButton
          label={t('tracking.clearFilters')}
          icon={<FilterX aria-hidden="true" />}
          onPress={() => props.onView({ ...view, filter: cleared(filter) })}
        />
      ) : null}
      {view.grouped ? null : (
        <Popup label={t('tracking.columns')} title={t('tracking.columns')}>
          {tableColumns.map((column) => (
            <Checkbox
              key={column}
              isSelected={view.columns.includes(column)}
              isDisabled={column === 'documentName'}
              onChange={(on) => props.onView({ ...view, columns: withColumn(view, column, on) })}
            >
              {t(`tracking.column.${column}`)}
            </Checkbox>
          ))}
        </Popup>
      )}
      <Segments
        hideLabel
        label={t('tracking.showAs')}
        value={view.grouped ? 'requests' : 'entries'}
        onChange={(as) =>
          // Signers are told from each other by their lists, requests by their states.
          props.onView(
            as === 'requests'
              ? { ...view, grouped: true }
              : { ...view, grouped: false, filter: { ...filter, request: null } },
          )
        }
        choices={[
          { key: 'requests', text: t('tracking.requests') },
          { key: 'entries', text: t('tracking.asList') },
        ]}
      />
    </search>
  );
}

/** The filters besides the search; the button shows how many are set. */
function Filters(props: { readonly filter: TrackedFilter; readonly onChange: (part: Partial<TrackedFilter>) => void }) {
  const { filter, onChange } = props;
  const { t } = useTranslation();
  const textOf = useStatusText();
  const narrowed = [
    filter.person,
    filter.document,
    filter.from,
    filter.to,
    filter.origDocumentId,
    filter.status,
  ].filter(Boolean);
  return (
    <Popup
      label={narrowed.length > 0 ? t('tracking.filtersOn', { count: narrowed.length }) : t('tracking.filters')}
      title={t('tracking.filters')}
    >
      <TextField label={t('tracking.person')} value={filter.person} onChange={(person) => onChange({ person })} />
      <TextField
        label={t('tracking.document')}
        value={filter.document}
        onChange={(document) => onChange({ document })}
      />
      <div className={css.two}>
        <DayField label={t('tracking.from')} value={filter.from} onChange={(from) => onChange({ from })} />
        <DayField label={t('tracking.to')} value={filter.to} onChange={(to) => onChange({ to })} />
      </div>
      <p className={css.hint}>{t('tracking.daysHelp')}</p>
      {filter.origDocumentId ? (
        <p className={css.hint}>{t('tracking.oneDocument', { id: filter.origDocumentId })}</p>
      ) : null}
      {filter.status ? <p className={css.hint}>{t('tracking.oneStatus', { status: textOf(filter.status) })}</p> : null}
    </Popup>
  );
}

/** Columns in the order of the table, independent of the order of ticking. */
function withColumn(view: TrackedView, column: TableColumn, on: boolean): readonly TableColumn[] {
  return tableColumns.filter((one) => (one === column ? on : view.columns.includes(one)));
}
