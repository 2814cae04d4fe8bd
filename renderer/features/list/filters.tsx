import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Popup } from '../../parts/overlays/popup.tsx';
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
