import type { TFunction } from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection, useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { type ActiveFilter, ActiveFilters, ColumnsPopup } from '../../features/list/filters.tsx';
import { ListTools } from '../../features/list/list-screen.tsx';
import type { useViews } from '../../features/saved-views.ts';
import { useTeamLinks } from '../../features/team/team.ts';
import { ViewsMenu } from '../../features/views-menu.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Choice } from '../../parts/choice.tsx';
import { DayField, DayPresets, presetOf } from '../../parts/days/day-field.tsx';
import { Form, Segments, TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Popup } from '../../parts/overlays/menu-button.tsx';
import {
  cleared,
  columnIds,
  type DocumentsView,
  firstView,
  type StatusFilter,
  statusFilters,
  viewOf,
} from './documents-view.ts';

interface ViewProps {
  readonly view: DocumentsView;
  readonly onChange: (part: Partial<DocumentsView>) => void;
}

/** Search, filters, columns and views; below them what the filters hide. */
export function DocumentsTools(props: ViewProps & { readonly kept: ReturnType<typeof useViews> }) {
  const { t } = useTranslation();
  const { view, onChange } = props;
  const connection = useCurrentConnection();
  const hasTeam = useTeamLinks().length > 0;
  const hasDaysInFilters = useDaysInFilters();
  const days = <DayPresets label={t('documents.registered')} days={view} onChange={onChange} />;
  const several = useLive().connections.connections.length > 1;
  return (
    <>
      <ListTools
        label={t('documents.search')}
        placeholder={t('documents.searchPlaceholder')}
        search={view.search}
        onSearch={(search) => onChange({ search })}
      >
        {several ? (
          <Choice
            label={t('documents.scope')}
            hideLabel
            value={view.scope}
            onChange={(scope) => onChange({ scope })}
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
            onChange={(by) => onChange({ by })}
            choices={[
              { key: 'mine', text: t('team.mine') },
              { key: 'everyone', text: t('team.everyone') },
            ]}
          />
        ) : null}
        {hasDaysInFilters ? null : days}
        <Filters view={view} onChange={onChange}>
          {hasDaysInFilters ? days : null}
        </Filters>
        <ColumnsPopup
          all={columnIds.filter((id) => id !== 'by' || hasTeam)}
          shown={view.columns}
          always="name"
          titleOf={(id) => t(`documents.columnTitle.${id}`)}
          onChange={(columns) => onChange({ columns })}
        />
        <ViewsMenu
          screen="documents"
          view={view}
          builtIn={[{ key: 'everything', text: t('documents.everything'), view: firstView }]}
          viewOf={viewOf}
          onChange={onChange}
          kept={props.kept}
        />
      </ListTools>
      <Active view={view} onChange={onChange} />
    </>
  );
}

/** In a small window, and where the choice between one's own and everyone's documents takes their place, tools stay in one line. */
function useDaysInFilters(): boolean {
  const hasTeam = useTeamLinks().length > 0;
  return useNarrow() || hasTeam;
}

/** Days that stand above as a press are said there. */
function Active({ view, onChange }: ViewProps) {
  const hasDaysInFilters = useDaysInFilters();
  const { t } = useTranslation();
  const format = useFormat();
  const { from, to } = presetOf(view) === null || hasDaysInFilters ? view : firstView;
  const { statuses, origin } = view;
  const filters: ActiveFilter<Partial<DocumentsView>>[] = [
    ...statuses.map((status) => ({
      text: statusText(t, status),
      without: { statuses: statuses.filter((one) => one !== status) },
    })),
    ...(from ? [{ text: `${t('documents.filterFrom')} ${format.date(from)}`, without: { from: null } }] : []),
    ...(to ? [{ text: `${t('documents.filterTo')} ${format.date(to)}`, without: { to: null } }] : []),
    ...(origin ? [{ text: t(`documents.origin.${origin}`), without: { origin: null } }] : []),
  ];
  return <ActiveFilters filters={filters} onChange={onChange} onClear={() => onChange(cleared(view))} />;
}

function statusText(t: TFunction, status: StatusFilter): string {
  return status === 'none' ? t('documents.notAsked') : t(`documents.group.${status}`);
}

function Filters({ view, onChange, children }: ViewProps & { readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Popup label={t('list.filters')} title={t('list.filters')}>
      <fieldset className={looks.lines}>
        <legend>{t('documents.filterStatus')}</legend>
        {statusFilters.map((status) => (
          <Checkbox
            key={status}
            isSelected={view.statuses.includes(status)}
            onChange={(isOn) =>
              onChange({
                statuses: statusFilters.filter((one) => (one === status ? isOn : view.statuses.includes(one))),
              })
            }
          >
            {statusText(t, status)}
          </Checkbox>
        ))}
      </fieldset>
      {children}
      <DayField label={t('documents.filterFrom')} value={view.from} onChange={(day) => onChange({ from: day })} />
      <DayField label={t('documents.filterTo')} value={view.to} onChange={(day) => onChange({ to: day })} />
      <Choice
        label={t('documents.filterOrigin')}
        value={view.origin ?? 'any'}
        onChange={(key) => onChange({ origin: key === 'any' ? null : key })}
        choices={(['any', 'sent', 'opened'] as const).map((key) => ({ key, text: t(`documents.origin.${key}`) }))}
      />
    </Popup>
  );
}

/** Adds a document that was not sent from here to the register. */
export function OpenById(props: { readonly onClose: () => void; readonly onOpened: (row: DocumentRow) => void }) {
  const { t } = useTranslation();
  const connection = useCurrentConnection();
  const open = useCall('documents.openById');
  const [documentId, setDocumentId] = useState('');
  const id = documentId.trim();

  async function openNow() {
    if (id === '') return;
    const opened = await open.run({ connectionId: connection.id, documentId: id });
    if (opened.ok) props.onOpened(opened.value);
  }

  return (
    <Dialog
      title={t('documents.openByIdTitle')}
      onClose={props.onClose}
      confirm={
        <Button kind="primary" isDisabled={id === ''} isPending={open.busy} onPress={() => void openNow()}>
          {t('documents.openByIdConfirm')}
        </Button>
      }
    >
      <p>{t('documents.openByIdText')}</p>
      <Form onSubmit={() => void openNow()}>
        <TextField
          label={t('documents.openByIdField')}
          value={documentId}
          onChange={setDocumentId}
          mono
          autoFocus
          maxLength={200}
          error={open.failure?.fields?.documentId}
        />
      </Form>
      {open.failure ? <FailureView failure={open.failure} subject={id} /> : null}
    </Dialog>
  );
}
