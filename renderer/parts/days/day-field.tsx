import { type CalendarDate, parseDate } from '@internationalized/date';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import {
  Button as AriaButton,
  Calendar,
  CalendarCell,
  CalendarGrid,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { Counters } from '../chip.tsx';
import field from '../field.module.css';
import looks from '../looks.module.css';
import popup from '../overlays/popup.module.css';
import css from './day-field.module.css';
import { dayBefore, useHour } from './today.ts';

const last = parseDate('9999-12-31');

/**
 * A day, typed or picked, in the order and digits of the window's language; null for none. `value` and what is reported are YYYY-MM-DD. Not the browser's own
 * date field: that follows the language of the system.
 */
export function DayField(props: {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (day: string | null) => void;
}) {
  return (
    <DatePicker<CalendarDate>
      className={field.field ?? ''}
      value={props.value === null ? null : parseDate(props.value)}
      onChange={(day) => props.onChange(day?.toString() ?? null)}
      maxValue={last}
      validationBehavior="aria"
    >
      <Label className={looks.label}>{props.label}</Label>
      <Group className={`${field.input} ${css.group}`}>
        <DateInput className={css.parts ?? ''}>
          {(segment) => <DateSegment segment={segment} className={css.part ?? ''} />}
        </DateInput>
        <AriaButton className={css.button ?? ''}>
          <CalendarDays aria-hidden="true" />
        </AriaButton>
      </Group>
      <Popover className={popup.popup ?? ''} placement="bottom end" offset={4}>
        <Dialog className={css.calendar ?? ''}>
          <Calendar>
            <header className={looks.row1}>
              <AriaButton slot="previous" className={css.button ?? ''}>
                <ChevronLeft aria-hidden="true" />
              </AriaButton>
              <Heading className={css.heading ?? ''} />
              <AriaButton slot="next" className={css.button ?? ''}>
                <ChevronRight aria-hidden="true" />
              </AriaButton>
            </header>
            <CalendarGrid className={css.days ?? ''}>
              {(day) => <CalendarCell date={day} className={css.day ?? ''} />}
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
}

/** Days of this computer's calendar, YYYY-MM-DD, both included; null: no bound. */
export interface Days {
  readonly from: string | null;
  readonly to: string | null;
}

const presetKeys = ['today', 'yesterday', 'lastDays', 'thisMonth', 'older'] as const;
type Preset = (typeof presetKeys)[number];

/** Days after which something is old: as on Home. */
const oldAfterDays = 14;

/** The days that people ask for, each one press away; `isAgeAsked`: also what is older than two weeks. */
export function DayPresets(props: {
  readonly label: string;
  readonly days: Days;
  readonly onChange: (days: Days) => void;
  readonly isAgeAsked?: boolean;
}) {
  const { t } = useTranslation();
  const { days } = props;
  // What is today is yesterday after midnight.
  useHour();
  const presets = presetDays();
  const keys = presetKeys.filter((key) => key !== 'older' || props.isAgeAsked);
  return (
    <Counters
      label={props.label}
      wraps
      counters={keys.map((key) => ({ key, text: t(`common.days.${key}`) }))}
      selected={presetOf(days)}
      onSelect={(key) => props.onChange(key === null ? { from: null, to: null } : presets[key])}
    />
  );
}

/** The days that people ask for which these are; null: others, or all. */
export function presetOf(days: Days): Preset | null {
  const presets = presetDays();
  return presetKeys.find((key) => presets[key].from === days.from && presets[key].to === days.to) ?? null;
}

function presetDays(): Record<Preset, Days> {
  const today = dayBefore(0);
  return {
    today: { from: today, to: today },
    yesterday: { from: dayBefore(1), to: dayBefore(1) },
    lastDays: { from: dayBefore(7), to: null },
    thisMonth: { from: `${today.slice(0, 8)}01`, to: null },
    older: { from: null, to: dayBefore(oldAfterDays + 1) },
  };
}
