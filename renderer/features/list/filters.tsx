import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { DayField, DayPresets, type Days } from '../../parts/days/day-field.tsx';
import { useFormat } from '../../parts/format.ts';
import { Popup } from '../../parts/overlays/menu-button.tsx';
import css from './list.module.css';

/** What a filter filters, in words, and the view without it. */
export interface ActiveFilter<V> {
  readonly text: string;
  readonly without: V;
}

/** What hides something, each with a press that shows it again. Searches and counters say it themselves. */
export function ActiveFilters<V>(props: {
  readonly filters: readonly ActiveFilter<V>[];
  readonly onChange: (without: V) => void;
  readonly onClear: () => void;
}) {
  const { t } = useTranslation();
  if (props.filters.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like the chips above it
    <div role="group" aria-label={t('list.filters')} className={css.active}>
      {props.filters.map(({ text, without }) => (
        <Button
          key={text}
          kind="quiet"
          icon={<X aria-hidden="true" />}
          aria-label={t('list.withoutFilter', { filter: text })}
          onPress={() => props.onChange(without)}
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

/** Not everything in the log was sent. */
function useDayWords(isLog = false) {
  const { t } = useTranslation();
  return isLog
    ? { label: t('jobs.when'), from: t('jobs.since'), to: t('jobs.until') }
    : { label: t('tracking.sentDays'), from: t('tracking.from'), to: t('tracking.to') };
}

/** When it was sent, or in the log added: days that people ask for, else two days. */
export function SentDaysPopup(props: {
  readonly days: Days;
  readonly isLog?: boolean;
  readonly onChange: (part: Partial<Days>) => void;
  readonly isAgeAsked?: boolean;
  readonly children?: ReactNode;
}) {
  const { days, onChange } = props;
  const { label, from, to } = useDayWords(props.isLog);
  return (
    <Popup label={label} title={label}>
      <DayPresets label={label} days={days} onChange={onChange} isAgeAsked={props.isAgeAsked ?? false} />
      <div className={css.two}>
        <DayField label={from} value={days.from} onChange={(first) => onChange({ from: first })} />
        <DayField label={to} value={days.to} onChange={(last) => onChange({ to: last })} />
      </div>
      {props.children}
    </Popup>
  );
}

/** The same where it hides something. */
export function useSentDays({ from, to }: Days, isLog = false): readonly ActiveFilter<Partial<Days>>[] {
  const words = useDayWords(isLog);
  const format = useFormat();
  return [
    ...(from ? [{ text: `${words.from} ${format.date(from)}`, without: { from: null } }] : []),
    ...(to ? [{ text: `${words.to} ${format.date(to)}`, without: { to: null } }] : []),
  ];
}

/** Which columns are shown, in the order of the table. `always`: the one by which rows are recognised. */
export function ColumnsPopup<K extends string>(props: {
  readonly all: readonly K[];
  readonly shown: readonly K[];
  readonly always: K;
  readonly titleOf: (column: K) => string;
  readonly onChange: (columns: readonly K[]) => void;
}) {
  const { all, shown } = props;
  const { t } = useTranslation();
  return (
    <Popup label={t('list.columns')} title={t('list.columns')}>
      {all.map((column) => (
        <Checkbox
          key={column}
          isSelected={shown.includes(column)}
          isDisabled={column === props.always}
          onChange={(isOn) => props.onChange(all.filter((one) => (one === column ? isOn : shown.includes(one))))}
        >
          {props.titleOf(column)}
        </Checkbox>
      ))}
    </Popup>
  );
}
