import { VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { ListMeaning } from '../../../contract/connections.ts';
import { requestStates, type TrackingState } from '../../../contract/tracking.ts';
import { type ChipTone, Counters } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import { stateTones } from './request-state.tsx';
import { isNarrowed, type TrackedView } from './tracked-view.ts';

const listTones: Record<ListMeaning, ChipTone> = {
  waiting: stateTones.waiting,
  signed: stateTones.complete,
  none: { tone: 'silent', icon: 'dashed' },
};

/** How many requests are in each state, which together are all that were sent; or how many entries each list of the service has. Each filters. Without numbers while a search or another filter hides some of them. */
export function ViewCounters(props: {
  readonly state: TrackingState;
  readonly view: TrackedView;
  readonly onView: (view: TrackedView) => void;
}) {
  const { state, view, onView } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { filter } = view;
  const isNarrow = useNarrow();
  const notRead = (
    <>
      <span aria-hidden="true">–</span>
      <VisuallyHidden elementType="span">{t('tracking.neverAsked')}</VisuallyHidden>
    </>
  );
  const counted = (isKnown: boolean, count: number) =>
    isNarrowed(filter) ? {} : { count: isKnown ? format.number(count) : notRead };
  if (!view.grouped)
    return (
      <Counters
        label={t('tracking.serviceLists')}
        selected={filter.listType === null ? null : String(filter.listType)}
        onSelect={(key) => onView({ ...view, filter: { ...filter, listType: key === null ? null : Number(key) } })}
        counters={state.lists.map(({ listType, name, meaning, asOf, total }) => ({
          key: String(listType),
          ...listTones[meaning],
          text: name,
          ...counted(asOf !== null, total),
        }))}
      />
    );
  const isAny = Object.values(state.requests).some((count) => count > 0);
  // None is known before a list was read, unless something was sent from here.
  const isKnown = isAny || state.lists.some(({ asOf }) => asOf !== null);
  // Most of the time everything was sent. In a small window states that no request has are only in the filters.
  const keys = ([...requestStates, 'elsewhere'] as const).filter(
    (key) => state.requests[key] > 0 || filter.request === key || !(key === 'not-sent' || (isNarrow && isAny)),
  );
  return (
    <Counters
      label={t('tracking.states')}
      selected={filter.request === 'open' ? null : filter.request}
      onSelect={(request) => onView({ ...view, filter: { ...filter, request } })}
      counters={keys.map((key) => ({
        key,
        ...stateTones[key],
        text: t(`tracking.requestState.${key}`),
        ...counted(isKnown, state.requests[key]),
      }))}
    />
  );
}
