import { useTranslation } from 'react-i18next';
import { useCurrentConnection, useLive } from '../../bridge/live.tsx';
import type { useViews } from '../../features/saved-views.ts';
import { useTeamLinks } from '../../features/team.ts';
import { ViewsMenu } from '../../features/views-menu.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DayField } from '../../parts/day-field.tsx';
import { DayPresets } from '../../parts/day-presets.tsx';
import { SearchField, Segments } from '../../parts/field.tsx';
import { Popup } from '../../parts/popup.tsx';
import css from './documents.module.css';
import { columnIds, type DocumentsView, filterCount, firstView, statusFilters, viewOf } from './documents-view.ts';

interface ViewProps {
  readonly view: DocumentsView;
  readonly onChange: (view: DocumentsView) => void;
}

/** Search, filters and columns. */
export function DocumentsTools(props: ViewProps & { readonly kept: ReturnType<typeof useViews> }) {
  const { t } = useTranslation();
  const { view, onChange } = props;
  const connection = useCurrentConnection();
  const hasTeam = useTeamLinks().length > 0;
  const several = useLive().connections.connections.length > 1;
  return (
    <div className={css.tools}>
      <SearchField
        label={t('documents.search')}
        placeholder={t('documents.searchPlaceholder')}
        value={view.search}
        onChange={(search) => onChange({ ...view, search: search.slice(0, 200) })}
      />
      {several ? (
        <Choice
          label={t('documents.scope')}
          hideLabel
          value={view.scope}
          onChange={(scope) => onChange({ ...view, scope })}
          choices={[
            { key: 'current', text: t('documents.scopeCurrent', { name: connection.name }) },
            { key: 'all', text: t('documents.scopeAll') },
          ]}
        />
      ) : null}
      {hasTeam ? (
        <Segments
          label={t('team.whose')}
          hideLabel
          value={view.by}
          onChange={(by) => onChange({ ...view, by })}
          choices={[
            { key: 'mine', text: t('team.mine') },
            { key: 'everyone', text: t('team.everyone') },
          ]}
        />
      ) : null}
      <DayPresets label={t('documents.registered')} days={view} onChange={(days) => onChange({ ...view, ...days })} />
      <Filters view={view} onChange={onChange} />
      <Columns view={view} onChange={onChange} />
      <ViewsMenu
        screen="documents"
        view={view}
        builtIn={[{ key: 'everything', text: t('documents.everything'), view: firstView }]}
        viewOf={viewOf}
        onChange={onChange}
        kept={props.kept}
      />
    </div>
  );
}

function Filters({ view, onChange }: ViewProps) {
  const { t } = useTranslation();
  const count = filterCount(view);
  const { statuses, from, to, origin } = firstView;
  return (
    <Popup
      label={count > 0 ? t('documents.filtersOn', { count }) : t('documents.filters')}
      title={t('documents.filters')}
    >
      <fieldset className={css.group}>
        <legend>{t('documents.filterStatus')}</legend>
        {statusFilters.map((status) => (
          <Checkbox
            key={status}
            isSelected={view.statuses.includes(status)}
            onChange={(isOn) =>
              onChange({
                ...view,
                statuses: statusFilters.filter((one) => (one === status ? isOn : view.statuses.includes(one))),
              })
            }
          >
            {status === 'none' ? t('documents.notAsked') : t(`documents.group.${status}`)}
          </Checkbox>
        ))}
      </fieldset>
      <DayField
        label={t('documents.filterFrom')}
        value={view.from}
        onChange={(day) => onChange({ ...view, from: day })}
      />
      <DayField label={t('documents.filterTo')} value={view.to} onChange={(day) => onChange({ ...view, to: day })} />
      <Choice
        label={t('documents.filterOrigin')}
        value={view.origin ?? 'any'}
        onChange={(key) => onChange({ ...view, origin: key === 'any' ? null : key })}
        choices={[
          { key: 'any', text: t('documents.originAny') },
          { key: 'sent', text: t('documents.originSent') },
          { key: 'opened', text: t('documents.originOpened') },
        ]}
      />
      <Button isDisabled={count === 0} onPress={() => onChange({ ...view, statuses, from, to, origin })}>
        {t('documents.clearFilters')}
      </Button>
    </Popup>
  );
}

/** The name column cannot be removed: without it rows cannot be recognised. */
function Columns({ view, onChange }: ViewProps) {
  const { t } = useTranslation();
  const hasTeam = useTeamLinks().length > 0;
  return (
    <Popup label={t('documents.columns')} title={t('documents.columns')}>
      <fieldset className={css.group}>
        <legend>{t('documents.columns')}</legend>
        {columnIds
          .filter((id) => id !== 'by' || hasTeam)
          .map((id) => (
            <Checkbox
              key={id}
              isSelected={view.columns.includes(id)}
              isDisabled={id === 'name'}
              onChange={(isOn) =>
                onChange({
                  ...view,
                  columns: columnIds.filter((one) => (one === id ? isOn : view.columns.includes(one))),
                })
              }
            >
              {t(`documents.columnTitle.${id}`)}
            </Checkbox>
          ))}
      </fieldset>
    </Popup>
  );
}
